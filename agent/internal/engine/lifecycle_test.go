package engine_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/engine"
	"github.com/cd3b852d/agentgen/agent/store"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// asker awaits an answer, and says it.
func asker() agent.Handler {
	return agent.Func(func(ctx context.Context, run *agent.Run, _ agent.None) (string, error) {
		answer, err := run.Await(ctx, agent.TextMessage("Sure?"))
		return agent.Text(answer), err
	})
}

// ended checks how a run ended.
func ended(t *testing.T, e *engine.Engine, id uuid.UUID, status agentapi.RunStatus, message string) {
	t.Helper()
	run, err := e.Run(t.Context(), id)
	got := ""
	if run.Error != nil {
		got = run.Error.Message
	}
	if err != nil || run.Status != status || got != message {
		t.Errorf("the run is %s %q, %v; want %s %q", run.Status, got, err, status, message)
	}
}

func TestCancel(t *testing.T) {
	for name, test := range map[string]struct {
		handler agent.Handler
		after   time.Duration // how long the function takes to end then
		status  agentapi.RunStatus
	}{
		"working":                          {sleeper(time.Hour, true), 0, agentapi.RunStatusCancelled},
		"awaiting":                         {asker(), 0, agentapi.RunStatusCancelled},
		"a function that minds no context": {sleeper(time.Hour, false), time.Second, agentapi.RunStatusCancelled},
		"as the function ends":             {sleeper(time.Second+time.Millisecond, false), time.Second, agentapi.RunStatusCompleted},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := newEngine(t, engine.Config{})
				id := start(t, e, test.handler)
				time.Sleep(time.Second)
				if run, err := e.Cancel(t.Context(), id); err != nil || run.Status != agentapi.RunStatusCancelling {
					t.Errorf("got %s, %v", run.Status, err)
				}
				// Again before the end is no error.
				if run, err := e.Cancel(t.Context(), id); err == nil && run.Status != agentapi.RunStatusCancelling || err != nil && !errors.Is(err, engine.ErrEnded) {
					t.Errorf("got %s, %v", run.Status, err)
				}
				time.Sleep(test.after)
				synctest.Wait()
				ended(t, e, id, test.status, "")
				if run, err := e.Cancel(t.Context(), id); run.Status != test.status || test.status == agentapi.RunStatusCompleted && !errors.Is(err, engine.ErrEnded) {
					t.Errorf("cancelled after the end: %s, %v", run.Status, err)
				}
				time.Sleep(2 * time.Hour)
			})
		})
	}
}

func TestResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, engine.Config{})
		id := start(t, e, asker())
		if run := stopped(t, e, id, 0); run.Status != agentapi.RunStatusAwaiting || texts(run.AwaitRequest.Message.Parts...) != "Sure?" || !run.FinishedAt.IsZero() {
			t.Errorf("got %+v", run)
		}
		time.Sleep(2 * time.Hour) // more than a run may work
		var accepted, refused atomic.Int32
		var after atomic.Uint64
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				switch run, position, err := e.Resume(t.Context(), id, agent.TextMessage("yes")); {
				case err == nil && run.Status == agentapi.RunStatusInProgress:
					accepted.Add(1)
					after.Store(position)
				case errors.Is(err, engine.ErrNotAwaiting):
					refused.Add(1)
				default:
					t.Error(run.Status, err)
				}
			})
		}
		all.Wait()
		if accepted.Load() != 1 || refused.Load() != 19 {
			t.Errorf("%d accepted, %d refused", accepted.Load(), refused.Load())
		}
		run := stopped(t, e, id, after.Load())
		if run.Status != agentapi.RunStatusCompleted || texts(run.Output[0].Parts...) != "yes" || run.AwaitRequest == nil {
			t.Errorf("got %+v", run)
		}
		want := []string{
			"run.created", "run.in-progress", "run.awaiting", "run.in-progress", "message.created agent/tested:",
			"message.part yes", "message.completed agent/tested:yes", "run.completed",
		}
		if got := told(t, e, id); !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
	})
}

func TestAwaitThatNobodyAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, engine.Config{Limits: engine.Limits{AwaitTime: time.Minute}})
		id := start(t, e, asker())
		time.Sleep(time.Minute)
		synctest.Wait()
		ended(t, e, id, agentapi.RunStatusFailed, "nobody answered within 1m0s")
		if _, _, err := e.Resume(t.Context(), id, agent.TextMessage("late")); !errors.Is(err, engine.ErrNotAwaiting) {
			t.Error(err)
		}
	})
}

// An author may wait for less than the server allows, and go on.
func TestAwaitWithADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, engine.Config{})
		id := start(t, e, agent.Func(func(ctx context.Context, run *agent.Run, _ agent.None) (string, error) {
			brief, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			if _, err := run.Await(brief, agent.TextMessage("1?")); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			answer, err := run.Await(ctx, agent.TextMessage("2?"))
			return agent.Text(answer), err
		}))
		time.Sleep(2 * time.Second)
		if _, _, err := e.Resume(t.Context(), id, agent.TextMessage("second")); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		want := []string{
			"run.created", "run.in-progress", "run.awaiting", "run.in-progress", "run.awaiting", "run.in-progress",
			"message.created agent/tested:", "message.part second", "message.completed agent/tested:second", "run.completed",
		}
		if got := told(t, e, id); !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
	})
}

func TestLimits(t *testing.T) {
	large := agent.Stream(func(context.Context, *agent.Run, agent.None) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			for yield(strings.Repeat("x", 500), nil) {
			}
		}
	})
	for name, test := range map[string]struct {
		limits  engine.Limits
		handler agent.Handler
		message string
	}{
		"time":                 {engine.Limits{RunTime: time.Minute}, sleeper(time.Hour, true), "the run took longer than 1m0s"},
		"time, context unread": {engine.Limits{RunTime: time.Minute}, sleeper(time.Hour, false), "the run took longer than 1m0s"},
		"output":               {engine.Limits{Output: 10_000}, large, "the output has more than 10000 bytes"},
		"event":                {engine.Limits{Event: 400}, large, "an event has more than 400 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := newEngine(t, engine.Config{Limits: test.limits})
				id := start(t, e, test.handler)
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				ended(t, e, id, agentapi.RunStatusFailed, test.message)
				time.Sleep(time.Hour)
			})
		})
	}
}

func TestAsManyRunsAsMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, engine.Config{Limits: engine.Limits{Runs: 1}})
		start(t, e, sleeper(time.Minute, true))
		if _, err := e.Start(t.Context(), request(says())); !errors.Is(err, engine.ErrBusy) {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		start(t, e, says())
	})
}

// The run goes on when the request that asked for it ends.
func TestClientGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, engine.Config{})
		ctx, leave := context.WithCancel(t.Context())
		run, err := e.Start(ctx, request(sleeper(time.Minute, true)))
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Second, leave)
		if _, err := e.Stopped(ctx, run.RunID, 0); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		ended(t, e, run.RunID, agentapi.RunStatusCompleted, "")
	})
}

func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, engine.Config{})
		brief, long, stubborn, awaiting := start(t, e, sleeper(time.Second, true)), start(t, e, sleeper(time.Hour, true)),
			start(t, e, sleeper(time.Hour, false)), start(t, e, asker())
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := e.Shutdown(ctx); err == nil || !strings.HasPrefix(err.Error(), "2 runs did not finish") {
			t.Error(err)
		}
		ended(t, e, brief, agentapi.RunStatusCompleted, "")
		for _, id := range []uuid.UUID{long, stubborn, awaiting} {
			ended(t, e, id, agentapi.RunStatusFailed, "the server shut down")
		}
		if _, err := e.Start(t.Context(), request(says())); !errors.Is(err, engine.ErrClosed) {
			t.Error(err)
		}
		time.Sleep(time.Hour)
	})
}

func TestUnknownRun(t *testing.T) {
	e := newEngine(t, engine.Config{})
	id := uuid.New()
	_, runErr := e.Run(t.Context(), id)
	_, stopErr := e.Stopped(t.Context(), id, 0)
	_, eventsErr := e.Events(t.Context(), id)
	_, _, resumeErr := e.Resume(t.Context(), id, agent.Message{})
	_, cancelErr := e.Cancel(t.Context(), id)
	for _, err := range []error{runErr, stopErr, eventsErr, resumeErr, cancelErr} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Error(err)
		}
	}
}
