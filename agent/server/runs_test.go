package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// asking awaits an answer, and says it.
func asking(ctx context.Context, run *agent.Run, _ agent.None) (string, error) {
	answer, err := run.Await(ctx, agent.TextMessage("Sure?"))
	return agent.Text(answer), err
}

// serveRuns serves an agent that echoes, one that asks, and one that sleeps until it is cancelled.
func serveRuns(t *testing.T, options ...server.Option) string {
	t.Helper()
	p := chatPackage("echo", "asker", "sleeper")
	p.Agents[1].Handler = agent.Func(asking)
	p.Agents[2].Handler = agent.Action(func(ctx context.Context, _ *agent.Run, _ agent.None) error {
		<-ctx.Done()
		return ctx.Err()
	})
	r := agent.NewRegistry()
	if err := r.Register(p); err != nil {
		t.Fatal(err)
	}
	return serve(t, r, options...)
}

// runOf decodes the run that an answer holds.
func runOf(t *testing.T, a answer, status int) agentapi.Run {
	t.Helper()
	var run agentapi.Run
	if err := json.Unmarshal([]byte(a.body), &run); err != nil || a.StatusCode != status {
		t.Fatalf("%s %s: got %d %s, %v", a.Request.Method, a.Request.URL.Path, a.StatusCode, a.body, err)
	}
	return run
}

// body asks for a run.
func body(agentName, mode, more string) string {
	return `{"agent_name":"` + agentName + `","input":[{"role":"user","parts":[{"content":"Hello"}]}],"mode":"` + mode + `"` + more + `}`
}

const yes = `{"await_resume":{"type":"message","message":{"parts":[{"content":"yes"}]}},"mode":`

func TestSyncAndAsync(t *testing.T) {
	c := loadContract(t)
	base := serveRuns(t)
	a := call(t, "POST", base+"/runs", body("echo", "sync", ""))
	c.check(t, c.operation(t, "POST", "/runs"), a)
	run := runOf(t, a, 200)
	if run.Status != agentapi.RunStatusCompleted || agent.Text(run.Output...) != "Hello" || run.Output[0].Role != "agent/echo" || a.Header.Get("Run-ID") != run.RunID.String() {
		t.Errorf("got %s", a.body)
	}
	read := get(t, base+"/runs/"+run.RunID.String())
	c.check(t, c.operation(t, "GET", "/runs/"+run.RunID.String()), read)
	if read.body != a.body && strings.TrimSpace(read.body) != a.body {
		t.Errorf("read %s\nwas  %s", read.body, a.body)
	}
	a = call(t, "POST", base+"/runs", body("echo", "async", ""))
	c.check(t, c.operation(t, "POST", "/runs"), a)
	if run := runOf(t, a, 202); run.Status != agentapi.RunStatusCreated || len(run.Output) != 0 || a.Header.Get("Run-ID") != run.RunID.String() {
		t.Errorf("got %s", a.body)
	}
}

func TestAwaitAndResume(t *testing.T) {
	c := loadContract(t)
	base := serveRuns(t)
	for mode, check := range map[string]func(answer){
		"sync": func(a answer) {
			if run := runOf(t, a, 200); run.Status != agentapi.RunStatusCompleted || agent.Text(run.Output...) != "yes" {
				t.Errorf("got %s", a.body)
			}
		},
		"async": func(a answer) {
			if run := runOf(t, a, 202); run.Status != agentapi.RunStatusInProgress || run.AwaitRequest == nil {
				t.Errorf("got %s", a.body)
			}
		},
		"stream": func(a answer) {
			if got := typesOf(t, a.body); got != "run.in-progress message.created message.part message.completed run.completed" {
				t.Errorf("got %s", got)
			}
		},
	} {
		waiting := runOf(t, call(t, "POST", base+"/runs", body("asker", "sync", "")), 200)
		if waiting.Status != agentapi.RunStatusAwaiting {
			t.Fatalf("got %+v", waiting)
		}
		path := "/runs/" + waiting.RunID.String()
		a := call(t, "POST", base+path, yes+`"`+mode+`"}`)
		c.check(t, c.operation(t, "POST", path), a)
		if a.Header.Get("Run-ID") != "" {
			t.Error("Run-ID is for runs that a request creates")
		}
		check(a)
		again := call(t, "POST", base+path, yes+`"`+mode+`"}`)
		again.wantError(t, 403, "server_error", "Run "+waiting.RunID.String()+" has no await request")
		c.check(t, c.operation(t, "POST", path), again)
	}
}

