// Command seeds serves the agents of the Agent Communication Protocol's own page about manifests: the
// three functions that it registers, and the complete manifest that it prints.
//
//card:name SeedAgents
//card:description "Analyzes datasets and images, condenses texts, and talks about the time and the weather."
//card:version 1.0.0
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
	flag.Parse()
	if err := run(*addr, *publicURL); err != nil {
		log.Fatal(err)
	}
}

// run serves until it is interrupted.
func run(addr, publicURL string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r := agent.NewRegistry()
	if err := RegisterAgents(r); err != nil {
		return err
	}
	return server.ListenAndServe(ctx, addr, r, server.WithBanner(os.Stderr), server.WithPublicURL(publicURL))
}

// invalid is the error for an input that an agent cannot use.
func invalid(format string, args ...any) error {
	return &agent.Error{Code: agent.CodeInvalidInput, Message: fmt.Sprintf(format, args...)}
}
