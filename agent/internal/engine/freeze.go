package engine

import (
	"encoding/json"
	"fmt"

	"github.com/cd3b852d/agentgen/agent"
)

// freeze returns a copy of what an agent says, which the agent can't change any more. Its own code, in the
// JSON of a value, runs here and so never while the run is locked.
func freeze(value any) (frozen any, err error) {
	defer recovered(&err)
	switch value := value.(type) {
	case nil, string, agent.None:
		return value, nil
	case agent.Part:
		return freezePart(value)
	case agent.Metadata:
		return copied(value)
	case agent.Message:
		return freezeMessage(value)
	case []agent.Part:
		return freezeAll(value, freezePart)
	case []agent.Message:
		return freezeAll(value, freezeMessage)
	case error:
		return nil, fmt.Errorf("an error is returned, not said: %w", value)
	default:
		return agent.JSONPart(value)
	}
}

func freezeAll[T any](list []T, freeze func(T) (T, error)) ([]T, error) {
	own := make([]T, len(list))
	for i, element := range list {
		var err error
		if own[i], err = freeze(element); err != nil {
			return nil, err
		}
	}
	return own, nil
}

func freezeMessage(m agent.Message) (agent.Message, error) {
	parts, err := freezeAll(m.Parts, freezePart)
	m.Parts = parts
	return m, err
}

func freezePart(p agent.Part) (agent.Part, error) {
	if p.Metadata != nil || len(p.AdditionalProperties) > 0 {
		return copied(p)
	}
	if p.Content != nil {
		p.Content = new(*p.Content)
	}
	if p.Name != nil {
		p.Name = new(*p.Name)
	}
	return p, nil
}

// copied copies a model by way of its JSON.
func copied[T any](value T) (T, error) {
	var own T
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, &own)
	}
	return own, err
}

// recovered makes an error of a panic in the code of an agent.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("a value that can't be JSON: panic: %v", p)
	}
}
