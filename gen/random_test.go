package gen_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cd3b852d/agentgen/gen"
	"github.com/cd3b852d/agentgen/gen/diag"
)

// TestRandomPackages generates for packages that are put together at random of things that a package may have, with
// names that clash where they can. What is generated must compile; what is not must say why, at a place.
func TestRandomPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	offline(t)
	const packages = 60
	dir := module(t, nil)
	sound := 0
	for seed := range uint64(packages) {
		name := fmt.Sprintf("p%d", seed)
		write(t, dir, map[string]string{filepath.Join(name, "a.go"): randomPackage(rand.New(rand.NewPCG(seed, 1)))}) //nolint:gosec // not for secrets
		made, err := gen.Run(t.Context(), gen.Options{Dir: dir, Patterns: []string{"./" + name}})
		var list diag.List
		switch {
		case err == nil:
			sound++
			header(t, made)
			writeAll(t, made)
		case errors.As(err, &list):
			for _, d := range list {
				if d.Pos.Line == 0 || d.Pos.Column == 0 {
					t.Errorf("%s: no place: %v", name, d)
				}
			}
		default:
			t.Errorf("%s: %v", name, err)
		}
	}
	if sound < packages/4 {
		t.Errorf("only %d of %d packages are sound, so little was tried", sound, packages)
	}
	run(t, dir, "vet", "./...")
}

// randomPackage is the source of a package.
func randomPackage(r *rand.Rand) string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	runtime, std := pick("agent", "agent", "rt", "context_"), pick("context", "ctx")
	types := []string{
		"string", "any", "[]string", "T", "*T", "G[T]", "map[string]*T", "[2]T", "struct{ A, B T }", "struct {\n\tA T `json:\"a\"` // a\n}",
		"time.Time", "[]*time.Time", "interface{ String() string }", runtime + ".Message", "[]" + runtime + ".Message", runtime + ".Part", "Alias", "(T)", "int",
	}
	if r.IntN(10) == 0 {
		types = append(types, "error", "func()", "chan T", "iter.Seq[T]")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// Package %s is made at random.\n//\n", pick("p", "it"))
	schemes := pick("", "", "//card:securitySchemes bearerAuth http scheme=bearer\n//card:security bearerAuth\n", "//card:securitySchemes agent http scheme=bearer\n//card:securitySchemes \"a b\" mutualTLS\n//card:securitySchemes r mutualTLS\n")
	fmt.Fprintf(&b, "%spackage %s\n\nimport (\n\t%s \"context\"\n\t\"iter\"\n\t\"time\"\n\n\t%s \"github.com/cd3b852d/agentgen/agent\"\n)\n\n",
		schemes, pick("p", "agent", "context", "time", "agentapi"), std, runtime)
	fmt.Fprintf(&b, "type T struct{ X, Y int }\n\ntype G[E any] struct{ In E }\n\ntype Alias = %s\n\n", pick("string", "T", "[]"+runtime+".Message", "*T", "time.Time"))
	fmt.Fprintf(&b, "var (\n\t_ %s.Context\n\t_ iter.Seq[int]\n\t_ time.Time\n\t_ *%s.Run\n)\n\n", std, runtime)
	declared := map[string]bool{runtime: true, std: true, "T": true}
	for range r.IntN(4) {
		name := pick("r", "in", "run", "ctx", "agent", "agentapi", "manifests", "t", "t_", "library", "len", "literal0", "bearerAuth", "T", "RegisterAgents")
		if !declared[name] {
			declared[name] = true
			b.WriteString(pick("var "+name+" int\n\n", "type "+name+" struct{}\n\n", "func "+name+"() {}\n\n"))
		}
	}
	for i := range 1 + r.IntN(4) {
		text := pick("F%d does it.", "F%d is an agent.\n// It is.\n//\n// And more, with `code`.", "It is \"quoted\" %%s.", "日本語 🎉")
		if strings.Contains(text, "%d") {
			text = fmt.Sprintf(text, i)
		}
		fmt.Fprintf(&b, "// %s\n//\n//agent:register%s\n", text, pick("", "", fmt.Sprintf(" name-%d", i)))
		b.WriteString(pick("", "", "//agent:tags a \"b\\n\"\n", "//agent:created_at 2026-01-02T03:04:05+01:00\n", "//agent:annotations `{\"a\": [1, null, {\"b\": 1.5}], \"\\u2028\": {}}`\n"))
		if strings.Contains(schemes, "bearerAuth") {
			b.WriteString("//skill:security bearerAuth\n")
		}
		params := []string{}
		for _, param := range []string{std + ".Context", "*" + runtime + ".Run", pick(types...)} {
			if r.IntN(3) > 0 {
				params = append(params, param)
			}
		}
		result := pick("error", "(%s, error)", "(%s, error)", "iter.Seq2[%s, error]", "(out %s, err error)")
		if strings.Contains(result, "%s") {
			result = fmt.Sprintf(result, pick(types...))
		}
		fmt.Fprintf(&b, "func %s%s%d(%s) %s { panic(0) }\n\n", pick("", "", "(T) ", "(*T) ", "(t *T) "), pick("F", "f", "T", "HTTPServer"), i, strings.Join(params, ", "), result)
	}
	return b.String()
}
