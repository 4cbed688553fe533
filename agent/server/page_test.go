package server_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

func TestPageShowsTheAgents(t *testing.T) {
	r := registry(t, "chat", "slow-echo")
	base := serve(t, r)
	page := get(t, base+"/", "Accept: text/html")
	if page.StatusCode != http.StatusOK || page.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("got %d %v", page.StatusCode, page.Header)
	}
	for _, want := range []string{"chat", "slow-echo", base + "/agents/chat", base + "/agents/slow-echo/.well-known/agent-card.json"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page lacks %s:\n%s", want, page.body)
		}
	}
}

func TestPageEscapes(t *testing.T) {
	r := agent.NewRegistry()
	p := agent.Package{Card: agentapi.AgentCard{Name: "<b>", Description: "<script>alert(1)</script>"}}
	p.Add(agentapi.AgentManifest{
		Name: "chat", Description: "<img src=x>", InputContentTypes: []string{"<i>"}, OutputContentTypes: []string{"*/*"},
	}, agent.Action(func(context.Context, *agent.Run, agent.None) error { return nil }))
	if err := r.Register(p); err != nil {
		t.Fatal(err)
	}
	page := get(t, serve(t, r, server.WithPublicURL("https://example.com/a&b"))+"/").body
	for _, raw := range []string{"<b>", "<script>", "<img", "<i>"} {
		if strings.Contains(page, raw) {
			t.Errorf("the page has %s:\n%s", raw, page)
		}
	}
}

// A page is remembered for each address, so that no reader sees links of another.
func TestPagesOfSeveralHosts(t *testing.T) {
	base := serve(t, registry(t, "chat"))
	for range 2 {
		for _, host := range []string{"a.example", "b.example"} {
			page := get(t, base+"/", "Host: "+host)
			if page.Header.Get("Content-Security-Policy") == "" || !strings.Contains(page.body, "http://"+host+"/agents/chat") {
				t.Errorf("%s: got %v %s", host, page.Header, page.body)
			}
		}
	}
}

func TestPageWithoutAgents(t *testing.T) {
	if page := get(t, serve(t, agent.NewRegistry())+"/"); page.StatusCode != http.StatusOK || !strings.Contains(page.body, "No agent is registered") {
		t.Errorf("got %d %s", page.StatusCode, page.body)
	}
}
