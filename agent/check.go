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
	return errors.Join(slices.Concat(r.agentFaults(p.Agents), r.cardFaults(p.Card), p.securityFaults(), r.agreementFaults(p.Card))...)
}

// faults are what is wrong with one thing, as predicates.
type faults []string

func (f *faults) add(wrong bool, format string, args ...any) {
	if wrong {
		*f = append(*f, fmt.Sprintf(format, args...))
	}
}

// of makes sentences of the predicates.
func (f faults) of(subject string) []error {
	sentences := make([]error, len(f))
	for i, fault := range f {
		sentences[i] = errors.New(subject + " " + fault)
	}
	return sentences
}

func (r *Registry) agentFaults(agents []Agent) []error {
	if len(agents) == 0 {
		return []error{errors.New("the package has no agent")}
	}
	var all []error
	seen := map[string]bool{}
	for _, a := range agents {
		name := a.Manifest.Name
		_, taken := r.places[name]
		var f faults
		f.add(taken || seen[name], "is registered already")
		seen[name] = true
		all = append(all, append(f, a.faults()...).of(fmt.Sprintf("agent %q", name))...)
	}
	return all
}

// faults returns what is wrong with the agent by itself.
func (a Agent) faults() faults {
	var f faults
	m := a.Manifest
	f.add(!validName(m.Name), "needs a name of 1 to 63 lower-case letters, digits and inner hyphens (RFC 1123)")
	f.add(m.Description == "", "has no description")
	f.add(len(m.InputContentTypes) == 0 || slices.Contains(m.InputContentTypes, ""), "lacks an input content type")
	f.add(len(m.OutputContentTypes) == 0 || slices.Contains(m.OutputContentTypes, ""), "lacks an output content type")
	f.add(a.Handler.prepare == nil, "has no handler")
	return f
}

// validName tells whether a name is a DNS label in lower case (RFC 1123, section 2.1).
func validName(name string) bool {
	const inner = "abcdefghijklmnopqrstuvwxyz0123456789-"
	return name != "" && len(name) <= maxNameLength && strings.Trim(name, inner) == "" &&
		!strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-")
}

// securityFaults finds what would leave an agent open: schemes that nobody verifies or nobody can meet,
// requirements that name no scheme, verifiers that nobody asks.
func (p Package) securityFaults() []error {
	var all []error
	for _, name := range slices.Sorted(maps.Keys(p.Card.SecuritySchemes)) {
		f := schemeFaults(p.Card.SecuritySchemes[name])
		f.add(isNil(p.Verifiers[name]), "has no verifier")
		all = append(all, f.of(fmt.Sprintf("security scheme %q", name))...)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Verifiers)) {
		if _, declared := p.Card.SecuritySchemes[name]; !declared {
			all = append(all, fmt.Errorf("verifier %q is for a security scheme that the card doesn't declare", name))
		}
	}
	required := slices.Clone(p.Card.Security)
	for _, skill := range p.Card.Skills {
		required = append(required, skill.Security...)
	}
	for _, requirement := range required {
		for _, name := range slices.Sorted(maps.Keys(requirement)) {
			if _, declared := p.Card.SecuritySchemes[name]; !declared {
				all = append(all, fmt.Errorf("security requires %q, which the card doesn't declare", name))
			}
		}
	}
	return all
}

// isNil tells whether there is no verifier, be it a nil of a type that has the method: calling that would
// panic for each request.
func isNil(v Verifier) bool {
	value := reflect.ValueOf(v)
	switch value.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return value.IsNil()
	default:
		return false
	}
}

// agreementFaults finds where the card contradicts the cards of earlier packages.
func (r *Registry) agreementFaults(card agentapi.AgentCard) []error {
	var all []error
	for _, earlier := range r.packages {
		for _, name := range slices.Sorted(maps.Keys(card.SecuritySchemes)) {
			if other, ok := earlier.Card.SecuritySchemes[name]; ok && !reflect.DeepEqual(other, card.SecuritySchemes[name]) {
				all = append(all, fmt.Errorf("security scheme %q differs from that of card %q", name, earlier.Card.Name))
			}
		}
	}
	if len(r.packages) > 0 && !sameSecurity(r.packages[0].Card.Security, card.Security) {
		all = append(all, fmt.Errorf("security of card %q differs from that of card %q: let both require the same, or serve them from registries of their own",
			card.Name, r.packages[0].Card.Name))
	}
	return all
}

func sameSecurity(a, b []agentapi.SecurityRequirement) bool {
	return len(a) == len(b) && slices.EqualFunc(a, b, func(a, b agentapi.SecurityRequirement) bool {
		return maps.EqualFunc(a, b, slices.Equal[[]string]) // no scopes are no scopes, nil or not
	})
}
