package gen_test

import (
	"path/filepath"
	"strings"
	"testing"
)

const ours = "github.com/cd3b852d/agentgen/"

// What may not be among the dependencies of a package, its own imports or those of all that it needs. This is
// what keeps the generator independent of the runtime, and the runtime light.
func TestArchitecture(t *testing.T) {
	for _, rule := range []struct {
		packages string // whose
		list     string // which: Imports or Deps
		never    []string
	}{
		{"./gen/...", "Deps", []string{ours + "agent", ours + "cmd"}},
		{"./agent/...", "Deps", []string{ours + "gen", ours + "cmd", ours + "generated/directives", "github.com/getkin/kin-openapi", "github.com/dave/jennifer"}},
		{"./generated/...", "Deps", []string{ours + "gen", ours + "cmd", ours + "agent", ours + "internal", ours + "openapi", "github.com/getkin/kin-openapi", "github.com/dave/jennifer"}},
		{"./openapi", "Imports", []string{ours}},
		{"./gen/emit", "Imports", []string{"go/ast", "go/parser"}},
		{"./gen/describe", "Imports", []string{"go/ast", "go/parser"}},
		{"./gen/scan", "Imports", []string{ours + "gen/directive", ours + "gen/describe", ours + "gen/emit", ours + "generated"}},
		{"./gen/directive", "Imports", []string{ours + "gen/describe", ours + "gen/emit", ours + "generated/agentapi"}},
	} {
		out := run(t, repository(t), "list", "-f", `{{.ImportPath}}{{range .`+rule.list+`}} {{.}}{{end}}`, rule.packages)
		if out == "" {
			t.Errorf("there is no package %s", rule.packages)
		}
		for line := range strings.Lines(out) {
			fields := strings.Fields(line)
			for _, dep := range fields[1:] {
				for _, never := range rule.never {
					if below(dep, never) {
						t.Errorf("%s of %s has %s", rule.list, fields[0], dep)
					}
				}
			}
		}
	}
}

// below tells whether a package is the one at path or below it.
func below(pkg, path string) bool {
	return pkg == path || strings.HasPrefix(pkg, strings.TrimSuffix(path, "/")+"/")
}

// The generated packages import nothing of ours.
func TestGeneratedStandsAlone(t *testing.T) {
	out := run(t, repository(t), "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./generated/...")
	for line := range strings.Lines(out) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.Contains(imports, ours) {
			t.Errorf("%s imports %s", filepath.Base(pkg), imports)
		}
	}
}
