package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

const nobody = "00000000-0000-4000-8000-000000000000"

// answer is what all answers of the generated client have.
type answer interface {
	StatusCode() int
	GetBody() []byte
}

func got[A answer](a A, err error) (answer, error) { return a, err }

// at sends a request elsewhere, where the methods of the client could not.
func at(method, path string) agentapi.RequestEditorFn {
	return func(_ context.Context, request *http.Request) error {
		request.Method, request.URL.Path = method, path
		return nil
	}
}

// refused fails unless the answer is the error. An empty message is any message.
func refused(t *testing.T, a answer, err error, status int, code, message string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var e agentapi.Error
	if err := json.Unmarshal(a.GetBody(), &e); err != nil {
		t.Fatalf("%v in %s", err, a.GetBody())
	}
	if a.StatusCode() != status || e.Code != code || e.Message == "" || message != "" && e.Message != message {
		t.Errorf("status %d, %s\nwant %d, %s, %q", a.StatusCode(), a.GetBody(), status, code, message)
	}
}

// A refusal is a row of the protocol's table of errors: the call that leads to it, and what it is.
type refusal struct {
	row           string
	call          func() (answer, error)
	status        int
	code, message string
}

func testRefusals(t *testing.T, rows []refusal) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.row, func(t *testing.T) {
			a, err := tt.call()
			refused(t, a, err, tt.status, tt.code, tt.message)
		})
	}
}

func TestErrorsOfWhatIsNotThere(t *testing.T) {
	c, ctx, id := serve(t), t.Context(), uuid.MustParse(nobody)
	request := agentapi.RunCreateRequest{AgentName: "nobody", Input: []agent.Message{}}
	const run = "Run " + nobody + " not found"
	testRefusals(t, []refusal{
		{"unknown agent is 404 not_found", func() (answer, error) {
			return got(c.GetAgentWithResponse(ctx, "nobody", nil))
		}, 404, "not_found", "Agent nobody not found"},
		{"run of an unknown agent is 404 not_found", func() (answer, error) {
			return got(c.CreateRunWithResponse(ctx, request))
		}, 404, "not_found", "Agent nobody not found"},
		{"unknown run is 404 not_found", func() (answer, error) {
			return got(c.GetRunWithResponse(ctx, id))
		}, 404, "not_found", run},
		{"events of an unknown run are 404 not_found", func() (answer, error) {
			return got(c.ListRunEventsWithResponse(ctx, id, nil))
		}, 404, "not_found", run},
		{"cancel of an unknown run is 404 not_found", func() (answer, error) {
			return got(c.CancelRunWithResponse(ctx, id))
		}, 404, "not_found", run},
		{"resume of an unknown run is 404 not_found", func() (answer, error) {
			return got(c.ResumeRunWithResponse(ctx, id, resumeRequest(agentapi.RunModeSync, says())))
		}, 404, "not_found", run},
		{"unknown session is 404 not_found", func() (answer, error) {
			return got(c.GetSessionWithResponse(ctx, id))
		}, 404, "not_found", "Session " + nobody + " not found"},
		{"unknown resource is 404 not_found", func() (answer, error) {
			return got(c.GetResourceWithResponse(ctx, id))
		}, 404, "not_found", "Resource " + nobody + " not found"},
	})
}

func TestErrorsOfAddresses(t *testing.T) {
	c := serve(t)
	at := func(method, path string) func() (answer, error) {
		return func() (answer, error) { return got(c.PingWithResponse(t.Context(), at(method, path))) }
	}
	testRefusals(t, []refusal{
		{"unknown route is 404 not_found", at("GET", "/nowhere"), 404, "not_found", "Not Found"},
		{"run id that is no UUID is 422 invalid_input", at("GET", "/runs/1"), 422, "invalid_input", ""},
		{"session id that is no UUID is 422 invalid_input", at("GET", "/sessions/1"), 422, "invalid_input", ""},
		{"resource id that is no UUID is 422 invalid_input", at("GET", "/resources/1"), 422, "invalid_input", ""},
		{"wrong method is 405 server_error", at("DELETE", "/agents"), 405, "server_error", "Method Not Allowed"},
	})
}

