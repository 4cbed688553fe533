package gen_test

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/cd3b852d/agentgen/gen"
)

func longAgo() time.Time { return time.Date(2001, time.February, 3, 4, 5, 6, 0, time.UTC) }

// The cases yield the same bytes wherever they are, in whatever order their files were made, and when.
func TestDeterminism(t *testing.T) {
	offline(t)
	sound := slices.DeleteFunc(cases(t), func(c testCase) bool { return c.fails() })
	var first map[string]map[string]string
	for round := range 3 {
		dir := consumer(t, nil)
		var paths []string
		files := map[string]string{}
		for _, c := range sound {
			for name, data := range c.in {
				paths = append(paths, filepath.Join(c.name, name))
				files[filepath.Join(c.name, name)] = data
			}
		}
		r := rand.New(rand.NewPCG(uint64(round), 0)) //nolint:gosec // which order does not matter, that it comes again does
		slices.Sort(paths)
		r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
		for _, path := range paths {
			write(t, dir, map[string]string{path: files[path]})
			when := longAgo().Add(time.Duration(r.IntN(1e6)) * time.Second)
			if err := os.Chtimes(filepath.Join(dir, path), when, when); err != nil {
				t.Fatal(err)
			}
		}
		packages, err := gen.Run(t.Context(), gen.Options{Dir: dir, Patterns: []string{"./..."}})
		if err != nil {
			t.Fatal(err)
		}
		got := results(t, dir, packages)
		if first == nil {
			first = got
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("round %d differs: -first +now:\n%s", round, diff)
		}
	}
}

// Two runs at a time do not disturb each other, faults included. This is for the race detector.
func TestParallelRuns(t *testing.T) {
	offline(t)
	all := cases(t)
	dir := consumer(t, all)
	got := make([]map[string]string, 3)
	var group errgroup.Group
	for i := range got {
		group.Go(func() error {
			_, err := gen.Run(t.Context(), gen.Options{Dir: dir, Patterns: []string{"./..."}})
			got[i] = faults(t, dir, err)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if !maps.Equal(got[0], got[i]) {
			t.Errorf("run %d differs: %s", i, cmp.Diff(got[0], got[i]))
		}
	}
}
