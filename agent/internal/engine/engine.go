// Package engine executes runs: it owns their life from the request to the final state, whatever protocol
// asked for them (ACP, Agent Run Lifecycle).
//
// Not its job: HTTP, and where a run is kept. The views of the protocols call an [Engine]; a [store.Store]
// keeps what it tells.
//
// Invariants: the log of a run is the truth about it, and what readers see is derived from it; a run that
// began reaches exactly one final state, whoever goes away; an answer to a run that awaits is handed over
// exactly once.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/store"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

var (
	// ErrBusy says that as many runs go on as may.
	ErrBusy = errors.New("too many runs at once")
	// ErrClosed says that the engine takes no more runs.
	ErrClosed = errors.New("shutting down")
	// ErrEnded says that a run has its final status.
	ErrEnded = errors.New("the run has ended")
	// ErrNotAwaiting says that a run awaits no answer.
	ErrNotAwaiting = errors.New("the run awaits nothing")
)

// Limits bound what runs may take. A zero field is its default; a negative one is no limit.
type Limits struct {
	// Runs is how many runs may go on at once, those that await included. The default is 10,000.
	Runs int
	// RunTime is how long a run may work, what it awaits not counted. The default is an hour.
	RunTime time.Duration
	// AwaitTime is how long a run awaits an answer. The default is a day.
	AwaitTime time.Duration
	// Output is how many bytes of JSON a run may tell in all its events. The default is 64 MiB.
	Output int
	// Event is how many bytes of JSON one event may have. The default is 16 MiB.
	Event int
}

func (l Limits) withDefaults() Limits {
	l.Runs = cmp.Or(l.Runs, 10_000)
	l.RunTime = cmp.Or(l.RunTime, time.Hour)
	l.AwaitTime = cmp.Or(l.AwaitTime, 24*time.Hour)
	l.Output = cmp.Or(l.Output, 64<<20)
	l.Event = cmp.Or(l.Event, 16<<20)
	return l
}

// Config is what an engine works with.
type Config struct {
	// Store keeps runs and sessions. Nil means in memory.
	Store store.Store
	// Limits bound the runs.
	Limits Limits
	// Logger is where failures inside are told.
	Logger *slog.Logger
	// Fetch loads a message of a session's history from another server. Nil means that none is loaded.
	Fetch func(ctx context.Context, url string) ([]byte, error)
	// Observers are told of each run.
	Observers []agent.Observer
}

// Engine executes runs. Its methods may be called concurrently.
type Engine struct {
	store     store.Store
	limits    Limits
	logger    *slog.Logger
	fetch     func(ctx context.Context, url string) ([]byte, error)
	observers []agent.Observer
	status    statusBook
	stop      func()

	mu     sync.Mutex
	active map[string]*execution
	closed bool
	idle   chan struct{} // closed when the engine is closed and nothing is active
}

// New returns an engine.
func New(c Config) *Engine {
	if c.Store == nil {
		c.Store = store.NewMemory(store.Limits{})
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	e := &Engine{
		store:     c.Store,
		limits:    c.Limits.withDefaults(),
		logger:    c.Logger,
		fetch:     c.Fetch,
		observers: c.Observers,
		active:    map[string]*execution{},
		idle:      make(chan struct{}),
	}
	e.stop = e.store.Listen(e.signal)
	return e
}

// Request asks for a run.
type Request struct {
	// Agent is what runs.
	Agent agent.Agent
	// Input is what it is given.
	Input []agent.Message
	// SessionID is the session to go on with. Without one the run begins a session.
	SessionID uuid.UUID
	// Session, if any, takes the place of what is known of the session.
	Session *agentapi.Session
	// Caller is who asks.
	Caller agent.Caller
	// ResourceURL is where clients find a resource. The history of the session has such addresses.
	ResourceURL func(id string) string
}

// Start begins a run and returns it as it was created. The run goes on when the context ends; what the
// context carries stays with it. The errors are those of [agent.Handler.Prepare], [ErrBusy] and [ErrClosed].
func (e *Engine) Start(ctx context.Context, r Request) (agentapi.Run, error) {
	call, err := r.Agent.Handler.Prepare(r.Input)
	if err != nil {
		return agentapi.Run{}, err
	}
	x := e.newExecution(ctx, r)
	if x.input, err = marshalEach(r.Input); err != nil {
		return agentapi.Run{}, err
	}
	if err := e.enter(x); err != nil {
		return agentapi.Run{}, err
	}
	var created agentapi.Run
	if x.session, err = e.begin(ctx, r); err == nil {
		created, err = x.begin(ctx)
	}
	if err != nil {
		e.leave(x)
		return agentapi.Run{}, err
	}
	go x.perform(call)
	return created, nil
}

// enter counts a run among the active ones.
func (e *Engine) enter(x *execution) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.closed:
		return ErrClosed
	case e.limits.Runs >= 0 && len(e.active) >= e.limits.Runs:
		return ErrBusy
	}
	e.active[x.id] = x
	return nil
}

func (e *Engine) leave(x *execution) {
	x.cancel(nil)
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.active, x.id)
	e.settle()
}

// settle tells those who wait for the last run.
func (e *Engine) settle() {
	if e.closed && len(e.active) == 0 {
		select {
		case <-e.idle:
		default:
			close(e.idle)
		}
	}
}

// signal passes a signal on to the run, if it is executed here.
func (e *Engine) signal(run string, entry store.Entry) {
	e.mu.Lock()
	x := e.active[run]
	e.mu.Unlock()
	if x != nil {
		go x.signal(entry) // the run may be locked by whoever appends to its log just now
	}
}

// Shutdown takes no more runs and waits for those that go on. Those that await an answer fail, and so do
// all others when the context ends.
func (e *Engine) Shutdown(ctx context.Context) error {
	e.mu.Lock()
	e.closed = true
	e.settle()
	active := slices.Collect(maps.Values(e.active))
	e.mu.Unlock()
	defer e.stop()
	for _, x := range active {
		x.refuseAwait()
	}
	select {
	case <-e.idle:
		return nil
	case <-ctx.Done():
	}
	e.mu.Lock()
	n := len(e.active)
	for _, x := range e.active {
		x.cancel(errShutdown)
	}
	e.mu.Unlock()
	select {
	case <-e.idle:
	case <-time.After(2 * grace):
	}
	return fmt.Errorf("%d runs did not finish: %w", n, context.Cause(ctx))
}
