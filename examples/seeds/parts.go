package main

import (
	"encoding/json"
	"fmt"
	"mime"

	"github.com/cd3b852d/agentgen/agent"
)

// contents are the bytes of the parts whose media type is wanted, in order.
func contents(messages []agent.Message, wanted func(mediaType string) bool) ([][]byte, error) {
	var found [][]byte
	for _, m := range messages {
		for _, p := range m.Parts {
			mediaType, _, err := mime.ParseMediaType(p.ContentType)
			if err != nil {
				mediaType = "text/plain" // ACP's default, and the best guess for a type that is none
			}
			if !wanted(mediaType) {
				continue
			}
			if p.Content == nil {
				return nil, invalid("a part of type %s has no content; addresses are not followed", mediaType)
			}
			b, err := agent.PartBytes(p)
			if err != nil {
				return nil, invalid("a part of type %s cannot be read: %v", mediaType, err)
			}
			found = append(found, b)
		}
	}
	return found, nil
}

// say is a message of the agent. The server adds who speaks.
func say(text string) agent.Message {
	return agent.Message{Parts: []agent.Part{{ContentType: "text/plain", Content: &text}}}
}

// report is a message that says the same to people and to programs.
func report(text string, data any) (agent.Message, error) {
	b, err := json.Marshal(data)
	if err != nil {
		return agent.Message{}, fmt.Errorf("report: %w", err)
	}
	m := say(text)
	m.Parts = append(m.Parts, agent.Part{ContentType: "application/json", Content: new(string(b))})
	return m, nil
}
