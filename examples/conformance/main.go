// Command conformance serves the agents with which the Agent Communication Protocol's own tests try a server,
// and a few that show the rest of what an agent can do. Tests run the official clients against it.
//
//card:name Conformance
//card:description "Agents for the tests of protocol clients: they echo, wait, fail, and answer in many types."
//card:version 1.0.0
//card:capabilities streaming=true
package main

//go:generate go run github.com/cd3b852d/agentgen/cmd/agentgen generate

import (
	"context"
	"flag"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8000", "the address to listen on")
	foreign := flag.String("foreign", "", "servers from which a session's history may be loaded: host:port,host:port")
	flag.Parse()
	if err := run(*addr, *foreign); err != nil {
		log.Fatal(err)
	}
}

// run serves until it is interrupted.
func run(addr, foreign string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r := agent.NewRegistry()
	if err := RegisterAgents(r); err != nil {
		return err
	}
	options := []server.Option{server.WithBanner(os.Stderr)}
	if foreign != "" {
		options = append(options, server.WithForeignResources(strings.Split(foreign, ",")...))
	}
	return server.ListenAndServe(ctx, addr, r, options...)
}
