package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent/store"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

//nolint:gochecknoglobals // the rules are data, and nobody changes them
var sessions = []rule{
	{"An unknown session is ErrNotFound", func(t *tester) {
		_, err := t.store.Session(t.Context(), uuid.NewString())
		t.wantError("Session", err, store.ErrNotFound)
	}},
	{"UpdateSession begins a session and changes it", func(t *tester) {
		id := uuid.New()
		t.update(id, func(s *agentapi.Session) {
			if s.ID != nil || s.History != nil || s.State != "" {
				t.Errorf("a new session has %+v", *s)
			}
			s.ID, s.History = &id, []string{"a"}
		})
		t.update(id, func(s *agentapi.Session) { s.History, s.State = append(s.History, "b"), "state" })
		t.wantSession(id, "state", "a", "b")
	}},
	{"An error of UpdateSession is returned and leaves the session unchanged", func(t *tester) {
		id, refusal := uuid.New(), errors.New("refused")
		spoil := func(s *agentapi.Session) error {
			s.State = "spoilt"
			s.History = append(s.History[:0], "spoilt")
			return refusal
		}
		t.wantError("UpdateSession", t.store.UpdateSession(t.Context(), id.String(), spoil), refusal)
		_, err := t.store.Session(t.Context(), id.String())
		t.wantError("Session", err, store.ErrNotFound)
		t.update(id, func(s *agentapi.Session) { s.ID, s.History = &id, []string{"a", "b"} })
		t.wantError("UpdateSession", t.store.UpdateSession(t.Context(), id.String(), spoil), refusal)
		t.wantSession(id, "", "a", "b")
	}},
	{"Updates of a session at once lose nothing", func(t *tester) {
		id := uuid.New()
		results := together(func(i int) error {
			return t.store.UpdateSession(t.Context(), id.String(), func(s *agentapi.Session) error {
				s.ID, s.History = &id, append(s.History, fmt.Sprint(i))
				return nil
			})
		})
		if want := map[error]int{nil: crowd}; !maps.Equal(results, want) {
			t.Errorf("got %v, want %v", results, want)
		}
		s, err := t.store.Session(t.Context(), id.String())
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(s.History)
		if got := len(slices.Compact(s.History)); got != crowd {
			t.Errorf("%d updates are there, want %d", got, crowd)
		}
	}},
	{"What is returned of a session, and what it was made of, is a copy", func(t *tester) {
		id := uuid.New()
		mine, history := id, []string{"a", "b"}
		var inside *agentapi.Session
		t.update(id, func(s *agentapi.Session) { s.ID, s.History, inside = &mine, history, s })
		history[0], mine, inside.State = "spoilt", uuid.Nil, "spoilt"
		got := t.wantSession(id, "", "a", "b")
		got.History[1], *got.ID = "spoilt", uuid.Nil
		t.wantSession(id, "", "a", "b")
	}},
}

