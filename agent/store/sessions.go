package store

import (
	"context"
	"slices"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// session is a session with what it owns.
type session struct {
	id        string
	begun     bool // whether it is more than an owner of resources
	value     agentapi.Session
	resources []string
	saved     int // bytes of resources
}

// owned is a resource of a session.
type owned struct {
	Resource
	session string
}

// Session implements [Store].
func (m *Memory) Session(ctx context.Context, id string) (agentapi.Session, error) {
	if err := ctx.Err(); err != nil {
		return agentapi.Session{}, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	s, ok := m.sessions[id]
	if !ok || !s.begun || m.inUse.expired(id) {
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
	s.begun, s.value = true, clone(value) // the caller may have kept what it put there
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
		m.resources[r.ID] = owned{r, id}
		s.resources = append(s.resources, r.ID)
		s.saved += len(r.Data)
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
	if !ok || m.inUse.expired(r.session) {
		return Resource{}, ErrNotFound
	}
	return r.Resource, nil
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
	for old := range m.inUse.put(s.id, s, s.size()) {
		m.forget(old)
	}
}

func (m *Memory) forget(s *session) {
	delete(m.sessions, s.id)
	for _, id := range s.resources {
		delete(m.resources, id)
	}
}

// size is how many bytes a session takes. Clients can send a history of any length.
func (s *session) size() int {
	n := s.saved + len(s.value.State)
	for _, address := range s.value.History {
		n += len(address)
	}
	return n
}

func clone(s agentapi.Session) agentapi.Session {
	s.History = slices.Clone(s.History)
	if s.ID != nil {
		id := *s.ID
		s.ID = &id
	}
	return s
}