// H8: cancel twice, and after the end.
func TestCancelTwice(t *testing.T) {
	c := loadContract(t)
	base := serveRuns(t)
	for _, name := range []string{"sleeper", "asker"} {
		id := runOf(t, call(t, "POST", base+"/runs", body(name, "async", "")), 202).RunID.String()
		for range 2 {
			a := call(t, "POST", base+"/runs/"+id+"/cancel", "")
			c.check(t, c.operation(t, "POST", "/runs/"+id+"/cancel"), a)
			if a.StatusCode == http.StatusForbidden { // the run was quick to end
				continue
			}
			if run := runOf(t, a, 202); run.Status != agentapi.RunStatusCancelling {
				t.Errorf("got %s", a.body)
			}
		}
		// The stream of events ends with the run.
		events := get(t, base+"/runs/"+id+"/events", "Accept: text/event-stream")
		if got := typesOf(t, events.body); !strings.HasSuffix(got, "run.cancelled") {
			t.Errorf("got %s", got)
		}
		a := call(t, "POST", base+"/runs/"+id+"/cancel", "")
		a.wantError(t, 403, "server_error", "Run in terminal status cancelled can't be cancelled")
		c.check(t, c.operation(t, "POST", "/runs/"+id+"/cancel"), a)
		call(t, "POST", base+"/runs/"+id, yes+`"sync"}`).wantStatus(t, 403, "server_error")
	}
}

// TestRequestsThatAreRefused has a row for each rule that the models can't express.
func TestRequestsThatAreRefused(t *testing.T) {
	c := loadContract(t)
	base := serveRuns(t, server.WithLimits(server.Limits{Runs: 1}))
	id := runOf(t, call(t, "POST", base+"/runs", body("asker", "sync", "")), 200).RunID.String()
	message := func(m string) string { return `{"agent_name":"echo","input":[` + m + `]}` }
	const other = "7d44f2a0-3f5c-4f0c-9a56-0f1d2e3c4b5a"
	for _, test := range []struct {
		path, body    string
		status        int
		code, message string
	}{
		{"/runs", `{"agent_name":"echo"}`, 422, "invalid_input", "/input: is required"},
		{"/runs", body("echo", "later", ""), 422, "invalid_input", `/mode: "later" is not sync, async or stream`},
		{"/runs", message(`{"role":"robot","parts":[]}`), 422, "invalid_input", `/input/0/role: "robot" is not user, agent or agent/NAME`},
		{"/runs", message(`{"role":"user\n","parts":[]}`), 422, "invalid_input", `/input/0/role: "user\n" is not user, agent or agent/NAME`},
		{"/runs", message(`{"role":"user"}`), 422, "invalid_input", "/input/0/parts: is required"},
		{"/runs", message(`{"parts":[]},{"parts":[{"content":"","content_url":"https://example.com"}]}`), 422, "invalid_input", "/input/1/parts/0: Only one of content or content_url can be provided"},
		{"/runs", message(`{"parts":[{"content_url":"/relative"}]}`), 422, "invalid_input", `/input/0/parts/0/content_url: "/relative" is no absolute URL`},
		{"/runs", message(`{"parts":[{"content_encoding":"hex"}]}`), 422, "invalid_input", `/input/0/parts/0/content_encoding: "hex" is not plain or base64`},
		{"/runs", message(`{"parts":[{"metadata":{"kind":"x"}}]}`), 422, "invalid_input", `/input/0/parts/0/metadata/kind: "x" is not citation or trajectory`},
		{"/runs", body("echo", "sync", `,"session":{"history":["x"]}`), 422, "invalid_input", `/session/history/0: "x" is no http or https URL`},
		{"/runs", body("echo", "sync", `,"session_id":"`+someUUID+`","session":{"id":"`+other+`"}`), 400, "invalid_input", "Session ID mismatch"},
		{"/runs", body("nobody", "sync", `,"session_id":"`+someUUID+`","session":{"id":"`+other+`"}`), 404, "not_found", "Agent nobody not found"},
		{"/runs", body("echo", "sync", ""), 503, "server_error", "No run is taken now: too many runs at once"},
		{"/runs/" + id, `{"await_resume":{"message":{"parts":[]}}}`, 422, "invalid_input", "/mode: is required: sync, async or stream"},
		{"/runs/" + id, `{"await_resume":{"type":"x","message":{"parts":[]}},"mode":"sync"}`, 422, "invalid_input", `/await_resume/type: "x" is not message`},
		{"/runs/" + id, `{"await_resume":{"message":{}},"mode":"sync"}`, 422, "invalid_input", "/await_resume: is required, as {\"type\":\"message\",\"message\":{\"parts\":[{\"content\":\"the answer\"}]}}"},
	} {
		a := call(t, "POST", base+test.path, test.body)
		a.wantError(t, test.status, test.code, test.message)
		c.check(t, c.operation(t, "POST", test.path), a)
	}
}

