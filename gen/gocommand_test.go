package gen_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cd3b852d/agentgen/gen"
)

const oneAgent = "// Package a has an agent.\npackage a\n\n// A is an agent.\n//\n//agent:register\nfunc A() error { return nil }\n"

// generate runs the generator as the command does, writes the files, and returns the packages.
func generate(t *testing.T, dir string, patterns ...string) []gen.Package {
	t.Helper()
	packages, err := gen.Run(t.Context(), gen.Options{Dir: dir, Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	writeAll(t, packages)
	return packages
}

// refuses runs the generator, which must fail, and returns what it says.
func refuses(t *testing.T, dir string, patterns ...string) string {
	t.Helper()
	packages, err := gen.Run(t.Context(), gen.Options{Dir: dir, Patterns: patterns})
	if err == nil {
		t.Fatalf("no error, %d packages", len(packages))
	}
	return err.Error()
}

func exists(t *testing.T, path string) bool {
	t.Helper()
	_, err := os.Stat(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return err == nil
}

// G1: a program calls RegisterAgents before there is one.
func TestCallBeforeGeneration(t *testing.T) {
	offline(t)
	dir := module(t, map[string]string{"main.go": `// Command cases calls what is not there yet.
package main

import "github.com/cd3b852d/agentgen/agent"

func main() {
	r := agent.NewRegistry()
	if err := RegisterAgents(r); err != nil {
		panic(err)
	}
	println(HelloName)
}

// Hello greets.
//
//agent:register
func Hello() error { return nil }
`})
	generate(t, dir)
	run(t, dir, "vet", ".")
}

// G1: the old file does not compile any more, is of a package that was renamed since, or holds what a merge left
// there. Nothing of it is in the way, since only its owner is read from it.
func TestStaleFileThatDoesNotCompile(t *testing.T) {
	offline(t)
	before := "// Package a has an agent.\npackage a\n\n// T was renamed.\ntype T struct{}\n\n// M is an agent.\n//\n//agent:register\nfunc (T) M(in T) error { return nil }\n"
	dir := module(t, map[string]string{"a/a.go": before})
	generate(t, dir, "./a")
	for name, change := range map[string]func(string) string{
		"a type was renamed":    func(s string) string { return strings.ReplaceAll(s, "T", "Renamed") },
		"the package was":       func(s string) string { return strings.Replace(s, "package a", "package other", 1) },
		"the function was":      func(s string) string { return strings.ReplaceAll(s, " M(", " N(") },
		"imports a missing one": func(s string) string { return s + "\nvar _ = missing.X\n" },
	} {
		t.Run(name, func(t *testing.T) {
			write(t, dir, map[string]string{"a/a.go": change(before)})
			packages := generate(t, dir, "./a")
			if len(packages) != 1 || len(packages[0].Manifests) != 1 {
				t.Errorf("got %d packages", len(packages))
			}
		})
	}
	t.Run("a merge", func(t *testing.T) {
		write(t, dir, map[string]string{"a/a.go": before, "a/agents.gen.go": "<<<<<<< HEAD\npackage a\n=======\n"})
		if said := refuses(t, dir, "./a"); !strings.Contains(said, "--force") {
			t.Errorf("got %q, which does not say how to go on", said)
		}
		packages, err := gen.Run(t.Context(), gen.Options{Dir: dir, Patterns: []string{"./a"}, Force: true})
		if err != nil {
			t.Fatal(err)
		}
		writeAll(t, packages)
		run(t, dir, "vet", "./a")
	})
}

// G3: an agent in a file that uses cgo is a fault, whether cgo is on or off: there the file is built, here it is not.
func TestCgo(t *testing.T) {
	offline(t)
	cgo := "package a\n\n// int x;\nimport \"C\"\n\n// B is an agent.\n//\n//agent:register\nfunc B(in C.int) error { return nil }\n"
	dir := module(t, map[string]string{"a.go": oneAgent, "b.go": cgo})
	for _, enabled := range []string{"0", "1"} {
		t.Setenv("CGO_ENABLED", enabled)
		said := refuses(t, dir)
		if !strings.Contains(said, `b.go:8:1: //agent:register stands in a file that is not built everywhere (import "C")`) {
			t.Errorf("CGO_ENABLED=%s: got %q", enabled, said)
		}
		if enabled == "1" && !strings.Contains(said, "C.int, which only cgo knows") {
			t.Errorf("got %q", said)
		}
	}
}

// G3: what is generated, and what is wrong, is the same wherever the go command thinks that it is.
func TestSystems(t *testing.T) {
	for _, system := range []string{"linux/amd64", "windows/arm64", "plan9/386", "darwin/arm64"} {
		t.Run(system, func(t *testing.T) {
			offline(t)
			goos, arch, _ := strings.Cut(system, "/")
			t.Setenv("GOOS", goos)
			t.Setenv("GOARCH", arch)
			compareAll(t, slices.DeleteFunc(cases(t), func(c testCase) bool { return !strings.HasPrefix(c.name, "g3_") }))
		})
	}
}

// G4, B11: a workspace that does not list the module is an error that says so; one that lists it is none.
func TestWorkspace(t *testing.T) {
	offline(t)
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "")
	dir := realTempDir(t)
	write(t, dir, map[string]string{
		"go.work":      "go 1.26\n\nuse ./other\n",
		"other/go.mod": "module example.com/other\n\ngo 1.26\n",
		"other/a.go":   oneAgent,
		"ours/go.mod":  "module example.com/ours\n\ngo 1.26\n",
		"ours/a.go":    oneAgent,
	})
	for _, pattern := range []string{".", "./..."} {
		if said := refuses(t, filepath.Join(dir, "ours"), pattern); !strings.Contains(said, "go.work") || !strings.Contains(said, "GOWORK=off") {
			t.Errorf("%s: got %q, want the workspace and the way around it", pattern, said)
		}
	}
	t.Setenv("GOWORK", "off")
	generate(t, filepath.Join(dir, "ours"))
	t.Setenv("GOWORK", "")
	write(t, dir, map[string]string{"go.work": "go 1.26\n\nuse (\n\t./other\n\t./ours\n)\n"})
	if got := len(generate(t, dir, "./ours/...", "./other/...")); got != 2 {
		t.Errorf("got %d packages of the workspace, want 2", got)
	}
}

// G4, B10: a module with a folder of its dependencies needs neither network nor module cache.
func TestVendor(t *testing.T) {
	offline(t)
	t.Setenv("GOFLAGS", "-mod=vendor")
	t.Setenv("GOMODCACHE", t.TempDir())
	dir := realTempDir(t)
	write(t, dir, map[string]string{
		"go.mod":                             "module example.com/cases\n\ngo 1.26\n\nrequire example.com/dep v1.0.0\n",
		"vendor/modules.txt":                 "# example.com/dep v1.0.0\n## explicit; go 1.26\nexample.com/dep/go-dto\n",
		"vendor/example.com/dep/go-dto/a.go": "package dto\n\ntype T struct{}\n",
		"a.go":                               strings.Replace(strings.Replace(oneAgent, "A()", "A(in dto.T)", 1), "package a\n", "package a\n\nimport \"example.com/dep/go-dto\"\n", 1),
	})
	if got := string(generate(t, dir)[0].File.Content); !strings.Contains(got, `dto "example.com/dep/go-dto"`) {
		t.Errorf("the vendored package is not imported:\n%s", got)
	}
}

// G4: a module in a subdirectory, patterns relative to Dir, packages of several names.
func TestPatterns(t *testing.T) {
	offline(t)
	dir := module(t, map[string]string{"deep/er/a/a.go": oneAgent, "deep/er/b/b.go": "package b\n", "deep/t/t_test.go": "package t\n"})
	packages := generate(t, filepath.Join(dir, "deep"), "./...")
	if len(packages) != 2 || packages[0].Path != "example.com/cases/deep/er/a" || packages[1].Path != "example.com/cases/deep/er/b" {
		t.Errorf("got %+v", packages)
	}
	if !exists(t, filepath.Join(dir, "deep/er/a/agents.gen.go")) || exists(t, filepath.Join(dir, "deep/er/b/agents.gen.go")) {
		t.Error("want a file for the package with an agent, and none for the other")
	}
	packages = generate(t, dir, "example.com/cases/deep/er/a")
	if len(packages) != 1 || packages[0].File.Stale() {
		t.Error("want the package by its import path as by its folder")
	}
}

// What a person names and is not there is an error; what a pattern does not find is none.
func TestGoCommand(t *testing.T) {
	offline(t)
	dir := module(t, map[string]string{"a/a.go": oneAgent, "plan9/a_plan9.go": "package plan9\n"})
	for pattern, want := range map[string]string{
		"./missing":              "directory not found",
		"./a/a.go":               "./a/a.go is a file: name its package, which is the folder",
		"example.com/missing":    "example.com/missing",
		"./plan9":                "build constraints exclude all Go files",
		"./...a/nothing/here...": "",
	} {
		packages, err := gen.Run(t.Context(), gen.Options{Dir: dir, Patterns: []string{pattern}})
		switch {
		case want == "" && (err != nil || len(packages) > 0):
			t.Errorf("%s: got %d packages and error %v, want nothing", pattern, len(packages), err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: got error %v, want %q in it", pattern, err, want)
		}
	}
	outside := realTempDir(t)
	write(t, outside, map[string]string{"a.go": oneAgent})
	if said := refuses(t, outside); !strings.Contains(said, "go.mod") {
		t.Errorf("outside of a module: got %q, want what the go command says", said)
	}
	if _, err := gen.Run(t.Context(), gen.Options{Dir: filepath.Join(dir, "missing")}); err == nil {
		t.Error("a folder that is not there: no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := gen.Run(ctx, gen.Options{Dir: dir}); err == nil {
		t.Error("a context that is done: no error")
	}
}
