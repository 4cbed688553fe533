// Package server joins the views of a registry into one HTTP handler and serves it.
//
// Not its job: what the documents say (packages acp and a2a do), and access to them: what describes
// agents is public.
//
// Invariants: every error has the protocol's error body; no route redirects; a request body is checked
// before anything decodes it; nothing that went wrong inside appears on the wire.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/a2a"
	"github.com/cd3b852d/agentgen/agent/acp"
	"github.com/cd3b852d/agentgen/agent/internal/engine"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

const (
	// headerTimeout and idleTimeout bound what a client can hold without sending anything.
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	// drainTimeout is how long runs, and then requests, may take to end once the server is told to stop.
	drainTimeout = 10 * time.Second
)

// Server is the handler of a registry's agents, with the runs that go on.
type Server struct {
	http.Handler
	runs *engine.Engine
}

// Handler returns a handler that serves what the registry holds, also what is registered later. It works
// at the root and below a prefix that [http.StripPrefix] takes away. The error tells which options are wrong.
func Handler(r *agent.Registry, options ...Option) (*Server, error) {
	c, err := newConfig(r, options)
	if err != nil {
		return nil, err
	}
	return c.server(r), nil
}

func (c *config) server(r *agent.Registry) *Server {
	c.runs.Logger = c.logger
	runs := engine.New(c.runs)
	return &Server{c.handler(newService(r, runs), authorize(r, runs), c.page(r)), runs}
}

// Shutdown takes no more runs and lets those that go on finish. Those that await an answer fail at once,
// all others when the context ends; the error says how many did.
func (s *Server) Shutdown(ctx context.Context) error {
	if err := s.runs.Shutdown(ctx); err != nil {
		return fmt.Errorf("server: %w", err)
	}
	return nil
}

// ListenAndServe serves what the registry holds on a TCP address until the context ends. It then lets
// runs and requests finish for a while and returns nil, or an error if some did not.
func ListenAndServe(ctx context.Context, addr string, r *agent.Registry, options ...Option) error {
	c, err := newConfig(r, options)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("server: %w", err)
	}
	agents := c.server(r)
	server := &http.Server{
		Handler:           agents,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          slog.NewLogLogger(c.logger.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	c.printBanner(reachable(addr, listener.Addr()), r.Agents())
	select {
	case err := <-failed:
		return fmt.Errorf("server: %w", err)
	case <-ctx.Done():
		return drain(ctx, agents, server)
	}
}

// drain lets runs finish, whose answers then end the requests, and closes the connections of what is left.
func drain(ctx context.Context, agents *Server, server *http.Server) error {
	ctx = context.WithoutCancel(ctx)
	runTime, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	unfinished := agents.Shutdown(runTime)
	requestTime, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	if err := server.Shutdown(requestTime); err != nil {
		return fmt.Errorf("server: requests did not finish: %w", errors.Join(unfinished, err, server.Close()))
	}
	return unfinished
}

type (
	acpOperations = acp.Service
	a2aOperations = a2a.Service
)

// service has an operation for each of the OpenAPI document.
type service struct {
	*acpOperations
	*a2aOperations
	*documents
}

var _ agentapi.StrictServerInterface = service{}

func newService(r *agent.Registry, runs *engine.Engine) service {
	return service{acp.New(r, runs), a2a.New(r), newDocuments(r)}
}
