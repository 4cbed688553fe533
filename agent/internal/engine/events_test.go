package engine_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/engine"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// TestEvents has a row for each kind of thing that an agent can say: the events that tell of it, between
// those that begin every run.
func TestEvents(t *testing.T) {
	whole := agent.Message{Role: "user", Parts: []agent.Part{agent.TextPart("a"), agent.TextPart("b")}}
	for name, test := range map[string]struct {
		handler agent.Handler
		want    []string
	}{
		"nothing": {says(), []string{"run.completed"}},
		"text, part and artifact join one message": {says("a", agent.TextPart("b"), agent.Artifact("c.txt", "text/plain", []byte("c"))), []string{
			"message.created agent/tested:", "message.part a", "message.part b", "message.part c",
			"message.completed agent/tested:a|b|c", "run.completed",
		}},
		"a message is complete, and takes the role of the agent": {says(whole), []string{
			"message.created agent/tested:a|b", "message.part a", "message.part b", "message.completed agent/tested:a|b", "run.completed",
		}},
		"a message ends the open one": {says("x", whole, "y"), []string{
			"message.created agent/tested:", "message.part x", "message.completed agent/tested:x",
			"message.created agent/tested:a|b", "message.part a", "message.part b", "message.completed agent/tested:a|b",
			"message.created agent/tested:", "message.part y", "message.completed agent/tested:y", "run.completed",
		}},
		"nil ends the open message": {says("x", nil, "y"), []string{
			"message.created agent/tested:", "message.part x", "message.completed agent/tested:x",
			"message.created agent/tested:", "message.part y", "message.completed agent/tested:y", "run.completed",
		}},
		"a list is said one by one": {says([]agent.Part{agent.TextPart("a"), agent.TextPart("b")}), []string{
			"message.created agent/tested:", "message.part a", "message.part b", "message.completed agent/tested:a|b", "run.completed",
		}},
		"any other value is JSON": {says(map[string]int{"n": 1}), []string{
			"message.created agent/tested:", `message.part {"n":1}`, `message.completed agent/tested:{"n":1}`, "run.completed",
		}},
		"an update is generic and ends no message": {agent.Action(func(_ context.Context, run *agent.Run, _ agent.None) error {
			return errors.Join(run.Emit("a"), run.Update(struct{ Step int }{1}), run.Emit("b"))
		}), []string{
			"message.created agent/tested:", "message.part a", `generic {"Step":1}`, "message.part b",
			"message.completed agent/tested:a|b", "run.completed",
		}},
		"an error completes the message and fails the run": {says("x", &agent.Error{Code: agent.CodeInvalidInput, Message: "Wrong"}), []string{
			"message.created agent/tested:", "message.part x", "message.completed agent/tested:x", "run.failed invalid_input: Wrong",
		}},
		"an error in an error keeps its code": {says(fmt.Errorf("wrapped: %w", &agent.Error{Code: agent.CodeNotFound, Message: "Gone"})), []string{"run.failed not_found: Gone"}},
		"any other error is the server's":     {says(errors.New("broken")), []string{"run.failed server_error: broken"}},
		"a panic tells nothing":               {agent.Func(breaks), []string{"run.failed server_error: An unexpected error occurred"}},
		"a value that is no JSON fails":       {says("x", func() {}), []string{"message.created agent/tested:", "message.part x", "message.completed agent/tested:x", "run.failed server_error: json: unsupported type: func()"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t, engine.Config{})
			id := start(t, e, test.handler)
			last := stopped(t, e, id, 0)
			want := append([]string{"run.created", "run.in-progress"}, test.want...)
			if diff := cmp.Diff(want, told(t, e, id)); diff != "" {
				t.Error(diff)
			}
			now, err := e.Run(t.Context(), id)
			if diff := cmp.Diff(last, now); diff != "" || err != nil || now.FinishedAt.IsZero() {
				t.Error("the run read differs from the run told: ", err, diff)
			}
		})
	}
}

// A value that can't be told changes nothing, and the agent may go on.
func TestEmitThatFailsIsUndone(t *testing.T) {
	e := newEngine(t, engine.Config{})
	content := "x"
	id := start(t, e, agent.Action(func(_ context.Context, run *agent.Run, _ agent.None) error {
		for _, bad := range []any{
			func() {}, errors.New("said"),
			agent.Part{Content: &content, ContentURL: "https://example.com"},
			[]agent.Part{agent.TextPart("lost"), {AdditionalProperties: map[string]any{"f": func() {}}}},
		} {
			if run.Emit(bad) == nil {
				t.Errorf("%T is said", bad)
			}
		}
		return errors.Join(run.Emit("good"), run.Emit("better"))
	}))
	run := stopped(t, e, id, 0)
	if run.Status != agentapi.RunStatusCompleted || len(run.Output) != 1 || texts(run.Output[0].Parts...) != "good|better" {
		t.Errorf("got %v", run)
	}
}

// Whoever reads a run while it goes on sees what was said so far.
func TestRunInProgress(t *testing.T) {
	e := newEngine(t, engine.Config{})
	said, read := make(chan struct{}), make(chan struct{})
	id := start(t, e, agent.Action(func(_ context.Context, run *agent.Run, _ agent.None) error {
		err := errors.Join(run.Emit(agent.TextMessage("whole")), run.Emit("a"), run.Emit("b"))
		close(said)
		<-read
		return err
	}))
	<-said
	run, err := e.Run(t.Context(), id)
	close(read)
	if err != nil || run.Status != agentapi.RunStatusInProgress || len(run.Output) != 2 || texts(run.Output[0].Parts...) != "whole" ||
		texts(run.Output[1].Parts...) != "a|b" || run.Output[1].CompletedAt != nil || !run.FinishedAt.IsZero() {
		t.Errorf("got %+v, %v", run, err)
	}
	stopped(t, e, id, 0)
}

// breaks panics with what its caller must not read.
func breaks(_ context.Context, run *agent.Run, _ agent.None) (byte, error) {
	return run.AgentName()[len(run.ID())], nil
}
