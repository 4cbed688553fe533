package engine_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/engine"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// explosive is a value whose JSON is the agent's own code, and breaks.
type explosive struct{}

func (explosive) MarshalJSON() ([]byte, error) { return []byte{"x"[len("x"+time.Now().String())]}, nil }

// reentrant emits while it is emitted.
type reentrant struct{ run *agent.Run }

func (r reentrant) MarshalJSON() ([]byte, error) { return []byte(`"inner"`), r.run.Emit("outer") }

// Whatever an agent does, its run ends, and so does nothing else.
func TestRunsAlwaysEnd(t *testing.T) {
	for name, test := range map[string]struct {
		f       func(context.Context, *agent.Run, agent.None) error
		message string // how the error begins; none if the run completes
	}{
		"nil pointer as error": {func(context.Context, *agent.Run, agent.None) error { var e *agent.Error; return e }, "The agent failed without saying why"},
		"data that is no JSON": {func(context.Context, *agent.Run, agent.None) error {
			return &agent.Error{Message: "m", Data: map[string]any{"c": make(chan int)}}
		}, "m"},
		"data that panics": {func(context.Context, *agent.Run, agent.None) error {
			return &agent.Error{Message: "m", Data: map[string]any{"c": explosive{}}}
		}, "m"},
		"value that panics":    {func(_ context.Context, run *agent.Run, _ agent.None) error { return run.Emit(explosive{}) }, "a value that can't be JSON: panic: "},
		"value that emits":     {func(_ context.Context, run *agent.Run, _ agent.None) error { return run.Emit(reentrant{run}) }, ""},
		"end of the goroutine": {func(context.Context, *agent.Run, agent.None) error { runtime.Goexit(); return nil }, "the function of the agent ended its goroutine"},
		"question that is no JSON": {func(ctx context.Context, run *agent.Run, _ agent.None) error {
			_, err := run.Await(ctx, agent.Message{Parts: []agent.Part{{AdditionalProperties: map[string]any{"c": make(chan int)}}}})
			return err
		}, "json: error calling MarshalJSON"},
		"await left to a goroutine": {func(ctx context.Context, run *agent.Run, _ agent.None) error {
			go func() { _, _ = run.Await(ctx, agent.Message{}) }()
			time.Sleep(time.Second)
			return nil
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := newEngine(t, engine.Config{})
				id := start(t, e, agent.Action(test.f))
				time.Sleep(time.Minute)
				run, err := e.Run(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				if test.message == "" {
					if run.Status != agentapi.RunStatusCompleted {
						t.Errorf("got %s %+v", run.Status, run.Error)
					}
				} else if run.Status != agentapi.RunStatusFailed || !strings.HasPrefix(run.Error.Message, test.message) {
					t.Errorf("got %s %+v", run.Status, run.Error)
				}
				if err := e.Shutdown(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// An agent may tell how it goes while it awaits an answer: that neither hides the question nor its end.
func TestUpdateWhileAwaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, engine.Config{Limits: engine.Limits{AwaitTime: time.Minute}})
		chatty := agent.Func(func(ctx context.Context, run *agent.Run, _ agent.None) (string, error) {
			go func() {
				for run.Update(map[string]int{"tick": 1}) == nil {
					time.Sleep(time.Second)
				}
			}()
			answer, err := run.Await(ctx, agent.TextMessage("?"))
			return agent.Text(answer), err
		})
		answered, ignored := start(t, e, chatty), start(t, e, chatty)
		time.Sleep(30*time.Second + time.Millisecond)
		if _, _, err := e.Resume(t.Context(), answered, agent.TextMessage("yes")); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		ended(t, e, answered, agentapi.RunStatusCompleted, "")
		ended(t, e, ignored, agentapi.RunStatusFailed, "nobody answered within 1m0s")
	})
}

// What was refused for its size is told nowhere, and questions count as well.
func TestWhatIsTooLargeIsNotTold(t *testing.T) {
	large := strings.Repeat("x", 5000)
	e := newEngine(t, engine.Config{Limits: engine.Limits{Event: 1000}})
	id := start(t, e, says("small", large))
	if run := stopped(t, e, id, 0); run.Status != agentapi.RunStatusFailed || texts(run.Output[0].Parts...) != "small" {
		t.Errorf("got %+v", run)
	}
	id = start(t, e, agent.Action(func(ctx context.Context, run *agent.Run, _ agent.None) error {
		_, err := run.Await(ctx, agent.TextMessage(large))
		return err
	}))
	if run := stopped(t, e, id, 0); run.Status != agentapi.RunStatusFailed || run.AwaitRequest != nil {
		t.Errorf("got %+v", run)
	}
}

// What an agent said or was given does not change with its variables.
func TestWhatWasSaidStays(t *testing.T) {
	e := newEngine(t, engine.Config{})
	r := request(agent.Action(func(_ context.Context, run *agent.Run, input []agent.Message) error {
		text := "first"
		part := agent.Part{Content: &text}
		err := run.Emit(part)
		text = "second"
		*input[0].Parts[0].Content = "changed"
		return errors.Join(err, run.Emit(part))
	}), agent.TextMessage("given"))
	run, err := e.Start(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if got := stopped(t, e, run.RunID, 0); texts(got.Output[0].Parts...) != "first|second" {
		t.Errorf("got %+v", got)
	}
	if got := inSession(t, e, recall(), *run.SessionID, nil, "end"); got != "given\nfirstsecond\nend" {
		t.Errorf("got %q", got)
	}
}
