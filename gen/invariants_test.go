package gen_test

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// No property of a manifest or a card is spelled in the generator but those whose defaults follow from a
// function. Which properties there are, the document says.
func TestNoPropertyIsSpelled(t *testing.T) {
	allowed := []string{"name", "description", "documentation", "input_content_types", "output_content_types"}
	properties := properties(t, "AgentManifest", "AgentMetadata", "AgentSkill", "AgentCard")
	if len(properties) < 40 || !slices.Contains(properties, "securitySchemes") {
		t.Fatalf("the document has the properties %q", properties)
	}
	parseSources(t, func(fset *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Error(err)
			}
			for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }) {
				if slices.Contains(properties, word) && !slices.Contains(allowed, word) && (text == word || distinctive(word)) {
					t.Errorf("%s: %q spells the property %s", fset.Position(lit.Pos()), text, word)
				}
			}
			return true
		})
	})
}

// distinctive tells whether a word in a sentence can only be a property.
func distinctive(word string) bool {
	return strings.ContainsRune(word, '_') || strings.ToLower(word) != word
}

// properties are the names of the properties of schemas of the document.
func properties(t *testing.T, schemas ...string) []string {
	t.Helper()
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any `yaml:"properties"`
			} `yaml:"schemas"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal([]byte(read(t, "../openapi/agentgen.yaml")), &document); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, schema := range schemas {
		for name := range document.Components.Schemas[schema].Properties {
			names = append(names, name)
		}
	}
	return names
}

// copied are the parts of the repository from which generated/ and the command are built.
func copied(t *testing.T) string {
	t.Helper()
	dir, root := realTempDir(t), repository(t)
	for _, part := range []string{"agent", "cmd", "gen", "generated", "internal", "openapi"} {
		err := filepath.WalkDir(filepath.Join(root, part), func(path string, d os.DirEntry, err error) error {
			rel, relErr := filepath.Rel(root, path)
			switch {
			case err != nil || relErr != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case d.IsDir() || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			write(t, dir, map[string]string{rel: read(t, path)})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "tools.go"} {
		write(t, dir, map[string]string{name: read(t, filepath.Join(root, name))})
	}
	t.Setenv("GOFLAGS", "-buildvcs=false")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
	return dir
}

// What is in generated/ is what the document and the tools make.
func TestGeneratedIsUpToDate(t *testing.T) {
	if testing.Short() {
		t.Skip("generates everything anew")
	}
	dir := copied(t)
	for _, name := range generatedFiles(t, dir) {
		write(t, dir, map[string]string{name: "package " + filepath.Base(filepath.Dir(name)) + "\n"})
	}
	run(t, dir, "generate", ".")
	for _, name := range generatedFiles(t, dir) {
		if diff := cmp.Diff(read(t, filepath.Join(repository(t), name)), read(t, filepath.Join(dir, name))); diff != "" {
			t.Errorf("%s is stale, run go generate . at the root: -committed +generated:\n%s", name, diff)
		}
	}
}

// generatedFiles are the files in dir/generated that tools write.
func generatedFiles(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"generated/*/*.gen.go", "generated/*/*.json"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, rel)
		}
	}
	if len(names) < 4 {
		t.Errorf("generated/ has only %q", names)
	}
	return names
}

// additions are properties that somebody adds to the document, and nothing else.
const additions = `
        cost_center:
          description: Who pays.
          type: [string, "null"]
          x-order: 90
        budget:
          description: How much.
          type: [number, "null"]
          x-order: 91
        seats:
          description: For how many.
          type: integer
          minimum: 1
          x-order: 92
        audited:
          description: Whether somebody looked.
          type: boolean
          x-order: 93
        audited_on:
          description: When.
          type: string
          format: date
          x-order: 94
        ticket:
          description: Where it was asked for.
          type: string
          format: uuid
          x-order: 95
        approvals:
          description: Who agreed.
          type: [array, "null"]
          items: { $ref: "#/components/schemas/Approval" }
          x-order: 96
        regions:
          description: Where it runs, by name.
          type: object
          additionalProperties: { $ref: "#/components/schemas/Approval" }
          x-order: 97
`

const approval = `
    Approval:
      description: A person who agreed.
      type: object
      required: [by]
      properties:
        by: { description: Who., type: string, minLength: 1, x-order: 1 }
        at: { description: When., type: string, format: date-time, x-order: 2 }
        level: { description: How much., type: integer, x-order: 3 }
      examples: [{ by: Ada }]
`

// newDirectives uses what was added.
const newDirectives = `// Package try tries what is new.
package try

// Try has what is new.
//
//agent:register
//agent:cost_center 42-7
//agent:budget 0.1
//agent:seats 3
//agent:audited false
//agent:audited_on 2026-01-02
//agent:ticket 7d44f2a0-3f5c-4f0c-9a56-0f1d2e3c4b5a
//agent:approvals Ada 2026-01-02T03:04:05Z
//agent:approvals by=Bob level=2
//agent:regions north by=Cy
func Try() error { return nil }
`

// printManifests prints what the generated code says of it.
const printManifests = `package try

import (
	"encoding/json"
	"fmt"
	"testing"
)

func Test(t *testing.T) {
	b, err := json.Marshal(AgentManifests())
	fmt.Println("manifests", string(b))
	if err != nil {
		t.Error(err)
	}
}
`

// A property added to the document is a directive that works, a part of the manifest and a typed field, with
// no other change.
func TestNewPropertyNeedsNoCode(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a copy of the repository")
	}
	dir := copied(t)
	document := read(t, filepath.Join(dir, "openapi/agentgen.yaml"))
	const schema = "\n    AgentMetadata:\n"
	before, rest, ok := strings.Cut(document, schema)
	head, tail, found := strings.Cut(rest, "\n      properties:\n")
	if !ok || !found {
		t.Fatal("the document has no schema AgentMetadata with properties")
	}
	write(t, dir, map[string]string{
		"openapi/agentgen.yaml": before + approval + schema + head + "\n      properties:" + additions + tail,
		"try/try.go":            newDirectives,
		"try/try_test.go":       printManifests,
	})
	run(t, dir, "generate", ".")
	run(t, dir, "run", "./cmd/agentgen", "generate", "./try")
	src := read(t, filepath.Join(dir, "try/agents.gen.go"))
	for _, want := range []string{`CostCenter: `, `"42-7"`, "[]agentapi.Approval{", "By:", "time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC)"} {
		if !strings.Contains(src, want) {
			t.Errorf("there is no %q in\n%s", want, src)
		}
	}
	_, out, _ := strings.Cut(run(t, dir, "test", "-v", "./try"), "manifests ")
	out, _, _ = strings.Cut(out, "\n")
	var got []struct{ Metadata any }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	want := decoded(t, `{
		"cost_center": "42-7", "budget": 0.1, "seats": 3, "audited": false, "audited_on": "2026-01-02",
		"ticket": "7d44f2a0-3f5c-4f0c-9a56-0f1d2e3c4b5a",
		"approvals": [{"by": "Ada", "at": "2026-01-02T03:04:05Z"}, {"by": "Bob", "level": 2}],
		"regions": {"north": {"by": "Cy"}}
	}`)
	if diff := cmp.Diff(want, got[0].Metadata); diff != "" {
		t.Errorf("-want +got:\n%s\nof\n%s", diff, src)
	}
}
