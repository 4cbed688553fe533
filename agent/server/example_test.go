package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
)

func ExampleHandler() {
	handler, err := server.Handler(agent.NewRegistry())
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/ai/", http.StripPrefix("/ai", handler))
	s := httptest.NewServer(mux)
	defer s.Close()
	response, err := http.Get(s.URL + "/ai/agents")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	fmt.Println(response.Status, string(body), err)
	// Output: 200 OK {"agents":[]} <nil>
}

// Options are checked before anything listens.
func ExampleWithPublicURL() {
	_, err := server.Handler(agent.NewRegistry(), server.WithPublicURL("agents.example.com"))
	fmt.Println(err)
	// Output: server: public URL "agents.example.com": want http(s)://host[:port][/path]
}

func ExampleListenAndServe() {
	ctx, stop := context.WithCancel(context.Background())
	stop() // a program would rather wait for a signal
	err := server.ListenAndServe(ctx, "127.0.0.1:0", agent.NewRegistry(),
		server.WithPublicURL("https://agents.example.com"), server.WithBanner(os.Stdout))
	fmt.Println(err)
	// Output:
	// overview      https://agents.example.com/
	// agents        https://agents.example.com/agents
	// openapi.yaml  https://agents.example.com/openapi.yaml
	// <nil>
}
