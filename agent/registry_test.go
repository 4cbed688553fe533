package agent_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

func newAgent(name string) agent.Agent {
	return agent.Agent{
		Manifest: agentapi.AgentManifest{
			Name: name, Description: "Does " + name + ".",
			InputContentTypes: []string{"text/plain"}, OutputContentTypes: []string{"text/plain"},
		},
		Handler: agent.Action(func(context.Context, *agent.Run, agent.None) error { return nil }),
	}
}

// newPackage has an agent and a skill for each name.
func newPackage(names ...string) agent.Package {
	p := agent.Package{Card: agentapi.AgentCard{Name: "Card of " + names[0], Description: "A card."}}
	for _, name := range names {
		p.Agents = append(p.Agents, newAgent(name))
		p.Card.Skills = append(p.Card.Skills, agentapi.AgentSkill{ID: "skill-" + name, Name: "Skill " + name, Description: "It."})
	}
	return p
}

func TestRegisterFaults(t *testing.T) {
	bearer := map[string]agentapi.SecurityScheme{"bearer": {Type: "http", Scheme: "bearer"}}
	verifier := agent.VerifierFunc(func(*http.Request) error { return nil })
	for name, test := range map[string]struct {
		change func(*agent.Package)
		want   []string
	}{
		"twice in the package": {func(p *agent.Package) { p.Agents = append(p.Agents, newAgent("new")) }, []string{`agent "new" is registered already`}},
		"taken":                {func(p *agent.Package) { p.Agents[0].Manifest.Name = "old" }, []string{`agent "old" is registered already`}},
		"no DNS label":         {func(p *agent.Package) { p.Agents[0].Manifest.Name = "slow_echo" }, []string{`"slow_echo" needs a name of 1 to 63`}},
		"hyphen last":          {func(p *agent.Package) { p.Agents[0].Manifest.Name = "echo-" }, []string{"needs a name"}},
		"too long":             {func(p *agent.Package) { p.Agents[0].Manifest.Name = strings.Repeat("a", 64) }, []string{"needs a name"}},
		"nothing but a name":   {func(p *agent.Package) { p.Agents[0] = agent.Agent{Manifest: agentapi.AgentManifest{Name: "x"}} }, []string{"has no description", "input content type", "output content type", "has no handler"}},
		"card without a name":  {func(p *agent.Package) { p.Card.Name, p.Card.Description = "", "" }, []string{"card has no name", "card has no description"}},
		"skill taken":          {func(p *agent.Package) { p.Card.Skills[0].ID = "skill-old" }, []string{`skill "skill-old" is registered already`}},
		"no verifier":          {func(p *agent.Package) { p.Card.SecuritySchemes = bearer }, []string{`"bearer" has no verifier`}},
		"nil verifier function": {func(p *agent.Package) {
			p.Card.SecuritySchemes, p.Verifiers = bearer, map[string]agent.Verifier{"bearer": agent.VerifierFunc(nil)}
		}, []string{`"bearer" has no verifier`}},
		"undeclared scheme": {func(p *agent.Package) { p.Card.Skills[0].Security = []agentapi.SecurityRequirement{{"other": {}}} }, []string{`requires "other"`}},
		"another security":  {func(p *agent.Package) { p.Card.Security = nil }, []string{`security of card "Card of new" differs from that of card "Card of old": let both require the same`}},
		"another scheme": {func(p *agent.Package) {
			p.Card.SecuritySchemes = map[string]agentapi.SecurityScheme{"key": {Type: "http", Scheme: "basic"}}
		}, []string{`"key" differs`}},
		"not JSON": {func(p *agent.Package) {
			p.Card.AdditionalProperties, p.Agents[0].Handler = map[string]any{"x": func() {}}, agent.Handler{}
		}, []string{"the card is not JSON", `"new" has no handler`}},
		"no agent": {func(p *agent.Package) { p.Agents = nil }, []string{"the package has no agent"}},
		"verifier of nothing": {func(p *agent.Package) {
			p.Verifiers = map[string]agent.Verifier{"key": verifier, "kye": verifier}
		}, []string{`verifier "kye" is for a security scheme that the card doesn't declare`}},
	} {
		t.Run(name, func(t *testing.T) {
			r := agent.NewRegistry()
			old := newPackage("old")
			old.Card.SecuritySchemes = map[string]agentapi.SecurityScheme{"key": {Type: "apiKey", In: "header", Name: "X-Key"}}
			old.Card.Security, old.Verifiers = []agentapi.SecurityRequirement{{"key": {}}}, map[string]agent.Verifier{"key": verifier}
			if err := r.Register(old); err != nil {
				t.Fatal(err)
			}
			p := newPackage("new", "also-new")
			p.Card.SecuritySchemes, p.Card.Security, p.Verifiers = old.Card.SecuritySchemes, old.Card.Security, old.Verifiers
			test.change(&p)
			err := r.Register(p)
			if err == nil {
				t.Fatal("registered")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q, want %q in it", err, want)
				}
			}
			if got := r.Agents(); len(got) != 1 || r.Revision() != 1 {
				t.Errorf("a failure left %d agents at revision %d", len(got), r.Revision())
			}
		})
	}
}

