// Package agent is what code with annotated functions imports: the registry of agents, the adapters
// that make handlers of Go functions, and helpers for messages and errors.
//
// Not its job: HTTP, protocols and the life of a run. Packages below this one serve what a [Registry]
// holds; the generator writes the calls of this package and is not imported by it.
//
// Invariants: a registry holds only agents and cards that every protocol can serve, since [Registry.Register]
// refuses all others; what it holds is a copy, so it never changes under a reader.
package agent

import (
	"net/http"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// Agent is a manifest and the function that does what it promises.
type Agent struct {
	// Manifest is what ACP clients read about the agent. Its name identifies the agent in a registry.
	Manifest agentapi.AgentManifest
	// Handler runs the agent.
	Handler Handler
}

// Package is what one annotated Go package registers: its agents, and the card that describes them to
// A2A clients.
//
// Where the card has as many skills as there are agents, the skill at an agent's position is the
// agent's. Otherwise it is the skill whose ID is the agent's name, if there is one.
type Package struct {
	// Card describes the package. The server supplies the addresses in it.
	Card agentapi.AgentCard
	// Agents are the agents in the order in which they are listed.
	Agents []Agent
	// Verifiers has a verifier for each security scheme of the card, by the name of the scheme.
	Verifiers map[string]Verifier
}

// Add adds an agent to the package.
func (p *Package) Add(manifest agentapi.AgentManifest, handler Handler) {
	p.Agents = append(p.Agents, Agent{Manifest: manifest, Handler: handler})
}

// skill returns the skill of the agent at position i.
func (p Package) skill(i int) (agentapi.AgentSkill, bool) {
	if len(p.Card.Skills) == len(p.Agents) {
		return p.Card.Skills[i], true
	}
	for _, skill := range p.Card.Skills {
		if skill.ID == p.Agents[i].Manifest.Name {
			return skill, true
		}
	}
	return agentapi.AgentSkill{}, false
}

// Verifier decides whether a request carries a valid credential for one security scheme.
// Implementations are called concurrently.
type Verifier interface {
	// Verify returns nil if the credential is valid. The text of the error stays on the server.
	Verify(r *http.Request) error
}

// VerifierFunc is a function as a [Verifier].
type VerifierFunc func(r *http.Request) error

// Verify calls f.
func (f VerifierFunc) Verify(r *http.Request) error { return f(r) }