// Declared security is enforced: who has no credential reads what describes the agents, and nothing else.
func TestAccess(t *testing.T) {
	p := chatPackage("echo")
	p.Verifiers["bearerAuth"] = agent.VerifierFunc(func(r *http.Request) error {
		if r.Header.Get("Authorization") != "Bearer good" {
			return errors.New("secret reason")
		}
		return nil
	})
	r := agent.NewRegistry()
	if err := r.Register(p); err != nil {
		t.Fatal(err)
	}
	base := serve(t, r, server.WithLogger(slog.New(slog.DiscardHandler)))
	for path, test := range map[string]struct{ method, body string }{
		"/runs": {"POST", body("echo", "sync", "")}, "/runs/" + someUUID: {"GET", ""}, "/runs/" + someUUID + "/events": {"GET", ""},
		"/runs/" + someUUID + "/cancel": {"POST", ""}, "/sessions/" + someUUID: {"GET", ""}, "/resources/" + someUUID: {"GET", ""},
	} {
		a := call(t, test.method, base+path, test.body)
		a.wantError(t, 401, "server_error", "A valid credential is needed")
		if got := a.Header.Get("WWW-Authenticate"); got != `bearer realm="Chatters"` {
			t.Errorf("%s: challenged with %q", path, got)
		}
		if a := call(t, test.method, base+path, test.body, "Authorization: Bearer good"); a.StatusCode == http.StatusUnauthorized {
			t.Errorf("%s: refused with a credential", path)
		}
	}
	for _, path := range []string{"/", "/agents", "/agents/echo", "/.well-known/agent-card.json", "/ping", "/openapi.json"} {
		if a := get(t, base+path); a.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
}

// What one skill requires guards its runs wherever they are read.
func TestAccessToOneSkill(t *testing.T) {
	p := chatPackage("open", "closed")
	p.Card.Security, p.Card.Skills[1].Security = nil, p.Card.Security
	p.Verifiers["bearerAuth"] = agent.VerifierFunc(func(r *http.Request) error {
		if r.Header.Get("Authorization") != "Bearer good" {
			return errors.New("no")
		}
		return nil
	})
	r := agent.NewRegistry()
	if err := r.Register(p); err != nil {
		t.Fatal(err)
	}
	base := serve(t, r, server.WithLogger(slog.New(slog.DiscardHandler)))
	runOf(t, call(t, "POST", base+"/runs", body("open", "sync", "")), 200)
	run := runOf(t, call(t, "POST", base+"/runs", body("closed", "sync", ""), "Authorization: Bearer good"), 200)
	for path, method := range map[string]string{
		"/runs/" + run.RunID.String(): "GET", "/runs/" + run.RunID.String() + "/events": "GET",
		"/runs/" + run.RunID.String() + "/cancel": "POST", "/sessions/" + run.SessionID.String(): "GET",
	} {
		call(t, method, base+path, "").wantStatus(t, 401, "server_error")
		if a := call(t, method, base+path, "", "Authorization: Bearer good"); a.StatusCode == 401 {
			t.Errorf("%s: refused with a credential", path)
		}
	}
}

// The manifest shows how the runs went.
func TestStatus(t *testing.T) {
	base := serveRuns(t)
	if a := get(t, base+"/agents/echo"); strings.Contains(a.body, `"status"`) {
		t.Errorf("a status before the first run: %s", a.body)
	}
	call(t, "POST", base+"/runs", body("echo", "sync", ""))
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if a := get(t, base+"/agents/echo"); strings.Contains(a.body, `"success_rate":100`) {
			break
		} else if time.Now().After(deadline) {
			t.Fatal(a.body)
		}
	}
}

// A client that leaves is no failure of the server, and its run goes on.
func TestClientThatLeaves(t *testing.T) {
	var log strings.Builder
	base := serveRuns(t, server.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/runs", strings.NewReader(body("sleeper", "sync", `,"session_id":"`+someUUID+`"`)))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err == nil {
		_ = response.Body.Close()
		t.Fatal(response.Status)
	}
	if a := get(t, base+"/sessions/"+someUUID); a.StatusCode != http.StatusOK {
		t.Error(a.body)
	}
	time.Sleep(100 * time.Millisecond) // a server that logs does so at once
	if log.Len() > 0 {
		t.Errorf("logged %s", log.String())
	}
}