func TestRegistryReads(t *testing.T) {
	var r agent.Registry
	if _, ok := r.Card(); ok || r.Revision() != 0 || len(r.Agents()) != 0 {
		t.Error("the zero registry isn't empty")
	}
	first, second := newPackage("one", "two"), newPackage("three")
	first.Card.DefaultInputModes, second.Card.DefaultInputModes = []string{"text/plain"}, []string{"image/png", "text/plain"}
	for _, p := range []agent.Package{first, second} {
		if err := r.Register(p); err != nil {
			t.Fatal(err)
		}
	}
	first.Card.Skills[0].Name = "changed by the caller"
	first.Agents[0].Manifest.InputContentTypes[0] = "changed by the caller"
	var names, skills []string
	for _, a := range r.Agents() {
		names = append(names, a.Manifest.Name)
	}
	card, _ := r.Card()
	for _, skill := range card.Skills {
		skills = append(skills, skill.Name)
	}
	if diff := cmp.Diff([]string{"one", "two", "three"}, names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Skill one", "Skill two", "Skill three"}, skills); diff != "" || card.Name != "Card of one" {
		t.Error(card.Name, diff)
	}
	if diff := cmp.Diff([]string{"text/plain", "image/png"}, card.DefaultInputModes); diff != "" {
		t.Error(diff)
	}
	if a, ok := r.Agent("one"); !ok || a.Manifest.InputContentTypes[0] != "text/plain" {
		t.Errorf("got %v", a.Manifest)
	}
	if _, ok := r.Agent("four"); ok {
		t.Error("found an agent that isn't there")
	}
}

func TestCardHasTheSchemesOfAllPackages(t *testing.T) {
	r := agent.NewRegistry()
	for _, name := range []string{"a", "b"} {
		p := newPackage(name)
		p.Card.SecuritySchemes = map[string]agentapi.SecurityScheme{name: {Type: "mutualTLS"}, "both": {Type: "http", Scheme: "basic"}}
		verifier := agent.VerifierFunc(func(*http.Request) error { return nil })
		p.Verifiers = map[string]agent.Verifier{name: verifier, "both": verifier}
		if err := r.Register(p); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second reading sees what the first left
		if card, _ := r.Card(); len(card.SecuritySchemes) != 3 || len(card.Skills) != 2 {
			t.Errorf("got %v", card.SecuritySchemes)
		}
		if card, _ := r.AgentCard("a"); len(card.SecuritySchemes) != 2 {
			t.Errorf("got %v", card.SecuritySchemes)
		}
	}
}

func TestAgentCard(t *testing.T) {
	matched := newPackage("c", "d")
	matched.Card.Skills = []agentapi.AgentSkill{
		{ID: "other", Name: "Other", Description: "Of none."},
		{ID: "d", Name: "D", Description: "Of d."},
		{ID: "more", Name: "More", Description: "Of none."},
	}
	r := agent.NewRegistry()
	for _, p := range []agent.Package{newPackage("a", "b"), matched} {
		if err := r.Register(p); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]struct {
		name, description string
		skills            int
	}{
		"b": {"Skill b", "It.", 1},
		"d": {"D", "Of d.", 1},
		"c": {"c", "Does c.", 0},
	} {
		card, ok := r.AgentCard(name)
		if !ok || card.Name != want.name || card.Description != want.description || len(card.Skills) != want.skills {
			t.Errorf("%s: got %q %q with %d skills", name, card.Name, card.Description, len(card.Skills))
		}
	}
	if _, ok := r.AgentCard("e"); ok {
		t.Error("got the card of an agent that isn't there")
	}
}

func TestRegistryIsSafeForConcurrentUse(t *testing.T) {
	r := agent.NewRegistry()
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d"} {
		all.Go(func() {
			if err := r.Register(newPackage(name)); err != nil {
				t.Error(err)
			}
			r.Card()
			r.AgentCard(name)
			r.Agents()
		})
	}
	all.Wait()
	if len(r.Agents()) != 4 || r.Revision() != 4 {
		t.Errorf("got %d agents at revision %d", len(r.Agents()), r.Revision())
	}
}
