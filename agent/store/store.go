// Package store keeps what outlives a request: the log of each run, the sessions, and the resources to
// which their histories point.
//
// Not its job: what a run is. A store keeps entries in order and knows of them only whether they are
// signals and whether they are the last.
//
// Invariants: a log only grows; its entries are numbered from one without a gap; nothing follows a final
// entry. Package storetest shows whether a [Store] keeps them.
package store

import (
	"context"
	"errors"
	"math"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

var (
	// ErrNotFound says that there is no such run, session or resource, or no longer.
	ErrNotFound = errors.New("store: not found")
	// ErrConflict says that the log has other entries than the writer knew of.
	ErrConflict = errors.New("store: the log has changed")
	// ErrEnded says that the log has its final entry.
	ErrEnded = errors.New("store: the log has ended")
)

// Anywhere lets [Store.Append] add to a log of any length but none.
const Anywhere uint64 = math.MaxUint64

// Entry is one entry in the log of a run. Nobody changes its data.
type Entry struct {
	// Seq is the position in the log, from one. The store sets it.
	Seq uint64
	// Type says what the data is.
	Type string
	// Data is JSON.
	Data []byte
	// Signal marks an entry for whoever executes the run, wherever that is.
	Signal bool
	// Final marks the last entry. Once it is written, the store may forget the run after a while.
	Final bool
}

// Resource is a piece of content with an identity of its own.
type Resource struct {
	// ID is unique among all resources.
	ID string
	// ContentType is the media type of the data.
	ContentType string
	// Data is the content. Nobody changes it.
	Data []byte
}

// Store keeps runs, sessions and resources. Its methods may be called concurrently. Besides the errors
// that they name they return those of the context and of whatever the store is built upon.
type Store interface {
	// Append adds entries, all or none, to the log of a run that has exactly `after` entries, and returns
	// how many it has then. Zero begins a log; [Anywhere] adds to one as it is. No entries change nothing
	// and begin nothing. The errors are [ErrConflict], [ErrEnded], also for entries of which a final one
	// isn't the last, and, for Anywhere, [ErrNotFound].
	Append(ctx context.Context, run string, after uint64, entries ...Entry) (uint64, error)

	// Read returns the entries after the first `after` ones, none if there are no more. Nobody changes
	// them. The error is [ErrNotFound].
	Read(ctx context.Context, run string, after uint64) ([]Entry, error)

	// Wait returns when [Store.Read] with the same arguments returns an entry, or the log has ended.
	// The error is [ErrNotFound].
	Wait(ctx context.Context, run string, after uint64) error

	// Listen has a function called for each signal of any run, by whatever process it is appended, in the
	// order of a run's log, perhaps after the append has returned. The function returns soon. Stop ends
	// that, but does not wait for a call that is under way.
	Listen(signal func(run string, entry Entry)) (stop func())

	// Session returns a session. The error is [ErrNotFound].
	Session(ctx context.Context, id string) (agentapi.Session, error)

	// UpdateSession changes a session that nobody else changes meanwhile, or begins one. The function may
	// be called more than once, with the session as it is then, and does not call the store. Its error
	// leaves the session unchanged and is returned.
	UpdateSession(ctx context.Context, id string, change func(*agentapi.Session) error) error

	// SaveResources keeps resources, all or none, as long as the session. That may begin later.
	SaveResources(ctx context.Context, session string, resources ...Resource) error

	// Resource returns a resource. The error is [ErrNotFound].
	Resource(ctx context.Context, id string) (Resource, error)
}
