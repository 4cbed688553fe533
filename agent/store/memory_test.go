package store_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cd3b852d/agentgen/agent/store"
	"github.com/cd3b852d/agentgen/agent/store/storetest"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

func TestMemoryIsAStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return store.NewMemory(store.Limits{}) })
}

func TestMemoryKeepsTheLastRuns(t *testing.T) {
	m := store.NewMemory(store.Limits{Runs: 2})
	begin(t, m, "goes on", "x")
	for _, run := range []string{"a", "b", "c"} {
		begin(t, m, run, "x")
		end(t, m, run)
	}
	wantRuns(t, m, map[string]bool{"goes on": true, "a": false, "b": true, "c": true})
}

func TestMemoryCountsARunFromItsEnd(t *testing.T) {
	m := store.NewMemory(store.Limits{Runs: 2})
	for _, run := range []string{"a", "b", "c"} {
		begin(t, m, run, "x")
	}
	for _, run := range []string{"c", "b", "a"} {
		end(t, m, run)
	}
	wantRuns(t, m, map[string]bool{"a": true, "b": true, "c": false})
}

func TestMemoryKeepsSoManyBytesOfRuns(t *testing.T) {
	m := store.NewMemory(store.Limits{Bytes: 100})
	begin(t, m, "goes on", string(make([]byte, 1000)))
	begin(t, m, "a", string(make([]byte, 60)))
	end(t, m, "a")
	begin(t, m, "b", string(make([]byte, 40)))
	end(t, m, "b")
	wantRuns(t, m, map[string]bool{"goes on": true, "a": true, "b": true})
	begin(t, m, "c", "x")
	end(t, m, "c")
	wantRuns(t, m, map[string]bool{"goes on": true, "a": false, "b": true, "c": true})
	begin(t, m, "too large", string(make([]byte, 101)))
	end(t, m, "too large")
	wantRuns(t, m, map[string]bool{"goes on": true, "b": false, "c": false, "too large": true})
}

func TestMemoryKeepsEndedRunsForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := store.NewMemory(store.Limits{RunAge: time.Minute})
		begin(t, m, "goes on", "x")
		begin(t, m, "a", "x")
		time.Sleep(time.Hour)
		end(t, m, "a")
		time.Sleep(time.Minute)
		wantRuns(t, m, map[string]bool{"goes on": true, "a": true})
		time.Sleep(time.Nanosecond)
		wantRuns(t, m, map[string]bool{"goes on": true, "a": false})
		wantNotFound(t, m.Wait(t.Context(), "a", 0))
		_, err := m.Append(t.Context(), "a", store.Anywhere, store.Entry{})
		wantNotFound(t, err)
		if _, err := m.Append(t.Context(), "a", 2, store.Entry{}); !errors.Is(err, store.ErrConflict) {
			t.Errorf("append to a forgotten run: %v", err)
		}
	})
}

// A name that comes again is a new run: when the old one's time comes, the new one stays.
func TestMemoryBeginsAForgottenRunAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := store.NewMemory(store.Limits{Runs: 1, RunAge: time.Minute})
		begin(t, m, "a", "old")
		end(t, m, "a")
		time.Sleep(time.Hour)
		begin(t, m, "a", "new")
		for _, run := range []string{"b", "c"} {
			begin(t, m, run, "x")
			end(t, m, run)
		}
		entries, err := m.Read(t.Context(), "a", 0)
		if err != nil || len(entries) != 1 || string(entries[0].Data) != "new" {
			t.Errorf("got %v and the error %v, want the new run", entries, err)
		}
		wantRuns(t, m, map[string]bool{"a": true, "b": false, "c": true})
	})
}

func TestMemoryKeepsTheSessionsChangedLast(t *testing.T) {
	m := store.NewMemory(store.Limits{Sessions: 2})
	touch(t, m, "a", "")
	save(t, m, "a", "of a", "x")
	touch(t, m, "b", "")
	save(t, m, "b", "of b", "x")
	touch(t, m, "a", "")
	touch(t, m, "c", "")
	wantSessions(t, m, map[string]bool{"a": true, "b": false, "c": true})
	wantResources(t, m, map[string]bool{"of a": true, "of b": false})
	save(t, m, "a", "more of a", "x")
	touch(t, m, "d", "")
	wantSessions(t, m, map[string]bool{"a": true, "c": false, "d": true})
	wantResources(t, m, map[string]bool{"of a": true, "more of a": true})
}

