package gen_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cd3b852d/agentgen/gen"
)

// TestCases compares what comes of each case with what it wants. go test ./gen -update records it instead.
//
// The cases are packages of one module, so that one run of the go command lists and one compiles them all.
func TestCases(t *testing.T) {
	offline(t)
	var sound, faulty []testCase
	for _, c := range cases(t) {
		if c.fails() {
			faulty = append(faulty, c)
		} else {
			sound = append(sound, c)
		}
	}
	t.Run("faulty", func(t *testing.T) {
		dir := consumer(t, faulty)
		packages, err := gen.Run(t.Context(), gen.Options{Dir: dir, Patterns: []string{"./..."}})
		if len(packages) > 0 {
			t.Errorf("%d packages in spite of faults", len(packages))
		}
		all := faults(t, dir, err)
		for _, c := range faulty {
			check(t, c, map[string]string{"want/errors": all[c.name]})
		}
	})
	t.Run("sound", func(t *testing.T) {
		dir := consumer(t, sound)
		packages, err := gen.Run(t.Context(), gen.Options{Dir: dir, Patterns: []string{"./..."}})
		if err != nil {
			t.Fatal(err)
		}
		all := results(t, dir, packages)
		for _, c := range sound {
			check(t, c, all[c.name])
		}
		writeAll(t, packages)
		header(t, packages)
		compiles(t, dir, packages)
	})
}

func check(t *testing.T, c testCase, got map[string]string) {
	t.Helper()
	t.Run(c.name, func(t *testing.T) {
		if *update {
			c.record(t, got)
			return
		}
		if len(bytes.TrimSpace(c.comment)) == 0 {
			t.Error("a case says at its top which behaviour it documents")
		}
		c.compare(t, got)
	})
}

func writeAll(t testing.TB, packages []gen.Package) {
	t.Helper()
	for _, p := range packages {
		if err := p.File.Write(); err != nil {
			t.Fatal(err)
		}
	}
}

// header checks what every generated file has: Go's marker of generated files, the format of gofmt, no line
// for go generate of its own (B5), and nothing that tells where it was made (G2 of the security cases).
func header(t *testing.T, packages []gen.Package) {
	t.Helper()
	marker := regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	for _, p := range packages {
		src := p.File.Content
		if src == nil {
			continue
		}
		formatted, err := format.Source(src)
		if err != nil {
			t.Errorf("%s: %v", p.Path, err)
			continue
		}
		if diff := cmp.Diff(string(formatted), string(src)); diff != "" {
			t.Errorf("%s is not as gofmt has it: -gofmt +got:\n%s", p.Path, diff)
		}
		if !marker.Match(src) || bytes.Contains(src, []byte("go:generate")) {
			t.Errorf("%s: has no marker, or a go:generate", p.Path)
		}
		for _, secret := range []string{os.TempDir(), p.Dir, os.Getenv("HOME")} {
			if len(secret) > 3 && bytes.Contains(src, []byte(secret)) {
				t.Errorf("%s tells %q", p.Path, secret)
			}
		}
	}
}

// compiles builds and vets the cases, and runs a program that prints their manifests and cards, which must
// be what the generator described.
func compiles(t *testing.T, dir string, packages []gen.Package) {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles all cases")
	}
	var imports, values strings.Builder
	var want []any
	for _, p := range packages {
		if len(p.Manifests) == 0 || filepath.Base(p.Path) == "command" || strings.Contains(p.Path, "/main_") {
			continue
		}
		name := fmt.Sprintf("p%d", len(want))
		fmt.Fprintf(&imports, "\t%s %q\n", name, p.Path)
		fmt.Fprintf(&values, "\t\t[]any{%s.AgentManifests(), %s.AgentCard()},\n", name, name)
		want = append(want, []any{p.Manifests, p.Card})
	}
	write(t, dir, map[string]string{"print/main.go": "package main\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n\n" + imports.String() +
		")\n\nfunc main() {\n\terr := json.NewEncoder(os.Stdout).Encode([]any{\n" + values.String() + "\t})\n\tif err != nil {\n\t\tpanic(err)\n\t}\n}\n"})
	run(t, dir, "vet", "./...")
	got := run(t, dir, "run", "./print")
	if diff := cmp.Diff(decoded(t, indent(t, want)), decoded(t, got)); diff != "" {
		t.Errorf("the literals are not the models: -model +literal:\n%s", diff)
	}
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestLineEnds checks that sources with CRLF yield what they yield without, faults at the same places
// included (D2).
func TestLineEnds(t *testing.T) {
	offline(t)
	all := cases(t)
	for i := range all {
		in := map[string]string{}
		for name, data := range all[i].in {
			if filepath.Base(name) != "agents.gen.go" {
				data = strings.ReplaceAll(data, "\n", "\r\n")
			}
			in[name] = data
		}
		all[i].in = in
	}
	compareAll(t, all)
}

// TestLineComments checks that what a comment claims about lines changes nothing, least of all the places of faults:
// a person opens the file, and the comment need not tell the truth.
func TestLineComments(t *testing.T) {
	offline(t)
	clause := regexp.MustCompile(`(?m)^package \w+$`)
	all := cases(t)
	for i := range all {
		in := map[string]string{}
		for name, data := range all[i].in {
			if filepath.Ext(name) == ".go" && filepath.Base(name) != "agents.gen.go" {
				data = clause.ReplaceAllString(data, "$0 /*line elsewhere.y:900:7*/")
			}
			in[name] = data
		}
		all[i].in = in
	}
	compareAll(t, all)
}

// compareAll compares what comes of cases that must be as recorded.
func compareAll(t *testing.T, all []testCase) {
	t.Helper()
	if *update {
		t.Skip("the cases are recorded as they are")
	}
	faulty := func(c testCase) bool { return c.fails() }
	sound := slices.DeleteFunc(slices.Clone(all), faulty)
	dir := consumer(t, sound)
	packages, err := gen.Run(t.Context(), gen.Options{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	got := results(t, dir, packages)
	for _, c := range sound {
		t.Run(c.name, func(t *testing.T) { c.compare(t, got[c.name]) })
	}
	broken := slices.DeleteFunc(slices.Clone(all), func(c testCase) bool { return !c.fails() })
	dir = consumer(t, broken)
	_, err = gen.Run(t.Context(), gen.Options{Dir: dir, Patterns: []string{"./..."}})
	lines := faults(t, dir, err)
	for _, c := range broken {
		t.Run(c.name, func(t *testing.T) { c.compare(t, map[string]string{"want/errors": lines[c.name]}) })
	}
}
