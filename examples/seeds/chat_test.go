package main

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

func TestReply(t *testing.T) {
	known, err := places()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, time.January, 31, 20, 30, 0, 0, time.UTC)
	const (
		tokyo = "In Tokyo it is 05:30 on Sunday, 1 February 2026. The time zone is JST, UTC+09:00."
		cold  = "In Berlin it is January. The usual temperature of that month is about 1 °C."
		warm  = "In Sydney it is February. The usual temperature of that month is about 23 °C."
	)
	for _, tt := range []struct {
		name     string
		messages []string
		want     string // how the answer begins
	}{
		{"time", []string{"What time is it in Tokyo?"}, tokyo},
		{"weather", []string{"Is it cold in BERLIN"}, cold},
		{"the month is the place's own", []string{"weather, Sydney"}, warm},
		{"the place comes later", []string{"How is the weather?", "In Berlin, please."}, cold},
		{"the matter stays", []string{"Is it cold in Berlin?", "And Sydney?"}, warm},
		{"the place stays", []string{"weather in Tokyo", "and the time?"}, tokyo},
		{"a place in two words", []string{"time in New York"}, "In New York it is 15:30"},
		{"a greeting", []string{"Hello there"}, "Hello! Ask me"},
		{"a greeting with a question", []string{"Hi, what time is it in Tokyo?"}, tokyo},
		{"something else", []string{"weather in Berlin", "Why?"}, "Ask me"},
		{"an unknown place", []string{"time in Atlantis"}, "Ask me"},
		{"a place within a word", []string{"Berliners are late"}, "Ask me"},
		{"nothing", nil, "Ask me"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var input []agent.Message
			for _, text := range tt.messages {
				input = append(input, agent.TextMessage(text), agent.Message{
					Role: "agent/chat", Parts: []agent.Part{{Content: new("The weather in Cairo? The time in Delhi?")}},
				})
			}
			if got := strings.Join(reply(input, known, now), " "); !strings.HasPrefix(got, tt.want) {
				t.Errorf("reply() = %q, want %q", got, tt.want)
			}
		})
	}
}

// TestChat asks twice in one session: the second question is understood from the first.
func TestChat(t *testing.T) {
	registry := agent.NewRegistry()
	if err := RegisterAgents(registry); err != nil {
		t.Fatal(err)
	}
	handler, err := server.Handler(registry)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	defer s.Close()
	client, err := agentapi.NewClientWithResponses(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	var session *uuid.UUID
	for _, want := range [][2]string{{"How warm is it in Cairo?", "In Cairo it is"}, {"And Sydney?", "In Sydney it is"}} {
		answer, err := client.CreateRunWithResponse(t.Context(), agentapi.RunCreateRequest{
			AgentName: ChatName, Input: []agent.Message{agent.TextMessage(want[0])}, SessionID: session,
		})
		if err != nil || answer.JSON200 == nil {
			t.Fatal(err, string(answer.Body))
		}
		session = answer.JSON200.SessionID
		output := answer.JSON200.Output
		if len(output) != 1 || len(output[0].Parts) != 2 || !strings.HasPrefix(agent.Text(output...), want[1]) {
			t.Errorf("%s: got %+v", want[0], output)
		}
	}
}

func TestPlaces(t *testing.T) {
	known, err := places()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range known {
		if len(p.temperatures) != 12 {
			t.Errorf("%s has %d months", p.name, len(p.temperatures))
		}
	}
}
