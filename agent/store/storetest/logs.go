package storetest

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent/store"
)

//nolint:gochecknoglobals // the rules are data, and nobody changes them
var appending = []rule{
	{"Append after zero begins a log", func(t *tester) {
		t.must(0, 2, entry("a"), signalEntry("b"))
		t.want(0, entry("a"), signalEntry("b"))
	}},
	{"A second beginning is ErrConflict", func(t *tester) {
		t.must(0, 1, entry("a"))
		t.refuse(store.ErrConflict, 0, entry("b"))
	}},
	{"Append after another number than there are is ErrConflict and appends nothing", func(t *tester) {
		t.refuse(store.ErrConflict, 1, entry("a"))
		t.must(0, 2, entry("a"), entry("b"))
		t.refuse(store.ErrConflict, 1, entry("c"))
		t.refuse(store.ErrConflict, 3, entry("c"))
		t.want(0, entry("a"), entry("b"))
	}},
	{"Append Anywhere on nothing is ErrNotFound", func(t *tester) {
		t.refuse(store.ErrNotFound, store.Anywhere, entry("a"))
	}},
	{"After a final entry Append is ErrEnded", func(t *tester) {
		t.must(0, 2, entry("a"), finalEntry())
		t.refuse(store.ErrEnded, store.Anywhere, entry("b"))
		t.refuse(store.ErrEnded, 2, finalEntry())
		t.want(0, entry("a"), finalEntry())
	}},
	{"A final entry before others is ErrEnded and appends nothing", func(t *tester) {
		t.refuse(store.ErrEnded, 0, finalEntry(), entry("a"))
		t.must(0, 1, entry("a"))
		t.refuse(store.ErrEnded, 1, finalEntry(), entry("b"))
		t.refuse(store.ErrEnded, store.Anywhere, finalEntry(), finalEntry())
	}},
	{"Entries are numbered without gaps, whatever numbers they bring", func(t *tester) {
		brought := entry("b")
		brought.Seq = 99
		t.must(0, 1, entry("a"))
		t.refuse(store.ErrConflict, 7, entry("refused"))
		t.must(1, 2, brought)
		t.must(store.Anywhere, 4, entry("c"), entry("d"))
		t.want(0, entry("a"), entry("b"), entry("c"), entry("d"))
	}},
	{"Append of no entries changes nothing", func(t *tester) {
		t.must(0, 0)
		t.refuse(store.ErrNotFound, store.Anywhere)
		t.must(0, 2, entry("a"), entry("b"))
		t.must(2, 2)
		t.must(store.Anywhere, 2)
		t.want(0, entry("a"), entry("b"))
	}},
	{"Runs have nothing to do with each other", func(t *tester) {
		t.must(0, 2, entry("a"), finalEntry())
		t.run = uuid.NewString()
		t.must(0, 1, entry("b"))
		t.want(0, entry("b"))
	}},
	{"Of many Appends after the same number one wins", oneWins},
	{"Of many beginnings one wins, all or none", oneBegins},
	{"Appends Anywhere at once lose nothing and divide nothing", allArrive},
	{"Of many final entries one is appended", func(t *tester) {
		t.must(0, 1, entry("a"))
		results := together(func(int) error {
			_, err := t.store.Append(t.Context(), t.run, store.Anywhere, finalEntry())
			return err
		})
		if want := map[error]int{nil: 1, store.ErrEnded: crowd - 1}; !maps.Equal(results, want) {
			t.Errorf("got %v, want %v", results, want)
		}
		t.want(0, entry("a"), finalEntry())
	}},
}

func oneWins(t *tester) {
	t.must(0, 1, entry("a"))
	results := together(func(i int) error {
		_, err := t.store.Append(t.Context(), t.run, 1, entry(fmt.Sprint(i)), entry(fmt.Sprint(i)))
		return err
	})
	if want := map[error]int{nil: 1, store.ErrConflict: crowd - 1}; !maps.Equal(results, want) {
		t.Errorf("got %v, want %v", results, want)
	}
	t.wantPairs(1, 1)
}

// oneBegins tries to add to the log meanwhile, too: that finds the log whole or not at all. The moment in
// which it could find less is short, hence several runs.
func oneBegins(t *tester) {
	for range 20 {
		t.run = uuid.NewString()
		results := together(func(i int) error {
			after := uint64(0)
			if i%2 == 1 {
				after = store.Anywhere
			}
			_, err := t.store.Append(t.Context(), t.run, after, entry(fmt.Sprint(i)), entry(fmt.Sprint(i)))
			return err
		})
		if lost := results[store.ErrConflict]; lost != crowd/2-1 {
			t.Errorf("%d beginnings lost, want all of %d but one: %v", lost, crowd/2, results)
		}
		t.wantPairs(0, results[nil])
	}
}

func allArrive(t *tester) {
	t.must(0, 1, entry("a"))
	results := together(func(i int) error {
		_, err := t.store.Append(t.Context(), t.run, store.Anywhere, entry(fmt.Sprint(i)), entry(fmt.Sprint(i)))
		return err
	})
	if want := map[error]int{nil: crowd}; !maps.Equal(results, want) {
		t.Errorf("got %v, want %v", results, want)
	}
	t.wantPairs(1, crowd)
}

