package agent

import (
	"errors"
	"net/http"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// ErrUnauthorized says that a request has no credential of those that the card requires.
var ErrUnauthorized = errors.New("agent: a valid credential is needed")

// Authorize checks the credentials of a request against the security that the cards require, and for an
// agent also against what its skill requires. Of a list of requirements one has to be met, with all the
// schemes that it names (A2A, section 4.5). The error is [ErrUnauthorized] with what the verifiers say,
// which is not for the client.
func (r *Registry) Authorize(request *http.Request, agentName string) error {
	r.mu.RLock()
	if len(r.packages) == 0 {
		r.mu.RUnlock()
		return nil
	}
	p := r.packages[0] // all packages require the same
	var skill agentapi.AgentSkill
	at, ok := r.places[agentName]
	if ok {
		p = r.packages[at.pkg]
		skill, _ = p.skill(at.agent)
	}
	r.mu.RUnlock()
	if err := p.authorize(request, p.Card.Security); err != nil {
		return err
	}
	return p.authorize(request, skill.Security)
}

// authorize checks that one of the requirements is met, if there is any.
func (p Package) authorize(request *http.Request, requirements []agentapi.SecurityRequirement) error {
	if len(requirements) == 0 {
		return nil
	}
	reasons := []error{ErrUnauthorized}
	for _, requirement := range requirements {
		err := p.verify(request, requirement)
		if err == nil {
			return nil
		}
		reasons = append(reasons, err)
	}
	return errors.Join(reasons...)
}

func (p Package) verify(request *http.Request, requirement agentapi.SecurityRequirement) error {
	for name := range requirement {
		if err := p.Verifiers[name].Verify(request); err != nil {
			return err
		}
	}
	return nil
}
