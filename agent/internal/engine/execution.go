package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/store"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// grace is how long a function has to return once its run is over. After that the run ends without it.
const grace = 500 * time.Millisecond

// The reasons for which a run is over before its function returned.
var (
	errCancelled = errors.New("the run was cancelled")
	errShutdown  = errors.New("the server shut down")
	errOver      = errors.New("the run has ended")
)

// execution is a run that goes on.
type execution struct {
	engine  *Engine
	id      string
	request Request
	session sessionView
	ctx     context.Context //nolint:containedctx // the run's own, which outlives the request
	cancel  context.CancelCauseFunc
	clock   stopwatch

	mu         sync.Mutex
	transcript transcript
	ended      bool
	size       int   // of all events
	fatal      error // why the run fails whatever its function returns
	tokens     int
	awaiting   bool
	noAwait    bool               // whether nobody will answer any more
	answer     chan agent.Message // holds at most the one answer to what is awaited
}

func (e *Engine) newExecution(ctx context.Context, r Request, session sessionView) *execution {
	id := uuid.New()
	sessionID := session.id
	x := &execution{engine: e, id: id.String(), request: r, session: session, answer: make(chan agent.Message, 1)}
	x.transcript.run = agentapi.Run{
		RunID:     id,
		AgentName: r.Agent.Manifest.Name,
		SessionID: &sessionID,
		Status:    agentapi.RunStatusCreated,
		Output:    []agent.Message{},
		CreatedAt: now(),
	}
	x.ctx, x.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	return x
}

// begin writes the first entries of the log, and returns the run as it was created.
func (x *execution) begin(ctx context.Context) (agentapi.Run, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	t := &x.transcript
	created := t.run
	entries, err := encode(t.become(agentapi.RunStatusCreated), t.become(agentapi.RunStatusInProgress))
	if err == nil {
		_, err = x.engine.store.Append(ctx, x.id, 0, entries...)
	}
	return created, err
}

// perform executes the function and ends the run.
func (x *execution) perform(call agent.Call) {
	defer x.engine.leave(x)
	stop := context.AfterFunc(x.ctx, func() {
		time.AfterFunc(grace, func() { x.end(context.Cause(x.ctx)) })
	})
	defer stop()
	x.clock.start(x.engine.limits.RunTime, func() {
		x.cancel(fmt.Errorf("the run took longer than %v", x.engine.limits.RunTime))
	})
	defer x.clock.stop()
	x.end(x.call(call))
}

// call returns the error with which the function ended.
func (x *execution) call(call agent.Call) (err error) {
	info := x.info()
	ctx := x.ctx
	for _, o := range x.engine.observers {
		ctx = o.RunStarted(ctx, info)
	}
	defer func() {
		if p := recover(); p != nil {
			x.engine.logger.ErrorContext(ctx, "agent panicked", "run", x.id, "agent", info.AgentName, "panic", p, "stack", string(debug.Stack()))
			err = &agent.Error{Code: agent.CodeServerError, Message: "An unexpected error occurred"}
		}
	}()
	for value, err := range call(ctx, agent.NewRun(info, x)) {
		if err != nil {
			return err
		}
		if err := x.emit(value); err != nil {
			return err
		}
	}
	return nil
}

func (x *execution) info() agent.RunInfo {
	return agent.RunInfo{
		ID:        x.id,
		AgentName: x.request.Agent.Manifest.Name,
		SessionID: x.session.id.String(),
		Caller:    x.request.Caller,
		Logger:    x.engine.logger,
	}
}

// Emit implements [agent.Host].
func (x *execution) Emit(value any) error {
	if err := context.Cause(x.ctx); err != nil {
		return err
	}
	return x.emit(value)
}

func (x *execution) emit(value any) error {
	return x.tell(func() ([]agentapi.Event, error) { return x.transcript.say(value) })
}

// Update implements [agent.Host].
func (x *execution) Update(value map[string]any) error {
	if err := context.Cause(x.ctx); err != nil {
		return err
	}
	return x.tell(func() ([]agentapi.Event, error) {
		return []agentapi.Event{{Type: agentapi.EventTypeGeneric, Generic: value}}, nil
	})
}

// AddUsage implements [agent.Host].
func (x *execution) AddUsage(tokens int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.tokens += tokens
}

// tell changes the run and appends what happened to its log.
func (x *execution) tell(change func() ([]agentapi.Event, error)) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return errOver
	}
	entries, err := x.transcript.tell(change)
	if err != nil {
		return err
	}
	if err = x.measure(entries); err == nil {
		_, err = x.append(store.Anywhere, entries)
	}
	if x.fatal == nil {
		x.fatal = err // what is not told would be missing, so the run can't complete
	}
	return err
}

// append adds to the log, also once the run is over.
func (x *execution) append(after uint64, entries []store.Entry) (uint64, error) {
	return x.engine.store.Append(context.WithoutCancel(x.ctx), x.id, after, entries...)
}

// measure counts what is told, and refuses what is more than a run may tell.
func (x *execution) measure(entries []store.Entry) error {
	limits := x.engine.limits
	for _, entry := range entries {
		if limits.Event >= 0 && len(entry.Data) > limits.Event {
			return fmt.Errorf("an event has more than %d bytes", limits.Event)
		}
		x.size += len(entry.Data)
	}
	if limits.Output >= 0 && x.size > limits.Output {
		return fmt.Errorf("the output has more than %d bytes", limits.Output)
	}
	return nil
}

// end brings the run to its final status, once. The error is that of the function.
func (x *execution) end(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return
	}
	x.ended = true
	events := x.transcript.close()
	status := x.conclude(err)
	if status == agentapi.RunStatusCompleted {
		x.remember()
	}
	events = append(events, x.transcript.become(status))
	entries, err := encode(events...)
	if err == nil {
		_, err = x.append(store.Anywhere, entries)
	}
	if err != nil {
		x.engine.logger.ErrorContext(x.ctx, "run did not end properly", "run", x.id, "error", err)
	}
	x.account(status)
}

// conclude says how the run ends, and why if it fails.
func (x *execution) conclude(err error) agentapi.RunStatus {
	cause := context.Cause(x.ctx)
	switch {
	case x.fatal != nil:
		err = x.fatal
	case err == nil:
		return agentapi.RunStatusCompleted
	case errors.Is(cause, errCancelled):
		return agentapi.RunStatusCancelled
	case cause != nil:
		err = cause
	}
	failure := agentapi.Error{Code: agent.CodeServerError, Message: err.Error()}
	if known, ok := errors.AsType[*agent.Error](err); ok {
		failure = agentapi.Error{Code: known.Code, Message: known.Message, Data: known.Data}
	}
	x.transcript.run.Error = &failure
	return agentapi.RunStatusFailed
}

// account adds the run to the status of its agent and tells the observers.
func (x *execution) account(status agentapi.RunStatus) {
	result := agent.RunResult{Status: status, Duration: x.clock.elapsed(), Tokens: x.tokens, Error: x.transcript.run.Error}
	x.engine.status.add(x.request.Agent.Manifest.Name, result)
	info := x.info()
	for _, o := range x.engine.observers {
		o.RunEnded(x.ctx, info, result)
	}
}

// signal takes what others appended to the log.
func (x *execution) signal(entry store.Entry) {
	switch entry.Type {
	case signalCancel:
		x.cancel(errCancelled)
	case signalResume:
		x.resumed(entry)
	}
}
