package main

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tmaxmax/go-sse"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// shape is what events tell, as lines to compare.
func shape(events []agentapi.Event) []string {
	var lines []string
	for _, event := range events {
		line := []string{string(event.Type)}
		switch {
		case event.Message != nil:
			line = append(line, event.Message.Role, contents(*event.Message))
			if event.Message.CompletedAt == nil {
				line = append(line, "open")
			}
		case event.Part != nil:
			line = append(line, *event.Part.Content)
		case event.Generic != nil:
			generic, _ := json.Marshal(event.Generic)
			line = append(line, string(generic))
		}
		lines = append(lines, strings.Join(strings.Fields(strings.Join(line, " ")), " "))
	}
	return lines
}

func TestOrderOfEvents(t *testing.T) {
	c := serve(t)
	for _, tt := range []struct {
		row, agentName string
		want           []string // after run.created and run.in-progress
	}{
		{"nothing said, no message", SilentName, []string{"run.completed"}},
		{"parts join one message", NotifierName, []string{
			"message.created agent/notifier open", "message.part one", `generic {"progress":50}`, "message.part two",
			"message.completed agent/notifier one+two", "run.completed",
		}},
		{"a pause completes the message", PauserName, []string{
			"message.created agent/pauser open", "message.part one", "message.completed agent/pauser one",
			"message.created agent/pauser open", "message.part two", "message.completed agent/pauser two", "run.completed",
		}},
		{"a message has the events of its parts between created and completed", EchoName, []string{
			"message.created agent/echo one+two", "message.part one", "message.part two",
			"message.completed agent/echo one+two", "run.completed",
		}},
		{"a message completes the one before", MixerName, []string{
			"message.created agent/mixer open", "message.part first", "message.completed agent/mixer first",
			"message.created agent/mixer whole+message", "message.part whole", "message.part message",
			"message.completed agent/mixer whole+message",
			"message.created agent/mixer open", "message.part last", "message.completed agent/mixer last",
			"run.completed",
		}},
		{"failure", RaiserName, []string{"run.failed"}},
		{"failure completes the open message", BreakerName, []string{
			"message.created agent/breaker open", "message.part half", "message.completed agent/breaker half", "run.failed",
		}},
		{"a stream ends where the run awaits", AwaiterName, []string{"run.awaiting"}},
	} {
		t.Run(tt.row, func(t *testing.T) {
			c := c.with(t)
			all := c.stream(tt.agentName, []agent.Message{says("one", "two")}, unseen)
			want := append([]string{"run.created", "run.in-progress"}, tt.want...)
			if diff := cmp.Diff(want, shape(all)); diff != "" {
				t.Error(diff)
			}
			list, err := c.ListRunEventsWithResponse(t.Context(), all[0].Run.RunID, nil)
			if err != nil || list.JSON200 == nil {
				t.Fatal(list, err)
			}
			if diff := cmp.Diff(all, list.JSON200.Events); diff != "" {
				t.Errorf("the list of events differs from the stream: %s", diff)
			}
		})
	}
}

func TestEventsAroundAnAwait(t *testing.T) {
	c := serve(t)
	before := []string{
		"run.created", "run.in-progress", "message.created agent/interviewer open", "message.part Hello,", "run.awaiting",
	}
	for _, tt := range []struct {
		row   string
		goOn  func(c client, run agentapi.Run)
		after []string
	}{
		{"the open message goes on after a resume", func(c client, run agentapi.Run) {
			all := events(c.t, unseen, func() (*http.Response, error) {
				return c.ResumeRun(c.t.Context(), run.RunID, resumeRequest(agentapi.RunModeStream, says("Ada")))
			})
			if first := all[0].Type; first != agentapi.EventTypeRunInProgress {
				c.t.Errorf("the stream begins with %s", first)
			}
		}, []string{"run.in-progress", "message.part Ada", "message.completed agent/interviewer Hello, +Ada", "run.completed"}},
		{"a cancel completes the open message", func(c client, run agentapi.Run) {
			c.cancel(run.RunID)
			c.until(run.RunID, agentapi.RunStatusCancelled)
		}, []string{"message.completed agent/interviewer Hello,", "run.cancelled"}},
	} {
		t.Run(tt.row, func(t *testing.T) {
			c := c.with(t)
			run := c.run(InterviewerName, agentapi.RunModeSync)
			tt.goOn(c, run)
			list, err := c.ListRunEventsWithResponse(t.Context(), run.RunID, nil)
			if err != nil || list.JSON200 == nil {
				t.Fatal(list, err)
			}
			if diff := cmp.Diff(slices.Concat(before, tt.after), shape(list.JSON200.Events)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What the official clients do not ask for, but others may.
func TestStreams(t *testing.T) {
	c := serve(t)
	run := c.run(NotifierName, agentapi.RunModeSync)
	follow := func(t *testing.T, lastEventID string) []sse.Event {
		t.Helper()
		response, err := c.ListRunEvents(t.Context(), run.RunID, &agentapi.ListRunEventsParams{LastEventID: lastEventID},
			func(_ context.Context, request *http.Request) error {
				request.Header.Set("Accept", "text/event-stream")
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		if got := response.Header.Get("X-Accel-Buffering"); got != "no" {
			t.Errorf("X-Accel-Buffering = %q", got)
		}
		var all []sse.Event
		for event, err := range sse.Read(response.Body, nil) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, event)
		}
		return all
	}
	all := follow(t, "")
	t.Run("events have ids that rise", func(t *testing.T) {
		last := 0
		for _, event := range all {
			id, err := strconv.Atoi(event.LastEventID)
			if err != nil || id <= last {
				t.Errorf("id %q after %d", event.LastEventID, last)
			}
			last = id
		}
	})
	t.Run("a client that lost the stream goes on after the last event that it has", func(t *testing.T) {
		if diff := cmp.Diff(all[3:], follow(t, all[2].LastEventID)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("an event may have a megabyte", func(t *testing.T) {
		content := strings.Repeat("x", 1<<20)
		all := c.with(t).stream(EchoName, []agent.Message{says(content)}, unseen)
		if last := all[len(all)-1]; last.Run == nil || contents(last.Run.Output...) != content {
			t.Errorf("the last of %d events is %s", len(all), last.Type)
		}
	})
}
