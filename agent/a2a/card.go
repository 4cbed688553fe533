package a2a

import (
	"slices"
	"strings"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// The versions and bindings that cards name.
const (
	version10   = "1.0"
	version03   = "0.3"
	bindingRPC  = "JSONRPC"
	bindingREST = "HTTP+JSON"
	// rootVersion is what 0.3 readers expect at the root of a card.
	rootVersion = "0.3.0"
	// unversioned is the version of an agent that doesn't say, which is required of a card.
	unversioned = "0.0.0"
)

// compose makes the card that readers of all versions understand: the endpoint, the security schemes
// and the facts that a registered card may leave out, each under the name that each version has for it.
//
// There is no securityRequirements, the 1.0 name of security: the form that the specification gives it
// makes readers in the field refuse the whole card.
func compose(card agentapi.AgentCard, endpoint string) agentapi.AgentCard {
	card.URL, card.PreferredTransport, card.ProtocolVersion = endpoint, bindingRPC, rootVersion
	card.SupportedInterfaces = []agentapi.AgentInterface{
		{URL: endpoint, ProtocolBinding: bindingRPC, ProtocolVersion: version10},
		{URL: endpoint, ProtocolBinding: bindingRPC, ProtocolVersion: version03},
		{URL: endpoint, ProtocolBinding: bindingREST, ProtocolVersion: version10},
		{URL: endpoint, ProtocolBinding: bindingREST, ProtocolVersion: version03},
	}
	card.AdditionalInterfaces = []agentapi.AdditionalInterface{{URL: endpoint, Transport: bindingREST}}
	if card.Version == "" {
		card.Version = unversioned
	}
	card.Capabilities = capabilities(card.Capabilities)
	card.DefaultInputModes = listed(card.DefaultInputModes)
	card.DefaultOutputModes = listed(card.DefaultOutputModes)
	card.Skills = skills(card.Skills)
	card.SecuritySchemes = schemes(card.SecuritySchemes)
	card.Security = requirements(card.Security)
	return card
}

// capabilities says of what a card doesn't mention that the agent lacks it.
func capabilities(declared *agentapi.AgentCapabilities) *agentapi.AgentCapabilities {
	var all agentapi.AgentCapabilities
	if declared != nil {
		all = *declared
	}
	if all.Streaming == nil {
		all.Streaming = new(bool)
	}
	if all.PushNotifications == nil {
		all.PushNotifications = new(bool)
	}
	return &all
}

func skills(declared []agentapi.AgentSkill) []agentapi.AgentSkill {
	all := listed(slices.Clone(declared))
	for i := range all {
		all[i].Tags = listed(all[i].Tags)
		all[i].Security = requirements(all[i].Security)
	}
	return all
}

// requirements makes each list of scopes a list. That there are no requirements needs no list.
func requirements(declared []agentapi.SecurityRequirement) []agentapi.SecurityRequirement {
	all := slices.Clone(declared)
	for i, requirement := range all {
		all[i] = agentapi.SecurityRequirement{}
		for scheme, scopes := range requirement {
			all[i][scheme] = listed(scopes)
		}
	}
	return all
}

// listed makes a missing list an empty one.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Published returns the card of a package as a server at the public URL publishes it.
func Published(card agentapi.AgentCard, publicURL string) agentapi.AgentCard {
	return compose(card, strings.TrimSuffix(publicURL, "/")+RootPath)
}
