package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/tmaxmax/go-sse"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// eventsOf reads a stream of server-sent events.
func eventsOf(t *testing.T, stream string) []sse.Event {
	t.Helper()
	var all []sse.Event
	for event, err := range sse.Read(strings.NewReader(stream), &sse.ReadConfig{MaxEventSize: 4 << 20}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, event)
	}
	return all
}

// typesOf names the types of the events in a stream.
func typesOf(t *testing.T, stream string) string {
	t.Helper()
	var types []string
	for _, event := range eventsOf(t, stream) {
		var e agentapi.Event
		if err := json.Unmarshal([]byte(event.Data), &e); err != nil {
			t.Fatal(err)
		}
		types = append(types, string(e.Type))
	}
	return strings.Join(types, " ")
}

func TestStream(t *testing.T) {
	c := loadContract(t)
	base := serveRuns(t)
	a := call(t, "POST", base+"/runs", body("echo", "stream", ""))
	c.check(t, c.operation(t, "POST", "/runs"), a)
	if got := typesOf(t, a.body); got != "run.created run.in-progress message.created message.part message.completed run.completed" {
		t.Errorf("got %s", got)
	}
	if _, err := uuid.Parse(a.Header.Get("Run-ID")); err != nil || a.Header.Get("Content-Type") != "text/event-stream; charset=utf-8" ||
		a.Header.Get("X-Accel-Buffering") != "no" || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %v", a.Header)
	}
	list := get(t, base+"/runs/"+a.Header.Get("Run-ID")+"/events")
	c.check(t, c.operation(t, "GET", "/runs/"+a.Header.Get("Run-ID")+"/events"), list)
	var want []string
	for _, event := range eventsOf(t, a.body) {
		want = append(want, event.Data)
	}
	if got := strings.TrimSpace(list.body); got != `{"events":[`+strings.Join(want, ",")+`]}` {
		t.Errorf("the list differs from the stream: %s", got)
	}
}

// A stream ends when the run awaits an answer.
func TestStreamEndsAtAwait(t *testing.T) {
	a := call(t, "POST", serveRuns(t)+"/runs", body("asker", "stream", ""))
	if got := typesOf(t, a.body); got != "run.created run.in-progress run.awaiting" {
		t.Errorf("got %s", got)
	}
}

// counting says numbers, one for each tick.
func counting(ticks <-chan struct{}) agent.Handler {
	return agent.Stream(func(context.Context, *agent.Run, agent.None) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			for n := range 20 {
				<-ticks
				if !yield(strconv.Itoa(n), nil) {
					return
				}
			}
		}
	})
}

// H7: a client drops in the middle of a stream and comes back. The run went on, and nothing is missing or
// doubled.
func TestLastEventID(t *testing.T) {
	ticks := make(chan struct{}, 20)
	p := chatPackage("counter")
	p.Agents[0].Handler = counting(ticks)
	r := agent.NewRegistry()
	if err := r.Register(p); err != nil {
		t.Fatal(err)
	}
	base := serve(t, r)
	ctx, drop := context.WithCancel(t.Context())
	request, _ := http.NewRequestWithContext(ctx, "POST", base+"/runs", strings.NewReader(body("counter", "stream", "")))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	for range 7 {
		ticks <- struct{}{}
	}
	var seen strings.Builder
	for lines := bufio.NewScanner(response.Body); lines.Scan() && !strings.Contains(lines.Text(), `"content":"6"`); {
		seen.WriteString(lines.Text() + "\n")
	}
	drop()
	for range 13 {
		ticks <- struct{}{}
	}
	before := eventsOf(t, seen.String())
	last := before[len(before)-1].LastEventID
	a := get(t, base+"/runs/"+response.Header.Get("Run-ID")+"/events", "Accept: text/event-stream", "Last-Event-ID: "+last)
	var numbers []string
	for _, event := range append(before, eventsOf(t, a.body)...) {
		var e agentapi.Event
		if err := json.Unmarshal([]byte(event.Data), &e); err == nil && e.Part != nil {
			numbers = append(numbers, *e.Part.Content)
		}
	}
	if got := strings.Join(numbers, " "); got != "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19" {
		t.Errorf("last was %s, got %s", last, got)
	}
	get(t, base+"/runs/"+response.Header.Get("Run-ID")+"/events", "Last-Event-ID: x").
		wantError(t, 422, "invalid_input", `Last-Event-ID: "x" is the id of no event`)
}

// H6: an event of 1 MiB comes whole.
func TestLargeEvent(t *testing.T) {
	large := strings.Repeat("x", 1<<20)
	p := chatPackage("large")
	p.Agents[0].Handler = agent.Func(func(context.Context, *agent.Run, agent.None) (string, error) { return large, nil })
	r := agent.NewRegistry()
	if err := r.Register(p); err != nil {
		t.Fatal(err)
	}
	a := call(t, "POST", serve(t, r)+"/runs", body("large", "stream", ""))
	for _, event := range eventsOf(t, a.body) {
		var e agentapi.Event
		if err := json.Unmarshal([]byte(event.Data), &e); err != nil || e.Part != nil && *e.Part.Content != large {
			t.Error("the event is not whole", err)
		}
	}
}
