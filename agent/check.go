package agent

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// maxNameLength is that of a DNS label (RFC 1123, section 2.1).
const maxNameLength = 63

// check returns every reason why the package can't join those of the registry.
func (r *Registry) check(p Package) error {
	return errors.Join(slices.Concat(r.agentFaults(p.Agents), r.cardFaults(p), p.securityFaults(), r.agreementFaults(p.Card))...)
}

func (r *Registry) agentFaults(agents []Agent) []error {
	var faults []error
	seen := map[string]bool{}
	for _, a := range agents {
		name := a.Manifest.Name
		if _, taken := r.places[name]; taken || seen[name] {
			faults = append(faults, fmt.Errorf("agent %q is registered already", name))
		}
		seen[name] = true
		for _, fault := range a.faults() {
			faults = append(faults, fmt.Errorf("agent %q %s", name, fault))
		}
	}
	return faults
}

// faults returns what is wrong with the agent by itself, as predicates.
func (a Agent) faults() []string {
	var faults []string
	add := func(wrong bool, fault string) {
		if wrong {
			faults = append(faults, fault)
		}
	}
	m := a.Manifest
	add(!validName(m.Name), "needs a name of 1 to 63 lower-case letters, digits and inner hyphens (RFC 1123)")
	add(m.Description == "", "has no description")
	add(len(m.InputContentTypes) == 0 || slices.Contains(m.InputContentTypes, ""), "lacks an input content type")
	add(len(m.OutputContentTypes) == 0 || slices.Contains(m.OutputContentTypes, ""), "lacks an output content type")
	add(a.Handler.prepare == nil, "has no handler")
	return faults
}

// validName tells whether a name is a DNS label in lower case (RFC 1123, section 2.1).
func validName(name string) bool {
	const inner = "abcdefghijklmnopqrstuvwxyz0123456789-"
	return name != "" && len(name) <= maxNameLength && strings.Trim(name, inner) == "" &&
		!strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-")
}

func (r *Registry) cardFaults(p Package) []error {
	var faults []error
	if p.Card.Name == "" {
		faults = append(faults, errors.New("the card has no name"))
	}
	if p.Card.Description == "" {
		faults = append(faults, errors.New("the card has no description"))
	}
	seen := map[string]bool{}
	for _, earlier := range r.packages {
		for _, skill := range earlier.Card.Skills {
			seen[skill.ID] = true
		}
	}
	for _, skill := range p.Card.Skills {
		if seen[skill.ID] {
			faults = append(faults, fmt.Errorf("skill %q is registered already", skill.ID))
		}
		seen[skill.ID] = true
	}
	return faults
}

// securityFaults finds what would leave an agent open: schemes that nobody verifies, requirements that
// name no scheme.
func (p Package) securityFaults() []error {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(p.Card.SecuritySchemes)) {
		verifier := p.Verifiers[name]
		if f, ok := verifier.(VerifierFunc); verifier == nil || ok && f == nil {
			faults = append(faults, fmt.Errorf("security scheme %q has no verifier", name))
		}
	}
	required := slices.Clone(p.Card.Security)
	for _, skill := range p.Card.Skills {
		required = append(required, skill.Security...)
	}
	for _, requirement := range required {
		for _, name := range slices.Sorted(maps.Keys(requirement)) {
			if _, declared := p.Card.SecuritySchemes[name]; !declared {
				faults = append(faults, fmt.Errorf("security requires %q, which the card doesn't declare", name))
			}
		}
	}
	return faults
}

// agreementFaults finds where the card contradicts the cards of earlier packages.
func (r *Registry) agreementFaults(card agentapi.AgentCard) []error {
	var faults []error
	for _, earlier := range r.packages {
		for _, name := range slices.Sorted(maps.Keys(card.SecuritySchemes)) {
			if other, ok := earlier.Card.SecuritySchemes[name]; ok && !reflect.DeepEqual(other, card.SecuritySchemes[name]) {
				faults = append(faults, fmt.Errorf("security scheme %q differs from that of card %q", name, earlier.Card.Name))
			}
		}
	}
	if len(r.packages) > 0 && !sameSecurity(r.packages[0].Card.Security, card.Security) {
		faults = append(faults, fmt.Errorf("security of card %q differs from that of card %q: let both require the same, or serve them from registries of their own",
			card.Name, r.packages[0].Card.Name))
	}
	return faults
}

func sameSecurity(a, b []agentapi.SecurityRequirement) bool {
	return len(a) == len(b) && slices.EqualFunc(a, b, func(a, b agentapi.SecurityRequirement) bool {
		return maps.EqualFunc(a, b, slices.Equal[[]string]) // no scopes are no scopes, nil or not
	})
}
