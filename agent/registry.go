package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// Registry holds the agents of a program. The zero value is an empty registry. Its methods may be called
// concurrently. What they return shares memory with the registry: read it, don't change it.
type Registry struct {
	mu       sync.RWMutex
	packages []Package
	agents   []Agent
	places   map[string]place
	revision uint64
}

// place is where an agent stands in the packages of a registry.
type place struct{ pkg, agent int }

// NewRegistry returns an empty registry.
func NewRegistry() *Registry { return &Registry{} }

// Register adds the agents of a package, all of them or none. A package has at least one agent, a card with
// all that the document requires and no server can supply, and a verifier for each security scheme. The
// error joins every fault of the package.
//
// The cards of one server must agree: packages may declare the same security scheme only in the same
// way, and all of them require the same security.
func (r *Registry) Register(p Package) error {
	if r == nil {
		return errors.New("the registry is nil: make one with NewRegistry")
	}
	own, err := p.clone()
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := errors.Join(err, r.check(p)); err != nil {
		return err
	}
	if r.places == nil {
		r.places = map[string]place{}
	}
	for i, a := range own.Agents {
		r.places[a.Manifest.Name] = place{len(r.packages), i}
	}
	r.packages = append(r.packages, own)
	r.agents = append(r.agents, own.Agents...)
	r.revision++
	return nil
}

// Agents returns all agents in the order of their registration.
func (r *Registry) Agents() []Agent {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.agents)
}

// Agent returns the agent with the name.
func (r *Registry) Agent(name string) (Agent, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	at, ok := r.places[name]
	if !ok {
		return Agent{}, false
	}
	return r.packages[at.pkg].Agents[at.agent], true
}

// Revision rises with every change. What was read after a revision was is at least as new as it.
func (r *Registry) Revision() uint64 {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.revision
}

// Card returns the card of all agents together: the card of the first package, with the skills, modes and
// security schemes of the others. It is false when nothing is registered.
func (r *Registry) Card() (agentapi.AgentCard, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.packages) == 0 {
		return agentapi.AgentCard{}, false
	}
	card := r.packages[0].Card
	for _, p := range r.packages[1:] {
		card.Skills = slices.Concat(card.Skills, p.Card.Skills)
		card.DefaultInputModes = union(card.DefaultInputModes, p.Card.DefaultInputModes)
		card.DefaultOutputModes = union(card.DefaultOutputModes, p.Card.DefaultOutputModes)
		if len(p.Card.SecuritySchemes) > 0 {
			schemes := map[string]agentapi.SecurityScheme{}
			maps.Copy(schemes, card.SecuritySchemes)
			maps.Copy(schemes, p.Card.SecuritySchemes)
			card.SecuritySchemes = schemes
		}
	}
	return card, true
}

// AgentCard returns the card of one agent: that of its package with the name, the description and the
// skill of the agent alone.
func (r *Registry) AgentCard(name string) (agentapi.AgentCard, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	at, ok := r.places[name]
	if !ok {
		return agentapi.AgentCard{}, false
	}
	p := r.packages[at.pkg]
	card := p.Card
	card.Name, card.Description, card.Skills = name, p.Agents[at.agent].Manifest.Description, nil
	if skill, ok := p.skill(at.agent); ok {
		card.Name, card.Description, card.Skills = skill.Name, skill.Description, []agentapi.AgentSkill{skill}
	}
	return card, true
}

// union returns the elements of a and then those of b that a lacks, in a list of its own.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// clone copies the package deeply, so that the registry doesn't change when the caller's values do. The
// error joins what is not JSON.
func (p Package) clone() (Package, error) {
	own := Package{Agents: make([]Agent, len(p.Agents)), Verifiers: maps.Clone(p.Verifiers)}
	var faults []error
	if err := copyJSON(&own.Card, p.Card); err != nil {
		faults = append(faults, fmt.Errorf("the card is not JSON: %w", err))
	}
	for i, a := range p.Agents {
		own.Agents[i].Handler = a.Handler
		if err := copyJSON(&own.Agents[i].Manifest, a.Manifest); err != nil {
			faults = append(faults, fmt.Errorf("the manifest of agent %q is not JSON: %w", a.Manifest.Name, err))
		}
		own.Agents[i].publish()
	}
	return own, errors.Join(faults...)
}

// copyJSON copies a model by way of its JSON, which models survive whole.
func copyJSON(to, from any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}
