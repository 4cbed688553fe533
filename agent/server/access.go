package server

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/engine"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// authorize refuses requests about runs that lack the credential which the card requires. What describes
// the agents stays public.
func authorize(registry *agent.Registry, runs *engine.Engine) agentapi.StrictMiddlewareFunc {
	return func(next agentapi.StrictHandlerFunc, _ string) agentapi.StrictHandlerFunc {
		return func(ctx context.Context, w http.ResponseWriter, r *http.Request, request any) (any, error) {
			if private, agents := concerned(ctx, registry, runs, request); private && !anyAuthorized(registry, r, agents) {
				challenge(w, registry)
				return nil, agent.ErrUnauthorized
			}
			return next(ctx, w, r, request)
		}
	}
}

// concerned tells whether a request is about runs, and of which agents: the run's, or any for a conversation,
// which may have several.
func concerned(ctx context.Context, registry *agent.Registry, runs *engine.Engine, request any) (private bool, agents []string) {
	ofRun := func(id uuid.UUID) []string {
		name, _ := runs.AgentName(ctx, id) // if there is none, only those may learn it who may ask
		return []string{name}
	}
	switch request := request.(type) {
	case agentapi.CreateRunRequestObject:
		return true, []string{request.Body.AgentName}
	case agentapi.GetRunRequestObject:
		return true, ofRun(request.RunID)
	case agentapi.ResumeRunRequestObject:
		return true, ofRun(request.RunID)
	case agentapi.CancelRunRequestObject:
		return true, ofRun(request.RunID)
	case agentapi.ListRunEventsRequestObject:
		return true, ofRun(request.RunID)
	case agentapi.GetSessionRequestObject, agentapi.GetResourceRequestObject:
		return true, secured(registry)
	}
	return false, nil
}

// secured names the agents that require more than their card does, or none in particular.
func secured(registry *agent.Registry) []string {
	var names []string
	for _, a := range registry.Agents() {
		if card, ok := registry.AgentCard(a.Manifest.Name); ok && len(card.Skills) == 1 && len(card.Skills[0].Security) > 0 {
			names = append(names, a.Manifest.Name)
		}
	}
	if len(names) == 0 {
		return []string{""}
	}
	return names
}

func anyAuthorized(registry *agent.Registry, r *http.Request, agents []string) bool {
	return slices.ContainsFunc(agents, func(name string) bool { return registry.Authorize(r, name) == nil })
}

// challenge names the HTTP authentication schemes that the card declares (RFC 9110, section 11.6.1).
func challenge(w http.ResponseWriter, registry *agent.Registry) {
	card, _ := registry.Card()
	for _, name := range slices.Sorted(maps.Keys(card.SecuritySchemes)) {
		scheme := "Bearer" // what OAuth 2.0 and OpenID Connect tokens are sent as (RFC 6750)
		if declared := card.SecuritySchemes[name]; declared.Type == agentapi.SecuritySchemeTypeHTTP {
			scheme = declared.Scheme
		} else if declared.Type == agentapi.SecuritySchemeTypeAPIKey || declared.Type == agentapi.SecuritySchemeTypeMutualTLS {
			continue
		}
		w.Header().Add("WWW-Authenticate", fmt.Sprintf("%s realm=%q", scheme, card.Name))
	}
}
