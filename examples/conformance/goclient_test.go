package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/tmaxmax/go-sse"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// The client that is generated from the document, used as the official clients are. Streams it hands over as
// they come; github.com/tmaxmax/go-sse reads them, since it is maintained, needs no other module, and parses as
// the standard says without opening the connection itself.

// client is the generated client with what the tests do most.
type client struct {
	*agentapi.ClientWithResponses
	t *testing.T
}

// serve starts a server of the agents and returns a client for it.
func serve(t *testing.T, options ...server.Option) client {
	t.Helper()
	ts := httptest.NewUnstartedServer(nil)
	return serveAt(t, ts, options...)
}

func serveAt(t *testing.T, ts *httptest.Server, options ...server.Option) client {
	t.Helper()
	r := agent.NewRegistry()
	if err := RegisterAgents(r); err != nil {
		t.Fatal(err)
	}
	handler, err := server.Handler(r, options...)
	if err != nil {
		t.Fatal(err)
	}
	ts.Config.Handler = handler
	ts.Start()
	t.Cleanup(ts.Close)
	c, err := agentapi.NewClientWithResponses(ts.URL)
	if err != nil {
		t.Fatal(err)
	}
	return client{c, t}
}

// with returns the client for a test within the test.
func (c client) with(t *testing.T) client {
	c.t = t
	return c
}

// run starts a run in a mode other than stream.
func (c client) run(agentName string, mode agentapi.RunMode, input ...agent.Message) agentapi.Run {
	c.t.Helper()
	return c.create(agentapi.RunCreateRequest{AgentName: agentName, Mode: mode, Input: input})
}

func (c client) create(request agentapi.RunCreateRequest) agentapi.Run {
	c.t.Helper()
	if request.Input == nil {
		request.Input = []agent.Message{}
	}
	response, err := c.CreateRunWithResponse(c.t.Context(), request)
	return one(c.t, err, response.JSON200, response.JSON202, response.Body)
}

// resume answers a run that awaits.
func (c client) resume(id uuid.UUID, mode agentapi.RunMode, answer agent.Message) agentapi.Run {
	c.t.Helper()
	response, err := c.ResumeRunWithResponse(c.t.Context(), id, resumeRequest(mode, answer))
	return one(c.t, err, response.JSON200, response.JSON202, response.Body)
}

// one returns the run of an answer, whichever of the two statuses it has.
func one(t *testing.T, err error, ok, accepted *agentapi.Run, body []byte) agentapi.Run {
	t.Helper()
	switch {
	case err != nil:
		t.Fatal(err)
	case ok != nil:
		return *ok
	case accepted != nil:
		return *accepted
	}
	t.Fatalf("no run: %s", body)
	return agentapi.Run{}
}

func resumeRequest(mode agentapi.RunMode, answer agent.Message) agentapi.RunResumeRequest {
	return agentapi.RunResumeRequest{Mode: mode, AwaitResume: agentapi.AwaitResume{
		Type: agentapi.AwaitTypeMessage, Message: answer,
	}}
}

// read returns a run as it is now.
func (c client) read(id uuid.UUID) agentapi.Run {
	c.t.Helper()
	response, err := c.GetRunWithResponse(c.t.Context(), id)
	return one(c.t, err, response.JSON200, nil, response.Body)
}

// until reads a run until it has the status.
func (c client) until(id uuid.UUID, status agentapi.RunStatus) agentapi.Run {
	c.t.Helper()
	ctx, stop := context.WithTimeout(c.t.Context(), 5*time.Second)
	defer stop()
	for {
		run := c.read(id)
		if run.Status == status {
			return run
		}
		select {
		case <-ctx.Done():
			c.t.Fatalf("the run is still %s, want %s", run.Status, status)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (c client) cancel(id uuid.UUID) agentapi.Run {
	c.t.Helper()
	response, err := c.CancelRunWithResponse(c.t.Context(), id)
	return one(c.t, err, nil, response.JSON202, response.Body)
}

// stream runs an agent and calls seen with each event as it comes.
func (c client) stream(agentName string, input []agent.Message, seen func(agentapi.Event)) []agentapi.Event {
	c.t.Helper()
	return events(c.t, seen, func() (*http.Response, error) {
		return c.CreateRun(c.t.Context(), agentapi.RunCreateRequest{
			AgentName: agentName, Mode: agentapi.RunModeStream, Input: input,
		})
	})
}

// events reads the events of the stream that an operation answers with.
func events(t *testing.T, seen func(agentapi.Event), operation func() (*http.Response, error)) []agentapi.Event {
	t.Helper()
	response, err := operation()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if got := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || !strings.HasPrefix(got, "text/event-stream") {
		t.Fatalf("status %d, Content-Type %q", response.StatusCode, got)
	}
	var all []agentapi.Event
	for message, err := range sse.Read(response.Body, &sse.ReadConfig{MaxEventSize: 16 << 20}) {
		var event agentapi.Event
		if err == nil {
			err = json.Unmarshal([]byte(message.Data), &event)
		}
		if err != nil {
			t.Fatal(err)
		}
		if message.Type != "" {
			t.Errorf("an event has the type %q, which hides it from clients that know only the default", message.Type)
		}
		all = append(all, event)
		seen(event)
	}
	return all
}

// unseen is for streams of which only the end is of interest.
func unseen(agentapi.Event) {}

// says is a message of the user with a part for each text.
func says(texts ...string) agent.Message {
	m := agent.Message{Role: "user", Parts: []agent.Part{}}
	for _, text := range texts {
		m.Parts = append(m.Parts, agent.TextPart(text))
	}
	return m
}

// contents are what messages say: parts joined by +, messages by |.
func contents(messages ...agent.Message) string {
	var all []string
	for _, m := range messages {
		var parts []string
		for _, part := range m.Parts {
			if part.Content != nil {
				parts = append(parts, *part.Content)
			}
		}
		all = append(all, strings.Join(parts, "+"))
	}
	return strings.Join(all, "|")
}
