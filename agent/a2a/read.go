package a2a

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// requirementsKey is the 1.0 name of security, which cards of ours don't have.
const requirementsKey = "securityRequirements"

// ReadCard reads a card of any version, as servers in the field publish it at the address, into the form of
// ours: lists that are null are empty, each security scheme has its flat fields, what a call needs is in
// Security, and relative addresses are resolved against that of the card. Without an address they stay
// relative. What no version of the protocol knows is kept.
//
// The error of a card that lacks what every card must have names all that it lacks.
func ReadCard(data []byte, address string) (agentapi.AgentCard, error) {
	card, err := readCard(data, address)
	switch {
	case err == nil:
		return card, nil
	case address == "":
		return agentapi.AgentCard{}, fmt.Errorf("a2a: card: %w", err)
	}
	return agentapi.AgentCard{}, fmt.Errorf("a2a: card at %s: %w", address, err)
}

func readCard(data []byte, address string) (agentapi.AgentCard, error) {
	var card agentapi.AgentCard
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil || raw == nil {
		return card, errors.New("it is not a JSON object")
	}
	if err := json.Unmarshal(data, &card); err != nil {
		return card, err
	}
	if lacks := missing(card); len(lacks) > 0 {
		return card, errors.New("it lacks " + strings.Join(lacks, ", "))
	}
	card.DefaultInputModes = listed(card.DefaultInputModes)
	card.DefaultOutputModes = listed(card.DefaultOutputModes)
	card.Skills = listed(card.Skills)
	if err := readRequirements(&card.Security, card.AdditionalProperties); err != nil {
		return card, err
	}
	for i := range card.Skills {
		skill := &card.Skills[i]
		skill.Tags = listed(skill.Tags)
		if err := readRequirements(&skill.Security, skill.AdditionalProperties); err != nil {
			return card, fmt.Errorf("skill %q: %w", skill.ID, err)
		}
	}
	locations := keyLocations(raw["securitySchemes"])
	for name, scheme := range card.SecuritySchemes {
		scheme = flat(scheme)
		if scheme.In == "" {
			scheme.In = locations[name]
		}
		card.SecuritySchemes[name] = scheme
	}
	return card, resolveAll(&card, address)
}

// missing names what every card must have and this one lacks.
func missing(card agentapi.AgentCard) []string {
	var lacks []string
	if card.Name == "" {
		lacks = append(lacks, "name")
	}
	if card.Description == "" {
		lacks = append(lacks, "description")
	}
	if card.URL == "" && len(card.SupportedInterfaces) == 0 {
		lacks = append(lacks, "url or supportedInterfaces")
	}
	return lacks
}

// readRequirements moves what A2A 1.0 says of the need for credentials to where 0.3 says it, unless it is
// there as well. A need that cannot be understood is an error, since a call without it would be refused.
func readRequirements(security *[]agentapi.SecurityRequirement, others map[string]any) error {
	value, ok := others[requirementsKey]
	delete(others, requirementsKey)
	if !ok || value == nil || *security != nil {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		return errors.New(requirementsKey + " is not a list")
	}
	*security = []agentapi.SecurityRequirement{}
	for i, value := range list {
		requirement, ok := requirementOf(value)
		if !ok {
			return fmt.Errorf("%s[%d] names no schemes", requirementsKey, i)
		}
		*security = append(*security, requirement)
	}
	return nil
}

// requirementOf reads {"schemes": {"name": scopes}}, and the same without schemes as 0.3 has it.
func requirementOf(value any) (agentapi.SecurityRequirement, bool) {
	object, ok := value.(map[string]any)
	if schemes, wrapped := object["schemes"]; ok && wrapped {
		object, ok = schemes.(map[string]any)
		ok = ok || schemes == nil
	}
	requirement := agentapi.SecurityRequirement{}
	for name, value := range object {
		scopes, sound := scopesOf(value)
		requirement[name], ok = scopes, ok && sound
	}
	return requirement, ok
}