// wantPairs reads entries that were appended two by two, each pair different from the others.
func (t *tester) wantPairs(after uint64, count int) {
	t.Helper()
	got, err := t.store.Read(t.Context(), t.run, after)
	if err != nil || len(got) != 2*count {
		t.Fatalf("got %d entries and the error %v, want %d entries", len(got), err, 2*count)
	}
	seen := map[string]bool{}
	for i, e := range got {
		if e.Seq != after+uint64(i)+1 {
			t.Errorf("entry %d has the number %d", i, e.Seq)
		}
		text := string(e.Data)
		if i%2 == 1 && text != string(got[i-1].Data) {
			t.Errorf("entries %d and %d were not appended together: %s", i-1, i, show(got[i-1:i+1]))
		}
		if i%2 == 0 && seen[text] {
			t.Errorf("%s is there twice", text)
		}
		seen[text] = true
	}
}

//nolint:gochecknoglobals // the rules are data, and nobody changes them
var reading = []rule{
	{"Read returns the entries after the first ones", func(t *tester) {
		t.must(0, 3, entry("a"), entry("b"), finalEntry())
		t.want(0, entry("a"), entry("b"), finalEntry())
		t.want(1, entry("b"), finalEntry())
		t.want(3)
		t.want(9)
	}},
	{"What was read stays as it was", func(t *tester) {
		t.must(0, 1, entry("a"))
		before, err := t.store.Read(t.Context(), t.run, 0)
		if err != nil {
			t.Fatal(err)
		}
		_ = append(before, entry("not for the log"))
		t.must(1, 3, entry("b"), entry("c"))
		t.want(0, entry("a"), entry("b"), entry("c"))
		if len(before) != 1 || string(before[0].Data) != `"a"` {
			t.Errorf("what was read became %s", show(before))
		}
	}},
	{"Read of an unknown run is ErrNotFound", func(t *tester) {
		_, err := t.store.Read(t.Context(), t.run, 0)
		t.wantError("Read", err, store.ErrNotFound)
	}},
}

//nolint:gochecknoglobals // the rules are data, and nobody changes them
var waiting = []rule{
	{"Wait for an unknown run is ErrNotFound", func(t *tester) {
		t.wantError("Wait", t.store.Wait(t.Context(), t.run, 0), store.ErrNotFound)
	}},
	{"Wait returns at once for what is there", func(t *tester) {
		t.must(0, 2, entry("a"), entry("b"))
		for after := range uint64(2) {
			t.wantError("Wait", t.soon(t.wait(t.Context(), after)), nil)
		}
	}},
	{"Wait returns when an entry comes, to all who wait", func(t *tester) {
		t.must(0, 1, entry("a"))
		first, second, further := t.wait(t.Context(), 1), t.wait(t.Context(), 1), t.wait(t.Context(), 2)
		t.notYet(first)
		t.must(1, 2, entry("b"))
		t.wantError("Wait", t.soon(first), nil)
		t.wantError("Wait", t.soon(second), nil)
		t.notYet(further)
		t.must(2, 3, entry("c"))
		t.wantError("Wait", t.soon(further), nil)
		t.want(2, entry("c"))
	}},
	{"Wait returns when the log ends, and at once when it has", func(t *tester) {
		t.must(0, 1, entry("a"))
		result := t.wait(t.Context(), 9)
		t.notYet(result)
		t.must(1, 2, finalEntry())
		t.wantError("Wait", t.soon(result), nil)
		t.wantError("Wait", t.soon(t.wait(t.Context(), 2)), nil)
	}},
	{"Wait ends with its context", func(t *tester) {
		t.must(0, 1, entry("a"))
		ctx, cancel := context.WithCancel(t.Context())
		result := t.wait(ctx, 1)
		t.notYet(result)
		cancel()
		t.wantError("Wait", t.soon(result), context.Canceled)
		brief, cancel := context.WithTimeout(t.Context(), moment)
		defer cancel()
		t.wantError("Wait", t.soon(t.wait(brief, 1)), context.DeadlineExceeded)
	}},
	{"Who reads and waits in turn misses nothing", func(t *tester) {
		t.must(0, 1, entry("a"))
		result := later(func() error {
			for i := range crowd {
				if _, err := t.store.Append(t.Context(), t.run, uint64(i)+1, entry(fmt.Sprint(i))); err != nil {
					return err
				}
			}
			_, err := t.store.Append(t.Context(), t.run, store.Anywhere, finalEntry())
			return err
		})
		var got []store.Entry
		for len(got) == 0 || !got[len(got)-1].Final {
			t.wantError("Wait", t.soon(t.wait(t.Context(), uint64(len(got)))), nil)
			more, err := t.store.Read(t.Context(), t.run, uint64(len(got)))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, more...)
		}
		t.wantError("Append", t.soon(result), nil)
		t.want(0, slices.Clone(got)...)
		if len(got) != crowd+2 {
			t.Errorf("got %d entries, want %d", len(got), crowd+2)
		}
	}},
}

func (t *tester) wait(ctx context.Context, after uint64) <-chan error {
	return later(func() error { return t.store.Wait(ctx, t.run, after) })
}