func TestMemoryKeepsSoManyBytesOfSessions(t *testing.T) {
	m := store.NewMemory(store.Limits{Bytes: 100})
	save(t, m, "a", "1", string(make([]byte, 30)))
	save(t, m, "a", "2", string(make([]byte, 30)))
	save(t, m, "b", "3", string(make([]byte, 40)))
	wantResources(t, m, map[string]bool{"1": true, "2": true, "3": true})
	touch(t, m, "c", "x")
	wantResources(t, m, map[string]bool{"1": false, "2": false, "3": true})
	touch(t, m, "d", string(make([]byte, 60))) // what clients send counts as well
	wantResources(t, m, map[string]bool{"3": false})
	wantSessions(t, m, map[string]bool{"c": true, "d": true})
	begin(t, m, "run", string(make([]byte, 100)))
	end(t, m, "run")
	wantSessions(t, m, map[string]bool{"c": true, "d": true})
}

func TestMemoryKeepsSessionsForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := store.NewMemory(store.Limits{SessionAge: time.Hour})
		touch(t, m, "a", "old")
		save(t, m, "a", "old", "x")
		time.Sleep(time.Hour)
		touch(t, m, "a", "old")
		time.Sleep(time.Hour)
		wantSessions(t, m, map[string]bool{"a": true})
		wantResources(t, m, map[string]bool{"old": true})
		time.Sleep(time.Nanosecond)
		wantSessions(t, m, map[string]bool{"a": false})
		wantResources(t, m, map[string]bool{"old": false})

		save(t, m, "a", "new", "x")
		wantSessions(t, m, map[string]bool{"a": false}) // it owns something, but nobody has begun it
		touch(t, m, "a", "new")
		wantResources(t, m, map[string]bool{"old": false, "new": true})
		if s, err := m.Session(t.Context(), "a"); err != nil || fmt.Sprint(s.History) != "[new]" {
			t.Errorf("got %v and the error %v, want a session that began anew", s, err)
		}
	})
}

func begin(t *testing.T, m *store.Memory, run, data string) {
	t.Helper()
	if _, err := m.Append(t.Context(), run, 0, store.Entry{Data: []byte(data)}); err != nil {
		t.Fatal(err)
	}
}

func end(t *testing.T, m *store.Memory, run string) {
	t.Helper()
	if _, err := m.Append(t.Context(), run, store.Anywhere, store.Entry{Final: true}); err != nil {
		t.Fatal(err)
	}
}

func touch(t *testing.T, m *store.Memory, id, address string) {
	t.Helper()
	err := m.UpdateSession(t.Context(), id, func(s *agentapi.Session) error {
		s.History = append(s.History, address)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func save(t *testing.T, m *store.Memory, session, id, data string) {
	t.Helper()
	if err := m.SaveResources(t.Context(), session, store.Resource{ID: id, Data: []byte(data)}); err != nil {
		t.Fatal(err)
	}
}

func wantRuns(t *testing.T, m *store.Memory, want map[string]bool) {
	t.Helper()
	wantThere(t, "run", want, func(id string) error { _, err := m.Read(t.Context(), id, 0); return err })
}

func wantSessions(t *testing.T, m *store.Memory, want map[string]bool) {
	t.Helper()
	wantThere(t, "session", want, func(id string) error { _, err := m.Session(t.Context(), id); return err })
}

func wantResources(t *testing.T, m *store.Memory, want map[string]bool) {
	t.Helper()
	wantThere(t, "resource", want, func(id string) error { _, err := m.Resource(t.Context(), id); return err })
}

func wantThere(t *testing.T, kind string, want map[string]bool, find func(id string) error) {
	t.Helper()
	for id, there := range want {
		if err := find(id); there && err != nil {
			t.Errorf("%s %q: %v", kind, id, err)
		} else if !there && !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s %q: got the error %v, want it forgotten", kind, id, err)
		}
	}
}

func wantNotFound(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got the error %v, want %v", err, store.ErrNotFound)
	}
}
