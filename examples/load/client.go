package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/tmaxmax/go-sse"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// client calls a server. It decodes only what it checks, since it takes its time from the server's.
type client struct {
	http   *http.Client
	server *process
}

func newClient(p *process) *client {
	return &client{&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1024, DisableCompression: true}}, p}
}

type (
	event struct {
		Type agentapi.EventType `json:"type"`
		Run  *runState          `json:"run"`
		Part *part              `json:"part"`
	}
	runState struct {
		ID     string             `json:"run_id"`
		Status agentapi.RunStatus `json:"status"`
		Output []message          `json:"output"`
	}
	message struct {
		Parts []part `json:"parts"`
	}
	part struct {
		Content string `json:"content"`
	}
)

// outcome is how one run went.
type outcome struct {
	took                  time.Duration
	events, lost, doubled int
	err                   error
}

// post sends JSON and returns the answer, whose body the caller closes.
func (c *client) post(ctx context.Context, path string, body any) (*http.Response, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.server.url+path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err == nil && response.StatusCode > http.StatusAccepted {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 200))
		response.Body.Close()
		return nil, fmt.Errorf("%s: %s", response.Status, text)
	}
	return response, err
}

func (c *client) create(ctx context.Context, name string, mode agentapi.RunMode, input string) (*http.Response, error) {
	type m = map[string]any
	return c.post(ctx, "/runs", m{
		"agent_name": name, "mode": mode,
		"input": []m{{"role": "user", "parts": []m{{"content": input, "content_type": "text/plain"}}}},
	})
}

// sync has a text echoed.
func (c *client) sync(ctx context.Context, text string) (o outcome) {
	response, err := c.create(ctx, "echo", agentapi.RunModeSync, text)
	if err != nil {
		o.err = err
		return o
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	var run runState
	if err == nil {
		err = json.Unmarshal(data, &run)
	}
	if err == nil && (run.Status != agentapi.RunStatusCompleted || len(run.Output) != 1 || len(run.Output[0].Parts) != 1 ||
		run.Output[0].Parts[0].Content != text) {
		err = fmt.Errorf("the answer to %q is %s", text, data)
	}
	o.err = err
	return o
}

// stream has an agent count, and checks that it says each number once and in order.
func (c *client) stream(ctx context.Context, n int, opened func() (closed func())) (o outcome) {
	response, err := c.create(ctx, "count", agentapi.RunModeStream, strconv.Itoa(n))
	if err != nil {
		return outcome{lost: n, err: err}
	}
	defer response.Body.Close()
	defer opened()()
	next, last := 0, event{}
	for e, err := range events(response.Body) {
		if err != nil {
			o.err = err
			break
		}
		o.events++
		last = e
		if e.Type == agentapi.EventTypeMessagePart {
			o.number(e, &next)
		}
	}
	o.lost += n - next
	if o.err == nil {
		o.err = complete(last, n)
	}
	return o
}

// number compares a number with the one that is next.
func (o *outcome) number(e event, next *int) {
	if e.Part == nil {
		o.err = errors.New("an event has no part")
		return
	}
	i, err := strconv.Atoi(e.Part.Content)
	switch {
	case err != nil:
		o.err = err
	case i < *next:
		o.doubled++
	default:
		o.lost += i - *next
		*next = i + 1
	}
}

// complete tells whether a stream ended with a run that has said all numbers.
func complete(last event, n int) error {
	switch {
	case last.Type != agentapi.EventTypeRunCompleted || last.Run == nil:
		return fmt.Errorf("a stream ends with %q", last.Type)
	case len(last.Run.Output) != 1 || len(last.Run.Output[0].Parts) != n:
		return errors.New("a run has other output than its stream")
	}
	for i, p := range last.Run.Output[0].Parts {
		if p.Content != strconv.Itoa(i) {
			return fmt.Errorf("a run says %q for %d", p.Content, i)
		}
	}
	return nil
}

// sleep opens a stream in which nothing happens. Once released it cancels the run and reads the stream to its end.
func (c *client) sleep(ctx context.Context, opened func(), release <-chan struct{}) error {
	once := sync.OnceFunc(opened)
	defer once()
	response, err := c.create(ctx, "sleep", agentapi.RunModeStream, "")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	last := event{}
	for e, err := range events(response.Body) {
		if err != nil {
			return err
		}
		last = e
		if e.Type != agentapi.EventTypeRunInProgress || e.Run == nil {
			continue
		}
		once()
		<-release
		cancelled, err := c.post(ctx, "/runs/"+e.Run.ID+"/cancel", nil)
		if err != nil {
			return err
		}
		cancelled.Body.Close()
	}
	if last.Type != agentapi.EventTypeRunCancelled {
		return fmt.Errorf("an idle stream ends with %q", last.Type)
	}
	return nil
}

// events reads a stream.
func events(body io.Reader) iter.Seq2[event, error] {
	return func(yield func(event, error) bool) {
		for message, err := range sse.Read(body, &sse.ReadConfig{MaxEventSize: 1 << 20}) {
			var e event
			if err == nil {
				err = json.Unmarshal([]byte(message.Data), &e)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}
