package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

func TestDiscovery(t *testing.T) {
	c := serve(t)
	t.Run("ping is 200", func(t *testing.T) {
		if response, err := c.PingWithResponse(t.Context()); err != nil || response.StatusCode() != 200 {
			t.Errorf("Ping() = %v, %v", response, err)
		}
	})
	t.Run("agents are listed in the order of registration", func(t *testing.T) {
		list, err := c.ListAgentsWithResponse(t.Context(), nil)
		if err != nil || list.JSON200 == nil {
			t.Fatal(list, err)
		}
		var names []string
		for _, manifest := range list.JSON200.Agents {
			names = append(names, manifest.Name)
		}
		const want = "echo slow-echo history-echo awaiter failer raiser sessioner mime-types base64-encoding " +
			"artifact-producer silent notifier pauser mixer interviewer breaker"
		if got := strings.Join(names, " "); got != want {
			t.Errorf("agents = %s\n    want %s", got, want)
		}
	})
	t.Run("a manifest has the content types that are declared, in their order", func(t *testing.T) {
		manifest, err := c.GetAgentWithResponse(t.Context(), MimeTypesName, nil)
		if err != nil || manifest.JSON200 == nil {
			t.Fatal(manifest, err)
		}
		if diff := cmp.Diff([][]string{
			{"text/plain", "application/json"},
			{"text/html", "application/json", "application/javascript", "text/css"},
		}, [][]string{manifest.JSON200.InputContentTypes, manifest.JSON200.OutputContentTypes}); diff != "" {
			t.Error(diff)
		}
	})
}

func TestModes(t *testing.T) {
	c := serve(t)
	t.Run("sync is 200 with the completed run", func(t *testing.T) {
		run := c.with(t).run(EchoName, agentapi.RunModeSync, says("Hello!"))
		if run.Status != agentapi.RunStatusCompleted || run.FinishedAt.IsZero() || run.SessionID == nil || contents(run.Output...) != "Hello!" {
			t.Errorf("run = %+v", run)
		}
	})
	t.Run("the default mode is sync", func(t *testing.T) {
		if run := c.with(t).run(EchoName, "", says("Hello!")); run.Status != agentapi.RunStatusCompleted {
			t.Errorf("run = %+v", run)
		}
	})
	t.Run("async is 202 with the created run, which completes", func(t *testing.T) {
		c := c.with(t)
		run := c.run(EchoName, agentapi.RunModeAsync, says("Hello!"))
		if run.Status != agentapi.RunStatusCreated || len(run.Output) != 0 {
			t.Errorf("run = %+v", run)
		}
		if run = c.until(run.RunID, agentapi.RunStatusCompleted); contents(run.Output...) != "Hello!" {
			t.Errorf("run = %+v", run)
		}
	})
	t.Run("a run has its id in a header", func(t *testing.T) {
		for mode, status := range map[agentapi.RunMode]int{"sync": 200, "async": 202, "stream": 200} {
			response, err := c.CreateRun(t.Context(), agentapi.RunCreateRequest{
				AgentName: SilentName, Mode: mode, Input: []agent.Message{},
			})
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if id := response.Header.Get("Run-ID"); id == "" || response.StatusCode != status {
				t.Errorf("%s: status %d, Run-ID %q", mode, response.StatusCode, id)
			}
		}
	})
	t.Run("a client that goes away does not stop the run", func(t *testing.T) {
		c := c.with(t)
		response, err := c.CreateRun(t.Context(), agentapi.RunCreateRequest{
			AgentName: SlowEchoName, Mode: agentapi.RunModeStream, Input: []agent.Message{says("Hello!")},
		})
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		id := uuid.MustParse(response.Header.Get("Run-ID"))
		if run := c.read(id); run.Status != agentapi.RunStatusInProgress {
			t.Errorf("run = %+v", run)
		}
		c.until(id, agentapi.RunStatusCompleted)
	})
}

