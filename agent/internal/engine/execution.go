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
)

// execution is a run that goes on.
type execution struct {
	engine  *Engine
	id      string
	request Request
	session sessionView
	input   [][]byte        // the JSON of the request's messages, as they came
	ctx     context.Context //nolint:containedctx // the run's own, which outlives the request
	cancel  context.CancelCauseFunc
	clock   stopwatch
	watch   watch

	mu         sync.Mutex
	transcript transcript
	ended      bool
	result     agent.RunResult
	size       int   // of all events
	fatal      error // why the run fails whatever its function returns
	tokens     int
	awaiting   bool
	noAwait    bool               // whether nobody will answer any more
	answer     chan agent.Message // holds at most the one answer to what is awaited
}

func (e *Engine) newExecution(ctx context.Context, r Request) *execution {
	id := uuid.New()
	x := &execution{engine: e, id: id.String(), request: r, answer: make(chan agent.Message, 1)}
	x.watch.began = make(chan struct{})
	x.transcript.run = agentapi.Run{
		RunID:     id,
		AgentName: r.Agent.Manifest.Name,
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
	t.run.SessionID = &x.session.id
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
	defer x.clock.stop(forGood)
	err := errors.New("the function of the agent ended its goroutine")
	defer func() { x.end(err) }()
	err = x.call(call)
}

// call returns the error with which the function ended.
func (x *execution) call(call agent.Call) (err error) {
	info := x.info()
	ctx := x.observeStart()
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
	frozen, err := freeze(value)
	if err != nil {
		return err
	}
	return x.tell(func() ([]agentapi.Event, error) { return x.transcript.say(frozen) })
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
		return ErrEnded
	}
	_, err := x.record(store.Anywhere, change)
	return err
}

// record changes the run and appends what happened after a position of its log, which it returns the new end
// of. A change that can't be appended is undone.
func (x *execution) record(after uint64, change func() ([]agentapi.Event, error)) (end uint64, err error) {
	err = x.transcript.tell(change, func(entries []store.Entry) error {
		size, err := x.measure(entries)
		if err == nil {
			end, err = x.append(after, entries)
		}
		switch {
		case err == nil:
			x.size = size
		case !errors.Is(err, store.ErrConflict):
			x.fatal = err // what is not told would be missing, so the run can't complete
		}
		return err
	})
	return end, err
}

// append adds to the log, also once the run is over.
func (x *execution) append(after uint64, entries []store.Entry) (uint64, error) {
	return x.engine.store.Append(context.WithoutCancel(x.ctx), x.id, after, entries...)
}

// measure returns how much the run has told with the entries, or why it must not tell them.
func (x *execution) measure(entries []store.Entry) (int, error) {
	limits, size := x.engine.limits, x.size
	for _, entry := range entries {
		if limits.Event >= 0 && len(entry.Data) > limits.Event {
			return 0, fmt.Errorf("an event has more than %d bytes", limits.Event)
		}
		size += len(entry.Data)
	}
	if limits.Output >= 0 && size > limits.Output {
		return 0, fmt.Errorf("the output has more than %d bytes", limits.Output)
	}
	return size, nil
}

// end brings the run to its final status, once, and then tells the observers. The error is that of the function.
func (x *execution) end(err error) {
	x.observeEnd(x.finish(err))
}

// finish brings the run to its final status, unless it has one.
func (x *execution) finish(err error) agent.RunResult {
	failure := failureOf(err)
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return x.result
	}
	x.ended = true
	events := x.transcript.close()
	status := x.conclude(failure)
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
	x.result = agent.RunResult{Status: status, Duration: x.clock.elapsed(), Tokens: x.tokens, Error: x.transcript.run.Error}
	x.engine.status.add(x.request.Agent.Manifest.Name, x.result)
	return x.result
}

// conclude says how the run ends, and why if it fails.
func (x *execution) conclude(failure *agentapi.Error) agentapi.RunStatus {
	cause := context.Cause(x.ctx)
	switch {
	case x.fatal != nil:
		failure = failureOf(x.fatal)
	case failure == nil:
		return agentapi.RunStatusCompleted
	case errors.Is(cause, errCancelled):
		return agentapi.RunStatusCancelled
	case cause != nil:
		failure = failureOf(cause)
	}
	x.transcript.run.Error = failure
	return agentapi.RunStatusFailed
}

// failureOf is an error as the caller reads it, nil if there is none.
func failureOf(err error) *agentapi.Error {
	if err == nil {
		return nil
	}
	failure := agentapi.Error{Code: agent.CodeServerError}
	known, ok := errors.AsType[*agent.Error](err)
	switch {
	case !ok:
		failure.Message = err.Error()
	case known == nil:
		failure.Message = "The agent failed without saying why" // it returned a nil pointer as its error
	default:
		failure.Code, failure.Message = known.Code, known.Message
		failure.Data, _ = safeData(known.Data) // without it the message still says what is wrong
	}
	return &failure
}

// safeData copies what an error carries, if it is JSON.
func safeData(data map[string]any) (own map[string]any, err error) {
	if data == nil {
		return nil, nil
	}
	defer recovered(&err)
	return copied(data)
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
