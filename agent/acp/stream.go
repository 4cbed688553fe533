package acp

import (
	"context"
	"iter"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/tmaxmax/go-sse"

	"github.com/cd3b852d/agentgen/agent/store"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

const (
	eventStream = "text/event-stream"
	// keepAlive is how long a stream is silent before a comment tells the client, and what is between,
	// that it goes on.
	keepAlive = 15 * time.Second
	// writeTime is how long a client may take to accept one event.
	writeTime = 30 * time.Second
)

// stream answers with the events after a position of a run's log.
func (s *Service) stream(ctx context.Context, run uuid.UUID, after uint64, created bool) events {
	return events{run, created, s.engine.Follow(ctx, run, after)}
}

// events are a response of server-sent events (WHATWG HTML, section 9.2).
type events struct {
	run     uuid.UUID
	created bool // whether the request created the run
	entries iter.Seq2[store.Entry, error]
}

// VisitCreateRunResponse writes the events as they happen.
func (e events) VisitCreateRunResponse(w http.ResponseWriter) error { return e.write(w) }

// VisitResumeRunResponse writes the events as they happen.
func (e events) VisitResumeRunResponse(w http.ResponseWriter) error { return e.write(w) }

// VisitListRunEventsResponse writes the events as they happen.
func (e events) VisitListRunEventsResponse(w http.ResponseWriter) error { return e.write(w) }

func (e events) write(w http.ResponseWriter) error {
	if e.created {
		setRunID(w, e.run)
	}
	h := w.Header()
	h.Set("Content-Type", eventStream+"; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // proxies that know it don't wait for more
	w.WriteHeader(http.StatusOK)
	out := newEventWriter(w)
	defer out.close()
	_ = out.controller.Flush() // the client learns at once that it waits for events; if it is gone, the first tells
	for entry, err := range e.entries {
		if err != nil {
			return nil // the client is gone, or the run forgotten: the stream ends early
		}
		if err := out.write(entry); err != nil {
			return nil // the client is gone, and the run goes on without it
		}
		if e.created && entry.Type == string(agentapi.EventTypeRunAwaiting) {
			return nil // clients of a new stream take its end for the time to answer
		}
	}
	return nil
}

// eventWriter writes server-sent events, and comments while there are none.
type eventWriter struct {
	mu         sync.Mutex
	w          http.ResponseWriter
	controller *http.ResponseController
	timer      *time.Timer
	closed     bool
}

func newEventWriter(w http.ResponseWriter) *eventWriter {
	e := &eventWriter{w: w, controller: http.NewResponseController(w)}
	e.timer = time.AfterFunc(keepAlive, e.comment)
	return e
}

// write sends an entry of a run's log at once.
func (e *eventWriter) write(entry store.Entry) error {
	m := sse.Message{ID: sse.ID(strconv.FormatUint(entry.Seq, 10))}
	m.AppendData(string(entry.Data))
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.send(&m)
}

// comment sends a line that clients ignore.
func (e *eventWriter) comment() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	var m sse.Message
	m.AppendComment("keep-alive")
	_ = e.send(&m) // if the client is gone, the next event tells
}

func (e *eventWriter) send(m *sse.Message) error {
	e.timer.Reset(keepAlive)
	_ = e.controller.SetWriteDeadline(time.Now().Add(writeTime)) // a writer that knows none is its owner's to bound
	if _, err := m.WriteTo(e.w); err != nil {
		return err
	}
	return e.controller.Flush()
}

func (e *eventWriter) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	e.timer.Stop()
	_ = e.controller.SetWriteDeadline(time.Time{})
}