func TestErrorsOutOfTurn(t *testing.T) {
	c, ctx := serve(t), t.Context()
	completed := c.run(EchoName, agentapi.RunModeSync).RunID
	failed := c.run(FailerName, agentapi.RunModeSync).RunID
	resumed := c.run(AwaiterName, agentapi.RunModeSync).RunID
	c.resume(resumed, agentapi.RunModeSync, says())
	cancelled := c.run(AwaiterName, agentapi.RunModeSync).RunID
	c.cancel(cancelled)
	c.until(cancelled, agentapi.RunStatusCancelled)

	var rows []refusal
	for state, id := range map[string]uuid.UUID{
		"completed": completed, "failed": failed, "resumed": resumed, "cancelled": cancelled,
	} {
		rows = append(rows, refusal{"resume of a " + state + " run is 403 server_error", func() (answer, error) {
			return got(c.ResumeRunWithResponse(ctx, id, resumeRequest(agentapi.RunModeSync, says())))
		}, 403, "server_error", "Run " + id.String() + " has no await request"})
	}
	for state, id := range map[string]uuid.UUID{"completed": completed, "failed": failed, "cancelled": cancelled} {
		rows = append(rows, refusal{"cancel of a " + state + " run is 403 server_error", func() (answer, error) {
			return got(c.CancelRunWithResponse(ctx, id))
		}, 403, "server_error", "Run in terminal status " + state + " can't be cancelled"})
	}
	id, other := uuid.New(), uuid.New()
	rows = append(rows, refusal{"session ids that differ are 400 invalid_input", func() (answer, error) {
		return got(c.CreateRunWithResponse(ctx, agentapi.RunCreateRequest{
			AgentName: EchoName, Input: []agent.Message{}, SessionID: &id, Session: &agentapi.Session{ID: &other},
		}))
	}, 400, "invalid_input", "Session ID mismatch"})
	testRefusals(t, rows)
}

// TestBodies sends runs that are not as the protocol wants them, of an agent that is not there: were that
// looked up first, the answer would be 404.
func TestBodies(t *testing.T) {
	c := serve(t)
	part := func(part string) string { return `{"agent_name":"nobody","input":[{"parts":[` + part + `]}]}` }
	for row, body := range map[string]string{
		"none":                  "",
		"bad JSON":              "{",
		"a list":                "[]",
		"no agent":              `{"input":[]}`,
		"no input":              `{"agent_name":"nobody"}`,
		"unknown mode":          `{"agent_name":"nobody","input":[],"mode":"fast"}`,
		"session id":            `{"agent_name":"nobody","input":[],"session_id":"mine"}`,
		"role":                  `{"agent_name":"nobody","input":[{"role":"robot","parts":[]}]}`,
		"role with a newline":   `{"agent_name":"nobody","input":[{"role":"user\n","parts":[]}]}`,
		"no parts":              `{"agent_name":"nobody","input":[{}]}`,
		"content and address":   part(`{"content":"x","content_url":"https://example.com"}`),
		"relative address":      part(`{"content_url":"a.png"}`),
		"encoding":              part(`{"content":"x","content_encoding":"rot13"}`),
		"kind of metadata":      part(`{"metadata":{"kind":"rumour"}}`),
		"tool input is no JSON": part(`{"metadata":{"kind":"trajectory","tool_input":"text"}}`),
	} {
		t.Run(row+" is 422 invalid_input", func(t *testing.T) {
			a, err := c.CreateRunWithBodyWithResponse(t.Context(), "application/json", strings.NewReader(body))
			refused(t, a, err, 422, "invalid_input", "")
		})
	}
	t.Run("another content type is 415 invalid_input", func(t *testing.T) {
		a, err := c.CreateRunWithBodyWithResponse(t.Context(), "text/plain", strings.NewReader(`{"agent_name":"echo","input":[]}`))
		refused(t, a, err, 415, "invalid_input", "")
	})
}

func TestAnswersAtOnce(t *testing.T) {
	c := serve(t)
	run := c.run(InterviewerName, agentapi.RunModeSync)
	var group sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		group.Go(func() {
			a, err := c.ResumeRunWithResponse(t.Context(), run.RunID, resumeRequest(agentapi.RunModeSync, says("Ada")))
			if err != nil {
				t.Error(err)
				return
			}
			statuses[i] = a.StatusCode()
		})
	}
	group.Wait()
	count := map[int]int{}
	for _, status := range statuses {
		count[status]++
	}
	if count[200] != 1 || count[403] != len(statuses)-1 {
		t.Errorf("statuses = %v, want 200 once and 403 otherwise", statuses)
	}
}
