package engine_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/engine"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

type contextKey struct{}

// notes are what observers were told.
type notes struct {
	mu    sync.Mutex
	lines []string
}

func (n *notes) add(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, fmt.Sprintf(format, args...))
}

func (n *notes) want(t *testing.T, lines ...string) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Equal(n.lines, lines) {
		t.Errorf("got  %q\nwant %q", n.lines, lines)
	}
}

// observer adds its name to what the context carries, and notes what it is told.
type observer struct {
	notes   *notes
	name    string
	started func() // called by RunStarted, if any
	ended   func() // called by RunEnded, if any
	noCtx   bool   // whether RunStarted returns no context
}

func (o observer) RunStarted(ctx context.Context, _ agent.RunInfo) context.Context {
	path, _ := ctx.Value(contextKey{}).(string)
	o.notes.add("%s started in %s", o.name, path)
	if o.started != nil {
		o.started()
	}
	if o.noCtx {
		return nil
	}
	return context.WithValue(ctx, contextKey{}, path+"/"+o.name)
}

func (o observer) RunEnded(ctx context.Context, _ agent.RunInfo, result agent.RunResult) {
	o.notes.add("%s ended in %v: %s %d %v", o.name, ctx.Value(contextKey{}), result.Status, result.Tokens, ctx.Err())
	if o.ended != nil {
		o.ended()
	}
}

// Each observer finds in RunEnded what its RunStarted left in the context, and the function what all did.
func TestObserversFindTheirContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n notes
		e := newEngine(t, engine.Config{Observers: []agent.Observer{observer{notes: &n, name: "a"}, observer{notes: &n, name: "b"}}})
		ctx, leave := context.WithCancel(context.WithValue(t.Context(), contextKey{}, "request"))
		_, err := e.Start(ctx, request(agent.Func(func(ctx context.Context, run *agent.Run, _ agent.None) (string, error) {
			n.add("function in %v", ctx.Value(contextKey{}))
			run.AddUsage(7)
			return "done", nil
		})))
		leave()
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		n.want(t, "a started in request", "b started in request/a", "function in request/a/b",
			"b ended in request/a/b: completed 7 <nil>", "a ended in request/a: completed 7 <nil>")
	})
}

// A run that is over before its function returned is told once, in a context that goes on.
func TestObserversOfACancelledRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n notes
		e := newEngine(t, engine.Config{Observers: []agent.Observer{observer{notes: &n, name: "a"}}})
		id := start(t, e, sleeper(time.Hour, false))
		synctest.Wait()
		if _, err := e.Cancel(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		n.want(t, "a started in ", "a ended in /a: cancelled 0 <nil>")
	})
}

func TestObserversThatPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n notes
		fault := func() { panic("observer") } //nolint:forbidigo // what the test is about
		e := newEngine(t, engine.Config{Observers: []agent.Observer{
			observer{notes: &n, name: "start", started: fault},
			observer{notes: &n, name: "end", ended: fault},
			observer{notes: &n, name: "nil", noCtx: true},
		}})
		id := start(t, e, says("done"))
		synctest.Wait()
		ended(t, e, id, agentapi.RunStatusCompleted, "")
		n.want(t, "start started in ", "end started in ", "nil started in /end",
			"nil ended in /end: completed 0 <nil>", "end ended in /end: completed 0 <nil>")
		if err := e.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// Clients see the end at once, and a server that shuts down waits for the observers.
func TestObserverSlowToEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n notes
		e := newEngine(t, engine.Config{Observers: []agent.Observer{
			observer{notes: &n, name: "a", ended: func() { time.Sleep(time.Minute); n.add("told") }},
		}})
		began := time.Now()
		id := start(t, e, sleeper(time.Second, true))
		if run := stopped(t, e, id, 0); run.Status != agentapi.RunStatusCompleted || time.Since(began) != time.Second {
			t.Errorf("%s after %v", run.Status, time.Since(began))
		}
		if err := e.Shutdown(t.Context()); err != nil || time.Since(began) != time.Minute+time.Second {
			t.Errorf("shut down after %v: %v", time.Since(began), err)
		}
		n.want(t, "a started in ", "a ended in /a: completed 0 <nil>", "told")
	})
}

// A run can be cancelled while an observer is told of its start, and its end is told after that.
func TestObserverSlowToStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n notes
		e := newEngine(t, engine.Config{Observers: []agent.Observer{
			observer{notes: &n, name: "a", started: func() { time.Sleep(time.Minute) }}, observer{notes: &n, name: "b"},
		}})
		id := start(t, e, sleeper(time.Hour, true))
		synctest.Wait()
		if _, err := e.Cancel(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		ended(t, e, id, agentapi.RunStatusCancelled, "")
		n.want(t, "a started in ")
		time.Sleep(time.Minute)
		synctest.Wait()
		n.want(t, "a started in ", "b started in /a", "b ended in /a/b: cancelled 0 <nil>", "a ended in /a: cancelled 0 <nil>")
	})
}
