package server

import (
	"net/http"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/web"
)

// router is a mux whose own answers, unknown path and wrong method, have the protocol's error body.
type router struct {
	mux *http.ServeMux
	// known has the same routes without the one that catches all, to ask what is wrong with a request.
	known *http.ServeMux
}

func newRouter() *router {
	r := &router{http.NewServeMux(), http.NewServeMux()}
	r.mux.HandleFunc("/", r.unrouted)
	return r
}

// HandleFunc adds a route.
func (r *router) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	r.mux.HandleFunc(pattern, handler)
	r.known.HandleFunc(pattern, handler)
}

// ServeHTTP hands a request to its route.
func (r *router) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if request.RequestURI == "*" { // which a mux refuses without a word
		r.unrouted(w, request)
		return
	}
	r.mux.ServeHTTP(w, request)
}

func (r *router) unrouted(w http.ResponseWriter, request *http.Request) {
	answer, _ := r.known.Handler(request)
	verdict := verdict{header: http.Header{}}
	answer.ServeHTTP(&verdict, request)
	if verdict.status != http.StatusMethodNotAllowed {
		web.WriteError(w, http.StatusNotFound, &agent.Error{Code: agent.CodeNotFound, Message: "Not Found"})
		return
	}
	w.Header()["Allow"] = verdict.header["Allow"]
	web.WriteError(w, http.StatusMethodNotAllowed, &agent.Error{Code: agent.CodeServerError, Message: "Method Not Allowed"})
}

// verdict is what a mux says about a request that it has no route for, without its words.
type verdict struct {
	header http.Header
	status int
}

// Header returns the headers of the verdict.
func (v *verdict) Header() http.Header { return v.header }

// WriteHeader notes the status.
func (v *verdict) WriteHeader(status int) { v.status = status }

// Write drops the words.
func (v *verdict) Write(p []byte) (int, error) { return len(p), nil }
