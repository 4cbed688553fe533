// Command quickstart serves one agent, which tells how long a text takes to read.
package main

//go:generate go run github.com/cd3b852d/agentgen/cmd/agentgen generate
import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
)

// ReadingTime counts the words of a text and tells how many minutes it takes to read.
//
//agent:register
//agent:tags text reading
func ReadingTime(_ context.Context, text string) (string, error) {
	words := len(strings.Fields(text))
	return fmt.Sprintf("%d words, %d min", words, (words+199)/200), nil // people read 200 words a minute
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8000", "the address to listen on")
	flag.Parse()
	r := agent.NewRegistry()
	if err := RegisterAgents(r); err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := server.ListenAndServe(ctx, *addr, r, server.WithBanner(os.Stderr)); err != nil {
		log.Fatal(err)
	}
}
