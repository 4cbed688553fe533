package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"strings"

	"github.com/rs/cors"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/web"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// preflightAge is how many seconds a browser may remember what it may send.
const preflightAge = 24 * 60 * 60

// handler serves the operations.
func (c *config) handler(operations agentapi.StrictServerInterface, access agentapi.StrictMiddlewareFunc, page http.HandlerFunc) http.Handler {
	strict := agentapi.NewStrictHandlerWithOptions(operations,
		[]agentapi.StrictMiddlewareFunc{access, c.recoverPanics, web.WithRequest(c.site)},
		agentapi.StrictHTTPServerOptions{
			RequestErrorHandlerFunc:  refuse,
			ResponseErrorHandlerFunc: c.fail,
		})
	router := newRouter()
	router.HandleFunc("GET /{$}", page)
	routes := agentapi.HandlerWithOptions(strict, agentapi.StdHTTPServerOptions{
		BaseRouter:       router,
		Middlewares:      []agentapi.MiddlewareFunc{c.checkBody},
		ErrorHandlerFunc: refuse,
	})
	return cors.New(cors.Options{
		AllowedOrigins: c.origins,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, http.MethodDelete},
		AllowedHeaders: []string{"*"}, // cards may declare keys in headers of any name
		ExposedHeaders: []string{"ETag", "Run-ID", "Link"},
		MaxAge:         preflightAge,
	}).Handler(normalize(routes))
}

// normalize mends what is correct HTTP and yet not what the generated routes expect.
func normalize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A redirect would make a GET of a POST, so odd slashes are served as if they were not there.
		if p := cleanPath(r.URL.Path); p != r.URL.Path {
			r = withPath(r, p)
		}
		if _, err := url.ParseQuery(r.URL.RawQuery); err != nil {
			web.WriteError(w, http.StatusUnprocessableEntity, web.Invalid("query", "is not well-formed"))
			return
		}
		// Entity tags may stand in one header or in several (RFC 9110, section 5.3).
		if tags := r.Header["If-None-Match"]; len(tags) > 1 {
			r.Header.Set("If-None-Match", strings.Join(tags, ", "))
		}
		next.ServeHTTP(w, r)
	})
}

func cleanPath(p string) string {
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return path.Clean(p)
}

// withPath returns the request with another path. The caller's request stays as it is.
func withPath(r *http.Request, p string) *http.Request {
	u := *r.URL
	u.Path = p
	if u.RawPath != "" {
		u.RawPath = cleanPath(u.RawPath)
	}
	moved := *r
	moved.URL = &u
	return &moved
}

// recoverPanics makes an error of a panic in an operation. Nothing is written by then.
func (c *config) recoverPanics(next agentapi.StrictHandlerFunc, operation string) agentapi.StrictHandlerFunc {
	return func(ctx context.Context, w http.ResponseWriter, r *http.Request, request any) (response any, err error) {
		defer func() {
			if p := recover(); p != nil {
				response, err = nil, fmt.Errorf("%s: panic: %v\n%s", operation, p, debug.Stack())
			}
		}()
		return next(ctx, w, r, request)
	}
}

// fail answers a request whose operation failed. Only an [agent.Error] is for the client to read.
func (c *config) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, agent.ErrUnauthorized) {
		c.logger.InfoContext(r.Context(), "request refused", "method", r.Method, "path", r.URL.Path, "error", err)
		web.WriteError(w, http.StatusUnauthorized, &agent.Error{Code: agent.CodeServerError, Message: "A valid credential is needed"})
		return
	}
	if r.Context().Err() != nil {
		return // the client is gone, and took its request with it
	}
	var known *agent.Error
	if !errors.As(err, &known) {
		c.logger.ErrorContext(r.Context(), "request failed", "method", r.Method, "path", r.URL.Path, "error", err)
		known = &agent.Error{Code: agent.CodeServerError, Message: "An unexpected error occurred"}
	}
	web.WriteError(w, web.Status(known.Code), known)
}

// refuse answers a request that doesn't fit the OpenAPI document.
func refuse(w http.ResponseWriter, r *http.Request, err error) {
	var fault *agent.Error
	if parameter, ok := errors.AsType[*agentapi.InvalidParamFormatError](err); ok {
		fault = misfitParameter(r, parameter.ParamName)
	} else if parameter, ok := errors.AsType[*agentapi.TooManyValuesForParamError](err); ok {
		fault = web.Invalid(parameter.ParamName, "wants one value, has %d", parameter.Count)
	} else {
		body, _ := r.Body.(wholeBody) // there is none for a request without a body
		fault = misfitBody(body.content, r.Pattern)
	}
	web.WriteError(w, http.StatusUnprocessableEntity, fault)
}

func misfitParameter(r *http.Request, name string) *agent.Error {
	if values := r.URL.Query()[name]; len(values) > 1 {
		return web.Invalid(name, "wants one value, has %d", len(values))
	}
	return web.Invalid(name, "%q has the wrong form", web.Short(cmp.Or(r.PathValue(name), r.URL.Query().Get(name))))
}