func TestOutput(t *testing.T) {
	c := serve(t)
	output := func(t *testing.T, agentName string) []agent.Part {
		t.Helper()
		run := c.with(t).run(agentName, agentapi.RunModeSync, says("show"))
		if len(run.Output) != 1 || run.Output[0].Role != "agent/"+agentName {
			t.Fatalf("run = %+v", run)
		}
		return run.Output[0].Parts
	}
	for _, tt := range []struct {
		row, agentName string
		want           []string // of each part: name, content type and encoding
	}{
		{"parts of many types are one message", MimeTypesName, []string{
			" text/html plain", " application/json plain", " application/javascript plain", " text/css plain",
		}},
		{"a message mixes base64 and text", Base64EncodingName, []string{" image/png base64", " text/plain plain"}},
		{"artifacts are parts with a name", ArtifactProducerName, []string{
			" text/plain plain", "text-result.txt text/plain plain", "data.json application/json plain", "image.png image/png base64",
		}},
	} {
		t.Run(tt.row, func(t *testing.T) {
			var got []string
			for _, part := range output(t, tt.agentName) {
				name, encoding := "", "plain"
				if part.Name != nil {
					name = *part.Name
				}
				if part.ContentEncoding != "" {
					encoding = string(part.ContentEncoding)
				}
				got = append(got, strings.Join([]string{name, part.ContentType, encoding}, " "))
				if _, err := agent.PartBytes(part); err != nil {
					t.Error(err)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("a message comes back as it was, but for its role", func(t *testing.T) {
		given := says("Hello!")
		given.CreatedAt = time.Date(2025, 1, 2, 3, 4, 5, 678901000, time.UTC)
		given.CompletedAt = new(given.CreatedAt.Add(time.Microsecond))
		given.Parts[0].AdditionalProperties = map[string]any{"mood": "good"}
		citation := agent.Citation("https://example.com", "Example")
		given.Parts[0].Metadata = &citation
		run := c.with(t).run(EchoName, agentapi.RunModeSync, given)
		given.Role = "agent/echo"
		if diff := cmp.Diff([]agent.Message{given}, run.Output); diff != "" {
			t.Error(diff)
		}
	})
}

func TestFailure(t *testing.T) {
	c := serve(t)
	for _, tt := range []struct{ row, agentName, code, message string }{
		{"an error while it streams fails the run", FailerName, agent.CodeInvalidInput, "Wrong question buddy!"},
		{"an error at once fails the run", RaiserName, agent.CodeInvalidInput, "Wrong question buddy!"},
		{"any other error is server_error with its text", BreakerName, agent.CodeServerError, "out of paper"},
	} {
		t.Run(tt.row, func(t *testing.T) {
			run := c.with(t).run(tt.agentName, agentapi.RunModeSync, says("Why?"))
			if run.Status != agentapi.RunStatusFailed || run.FinishedAt.IsZero() || run.Error == nil ||
				run.Error.Code != tt.code || run.Error.Message != tt.message {
				t.Errorf("run = %+v, error %+v", run, run.Error)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	c := serve(t)
	for _, agentName := range []string{AwaiterName, SlowEchoName} {
		t.Run("cancelling is seen before cancelled: "+agentName, func(t *testing.T) {
			c := c.with(t)
			run := c.run(agentName, agentapi.RunModeAsync, says("Hello!"))
			if run = c.cancel(run.RunID); run.Status != agentapi.RunStatusCancelling || !run.FinishedAt.IsZero() {
				t.Errorf("run = %+v", run)
			}
			if run = c.until(run.RunID, agentapi.RunStatusCancelled); run.FinishedAt.IsZero() || run.Error != nil {
				t.Errorf("run = %+v", run)
			}
		})
	}
	t.Run("a run that awaited keeps its request", func(t *testing.T) {
		c := c.with(t)
		run := c.run(AwaiterName, agentapi.RunModeSync)
		c.cancel(run.RunID)
		if run = c.until(run.RunID, agentapi.RunStatusCancelled); run.AwaitRequest == nil {
			t.Errorf("run = %+v", run)
		}
	})
	t.Run("a stream ends with run.cancelled", func(t *testing.T) {
		c := c.with(t)
		all := c.stream(SlowEchoName, []agent.Message{says("Hello!")}, func(event agentapi.Event) {
			if event.Type == agentapi.EventTypeRunInProgress {
				c.cancel(event.Run.RunID)
			}
		})
		if last := all[len(all)-1]; last.Type != agentapi.EventTypeRunCancelled {
			t.Errorf("the last event is %s", last.Type)
		}
	})
}

func TestResume(t *testing.T) {
	c := serve(t)
	awaiting := func(t *testing.T, agentName string) agentapi.Run {
		t.Helper()
		run := c.with(t).run(agentName, agentapi.RunModeSync)
		if run.Status != agentapi.RunStatusAwaiting || run.AwaitRequest == nil || !run.FinishedAt.IsZero() {
			t.Fatalf("run = %+v", run)
		}
		return run
	}
	t.Run("sync is 200 with the run at its next stop", func(t *testing.T) {
		run := c.with(t).resume(awaiting(t, AwaiterName).RunID, agentapi.RunModeSync, says())
		if run.Status != agentapi.RunStatusCompleted || contents(run.Output...) != "empty" || run.AwaitRequest == nil {
			t.Errorf("run = %+v", run)
		}
	})
	t.Run("async is 202 with the run in progress, which completes", func(t *testing.T) {
		run := c.with(t).resume(awaiting(t, AwaiterName).RunID, agentapi.RunModeAsync, says())
		if run.Status != agentapi.RunStatusInProgress {
			t.Errorf("run = %+v", run)
		}
		c.with(t).until(run.RunID, agentapi.RunStatusCompleted)
	})
	t.Run("the agent receives the answer", func(t *testing.T) {
		run := c.with(t).resume(awaiting(t, InterviewerName).RunID, agentapi.RunModeSync, says("Ada"))
		if got := contents(run.Output...); got != "Hello, +Ada" {
			t.Errorf("the agent says %q", got)
		}
	})
	t.Run("an answer that does not come in time fails the run", func(t *testing.T) {
		c := serve(t, server.WithLimits(server.Limits{AwaitTime: time.Millisecond}))
		run := c.run(AwaiterName, agentapi.RunModeAsync)
		if run = c.until(run.RunID, agentapi.RunStatusFailed); run.Error == nil {
			t.Errorf("run = %+v", run)
		}
	})
}
