package engine

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent/store"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// Run returns a run as it is now. The error is [store.ErrNotFound].
func (e *Engine) Run(ctx context.Context, id uuid.UUID) (agentapi.Run, error) {
	entries, err := e.store.Read(ctx, id.String(), 0)
	if err != nil {
		return agentapi.Run{}, err
	}
	return fold(entries)
}

// AgentName returns which agent a run is of. The error is [store.ErrNotFound].
func (e *Engine) AgentName(ctx context.Context, id uuid.UUID) (string, error) {
	entries, err := e.store.Read(ctx, id.String(), 0)
	if err != nil {
		return "", err
	}
	run, err := fold(entries[:min(1, len(entries))]) // the first entry tells, however long the log is
	return run.AgentName, err
}

// Stopped returns a run once it has ended or awaits an answer, as it was then, at the first such event
// after a position of its log. The errors are [store.ErrNotFound] and that of the context.
func (e *Engine) Stopped(ctx context.Context, id uuid.UUID, after uint64) (json.RawMessage, error) {
	for entry, err := range e.Follow(ctx, id, after) {
		if err != nil {
			return nil, err
		}
		if stops(entry) {
			var event struct {
				Run json.RawMessage `json:"run"`
			}
			err := json.Unmarshal(entry.Data, &event)
			return event.Run, err
		}
	}
	return nil, errors.New("engine: the log of the run has no end")
}

// Events returns what happened in a run so far. The error is [store.ErrNotFound].
func (e *Engine) Events(ctx context.Context, id uuid.UUID) ([]json.RawMessage, error) {
	entries, err := e.store.Read(ctx, id.String(), 0)
	if err != nil {
		return nil, err
	}
	events := make([]json.RawMessage, 0, len(entries))
	for _, entry := range entries {
		if !entry.Signal {
			events = append(events, entry.Data)
		}
	}
	return events, nil
}

// Follow yields the events after a position of a run's log as they happen. It ends after an event with
// which the run stops: its final one, or one that says what it awaits. The errors are [store.ErrNotFound]
// and that of the context.
func (e *Engine) Follow(ctx context.Context, id uuid.UUID, after uint64) iter.Seq2[store.Entry, error] {
	run := id.String()
	return func(yield func(store.Entry, error) bool) {
		told, waits := false, false // whether an event told of the run as a whole, and what
		for {
			entries, err := e.store.Read(ctx, run, after)
			if err == nil && len(entries) == 0 {
				if waits || !told && e.waits(ctx, run) {
					return
				}
				err = e.store.Wait(ctx, run, after)
			}
			if err != nil {
				yield(store.Entry{}, err)
				return
			}
			if at := lastState(entries); at >= 0 {
				told, waits = true, stops(entries[at])
			}
			for _, entry := range entries {
				after = entry.Seq
				if !entry.Signal && !yield(entry, nil) {
					return
				}
			}
		}
	}
}

// waits tells whether a run has ended or awaits an answer.
func (e *Engine) waits(ctx context.Context, run string) bool {
	entries, err := e.store.Read(ctx, run, 0)
	at := lastState(entries)
	return err == nil && at >= 0 && stops(entries[at])
}

// lastState returns the position of the last event about the run as a whole, -1 if there is none.
func lastState(entries []store.Entry) int {
	for i, entry := range slices.Backward(entries) {
		if strings.HasPrefix(entry.Type, "run.") {
			return i
		}
	}
	return -1
}

// stops tells whether an entry is an event after which a run waits for others, or for nothing.
func stops(entry store.Entry) bool {
	return entry.Final || entry.Type == string(agentapi.EventTypeRunAwaiting)
}

// fold returns the run of which a log tells.
func fold(entries []store.Entry) (agentapi.Run, error) {
	t := transcript{}
	start := lastState(entries)
	cancelling := false
	for i, entry := range entries {
		cancelling = cancelling || entry.Type == signalCancel
		if entry.Signal || i < start {
			continue
		}
		var event agentapi.Event
		if err := json.Unmarshal(entry.Data, &event); err != nil {
			return agentapi.Run{}, err
		}
		t.replay(event)
	}
	if cancelling && !final(t.run.Status) {
		t.run.Status = agentapi.RunStatusCancelling
	}
	return t.run, nil
}

// replay makes the change of which an event tells.
func (t *transcript) replay(event agentapi.Event) {
	switch event.Type {
	case agentapi.EventTypeMessageCreated:
		t.run.Output = append(t.run.Output, *event.Message)
		t.open = event.Message.CompletedAt == nil
	case agentapi.EventTypeMessagePart:
		if n := len(t.run.Output); n > 0 && t.run.Output[n-1].CompletedAt == nil {
			t.last().Parts = append(t.last().Parts, *event.Part)
		}
	case agentapi.EventTypeMessageCompleted:
		*t.last() = *event.Message
	default:
		if event.Run != nil {
			t.run = *event.Run
		}
	}
}