func (t *tester) update(id uuid.UUID, change func(*agentapi.Session)) {
	t.Helper()
	err := t.store.UpdateSession(t.Context(), id.String(), func(s *agentapi.Session) error {
		change(s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (t *tester) wantSession(id uuid.UUID, state string, history ...string) agentapi.Session {
	t.Helper()
	s, err := t.store.Session(t.Context(), id.String())
	if err != nil {
		t.Fatal(err)
	}
	if s.ID == nil || *s.ID != id || s.State != state || !slices.Equal(s.History, history) {
		t.Fatalf("got the session %v with the state %q and the history %q, want %v, %q, %q", s.ID, s.State, s.History, id, state, history)
	}
	return s
}

//nolint:gochecknoglobals // the rules are data, and nobody changes them
var resources = []rule{
	{"Resources saved with a session are readable, all bytes", func(t *tester) {
		id := uuid.New()
		t.update(id, func(s *agentapi.Session) { s.ID = &id })
		saved := []store.Resource{resource(nil), resource([]byte("small")), resource(everyByte(3 << 20))}
		t.save(id, saved...)
		t.save(id, resource([]byte("another")))
		t.wantResources(saved...)
		t.wantSession(id, "")
	}},
	{"Resources may be saved before their session begins", func(t *tester) {
		id, saved := uuid.New(), resource([]byte("early"))
		t.save(id, saved)
		t.update(id, func(s *agentapi.Session) { s.ID, s.State = &id, saved.ID })
		t.wantResources(saved)
		t.wantSession(id, saved.ID)
	}},
	{"Resources saved at once are all there", func(t *tester) {
		id := uuid.New()
		saved := make([]store.Resource, crowd)
		for i := range saved {
			saved[i] = resource(fmt.Append(nil, i))
		}
		results := together(func(i int) error { return t.store.SaveResources(t.Context(), id.String(), saved[i]) })
		if want := map[error]int{nil: crowd}; !maps.Equal(results, want) {
			t.Errorf("got %v, want %v", results, want)
		}
		t.wantResources(saved...)
	}},
	{"An unknown resource is ErrNotFound", func(t *tester) {
		_, err := t.store.Resource(t.Context(), uuid.NewString())
		t.wantError("Resource", err, store.ErrNotFound)
	}},
}

func resource(data []byte) store.Resource {
	return store.Resource{ID: uuid.NewString(), ContentType: "application/json; charset=utf-8", Data: data}
}

// everyByte is more than fits into one message of most brokers, and no text.
func everyByte(size int) []byte {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i + i>>8)
	}
	return data
}

func (t *tester) save(session uuid.UUID, resources ...store.Resource) {
	t.Helper()
	if err := t.store.SaveResources(t.Context(), session.String(), resources...); err != nil {
		t.Fatal(err)
	}
}

func (t *tester) wantResources(want ...store.Resource) {
	t.Helper()
	for _, w := range want {
		got, err := t.store.Resource(t.Context(), w.ID)
		if err != nil || got.ID != w.ID || got.ContentType != w.ContentType || !bytes.Equal(got.Data, w.Data) {
			t.Errorf("got %s, %s with %d bytes and the error %v, want %s, %s with %d bytes",
				got.ID, got.ContentType, len(got.Data), err, w.ID, w.ContentType, len(w.Data))
		}
	}
}

//nolint:gochecknoglobals // the rules are data, and nobody changes them
var contexts = []rule{
	{"Cancelled contexts are refused", func(t *tester) {
		id, saved := uuid.New(), resource([]byte("a"))
		t.must(0, 1, entry("a"))
		t.update(id, func(s *agentapi.Session) { s.ID = &id })
		t.save(id, saved)
		for name, err := range callsWith(t, id.String(), saved.ID) {
			if !errors.Is(err, cancelled(t).Err()) {
				t.Errorf("%s: got the error %v, want that of the context", name, err)
			}
		}
		t.want(0, entry("a"))
		t.wantSession(id, "")
	}},
}

// callsWith calls each method with a context that has ended.
func callsWith(t *tester, session, resourceID string) map[string]error {
	ctx, unsaved := cancelled(t), resource([]byte("b"))
	_, appended := t.store.Append(ctx, t.run, store.Anywhere, entry("b"))
	_, begun := t.store.Append(ctx, uuid.NewString(), 0, entry("b"))
	_, read := t.store.Read(ctx, t.run, 0)
	_, found := t.store.Session(ctx, session)
	_, loaded := t.store.Resource(ctx, resourceID)
	return map[string]error{
		"Append": appended, "Append to begin": begun, "Read": read, "Session": found, "Resource": loaded,
		"Wait":                   t.store.Wait(ctx, t.run, 0),
		"Wait for what will not": t.store.Wait(ctx, t.run, 1),
		"Wait for an unknown":    t.store.Wait(ctx, uuid.NewString(), 0),
		"SaveResources":          t.store.SaveResources(ctx, session, unsaved),
		"UpdateSession": t.store.UpdateSession(ctx, session, func(s *agentapi.Session) error {
			s.State = "spoilt"
			return nil
		}),
	}
}
