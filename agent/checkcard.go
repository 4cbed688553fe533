package agent

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// cardFaults finds what the document requires of a card and this one lacks, apart from what the server
// supplies.
func (r *Registry) cardFaults(card agentapi.AgentCard) []error {
	var f faults
	f.add(card.Name == "", "has no name")
	f.add(card.Description == "", "has no description")
	f.add(card.URL != "" && !isReference(card.URL), "has the url %q: want an http(s) address or a path", card.URL)
	f.addAddress("iconUrl", card.IconURL, false)
	f.addAddress("documentationUrl", card.DocumentationURL, false)
	if provider := card.Provider; provider != nil {
		f.add(provider.Organization == "", "lacks the provider's organization")
		f.addAddress("provider's url", provider.URL, true)
	}
	f.add(slices.Contains(card.DefaultInputModes, ""), "has an empty default input mode")
	f.add(slices.Contains(card.DefaultOutputModes, ""), "has an empty default output mode")
	return append(f.of("the card"), r.skillFaults(card.Skills)...)
}

func (r *Registry) skillFaults(skills []agentapi.AgentSkill) []error {
	seen := map[string]bool{}
	for _, earlier := range r.packages {
		for _, skill := range earlier.Card.Skills {
			seen[skill.ID] = true
		}
	}
	var all []error
	for i, skill := range skills {
		var f faults
		f.add(skill.ID == "", "has no id")
		f.add(skill.ID != "" && seen[skill.ID], "is registered already")
		f.add(skill.Name == "", "has no name")
		f.add(skill.Description == "", "has no description")
		f.add(slices.Contains(skill.Tags, ""), "has an empty tag")
		f.add(slices.Contains(skill.Examples, ""), "has an empty example")
		f.add(slices.Contains(skill.InputModes, ""), "has an empty input mode")
		f.add(slices.Contains(skill.OutputModes, ""), "has an empty output mode")
		seen[skill.ID] = true
		subject := fmt.Sprintf("skill %q", skill.ID)
		if skill.ID == "" {
			subject = fmt.Sprintf("skills[%d]", i)
		}
		all = append(all, f.of(subject)...)
	}
	return all
}

// schemeFaults finds why a client could not learn from the scheme what to send.
func schemeFaults(s agentapi.SecurityScheme) faults {
	var f faults
	switch s.Type {
	case agentapi.SecuritySchemeTypeAPIKey:
		f.add(!s.In.Valid(), "has its key in %q: want header, query or cookie", s.In)
		f.add(s.Name == "", "lacks the name of the header, parameter or cookie")
	case agentapi.SecuritySchemeTypeHTTP:
		f.add(s.Scheme == "", "lacks the scheme of the Authorization header")
	case agentapi.SecuritySchemeTypeOAuth2:
		f.addAddress("oauth2MetadataUrl", s.OAuth2MetadataURL, false)
		f = append(f, flowFaults(s.Flows)...)
	case agentapi.SecuritySchemeTypeOpenIDConnect:
		f.addAddress("openIdConnectUrl", s.OpenIDConnectURL, true)
	case agentapi.SecuritySchemeTypeMutualTLS: // the connection says it all
	default:
		f.add(true, "has the type %q: want apiKey, http, oauth2, openIdConnect or mutualTLS", s.Type)
	}
	return f
}

func flowFaults(flows *agentapi.OAuthFlows) faults {
	if flows == nil {
		return faults{"lacks flows"}
	}
	var f faults
	none := true
	for _, way := range []struct {
		name                         string
		flow                         *agentapi.OAuthFlow
		authorization, device, token bool // which addresses it needs
	}{
		{"authorizationCode", flows.AuthorizationCode, true, false, true},
		{"clientCredentials", flows.ClientCredentials, false, false, true},
		{"deviceCode", flows.DeviceCode, false, true, true},
		{"implicit", flows.Implicit, true, false, false},
		{"password", flows.Password, false, false, true},
	} {
		if way.flow == nil {
			continue
		}
		none = false
		at := "flow " + way.name + "'s "
		f.addAddress(at+"authorizationUrl", way.flow.AuthorizationURL, way.authorization)
		f.addAddress(at+"deviceAuthorizationUrl", way.flow.DeviceAuthorizationURL, way.device)
		f.addAddress(at+"tokenUrl", way.flow.TokenURL, way.token)
		f.addAddress(at+"refreshUrl", way.flow.RefreshURL, false)
	}
	f.add(none && len(flows.AdditionalProperties) == 0, "lacks flows")
	return f
}

// addAddress refuses what is no address of the web: people click on it, and javascript: is an URI as well.
func (f *faults) addAddress(name, address string, required bool) {
	f.add(required && address == "", "lacks the %s", name)
	f.add(address != "" && !isAddress(address), "has the %s %q: want an http(s) address", name, address)
}

func isAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// isReference tells whether a text is an address, or a path that the server makes one of.
func isReference(reference string) bool {
	u, err := url.Parse(reference)
	return err == nil && (u.Scheme == "" || isAddress(reference))
}
