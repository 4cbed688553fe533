// Command research serves an agent that looks things up and says where they stand. Its card is the
// complete example of the A2A page about cards.
//
// To need neither a network nor a key, the agent reads a small library that is compiled into the
// program: short articles about computing and science, and the entries of well-known papers.
//
//card:name ResearchAgent
//card:description "Searches the web and produces structured research summaries. Supports streaming for long tasks."
//card:iconUrl https://agent.example.com/icon.png
//card:version 1.0.2
//card:capabilities streaming=true pushNotifications=false stateTransitionHistory=true
//card:defaultInputModes text
//card:defaultOutputModes text data
//card:securitySchemes bearerAuth type=http scheme=bearer bearerFormat=JWT
//card:security bearerAuth
package main

//go:generate go run github.com/cd3b852d/agentgen/cmd/agentgen generate

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8000", "the address to listen on")
	publicURL := flag.String("public-url", "", "the address under which clients reach the server, if another")
	token := flag.String("token", os.Getenv("RESEARCH_TOKEN"), "the bearer token that callers must send (default $RESEARCH_TOKEN)")
	flag.Parse()
	if err := run(*addr, *publicURL, *token); err != nil {
		log.Fatal(err)
	}
}

// run serves until it is interrupted.
func run(addr, publicURL, token string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, err := newRegistry(token)
	if err != nil {
		return err
	}
	return server.ListenAndServe(ctx, addr, r, server.WithBanner(os.Stderr), server.WithPublicURL(publicURL))
}

// newRegistry has the agents of this program, closed to callers without the token.
func newRegistry(token string) (*agent.Registry, error) {
	bearer, err := newBearer(token)
	if err != nil {
		return nil, err
	}
	library, err := NewLibrary()
	if err != nil {
		return nil, err
	}
	r := agent.NewRegistry()
	return r, RegisterAgents(r, library, bearer)
}

// invalid is the error for an input that an agent cannot use.
func invalid(format string, args ...any) error {
	return &agent.Error{Code: agent.CodeInvalidInput, Message: fmt.Sprintf(format, args...)}
}
