package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/engine"
	"github.com/cd3b852d/agentgen/agent/store"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// recall says how the session went so far, and then the input.
func recall() agent.Handler {
	return agent.Func(func(ctx context.Context, run *agent.Run, input []agent.Message) (string, error) {
		history, err := run.Session().History(ctx)
		return agent.Text(append(history, input...)...), err
	})
}

// inSession runs a handler in a session and returns what it said, or why it failed.
func inSession(t *testing.T, e *engine.Engine, h agent.Handler, id uuid.UUID, carried *agentapi.Session, text string) string {
	t.Helper()
	r := request(h, agent.TextMessage(text))
	r.SessionID, r.Session = id, carried
	run, err := e.Start(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if run = stopped(t, e, run.RunID, 0); run.Error != nil {
		return run.Error.Message
	}
	return agent.Text(run.Output...)
}

func TestHistory(t *testing.T) {
	e := newEngine(t, engine.Config{})
	id := uuid.New()
	if got := inSession(t, e, recall(), id, nil, "a"); got != "a" {
		t.Errorf("got %q", got)
	}
	inSession(t, e, says("b"), id, nil, "-")
	inSession(t, e, says(errors.New("broken")), id, nil, "not remembered")
	if got := inSession(t, e, recall(), id, nil, "c"); strings.Join(strings.Fields(got), "") != "aa-bc" {
		t.Errorf("got %q", got)
	}
	session, err := e.Session(t.Context(), id)
	if err != nil || len(session.History) != 6 || *session.ID != id {
		t.Fatalf("got %v, %v", session, err)
	}
	resource, err := e.Resource(t.Context(), uuid.MustParse(session.History[0][len("https://agents.example.com/resources/"):]))
	var m agent.Message
	if err := errors.Join(err, json.Unmarshal(resource.Data, &m)); err != nil || agent.Text(m) != "a" || m.Role != "user" {
		t.Errorf("got %v, %v", m, err)
	}
}

// H9: of two runs in one session at once, both are in the history, whole.
func TestConcurrentRunsOfOneSession(t *testing.T) {
	e := newEngine(t, engine.Config{})
	id := uuid.New()
	const runs = 20
	var all sync.WaitGroup
	for range runs {
		all.Go(func() { inSession(t, e, says("answer"), id, nil, "question") })
	}
	all.Wait()
	want := strings.TrimSuffix(strings.Repeat("question\nanswer\n", runs), "\n") + "\nlast"
	if diff := cmp.Diff(want, inSession(t, e, recall(), id, nil, "last")); diff != "" {
		t.Error(diff)
	}
}

func TestState(t *testing.T) {
	e := newEngine(t, engine.Config{})
	id := uuid.New()
	count := agent.Func(func(ctx context.Context, run *agent.Run, _ agent.None) (int, error) {
		var n int
		known, err := run.Session().State(ctx, &n)
		if known != (n > 0) {
			t.Error("known:", known, n)
		}
		n++
		return n, errors.Join(err, run.Session().SetState(ctx, n))
	})
	for _, want := range []string{"1", "2", "3"} {
		run := stopped(t, e, must(e.Start(t.Context(), engine.Request{Agent: request(count).Agent, SessionID: id, ResourceURL: request(count).ResourceURL})), 0)
		if got := texts(run.Output[0].Parts...); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func must(run agentapi.Run, err error) uuid.UUID {
	if err != nil {
		return uuid.Nil
	}
	return run.RunID
}

// A client carries a session from one server to another.
func TestSessionFromElsewhere(t *testing.T) {
	there := newEngine(t, engine.Config{})
	id := uuid.New()
	inSession(t, there, says("b"), id, nil, "a")
	carried, err := there.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	here := newEngine(t, engine.Config{Fetch: func(ctx context.Context, url string) ([]byte, error) {
		resource, err := there.Resource(ctx, uuid.MustParse(url[strings.LastIndex(url, "/")+1:]))
		return resource.Data, err
	}})
	if got := inSession(t, here, recall(), id, &carried, "c"); got != "a\nb\nc" {
		t.Errorf("got %q", got)
	}
	if got := inSession(t, here, recall(), id, nil, "d"); got != "a\nb\nc\na\nb\nc\nd" {
		t.Errorf("what was carried is not kept: %q", got)
	}
	closed := newEngine(t, engine.Config{})
	if got := inSession(t, closed, recall(), id, &carried, "x"); !strings.HasSuffix(got, "resources of other servers are not read here") {
		t.Errorf("got %q", got)
	}
	if _, err := closed.Resource(t.Context(), uuid.New()); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}
