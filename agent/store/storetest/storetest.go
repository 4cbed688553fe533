// Package storetest shows whether a [store.Store] keeps its promises.
//
// Not its job: what a store promises besides, such as how long it keeps what has ended.
//
// Invariants: it uses names that nobody else uses, so stores may share what they are built upon; it takes
// nothing for late that comes within ten seconds.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent/store"
)

const (
	// patience is how long something that has to happen may take.
	patience = 10 * time.Second
	// moment is how long the suite watches that nothing happens.
	moment = 50 * time.Millisecond
	// crowd is how many do the same at once.
	crowd = 50
)

// Run tests a store. The function opens one for each subtest; it may clean up with the subtest.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	t.Helper()
	for _, group := range [][]rule{appending, reading, waiting, signals, sessions, resources, contexts} {
		for _, r := range group {
			t.Run(r.name, func(t *testing.T) { r.check(&tester{T: t, store: open(t), run: uuid.NewString()}) })
		}
	}
}

// rule is something that every store does.
type rule struct {
	name  string
	check func(t *tester)
}

// tester tests a rule with a store and a run of its own.
type tester struct {
	*testing.T
	store store.Store
	run   string
}

func entry(text string) store.Entry {
	return store.Entry{Type: "test", Data: fmt.Appendf(nil, "%q", text)}
}

func signalEntry(text string) store.Entry {
	return store.Entry{Type: "test", Data: fmt.Appendf(nil, "%q", text), Signal: true}
}

func finalEntry() store.Entry { return store.Entry{Type: "test", Data: []byte(`"final"`), Final: true} }

// must appends what has to be appended.
func (t *tester) must(after, want uint64, entries ...store.Entry) {
	t.Helper()
	switch got, err := t.store.Append(t.Context(), t.run, after, entries...); {
	case err != nil:
		t.Fatalf("append after %d: %v", after, err)
	case got != want:
		t.Fatalf("append after %d: the log has %d entries, want %d", after, got, want)
	}
}

// refuse appends what has to be refused, with nothing of it kept.
func (t *tester) refuse(want error, after uint64, entries ...store.Entry) {
	t.Helper()
	before, errBefore := t.store.Read(t.Context(), t.run, 0)
	if _, err := t.store.Append(t.Context(), t.run, after, entries...); !errors.Is(err, want) {
		t.Errorf("append after %d: got the error %v, want %v", after, err, want)
	}
	now, errNow := t.store.Read(t.Context(), t.run, 0)
	if len(now) != len(before) || errors.Is(errBefore, store.ErrNotFound) != errors.Is(errNow, store.ErrNotFound) {
		t.Errorf("append after %d: was refused but left %d entries (%v), want %d (%v)", after, len(now), errNow, len(before), errBefore)
	}
}

// want reads and compares.
func (t *tester) want(after uint64, want ...store.Entry) {
	t.Helper()
	got, err := t.store.Read(t.Context(), t.run, after)
	if err != nil {
		t.Fatalf("read after %d: %v", after, err)
	}
	for i := range want {
		want[i].Seq = after + uint64(i) + 1
	}
	if !slices.EqualFunc(got, want, same) {
		t.Errorf("read after %d:\n got %s\nwant %s", after, show(got), show(want))
	}
}

func same(a, b store.Entry) bool {
	return a.Seq == b.Seq && a.Type == b.Type && string(a.Data) == string(b.Data) && a.Signal == b.Signal && a.Final == b.Final
}

func show(entries []store.Entry) string {
	text := ""
	for _, e := range entries {
		text += fmt.Sprintf("{%d %s %s signal=%t final=%t} ", e.Seq, e.Type, e.Data, e.Signal, e.Final)
	}
	return text
}

// wantError compares the error of a call.
func (t *tester) wantError(call string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got the error %v, want %v", call, got, want)
	}
}

// together does something many times at once, and returns how often each result came.
func together(do func(i int) error) map[error]int {
	var mu sync.Mutex
	results := map[error]int{}
	var group sync.WaitGroup
	start := make(chan struct{})
	for i := range crowd {
		group.Go(func() {
			<-start
			err := do(i)
			for _, known := range []error{store.ErrConflict, store.ErrEnded, store.ErrNotFound} {
				if errors.Is(err, known) {
					err = known // a store may say more
				}
			}
			mu.Lock()
			defer mu.Unlock()
			results[err]++
		})
	}
	close(start)
	group.Wait()
	return results
}

// later does something that takes its time, and returns where its error arrives.
func later(do func() error) <-chan error {
	result := make(chan error, 1)
	go func() { result <- do() }()
	return result
}

// soon waits for an error.
func (t *tester) soon(result <-chan error) error {
	t.Helper()
	select {
	case err := <-result:
		return err
	case <-time.After(patience):
		t.Fatalf("nothing happened within %v", patience)
		return nil
	}
}

// notYet watches that no error arrives.
func (t *tester) notYet(result <-chan error) {
	t.Helper()
	select {
	case err := <-result:
		t.Fatalf("returned too early, with the error %v", err)
	case <-time.After(moment):
	}
}

func cancelled(t *tester) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
