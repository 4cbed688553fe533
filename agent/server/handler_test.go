package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/engine"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// faulty has operations that go wrong.
type faulty struct {
	agentapi.StrictServerInterface
}

func (faulty) Ping(context.Context, agentapi.PingRequestObject) (agentapi.PingResponseObject, error) {
	panic("secret of a panic") //nolint:forbidigo // the panic is the test
}

func (faulty) ListAgents(context.Context, agentapi.ListAgentsRequestObject) (agentapi.ListAgentsResponseObject, error) {
	return nil, errors.New("secret of an error")
}

func (faulty) GetAgent(context.Context, agentapi.GetAgentRequestObject) (agentapi.GetAgentResponseObject, error) {
	return nil, fmt.Errorf("wrapped: %w", &agent.Error{Code: agent.CodeNotFound, Message: "for all to read"})
}

func TestFaultsStayInside(t *testing.T) {
	var logged bytes.Buffer
	c, err := newConfig(agent.NewRegistry(), []Option{WithLogger(slog.New(slog.NewTextHandler(&logged, nil)))})
	if err != nil {
		t.Fatal(err)
	}
	handler := c.handler(faulty{}, authorize(agent.NewRegistry(), engine.New(engine.Config{})), http.NotFound)
	unexpected := `{"code":"server_error","message":"An unexpected error occurred"}`
	for path, want := range map[string]struct {
		status    int
		body, log string
	}{
		"/ping":     {500, unexpected, "secret of a panic"},
		"/agents":   {500, unexpected, "secret of an error"},
		"/agents/x": {404, `{"code":"not_found","message":"for all to read"}`, ""},
	} {
		logged.Reset()
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != want.status || w.Body.String() != want.body || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s: got %d %s", path, w.Code, w.Body)
		}
		if !strings.Contains(logged.String(), want.log) || want.log == "" && logged.Len() > 0 {
			t.Errorf("%s: logged %s", path, logged.String())
		}
	}
}

func TestDepth(t *testing.T) {
	for body, want := range map[string]int{``: 0, `1`: 0, `[]`: 1, `{"a":[1,{"b":2}]}`: 3, `["[[[\"[[["]`: 1, `["\\",[[]]]`: 3, `]]][`: 0} {
		if got := depth([]byte(body)); got != want {
			t.Errorf("%s: got %d, want %d", body, got, want)
		}
	}
}

// A body that does not come is an error in time, not a connection for ever.
func TestSlowBodies(t *testing.T) {
	c, err := newConfig(agent.NewRegistry(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.bodyTime = 50 * time.Millisecond
	s := httptest.NewServer(c.handler(newService(agent.NewRegistry(), engine.New(engine.Config{})), authorize(agent.NewRegistry(), engine.New(engine.Config{})), http.NotFound))
	defer s.Close()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, "POST /runs HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 408 ") || !strings.Contains(string(answer), `"code":"invalid_input"`) {
		t.Errorf("got %q, %v", answer, err)
	}
}

func TestZonesInAddresses(t *testing.T) {
	if got := reachable("[fe80::1%eth0]:0", &net.TCPAddr{Port: 8000}); got != "[fe80::1%25eth0]:8000" {
		t.Errorf("got %s", got)
	}
}
