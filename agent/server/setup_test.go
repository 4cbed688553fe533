package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

func echo(_ context.Context, _ *agent.Run, text string) (string, error) { return text, nil }

// chatPackage is a package with one agent for each name, whose card requires a bearer token.
func chatPackage(names ...string) agent.Package {
	p := agent.Package{
		Card: agentapi.AgentCard{
			Name: "Chatters", Description: "Agents that chat.", Version: "1.0.2",
			DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
			SecuritySchemes: map[string]agentapi.SecurityScheme{"bearerAuth": {Type: "http", Scheme: "bearer"}},
			Security:        []agentapi.SecurityRequirement{{"bearerAuth": nil}},
		},
		Verifiers: map[string]agent.Verifier{"bearerAuth": agent.VerifierFunc(func(*http.Request) error { return nil })},
	}
	for _, name := range names {
		p.Agents = append(p.Agents, agent.Agent{
			Manifest: agentapi.AgentManifest{
				Name: name, Description: "Chats as " + name + ".",
				InputContentTypes: []string{"text/plain"}, OutputContentTypes: []string{"text/plain"},
				Metadata: &agentapi.AgentMetadata{Documentation: "# Title\n\nMore than one line."},
			},
			Handler: agent.Func(echo),
		})
		p.Card.Skills = append(p.Card.Skills, agentapi.AgentSkill{ID: name, Name: "The " + name, Description: "Chats."})
	}
	return p
}

// registry has an agent for each name.
func registry(t testing.TB, names ...string) *agent.Registry {
	t.Helper()
	r := agent.NewRegistry()
	if len(names) > 0 {
		if err := r.Register(chatPackage(names...)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// serve serves the registry until the test ends and returns the base URL.
func serve(t testing.TB, r *agent.Registry, options ...server.Option) string {
	t.Helper()
	handler, err := server.Handler(r, options...)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL
}

// answer is a response that has been read.
type answer struct {
	*http.Response
	body string
}

// call sends a request with headers `Name: value` and follows no redirect.
func call(t testing.TB, method, url, body string, headers ...string) answer {
	t.Helper()
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	request, err := http.NewRequest(method, url, content)
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		if name == "Host" {
			request.Host = value
		}
		request.Header.Add(name, value)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response, string(data)}
}

func get(t testing.TB, url string, headers ...string) answer {
	t.Helper()
	return call(t, http.MethodGet, url, "", headers...)
}

// wantError checks an answer for the protocol's error body.
func (a answer) wantError(t testing.TB, status int, code, message string) {
	t.Helper()
	want := fmt.Sprintf(`{"code":%q,"message":%q}`, code, message)
	if a.StatusCode != status || strings.TrimSpace(a.body) != want || a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %s: got %d %q %s, want %d %s", a.Request.Method, a.Request.URL.Path,
			a.StatusCode, a.Header.Get("Content-Type"), a.body, status, want)
	}
}

// wantStatus checks the status and code of an answer whose words don't matter.
func (a answer) wantStatus(t testing.TB, status int, code string) {
	t.Helper()
	if a.StatusCode != status || !strings.HasPrefix(a.body, fmt.Sprintf(`{"code":%q,"message":"`, code)) {
		t.Errorf("%s %s: got %d %s, want %d with code %s", a.Request.Method, a.Request.URL.Path, a.StatusCode, a.body, status, code)
	}
}
