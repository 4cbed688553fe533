package gen_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/cd3b852d/agentgen/gen"
	"github.com/cd3b852d/agentgen/gen/emit"
)

// docs/benchmarks.md says what these measure and how they compare.

// The shape of a synthetic module.
const (
	funcsPerFile    = 20
	funcsPerPackage = 200
)

// sizes are the numbers of annotated functions to measure.
func sizes() []int { return []int{10, 100, 1_000, 10_000} }

// BenchmarkGenerate is the generator without the command around it: all packages of a module are generated
// and written. A cold run finds no generated file, a warm one finds nothing to change.
func BenchmarkGenerate(b *testing.B) {
	for _, n := range sizes() {
		dir := synthetic(b, n)
		b.Run(fmt.Sprintf("%d/cold", n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				removeGenerated(b, dir)
				b.StartTimer()
				generateAll(b, dir, n)
			}
			perFunc(b, n)
		})
		b.Run(fmt.Sprintf("%d/warm", n), func(b *testing.B) {
			generateAll(b, dir, n)
			for b.Loop() {
				generateAll(b, dir, n)
			}
			perFunc(b, n)
		})
	}
}

// BenchmarkParseOnly is the floor below which no generator that reads Go source comes: the parser alone,
// over the same files, on all cores.
func BenchmarkParseOnly(b *testing.B) {
	for _, n := range sizes() {
		files := sources(b, synthetic(b, n))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				var group errgroup.Group
				group.SetLimit(runtime.GOMAXPROCS(0))
				for _, file := range files {
					group.Go(func() error {
						_, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
						return err
					})
				}
				if err := group.Wait(); err != nil {
					b.Fatal(err)
				}
			}
			perFunc(b, n)
		})
	}
}

// generateAll generates the module and checks that all its agents are there.
func generateAll(b *testing.B, dir string, n int) {
	b.Helper()
	packages, err := gen.Run(b.Context(), gen.Options{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		b.Fatal(err)
	}
	agents := 0
	for _, p := range packages {
		agents += len(p.Manifests)
		if err := p.File.Write(); err != nil {
			b.Fatal(err)
		}
	}
	if agents != n {
		b.Fatalf("%d agents, want %d", agents, n)
	}
}

// perFunc reports the time for each function, which stays the same if the time grows linearly.
func perFunc(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/func")
}

// synthetic writes a module with n annotated functions and returns its folder.
func synthetic(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	writeSource(b, filepath.Join(dir, "go.mod"), "module example.com/synthetic\n\ngo 1.26\n")
	for first := 0; first < n; first += funcsPerFile {
		pkg := fmt.Sprintf("team%03d", first/funcsPerPackage)
		var src strings.Builder
		if first%funcsPerPackage == 0 {
			fmt.Fprintf(&src, "// Package %s holds the agents of a team.\n//\n//card:version 1.2.3\n", pkg)
		}
		fmt.Fprintf(&src, "package %s\n\nimport (\n\t\"context\"\n\t\"strings\"\n)\n", pkg)
		for i := first; i < min(n, first+funcsPerFile); i++ {
			fmt.Fprintf(&src, annotated, i)
		}
		writeSource(b, filepath.Join(dir, pkg, fmt.Sprintf("agents%05d.go", first)), src.String())
	}
	return dir
}

// annotated is a function as people write it: two paragraphs and five directives.
const annotated = `
// Summarize%[1]d condenses an article to a few sentences that hold what it claims, who claims it and
// what for.
//
// Provide the article as text, without its markup. The summary is in the language of the article, at most
// a tenth as long, and quotes nothing that the article does not say. See [strings.Fields] for what counts
// as a word.
//
//agent:register
//agent:tags summarization news "long texts"
//agent:license Apache-2.0
//agent:links source-code https://github.com/example/agents
//skill:examples "Summarize the article on page one"
func Summarize%[1]d(ctx context.Context, article string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	words := strings.Fields(article)
	if len(words) > 50 {
		words = words[:50]
	}
	return strings.Join(words, " "), nil
}
`

func writeSource(b *testing.B, path, content string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.Fatal(err)
	}
}

// sources are the Go files of a module.
func sources(b *testing.B, dir string) []string {
	b.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".go" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return files
}

func removeGenerated(b *testing.B, dir string) {
	b.Helper()
	for _, file := range sources(b, dir) {
		if filepath.Base(file) == emit.FileName {
			if err := os.Remove(file); err != nil {
				b.Fatal(err)
			}
		}
	}
}
