package web

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"strings"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// exchange is what an operation of the strict server interface needs to know of its HTTP request.
type exchange struct {
	request *http.Request
	site    Site
}

type exchangeKey struct{}

// WithRequest lets operations answer with documents and ask for the base URL of their request.
func WithRequest(site Site) agentapi.StrictMiddlewareFunc {
	return func(next agentapi.StrictHandlerFunc, _ string) agentapi.StrictHandlerFunc {
		return func(ctx context.Context, w http.ResponseWriter, r *http.Request, request any) (any, error) {
			return next(context.WithValue(ctx, exchangeKey{}, exchange{r, site}), w, r, request)
		}
	}
}

// BaseOf returns the base URL of the request in the context. The context is one of WithRequest.
func BaseOf(ctx context.Context) Base {
	e, ok := ctx.Value(exchangeKey{}).(exchange)
	if !ok {
		return Base{}
	}
	return e.site.Base(e.request)
}

// Accepts tells whether the client of the request in the context asks for a body of a media type by name.
func Accepts(ctx context.Context, mediaType string) bool {
	e, ok := ctx.Value(exchangeKey{}).(exchange)
	if !ok || e.request.Method == http.MethodHead {
		return false
	}
	for _, accepted := range e.request.Header.Values("Accept") {
		for one := range strings.SplitSeq(accepted, ",") {
			if t, parameters, _ := mime.ParseMediaType(one); t == mediaType && parameters["q"] != "0" {
				return true
			}
		}
	}
	return false
}

// Answer answers the request in the context with a document. The context is one of WithRequest.
func Answer(ctx context.Context, d *Document) Reply {
	e, _ := ctx.Value(exchangeKey{}).(exchange)
	return Reply{d, e.request}
}

// Reply is the response object of every operation that reads a document.
type Reply struct {
	document *Document
	request  *http.Request
}

func (r Reply) serve(w http.ResponseWriter) error {
	if r.request == nil {
		return errors.New("the context has no request")
	}
	r.document.ServeHTTP(w, r.request)
	return nil
}

// VisitListAgentsResponse serves the document.
func (r Reply) VisitListAgentsResponse(w http.ResponseWriter) error { return r.serve(w) }

// VisitGetAgentResponse serves the document.
func (r Reply) VisitGetAgentResponse(w http.ResponseWriter) error { return r.serve(w) }

// VisitGetManifestFileResponse serves the document.
func (r Reply) VisitGetManifestFileResponse(w http.ResponseWriter) error { return r.serve(w) }

// VisitGetCardResponse serves the document.
func (r Reply) VisitGetCardResponse(w http.ResponseWriter) error { return r.serve(w) }

// VisitGetLegacyCardResponse serves the document.
func (r Reply) VisitGetLegacyCardResponse(w http.ResponseWriter) error { return r.serve(w) }

// VisitGetAgentCardResponse serves the document.
func (r Reply) VisitGetAgentCardResponse(w http.ResponseWriter) error { return r.serve(w) }

// VisitGetAPICatalogResponse serves the document.
func (r Reply) VisitGetAPICatalogResponse(w http.ResponseWriter) error { return r.serve(w) }

// VisitGetOpenAPIJSONResponse serves the document.
func (r Reply) VisitGetOpenAPIJSONResponse(w http.ResponseWriter) error { return r.serve(w) }

// VisitGetOpenAPIYAMLResponse serves the document.
func (r Reply) VisitGetOpenAPIYAMLResponse(w http.ResponseWriter) error { return r.serve(w) }