// scopesOf reads {"list": ["scope"]}, as specified, and what implementations write instead: the list itself,
// or an empty object or null for none.
func scopesOf(value any) ([]string, bool) {
	if object, ok := value.(map[string]any); ok {
		value = object["list"]
	}
	scopes := []string{}
	if value == nil {
		return scopes, true
	}
	list, ok := value.([]any)
	for _, element := range list {
		scope, isText := element.(string)
		scopes, ok = append(scopes, scope), ok && isText
	}
	return scopes, ok
}

// flat gives a scheme the fields that 0.3 and OpenAPI have for what 1.0 puts under the key of its type.
func flat(s agentapi.SecurityScheme) agentapi.SecurityScheme {
	switch {
	case s.Type != "":
	case s.APIKeySecurityScheme != nil:
		w := s.APIKeySecurityScheme
		s.Type, s.In, s.Name, s.Description = agentapi.SecuritySchemeTypeAPIKey, agentapi.SecuritySchemeIn(w.Location), w.Name, w.Description
	case s.HTTPAuthSecurityScheme != nil:
		w := s.HTTPAuthSecurityScheme
		s.Type, s.Scheme, s.BearerFormat, s.Description = agentapi.SecuritySchemeTypeHTTP, w.Scheme, w.BearerFormat, w.Description
	case s.OAuth2SecurityScheme != nil:
		w := s.OAuth2SecurityScheme
		s.Type, s.Flows, s.OAuth2MetadataURL, s.Description = agentapi.SecuritySchemeTypeOAuth2, w.Flows, w.OAuth2MetadataURL, w.Description
	case s.OpenIDConnectSecurityScheme != nil:
		w := s.OpenIDConnectSecurityScheme
		s.Type, s.OpenIDConnectURL, s.Description = agentapi.SecuritySchemeTypeOpenIDConnect, w.OpenIDConnectURL, w.Description
	case s.MTLSSecurityScheme != nil:
		s.Type, s.Description = agentapi.SecuritySchemeTypeMutualTLS, s.MTLSSecurityScheme.Description
	}
	return s
}

// keyLocations are the places of API keys for which a card uses the word of the other version: location in
// a flat scheme, in within a wrapped one.
func keyLocations(schemes json.RawMessage) map[string]agentapi.SecuritySchemeIn {
	var read map[string]struct {
		Location any `json:"location"`
		Wrapped  struct {
			In any `json:"in"`
		} `json:"apiKeySecurityScheme"`
	}
	if json.Unmarshal(schemes, &read) != nil {
		return nil
	}
	found := map[string]agentapi.SecuritySchemeIn{}
	for name, scheme := range read {
		for _, value := range []any{scheme.Location, scheme.Wrapped.In} {
			if text, ok := value.(string); ok {
				found[name] = agentapi.SecuritySchemeIn(text)
			}
		}
	}
	return found
}

// resolveAll makes the addresses at which the agent is called absolute.
func resolveAll(card *agentapi.AgentCard, address string) error {
	if address == "" {
		return nil
	}
	base, err := url.Parse(address)
	if err != nil || !base.IsAbs() || base.Host == "" {
		return errors.New("its own address is not an absolute one")
	}
	card.URL = absolute(base, card.URL, card.PreferredTransport)
	for i := range card.SupportedInterfaces {
		at := &card.SupportedInterfaces[i]
		at.URL = absolute(base, at.URL, at.ProtocolBinding)
	}
	for i := range card.AdditionalInterfaces {
		at := &card.AdditionalInterfaces[i]
		at.URL = absolute(base, at.URL, at.Transport)
	}
	return nil
}

// absolute resolves an address, unless it is empty or one of gRPC, which is host:port. What is no address
// stays as it is, for [Endpoint] to pass over.
func absolute(base *url.URL, address, binding string) string {
	if address == "" || strings.EqualFold(binding, bindingGRPC) {
		return address
	}
	resolved, err := base.Parse(address)
	if err != nil {
		return address
	}
	return resolved.String()
}
