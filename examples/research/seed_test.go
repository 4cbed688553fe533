package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cd3b852d/agentgen/agent/server"
	"github.com/cd3b852d/agentgen/examples/internal/seedtest"
)

// The complete card that the A2A page prints comes out of the comments of this program.
func TestCardIsTheSeed(t *testing.T) {
	want := seedtest.Load(t, "testdata/agent-card.json")
	delete(want, "url") // only the server knows
	for _, difference := range seedtest.Differences(want, seedtest.JSON[any](t, AgentCard())) {
		t.Error(difference)
	}
}

// Served under the seed's address, the card has the seed's url too.
func TestServedCardIsTheSeed(t *testing.T) {
	handler := newHandler(t)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/.well-known/agent-card.json", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	got := seedtest.Decode[any](t, w.Body.Bytes())
	for _, difference := range seedtest.Differences(seedtest.Load(t, "testdata/agent-card.json"), got) {
		t.Error(difference)
	}
}

// Who has no token reads the card and runs nothing.
func TestRunsNeedTheToken(t *testing.T) {
	handler := newHandler(t)
	for token, want := range map[string]int{"": http.StatusUnauthorized, "wrong": http.StatusUnauthorized, "secret": http.StatusOK} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/runs", strings.NewReader(
			`{"agent_name":"web-research","mode":"sync","input":[{"role":"user","parts":[{"content":"What is a qubit?"}]}]}`))
		r.Header.Set("Content-Type", "application/json")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("token %q: status %d, want %d: %s", token, w.Code, want, w.Body)
		}
	}
}

// newHandler serves the program's agents under the seed's address.
func newHandler(t *testing.T) http.Handler {
	t.Helper()
	r, err := newRegistry("secret")
	if err != nil {
		t.Fatal(err)
	}
	handler, err := server.Handler(r, server.WithPublicURL("https://agent.example.com"))
	if err != nil {
		t.Fatal(err)
	}
	return handler
}
