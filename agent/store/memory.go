package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"
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

// Memory is a [Store] that lives as long as the process. It never forgets a run that goes on, nor, before
// it is too old, the run that ended last and the session that was changed last, however large they are.
type Memory struct {
	limits Limits

	mu        sync.RWMutex
	runs      map[string]*runLog
	ended     shelf[*runLog]
	sessions  map[string]*session
	inUse     shelf[*session]
	resources map[string]owned
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
		resources: map[string]owned{},
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
	signals []Entry       // those that nobody was told of yet
	telling bool          // whether somebody tells of signals; one at a time keeps their order
}

// Append implements [Store].
func (m *Memory) Append(ctx context.Context, run string, after uint64, entries ...Entry) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if i := slices.IndexFunc(entries, func(e Entry) bool { return e.Final }); i >= 0 && i < len(entries)-1 {
		return 0, ErrEnded
	}
	var last uint64
	log, err := m.log(run)
	switch {
	case err == nil:
		last, err = log.append(after, entries)
	case after == 0:
		log, last, err = m.begin(run, entries)
	case after != Anywhere:
		err = ErrConflict
	}
	if err != nil {
		return 0, err
	}
	if n := len(entries); n > 0 && entries[n-1].Final {
		m.shelve(log)
	}
	m.tell(log)
	return last, nil
}

// begin makes a log, unless somebody else has meanwhile. Nobody sees it before its first entries are there:
// it would be one of no length, to which Anywhere could add.
func (m *Memory) begin(run string, entries []Entry) (*runLog, uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	log, ok := m.runs[run]
	if !ok || m.ended.expired(run) {
		log = &runLog{id: run}
		if len(entries) > 0 {
			m.ended.drop(run) // or it would take the new log along when it goes
			m.runs[run] = log
		}
	}
	last, err := log.append(0, entries)
	return log, last, err
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
		if entry.Signal {
			l.signals = append(l.signals, entry)
		}
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
	if err := ctx.Err(); err != nil {
		return err
	}
	log, err := m.log(run)
	if err != nil {
		return err
	}
	for {
		log.mu.Lock()
		if log.ended || uint64(len(log.entries)) > after {
			log.mu.Unlock()
			return nil
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

// tell passes the signals of a log on. It holds no lock meanwhile: a listener may wait for somebody who
// appends, or append itself. Whoever comes then leaves its signals to the one who is telling.
func (m *Memory) tell(l *runLog) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.telling {
		return
	}
	l.telling = true
	defer func() { l.telling = false }()
	for len(l.signals) > 0 {
		signals := l.signals
		l.signals = nil
		func() {
			l.mu.Unlock()
			defer l.mu.Lock() // also when a listener panics
			m.tellAll(l.id, signals)
		}()
	}
}

func (m *Memory) tellAll(run string, signals []Entry) {
	for _, entry := range signals {
		m.mu.RLock()
		listeners := slices.Collect(maps.Keys(m.listeners))
		m.mu.RUnlock()
		for _, listener := range listeners {
			(*listener)(run, entry)
		}
	}
}
