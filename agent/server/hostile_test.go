package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
)

// Dots in another spelling are no mount point.
func TestEncodedDotsAreNoMountPoint(t *testing.T) {
	base := serve(t, registry(t, "chat"))
	for _, path := range []string{"/x/%2e%2e", "/evil.example/%2e%2e", "/%22%3E/%2e%2e", "/x/.."} {
		wantURLs(t, get(t, base+path+"/.well-known/agent-card.json").body, base+"/a2a")
	}
}

func TestHostsThatAreNone(t *testing.T) {
	base := serve(t, registry(t, "chat"))
	for _, host := range []string{"::1", "..", ".:80", "-", "a]b", "a:99999", "a:", "[::1", "a..b", "-a.example"} {
		wantURLs(t, get(t, base+"/.well-known/agent-card.json", "Host: "+host).body, base+"/a2a")
	}
}

func TestErrorsRepeatLittle(t *testing.T) {
	base := serve(t, registry(t, "chat"))
	a := call(t, http.MethodPost, base+"/runs", `{"agent_name":"`+strings.Repeat("x", 1<<20)+`","input":[]}`)
	if a.StatusCode != http.StatusNotFound || len(a.body) > 300 {
		t.Errorf("got %d with %d bytes", a.StatusCode, len(a.body))
	}
}

func TestQueriesThatDoNotParse(t *testing.T) {
	base := serve(t, registry(t, "chat"))
	for _, query := range []string{"?limit=%zz", "?limit=1;offset=2"} {
		get(t, base+"/agents"+query).wantError(t, http.StatusUnprocessableEntity, "invalid_input", "query: is not well-formed")
	}
}

func TestNilsAreErrors(t *testing.T) {
	if _, err := server.Handler(nil); err == nil {
		t.Error("a nil registry is served")
	}
	if _, err := server.Handler(agent.NewRegistry(), nil); err == nil {
		t.Error("a nil option is accepted")
	}
}

func TestPublicURLsThatAreNone(t *testing.T) {
	for _, address := range []string{"http://h/ a", `http://h"x`, "http://h:99999", "http://h/../x", "http://::1/", "http://"} {
		if _, err := server.Handler(agent.NewRegistry(), server.WithPublicURL(address)); err == nil {
			t.Errorf("%s is accepted", address)
		}
	}
}
