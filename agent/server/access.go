package server

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// authorize refuses requests about runs that lack the credential which the card requires. What describes
// the agents stays public.
func authorize(registry *agent.Registry) agentapi.StrictMiddlewareFunc {
	return func(next agentapi.StrictHandlerFunc, _ string) agentapi.StrictHandlerFunc {
		return func(ctx context.Context, w http.ResponseWriter, r *http.Request, request any) (any, error) {
			name, private := "", true
			switch request := request.(type) {
			case agentapi.CreateRunRequestObject:
				name = request.Body.AgentName
			case agentapi.GetRunRequestObject, agentapi.ResumeRunRequestObject, agentapi.CancelRunRequestObject,
				agentapi.ListRunEventsRequestObject, agentapi.GetSessionRequestObject, agentapi.GetResourceRequestObject:
			default:
				private = false
			}
			if private {
				if err := registry.Authorize(r, name); err != nil {
					challenge(w, registry)
					return nil, err
				}
			}
			return next(ctx, w, r, request)
		}
	}
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
