package store

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// Limits bound what a [Memory] keeps. A zero field is its default.
type Limits struct {
	// Runs is how many ended runs are kept, the last ones. The default is 10,000.
	Runs int
	// RunAge is how long an ended run is kept. The default is an hour.
	RunAge time.Duration
	// Sessions is how many sessions are kept, those changed last. The default is 10,000.
	Sessions int
	// SessionAge is how long a session that nobody changes is kept. The default is a day.
	SessionAge time.Duration
	// Bytes is how much data of ended runs, and how much of sessions, is kept. The default is 256 MiB.
	Bytes int
}

// Memory is a [Store] that lives as long as the process. It never forgets a run that goes on.
type Memory struct {
	limits Limits

	mu        sync.RWMutex
	runs      map[string]*runLog
	ended     shelf[*runLog]
	sessions  map[string]*session
	inUse     shelf[*session]
	resources map[string]Resource
	listeners map[*func(string, Entry)]struct{}
}

// NewMemory returns an empty store.
func NewMemory(limits Limits) *Memory {
	limits.Runs = cmp.Or(limits.Runs, 10_000)
	limits.RunAge = cmp.Or(limits.RunAge, time.Hour)
	limits.Sessions = cmp.Or(limits.Sessions, 10_000)
	limits.SessionAge = cmp.Or(limits.SessionAge, 24*time.Hour)
	limits.Bytes = cmp.Or(limits.Bytes, 256<<20)
	return &Memory{
		limits:    limits,
		runs:      map[string]*runLog{},
		ended:     newShelf[*runLog](limits.Runs, limits.Bytes, limits.RunAge),
		sessions:  map[string]*session{},
		inUse:     newShelf[*session](limits.Sessions, limits.Bytes, limits.SessionAge),
		resources: map[string]Resource{},
		listeners: map[*func(string, Entry)]struct{}{},
	}
}

// runLog is the log of one run.
type runLog struct {
	id string

	mu      sync.Mutex
	entries []Entry
	size    int
	ended   bool
	grown   chan struct{} // closed when the log grows; nil while nobody waits
}

// Append implements [Store].
func (m *Memory) Append(ctx context.Context, run string, after uint64, entries ...Entry) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	log, err := m.logFor(run, after)
	if err != nil {
		return 0, err
	}
	last, err := log.append(after, entries)
	if err != nil {
		return 0, err
	}
	for i, entry := range entries {
		if entry.Final {
			m.shelve(log)
		}
		if entry.Signal {
			entry.Seq = last - uint64(len(entries)-1-i)
			m.tell(run, entry)
		}
	}
	return last, nil
}

// logFor returns the log of a run, a new one if the writer begins it.
func (m *Memory) logFor(run string, after uint64) (*runLog, error) {
	if log, err := m.log(run); err == nil || after != 0 {
		if err != nil && after != Anywhere {
			return nil, ErrConflict
		}
		return log, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if log, ok := m.runs[run]; ok {
		return log, nil
	}
	log := &runLog{id: run}
	m.runs[run] = log
	return log, nil
}

func (m *Memory) log(run string) (*runLog, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	log, ok := m.runs[run]
	if !ok || m.ended.expired(run) {
		return nil, ErrNotFound
	}
	return log, nil
}

func (l *runLog) append(after uint64, entries []Entry) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := uint64(len(l.entries))
	switch {
	case l.ended:
		return 0, ErrEnded
	case after != Anywhere && after != n:
		return 0, ErrConflict
	}
	for _, entry := range entries {
		n++
		entry.Seq = n
		l.entries = append(l.entries, entry)
		l.size += len(entry.Data)
		l.ended = l.ended || entry.Final
	}
	if l.grown != nil && len(entries) > 0 {
		close(l.grown)
		l.grown = nil
	}
	return n, nil
}

// shelve counts an ended run among those that may be forgotten.
func (m *Memory) shelve(log *runLog) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for old := range m.ended.put(log.id, log, log.size) {
		delete(m.runs, old.id)
	}
}

// Read implements [Store].
func (m *Memory) Read(ctx context.Context, run string, after uint64) ([]Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	log, err := m.log(run)
	if err != nil {
		return nil, err
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	n := uint64(len(log.entries))
	return log.entries[min(after, n):n:n], nil // what is written is never changed, so it can be shared
}

// Wait implements [Store].
func (m *Memory) Wait(ctx context.Context, run string, after uint64) error {
	log, err := m.log(run)
	if err != nil {
		return err
	}
	for {
		log.mu.Lock()
		if log.ended || uint64(len(log.entries)) > after {
			log.mu.Unlock()
			return ctx.Err()
		}
		if log.grown == nil {
			log.grown = make(chan struct{})
		}
		grown := log.grown
		log.mu.Unlock()
		select {
		case <-grown:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Listen implements [Store].
func (m *Memory) Listen(signal func(string, Entry)) (stop func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.listeners[&signal] = struct{}{}
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.listeners, &signal)
	}
}

func (m *Memory) tell(run string, entry Entry) {
	m.mu.RLock()
	listeners := make([]func(string, Entry), 0, len(m.listeners))
	for listener := range m.listeners {
		listeners = append(listeners, *listener)
	}
	m.mu.RUnlock()
	for _, listener := range listeners {
		listener(run, entry)
	}
}

// session is a session with what it owns.
type session struct {
	id        string
	value     agentapi.Session
	resources []string
	size      int
}

// Session implements [Store].
func (m *Memory) Session(ctx context.Context, id string) (agentapi.Session, error) {
	if err := ctx.Err(); err != nil {
		return agentapi.Session{}, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	s, ok := m.sessions[id]
	if !ok || m.inUse.expired(id) {
		return agentapi.Session{}, ErrNotFound
	}
	return clone(s.value), nil
}

// UpdateSession implements [Store].
func (m *Memory) UpdateSession(ctx context.Context, id string, change func(*agentapi.Session) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessionFor(id)
	value := clone(s.value)
	if err := change(&value); err != nil {
		return err
	}
	s.value = value
	m.use(s)
	return nil
}

// SaveResources implements [Store].
func (m *Memory) SaveResources(ctx context.Context, id string, resources ...Resource) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessionFor(id)
	for _, r := range resources {
		m.resources[r.ID] = r
		s.resources = append(s.resources, r.ID)
		s.size += len(r.Data)
	}
	m.use(s)
	return nil
}

// Resource implements [Store].
func (m *Memory) Resource(ctx context.Context, id string) (Resource, error) {
	if err := ctx.Err(); err != nil {
		return Resource{}, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	r, ok := m.resources[id]
	if !ok {
		return Resource{}, ErrNotFound
	}
	return r, nil
}

// sessionFor returns a session that can still be used, or a new one that isn't kept yet.
func (m *Memory) sessionFor(id string) *session {
	if s, ok := m.sessions[id]; ok && !m.inUse.expired(id) {
		return s
	}
	return &session{id: id}
}

// use keeps a session, and forgets those for which there is no more room.
func (m *Memory) use(s *session) {
	if old := m.sessions[s.id]; old != nil && old != s {
		m.forget(old)
	}
	m.sessions[s.id] = s
	for old := range m.inUse.put(s.id, s, s.size) {
		m.forget(old)
	}
}

func (m *Memory) forget(s *session) {
	delete(m.sessions, s.id)
	for _, id := range s.resources {
		delete(m.resources, id)
	}
}

func clone(s agentapi.Session) agentapi.Session {
	s.History = slices.Clone(s.History)
	return s
}
