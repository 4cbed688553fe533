package engine_test

import (
	"context"
	"encoding/json"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/engine"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// newEngine returns an engine that logs nothing, and stops it when the test ends.
func newEngine(t *testing.T, c engine.Config) *engine.Engine {
	t.Helper()
	c.Logger = slog.New(slog.DiscardHandler)
	e := engine.New(c)
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = e.Shutdown(ctx)
	})
	return e
}

// request asks for a run of a handler.
func request(h agent.Handler, input ...agent.Message) engine.Request {
	return engine.Request{
		Agent:       agent.Agent{Manifest: agentapi.AgentManifest{Name: "tested"}, Handler: h},
		Input:       input,
		ResourceURL: func(id string) string { return "https://agents.example.com/resources/" + id },
	}
}

// start starts a run and returns its identity.
func start(t *testing.T, e *engine.Engine, h agent.Handler) uuid.UUID {
	t.Helper()
	run, err := e.Start(t.Context(), request(h))
	if err != nil {
		t.Fatal(err)
	}
	return run.RunID
}

// stopped waits until a run has ended or awaits something.
func stopped(t *testing.T, e *engine.Engine, id uuid.UUID, after uint64) agentapi.Run {
	t.Helper()
	data, err := e.Stopped(t.Context(), id, after)
	if err != nil {
		t.Fatal(err)
	}
	var run agentapi.Run
	if err := json.Unmarshal(data, &run); err != nil {
		t.Fatal(err)
	}
	return run
}

// told describes the events of a run, each by its type and what matters of it.
func told(t *testing.T, e *engine.Engine, id uuid.UUID) []string {
	t.Helper()
	events, err := e.Events(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	lines := make([]string, len(events))
	for i, data := range events {
		var event agentapi.Event
		if err := json.Unmarshal(data, &event); err != nil {
			t.Fatal(err)
		}
		lines[i] = describe(event)
	}
	return lines
}

func describe(event agentapi.Event) string {
	line := string(event.Type)
	switch {
	case event.Message != nil:
		line += " " + event.Message.Role + ":" + texts(event.Message.Parts...)
	case event.Part != nil:
		line += " " + texts(*event.Part)
	case event.Generic != nil:
		data, _ := json.Marshal(event.Generic)
		line += " " + string(data)
	case event.Run.Error != nil:
		line += " " + event.Run.Error.Code + ": " + event.Run.Error.Message
	}
	return line
}

func texts(parts ...agent.Part) string {
	var all []string
	for _, p := range parts {
		if p.Content != nil {
			all = append(all, *p.Content)
		}
	}
	return strings.Join(all, "|")
}

// says is an agent that yields values.
func says(values ...any) agent.Handler {
	return agent.Stream(func(context.Context, *agent.Run, agent.None) iter.Seq2[any, error] {
		return func(yield func(any, error) bool) {
			for _, value := range values {
				err, failed := value.(error)
				if failed {
					value = nil
				}
				if !yield(value, err) {
					return
				}
			}
		}
	})
}

// sleeper is an agent that does nothing for a while, and minds its context or not.
func sleeper(d time.Duration, minds bool) agent.Handler {
	return agent.Func(func(ctx context.Context, _ *agent.Run, _ agent.None) (string, error) {
		if !minds {
			ctx = context.Background()
		}
		select {
		case <-time.After(d):
			return "awake", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	})
}
