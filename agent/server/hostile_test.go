package server_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

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
	long := strings.Repeat("x", 9000)
	for name, a := range map[string]answer{
		"agent":        call(t, http.MethodPost, base+"/runs", `{"agent_name":"`+long+`","input":[]}`),
		"path":         get(t, base+"/agents/"+long),
		"query":        get(t, base+"/agents?limit="+long),
		"id":           get(t, base+"/runs/"+long),
		"content type": call(t, http.MethodPost, base+"/runs", "{}", "Content-Type: "+long),
		"coding":       call(t, http.MethodPost, base+"/runs", "{}", "Content-Encoding: "+long),
		"value":        call(t, http.MethodPost, base+"/runs", `{"session_id":"`+long+`"}`),
		"member":       call(t, http.MethodPost, base+"/runs", `{"input":[{"parts":[{"`+long+`":1e999}]}]}`),
	} {
		if a.StatusCode < 400 || a.StatusCode >= 500 || len(a.body) > 300 {
			t.Errorf("%s: got %d with %d bytes", name, a.StatusCode, len(a.body))
		}
	}
}

func TestQueriesThatDoNotParse(t *testing.T) {
	base := serve(t, registry(t, "chat"))
	for _, query := range []string{"?limit=%zz", "?limit=1;offset=2"} {
		get(t, base+"/agents"+query).wantError(t, http.StatusUnprocessableEntity, "invalid_input", "query: is not well-formed")
	}
}

func TestParametersThatAreWrong(t *testing.T) {
	base := serve(t, registry(t, "chat"))
	for path, want := range map[string]string{
		"/agents?limit=ten":                   `limit: "ten" has the wrong form`,
		"/agents?limit=":                      `limit: "" has the wrong form`,
		"/agents?limit=1&limit=2":             "limit: wants one value, has 2",
		"/agents?offset=1&offset=2":           "offset: wants one value, has 2",
		"/runs/1":                             `run_id: "1" has the wrong form`,
		"/agents?offset=99999999999999999999": `offset: "99999999999999999999" has the wrong form`,
	} {
		get(t, base+path).wantError(t, http.StatusUnprocessableEntity, "invalid_input", want)
	}
	events := get(t, base+"/runs/"+someUUID+"/events", "Last-Event-ID: 1", "Last-Event-ID: 2")
	events.wantError(t, http.StatusUnprocessableEntity, "invalid_input", "Last-Event-ID: wants one value, has 2")
}

// What no client of Go sends is sent as it stands.
func TestRawRequests(t *testing.T) {
	base := serve(t, registry(t, "chat"))
	for name, test := range map[string]struct{ request, status, body string }{
		"no path":          {"GET * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "404", notRouted},
		"HTTP/2":           {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "404", notRouted},
		"no host":          {"GET /.well-known/api-catalog HTTP/1.0\r\n\r\n", "200", `"anchor":"` + base + `/"`},
		"very long host":   {"GET /.well-known/api-catalog HTTP/1.0\r\nHost: " + strings.Repeat("a.", 50_000) + "a\r\n\r\n", "200", `"anchor":"` + base + `/"`},
		"host with a dot":  {"GET /.well-known/api-catalog HTTP/1.0\r\nHost: a.example.\r\n\r\n", "200", `"anchor":"http://a.example./"`},
		"absolute address": {"GET http://a.example/.well-known/api-catalog HTTP/1.0\r\n\r\n", "200", `"anchor":"http://a.example/"`},
		"body to come":     {"POST /runs HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 99000000\r\n\r\n", "413", "body: must be at most 4194304 bytes"},
		"body cut off":     {"POST /runs HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "422", "body: ended early"},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
			if _, err := io.WriteString(conn, test.request); err != nil {
				t.Fatal(err)
			}
			answer, err := io.ReadAll(conn)
			if _, status, _ := strings.Cut(string(answer), " "); err != nil || !strings.HasPrefix(status, test.status) || !strings.Contains(status, test.body) {
				t.Errorf("got %q, %v", answer, err)
			}
		})
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
