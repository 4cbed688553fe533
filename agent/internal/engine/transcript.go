package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/store"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// transcript is a run as it is told: its state, and the events that lead to it. It is not safe for
// concurrent use.
type transcript struct {
	run  agentapi.Run
	open bool // whether the last message of the output is still being said
}

// now is a time as every client of the protocol reads it, to the microsecond.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// say adds a frozen value to the output, as [agent.Run.Emit] describes it.
func (t *transcript) say(value any) ([]agentapi.Event, error) {
	switch value := value.(type) {
	case nil, agent.None:
		return t.close(), nil
	case string:
		return t.sayPart(agent.TextPart(value))
	case agent.Part:
		return t.sayPart(value)
	case agent.Metadata:
		return t.sayPart(agent.Part{Metadata: &value})
	case agent.Message:
		return t.sayMessage(value)
	case []agent.Part:
		return sayAll(value, t.sayPart)
	case []agent.Message:
		return sayAll(value, t.sayMessage)
	default:
		return nil, fmt.Errorf("%T is not frozen", value)
	}
}

func sayAll[T any](list []T, say func(T) ([]agentapi.Event, error)) ([]agentapi.Event, error) {
	var events []agentapi.Event
	for _, element := range list {
		more, err := say(element)
		if err != nil {
			return nil, err
		}
		events = append(events, more...)
	}
	return events, nil
}

// sayPart adds to the message that is being said, or begins one.
func (t *transcript) sayPart(part agent.Part) ([]agentapi.Event, error) {
	if err := checkParts(part); err != nil {
		return nil, err
	}
	var events []agentapi.Event
	if !t.open {
		t.open = true
		t.run.Output = append(t.run.Output, agent.Message{Role: t.role(), Parts: []agent.Part{}, CreatedAt: now()})
		events = append(events, messageEvent(agentapi.EventTypeMessageCreated, t.last()))
	}
	last := t.last()
	last.Parts = append(last.Parts, part)
	return append(events, partEvent(part)), nil
}

// sayMessage adds a message that is complete.
func (t *transcript) sayMessage(m agent.Message) ([]agentapi.Event, error) {
	if err := checkParts(m.Parts...); err != nil {
		return nil, err
	}
	events := t.close()
	m = t.complete(m)
	t.run.Output = append(t.run.Output, m)
	events = append(events, messageEvent(agentapi.EventTypeMessageCreated, &m))
	for _, part := range m.Parts {
		events = append(events, partEvent(part))
	}
	return append(events, messageEvent(agentapi.EventTypeMessageCompleted, &m)), nil
}

// complete makes a frozen message the agent's own.
func (t *transcript) complete(m agent.Message) agent.Message {
	m.Role = t.role()
	if m.CreatedAt.IsZero() {
		m.CreatedAt = now()
	}
	m.CreatedAt = m.CreatedAt.UTC()
	completed := now()
	if m.CompletedAt != nil {
		completed = m.CompletedAt.UTC()
	}
	m.CompletedAt = &completed
	return m
}

func checkParts(parts ...agent.Part) error {
	for _, part := range parts {
		if part.Content != nil && part.ContentURL != "" {
			return errors.New("a part has content or the address of it, not both")
		}
	}
	return nil
}

// close completes the message that is being said, if there is one.
func (t *transcript) close() []agentapi.Event {
	if !t.open {
		return nil
	}
	t.open = false
	t.last().CompletedAt = new(now())
	return []agentapi.Event{messageEvent(agentapi.EventTypeMessageCompleted, t.last())}
}

// await makes the run wait for the answer to a message.
func (t *transcript) await(m agent.Message) agentapi.Event {
	t.run.AwaitRequest = &agentapi.AwaitRequest{Type: agentapi.AwaitTypeMessage, Message: t.complete(m)}
	return t.become(agentapi.RunStatusAwaiting)
}

// become changes the status of the run.
func (t *transcript) become(status agentapi.RunStatus) agentapi.Event {
	t.run.Status = status
	if final(status) {
		t.run.FinishedAt = now()
	}
	run := t.run
	return agentapi.Event{Type: agentapi.EventType("run." + status), Run: &run}
}

// tell commits the events of a change. A change that cannot be encoded or committed is undone.
func (t *transcript) tell(change func() ([]agentapi.Event, error), commit func([]store.Entry) error) error {
	before := *t
	var last agent.Message
	if t.open {
		last = *t.last()
	}
	events, err := change()
	if err == nil {
		var entries []store.Entry
		if entries, err = encode(events...); err == nil {
			err = commit(entries)
		}
		if err == nil {
			return nil
		}
	}
	*t = before
	if t.open {
		*t.last() = last
	}
	return err
}

func (t *transcript) role() string { return "agent/" + t.run.AgentName }

func (t *transcript) last() *agent.Message { return &t.run.Output[len(t.run.Output)-1] }

// final tells whether a run of the status has ended (ACP, Agent Run Lifecycle).
func final(s agentapi.RunStatus) bool {
	return s == agentapi.RunStatusCompleted || s == agentapi.RunStatusFailed || s == agentapi.RunStatusCancelled
}

// messageEvent tells of a message as it is now.
func messageEvent(t agentapi.EventType, m *agent.Message) agentapi.Event {
	snapshot := *m
	return agentapi.Event{Type: t, Message: &snapshot}
}

func partEvent(part agent.Part) agentapi.Event {
	return agentapi.Event{Type: agentapi.EventTypeMessagePart, Part: &part}
}

// encode makes entries of events, which later changes of what they tell of don't reach.
func encode(events ...agentapi.Event) ([]store.Entry, error) {
	entries := make([]store.Entry, len(events))
	for i, event := range events {
		data, err := json.Marshal(event)
		if err != nil {
			return nil, err
		}
		entries[i] = store.Entry{Type: string(event.Type), Data: data, Final: event.Run != nil && final(event.Run.Status)}
	}
	return entries, nil
}
