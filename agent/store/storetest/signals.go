package storetest

import (
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent/store"
)

//nolint:gochecknoglobals // the rules are data, and nobody changes them
var signals = []rule{
	{"Signals reach every listener, with their numbers and nothing else", func(t *tester) {
		one, other := t.listen(), t.listen()
		t.must(0, 3, entry("a"), signalEntry("b"), entry("c"))
		t.must(store.Anywhere, 5, signalEntry("d"), signalEntry("e"))
		t.must(5, 7, signalEntry("f"), finalEntry())
		for _, l := range []*listener{one, other} {
			t.hears(l, 2, 4, 5, 6)
			if got := l.entries()[0]; string(got.Data) != `"b"` || got.Type != "test" || !got.Signal || got.Final {
				t.Errorf("got the signal %s", show([]store.Entry{got}))
			}
		}
	}},
	{"Signals of what is refused reach nobody", func(t *tester) {
		l := t.listen()
		t.must(0, 1, entry("a"))
		t.refuse(store.ErrConflict, 7, signalEntry("b"))
		t.must(1, 2, signalEntry("c"))
		t.hears(l, 2)
	}},
	{"Signals of one run come in the order of its log", func(t *tester) {
		l := t.listen()
		t.must(0, 1, entry("a"))
		together(func(i int) error {
			_, err := t.store.Append(t.Context(), t.run, store.Anywhere, signalEntry(fmt.Sprint(i)), entry("-"), signalEntry(fmt.Sprint(i)))
			return err
		})
		var want []uint64
		for i := range uint64(crowd) {
			want = append(want, 3*i+2, 3*i+4)
		}
		t.hears(l, want...)
	}},
	{"Signals of many runs reach a listener", func(t *tester) {
		first := t.run
		l := t.listen()
		t.must(0, 1, signalEntry("a"))
		t.run = uuid.NewString()
		other := t.listen()
		t.must(0, 2, entry("b"), signalEntry("c"))
		t.hears(other, 2)
		t.run = first
		t.hears(l, 1)
	}},
	{"A listener may append to the run that signals", func(t *tester) {
		failed := make(chan error, 1)
		var once sync.Once
		stop := t.store.Listen(func(run string, _ store.Entry) {
			if run == t.run {
				once.Do(func() {
					_, err := t.store.Append(t.Context(), run, store.Anywhere, entry("answer"))
					failed <- err
				})
			}
		})
		defer stop()
		t.must(0, 1, signalEntry("a"))
		t.wantError("Append", t.soon(failed), nil)
		t.want(1, entry("answer"))
	}},
	{"After stop no more signals come, and others hear on", func(t *tester) {
		stopped, other := t.listen(), t.listen()
		t.must(0, 1, signalEntry("a"))
		t.hears(stopped, 1)
		stopped.stop()
		stopped.stop() // as a caller may who cleans up twice
		t.must(1, 2, signalEntry("b"))
		t.hears(other, 1, 2)
		time.Sleep(moment)
		t.hears(stopped, 1)
	}},
}

// listener collects the signals of one run.
type listener struct {
	stop  func()
	mu    sync.Mutex
	heard []store.Entry
}

func (t *tester) listen() *listener {
	l, run := &listener{}, t.run
	l.stop = t.store.Listen(func(from string, e store.Entry) {
		if from != run {
			return // of a test that shares what the stores are built upon
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.heard = append(l.heard, e)
	})
	t.Cleanup(l.stop)
	return l
}

func (l *listener) entries() []store.Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]store.Entry(nil), l.heard...)
}

// hears waits for signals and compares their numbers.
func (t *tester) hears(l *listener, want ...uint64) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for len(l.entries()) < len(want) && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	got := []uint64{}
	for _, e := range l.entries() {
		got = append(got, e.Seq)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("heard the signals %v, want %v", got, want)
	}
}
