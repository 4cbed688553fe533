package main

import (
	"context"
	"errors"
	"iter"

	"github.com/cd3b852d/agentgen/agent"
)

// The agents of this file are not those of the protocol's tests. Each shows an order of events that those ten
// never have.

// Silent says nothing.
//
//agent:register
func Silent() error { return nil }

// Notifier tells how far it is in the middle of a sentence.
//
//agent:register
func Notifier(run *agent.Run) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if !yield("one", nil) {
			return
		}
		if err := run.Update(map[string]any{"progress": 50}); err != nil {
			yield("", err)
			return
		}
		yield("two", nil)
	}
}

// Pauser says two messages, with nothing between them but a pause.
//
//agent:register
func Pauser(run *agent.Run) error {
	for _, value := range []any{"one", nil, "two"} {
		if err := run.Emit(value); err != nil {
			return err
		}
	}
	return nil
}

// Mixer says a whole message between the parts of others.
//
//agent:register
func Mixer(run *agent.Run) error {
	whole := agent.Message{Parts: []agent.Part{agent.TextPart("whole"), agent.TextPart("message")}}
	for _, value := range []any{"first", whole, "last"} {
		if err := run.Emit(value); err != nil {
			return err
		}
	}
	return nil
}

// Interviewer begins to greet, asks for a name, and ends the greeting with it.
//
//agent:register
func Interviewer(ctx context.Context, run *agent.Run) (string, error) {
	if err := run.Emit("Hello, "); err != nil {
		return "", err
	}
	answer, err := run.Await(ctx, agent.TextMessage("Who are you?"))
	return agent.Text(answer), err
}

// Breaker fails in the middle of a sentence, with an error that says nothing of the protocol.
//
//agent:register
func Breaker() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if yield("half", nil) {
			yield("", errors.New("out of paper"))
		}
	}
}
