package a2a

import (
	"errors"
	"net/url"
	"strings"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// bindingGRPC is the one binding that cards name and [Endpoint] passes over.
const bindingGRPC = "GRPC"

// Endpoint tells where a client calls the agent of a card, by which binding and which version of the
// protocol: JSONRPC or HTTP+JSON, 1.0 rather than 0.3. Of several that are equally good the card's first
// is taken. What 1.0 says of it goes before what 0.3 says.
//
// The error of a card that offers nothing of the kind tells what it offers.
func Endpoint(card agentapi.AgentCard) (agentapi.AgentInterface, error) {
	var offers []string
	for _, interfaces := range [][]agentapi.AgentInterface{card.SupportedInterfaces, interfaces03(card)} {
		best, rank := agentapi.AgentInterface{}, unspoken
		for _, at := range interfaces {
			if r := rankOf(at); r < rank {
				best, rank = at, r
			}
			offers = append(offers, strings.Join([]string{at.ProtocolBinding, at.ProtocolVersion, "at", at.URL}, " "))
		}
		if rank < unspoken {
			return best, nil
		}
	}
	if len(offers) == 0 {
		return agentapi.AgentInterface{}, errors.New("a2a: the card does not say where to call the agent")
	}
	return agentapi.AgentInterface{}, errors.New("a2a: the card offers no JSONRPC or HTTP+JSON of A2A 1.0 or 0.3 at an " +
		"http or https address, only " + strings.Join(offers, ", "))
}

// interfaces03 is what a card says to readers of 0.3, in the form of 1.0.
func interfaces03(card agentapi.AgentCard) []agentapi.AgentInterface {
	version, binding := card.ProtocolVersion, card.PreferredTransport
	if version == "" {
		version = version03
	}
	if binding == "" {
		binding = bindingRPC
	}
	var all []agentapi.AgentInterface
	if card.URL != "" {
		all = append(all, agentapi.AgentInterface{URL: card.URL, ProtocolBinding: binding, ProtocolVersion: version})
	}
	for _, at := range card.AdditionalInterfaces {
		all = append(all, agentapi.AgentInterface{URL: at.URL, ProtocolBinding: at.Transport, ProtocolVersion: version})
	}
	return all
}

// unspoken is the rank of an interface that is of no use.
const unspoken = 4

// rankOf orders interfaces: the newer version first, then the simpler binding.
func rankOf(at agentapi.AgentInterface) int {
	u, err := url.Parse(at.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return unspoken
	}
	rank := 0
	switch {
	case strings.EqualFold(at.ProtocolBinding, bindingRPC):
	case strings.EqualFold(at.ProtocolBinding, bindingREST):
		rank = 1
	default:
		return unspoken
	}
	switch {
	case at.ProtocolVersion == "1" || strings.HasPrefix(at.ProtocolVersion, "1."):
		return rank
	case isVersion(at.ProtocolVersion, version03), isVersion(at.ProtocolVersion, "0.2"):
		return rank + 2
	}
	return unspoken
}

// isVersion tells whether a version is the minor one, or a patch of it.
func isVersion(version, minor string) bool {
	return version == minor || strings.HasPrefix(version, minor+".")
}
