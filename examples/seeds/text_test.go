package main

import (
	"testing"

	"github.com/cd3b852d/agentgen/agent"
)

func TestSimpleTextAgent(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"one sentence", "Rivers carry water.", "Rivers carry water."},
		{"no full stop", "Rivers", "Rivers"},
		{"lines are sentences", "Rivers\n\nCarry\r\nWater", "Rivers Carry Water"},
		{
			"the telling ones, in their order",
			"Hm. Rivers carry water to the sea. It was late! Water of rivers comes from rain. " +
				"Was that so? Rain is water that the sea gave.",
			"Rivers carry water to the sea. Water of rivers comes from rain. Rain is water that the sea gave.",
		},
		{"letters of all scripts", "Реки несут воду. Да.", "Реки несут воду. Да."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := SimpleTextAgent(t.Context(), []agent.Message{agent.TextMessage(tt.text)})
			if err != nil || agent.Text(got) != tt.want {
				t.Errorf("SimpleTextAgent() = %q, %v, want %q", agent.Text(got), err, tt.want)
			}
		})
	}
	_, err := SimpleTextAgent(t.Context(), []agent.Message{agent.TextMessage(" \n")})
	wantInvalid(t, err)
}
