package scan_test

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cd3b852d/agentgen/gen/describe"
	"github.com/cd3b852d/agentgen/gen/directive"
	"github.com/cd3b852d/agentgen/gen/emit"
	"github.com/cd3b852d/agentgen/gen/scan"
)

// FuzzGenerate generates for any source. It stands here since it leaves out the go command, which is a
// hundred times as slow as the rest: what is left is scan, describe and emit as gen.Run joins them.
func FuzzGenerate(f *testing.F) {
	paths, err := filepath.Glob("../testdata/cases/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatalf("there are %d cases, error %v", len(paths), err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasPrefix(file.Name, "in/") && filepath.Base(file.Name) != emit.FileName {
				f.Add(string(file.Data))
			}
		}
	}
	dir := f.TempDir()
	grammar, err := directive.Default()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src string) { generate(t, grammar, dir, src) })
}

// FuzzGenerateParts generates for a source that is made of its parts, so that most of them are sound.
func FuzzGenerateParts(f *testing.F) {
	f.Add("Package p is one.", "//card:version 1.0.0", "F does it.\n\nAnd more.", "//agent:tags a b", "func F(ctx context.Context, in string) (string, error) { return in, nil }")
	f.Add("Text.", "//card:securitySchemes \"a\\nb*/\" http scheme=basic\n//card:security \"a\\nb*/\"", "`%s` \"x\"", "//agent:register other\n//skill:examples \"return literal0(\"", "func (t *T) F(in []agent.Message) iter.Seq2[*T, error] { return nil }")
	f.Add("# H\n\nText.", "//card:provider {\"organization\": \"a\", \"url\": \"https://a.b\", \"x\": [1, {\"y\": null}]}", "F - it.", "//agent:annotations {\"ui\": {}}", "func F(run *agent.Run, in struct{ A int `json:\"a\"` }) error { return nil }")
	f.Add("a", "/*card:version 1 */", "/* agent:register x */", "///agent:register", "func F() error { return nil }")
	f.Add("a", "", "a", "//agent:links homepage https://a.b\n//agent:created_at 2026-01-02T03:04:05+01:00", "func F(in map[T][]*T) (out any, err error) { return }\n\nvar agentapi, r, in, F_ = 1, 2, 3, 4")
	dir := f.TempDir()
	grammar, err := directive.Default()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, packageDoc, card, doc, directives, function string) {
		generate(t, grammar, dir, comment(packageDoc)+"//\n"+card+"\npackage p\n\nimport (\n\t\"context\"\n\t\"iter\"\n\n\t\"github.com/cd3b852d/agentgen/agent\"\n)\n\n"+
			"type T struct{}\n\n"+comment(doc)+"//\n//agent:register\n"+directives+"\n"+function+"\n")
	})
}

func comment(text string) string {
	return "// " + strings.ReplaceAll(text, "\n", "\n// ") + "\n"
}

// generate makes the file of a package with this source. When there is no fault, it must be one.
func generate(t *testing.T, grammar *directive.Grammar, dir, src string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	pkg, faults := scan.Files(t.Context(), dir, "example.com/p", []string{"a.go"}, grammar.Tools(), grammar.Names)
	described, more := describe.Describe(grammar, pkg)
	for _, fault := range append(faults, more...) {
		if fault.Pos.Filename == "" || fault.Pos.Line == 0 {
			t.Errorf("a fault has no place: %v", fault)
		}
	}
	if len(faults)+len(more) > 0 {
		return
	}
	if got := len(described.Agents); got != len(pkg.Funcs) {
		t.Errorf("%d agents of %d functions, and no fault", got, len(pkg.Funcs))
	}
	if len(described.Agents) == 0 {
		return
	}
	out, faults := emit.File(described)
	if len(faults) > 0 {
		if strings.Contains(faults.Error(), "internal error") {
			t.Error(faults)
		}
		return
	}
	again, _ := emit.File(described)
	formatted, err := format.Source(out)
	if err != nil || !bytes.Equal(formatted, out) || !bytes.Equal(again, out) {
		t.Errorf("not as gofmt has it, or not the same twice, error %v:\n%s", err, out)
	}
	if emit.StateOf(out) != emit.Ours {
		t.Error("we don't know what we made")
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", out, parser.ParseComments)
	if err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	for _, a := range described.Agents {
		for _, text := range []string{a.Manifest.Name, a.Manifest.Description} {
			if !holds(f, text) {
				t.Errorf("%q is not in\n%s", text, out)
			}
		}
	}
}

// holds tells whether a string literal of the file has that value.
func holds(f *ast.File, text string) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			value, err := strconv.Unquote(lit.Value)
			found = found || err == nil && value == text
		}
		return !found
	})
	return found
}
