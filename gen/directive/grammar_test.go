package directive_test

import (
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cd3b852d/agentgen/gen/diag"
	"github.com/cd3b852d/agentgen/gen/directive"
	"github.com/cd3b852d/agentgen/gen/scan"
	"github.com/cd3b852d/agentgen/generated/agentapi"
	"github.com/cd3b852d/agentgen/generated/directives"
)

// lines are the directives that text has, one a line.
func lines(text string) []scan.Directive {
	var all []scan.Directive
	for i, line := range strings.Split(text, "\n") {
		if line != "" {
			all = append(all, scan.Directive{Text: line, Pos: token.Position{Filename: "a.go", Line: i + 1, Column: 1}})
		}
	}
	return all
}

// forms is a document with schemas that the real one has not.
const forms = `{"components": {"schemas": {
	"M": {"x-agentgen-directive": "agent", "type": "object", "properties": {
		"number": {"type": "number", "minimum": 0},
		"integer": {"type": ["integer", "null"]},
		"flag": {"type": "boolean"},
		"any": {},
		"numbers": {"type": "array", "items": {"type": "number"}},
		"anything": {"type": "array", "items": {}},
		"day": {"type": "string", "format": "date"},
		"ref": {"x-agentgen-refers": "/things", "type": "string"},
		"refs": {"type": "array", "items": {"type": "object", "properties": {"to": {"x-agentgen-refers": "/things", "type": "string"}}}}
	}},
	"S": {"x-agentgen-directive": "skill", "type": "object", "properties": {}},
	"C": {"x-agentgen-directive": "card", "type": "object", "properties": {
		"things": {"type": "object", "additionalProperties": {"type": "object", "properties": {"a": {"type": "number"}}}}
	}}
}}}`

// TestForms has forms and formats that the document has no directive of yet.
func TestForms(t *testing.T) {
	g, err := directive.New([]byte(forms))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"//agent:number 1.5":                       `{"number":1.5}`,
		"//agent:number -1e3":                      "a.go:2:16: //agent:number minimum: got -1,000, want 0",
		"//agent:number NaN":                       `a.go:2:16: //agent:number wants a number, not "NaN"`,
		"//agent:number Infinity":                  `a.go:2:16: //agent:number wants a number, not "Infinity"`,
		"//agent:number 0x1p-2":                    `a.go:2:16: //agent:number wants a number, not "0x1p-2"`,
		"//agent:number null":                      `a.go:2:16: //agent:number wants a number, not "null"`,
		"//agent:integer 1":                        `{"integer":1}`,
		"//agent:integer 1.5":                      "a.go:2:17: //agent:integer wants integer, not number",
		"//agent:flag True":                        `a.go:2:14: //agent:flag wants true or false, not "True"`,
		"//agent:any 5":                            `{"any":5}`,
		`//agent:any "\"text\""`:                   `{"any":"text"}`,
		"//agent:any text":                         "a.go:2:13: //agent:any wants one JSON argument",
		"//agent:any":                              "a.go:2:12: //agent:any wants one JSON argument",
		"//agent:numbers 1 2 x":                    `a.go:2:21: //agent:numbers wants a number, not "x"`,
		"//agent:numbers 1 2\n//agent:numbers [3]": `{"numbers":[1,2,3]}`,
		"//agent:anything [1, {}, null]":           `{"anything":[1,{},null]}`,
		"//agent:day 2026-02-30":                   `a.go:2:13: //agent:day "2026-02-30" is not of the format date`,
	} {
		got, faults := g.Func(lines("//agent:register\n" + text))
		b, err := json.Marshal(got.Agent.Object)
		if err != nil {
			t.Fatal(err)
		}
		if len(faults) > 0 {
			b = []byte(faults.Error())
		}
		if string(b) != want {
			t.Errorf("%s: got %s, want %s", text, b, want)
		}
	}
}

func TestReferences(t *testing.T) {
	g, err := directive.New([]byte(forms))
	if err != nil {
		t.Fatal(err)
	}
	said, faults := g.Func(lines("//agent:register\n//agent:ref one\n//agent:refs to=three\n//agent:refs to=two\n//agent:refs {\"to\": \"onne\"}"))
	card, more := g.Package(lines("//card:things one 1\n//card:things two a=2"))
	if len(faults)+len(more) > 0 {
		t.Fatal(faults, more)
	}
	want := `a.go:3:17: //agent:refs names three, which no //card:things declares; did you mean one?
a.go:5:14: //agent:refs names onne, which no //card:things declares; did you mean one?`
	if got := said.Agent.References(card.Object).Error(); got != strings.Replace(want, "; did you mean one?", "; there are one, two", 1) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestReduce has documents that make no grammar.
func TestReduce(t *testing.T) {
	const head = "openapi: 3.1.0\ninfo: {title: t, version: \"1\"}\npaths: {}\n"
	for document, want := range map[string]string{
		"{":                "did not find expected",
		"openapi: 3.1.0\n": "info",
		head:               "no schema says x-agentgen-directive",
		head + "components: {schemas: {A: {type: [}}}": "did not find expected",
	} {
		if _, err := directive.Reduce([]byte(document)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", document, err, want)
		}
	}
	for reduced, want := range map[string]string{
		"{": "reduced document",
		`{"components": {"schemas": {"A": {"x-agentgen-directive": "agent", "type": "object"}}}}`: "x-agentgen-directive: skill",
	} {
		if _, err := directive.New([]byte(reduced)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", reduced, err, want)
		}
	}
}

// TestDefaultGrammar checks what the documentation says: a directive for each property that a person writes.
func TestDefaultGrammar(t *testing.T) {
	g := grammar(t)
	if got := g.Tools(); !slices.Equal(got, []string{"agent", "card", "skill"}) {
		t.Errorf("got the tools %q", got)
	}
	for _, tool := range g.Tools() {
		ns := g.Namespace(tool)
		for _, key := range ns.Keys {
			if ns.Key(key.Name) != key {
				t.Errorf("%s:%s is not found by its name", tool, key.Name)
			}
		}
		if len(ns.Manual()) < 5 {
			t.Errorf("%s has only %d directives", tool, len(ns.Manual()))
		}
	}
}

// TestManualExamples checks that each example of the manual is a directive that is accepted.
func TestManualExamples(t *testing.T) {
	g := grammar(t)
	for _, tool := range g.Tools() {
		examples := 0
		for _, entry := range g.Namespace(tool).Manual() {
			for _, want := range entry.Wants {
				line, ok := strings.CutPrefix(want, "Example: ")
				if !ok {
					continue
				}
				examples++
				if faults := parse(g, tool, line); len(faults) > 0 {
					t.Errorf("%s: %v", line, faults)
				}
			}
		}
		if examples == 0 {
			t.Errorf("the manual of %s has no example", tool)
		}
	}
}

func parse(g *directive.Grammar, tool, line string) diag.List {
	if tool == directive.Card {
		_, faults := g.Package(lines(line))
		return faults
	}
	_, faults := g.Func(lines("//agent:register\n" + line))
	return faults
}

func grammar(t testing.TB) *directive.Grammar {
	t.Helper()
	g, err := directive.Default()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// FuzzDirectives checks that whatever directives say, they are refused or make values that the document
// allows and the models hold.
func FuzzDirectives(f *testing.F) {
	g := grammar(f)
	for _, tool := range g.Tools() {
		for _, entry := range g.Namespace(tool).Manual() {
			for _, want := range entry.Wants {
				if line, ok := strings.CutPrefix(want, "Example: "); ok {
					f.Add("//agent:register\n" + line)
					f.Add(line + "\n" + line)
				}
			}
		}
	}
	for _, text := range written(f) {
		f.Add(text)
	}
	f.Add("//agent:register a\n//agent:links homepage https://example.com\n//agent:links {\"type\": \"homepage\", \"url\": \"https://example.com\"}")
	f.Add("//agent:register\n//agent:annotations {\"a\": [1, null, {\"b\": \"c\"}]}\n//skill:security a=b,c d")
	f.Add("//card:securitySchemes a oauth2 flows={\"clientCredentials\":{\"tokenUrl\":\"https://a.b\",\"scopes\":{}}}\n//card:security a=x\n//card:capabilities streaming=true extensions=`[{\"uri\":\"x\"}]`")
	f.Add("//agent:created_at 2026-01-02T03:04:05.123+01:00\n//agent:register")
	f.Fuzz(func(t *testing.T, text string) {
		ds := lines(text)
		if said, faults := g.Func(ds); len(faults) == 0 {
			fits[agentapi.AgentManifest](t, g, directive.Agent, said.Agent)
			fits[agentapi.AgentSkill](t, g, directive.Skill, said.Skill)
		}
		if card, faults := g.Package(ds); len(faults) == 0 {
			fits[agentapi.AgentCard](t, g, directive.Card, card)
			_ = card.References(card.Object)
		}
	})
}

// written are the directives of the generator's cases, those of each comment together.
func written(f *testing.F) []string {
	f.Helper()
	paths, err := filepath.Glob("../testdata/cases/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatalf("there are %d cases, error %v", len(paths), err)
	}
	var all []string
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			all = append(all, regexp.MustCompile(`(?m)(^//(agent|skill|card):.*\n)+`).FindAllString(string(file.Data), -1)...)
		}
	}
	return all
}

// fits checks accepted values against the schemas and the models.
func fits[M any](t *testing.T, g *directive.Grammar, tool string, values *directive.Values) {
	t.Helper()
	for _, key := range g.Namespace(tool).Keys {
		value := directive.Get(values.Object, key.Path)
		if value == nil {
			continue
		}
		if !values.Has(key.Name) || values.Pos(key.Name).Line == 0 {
			t.Errorf("%s has a value, but no directive", key.Name)
		}
		if faults := g.Check(key, value); len(faults) > 0 {
			t.Errorf("%s: %v was accepted, but %q", key.Name, value, faults)
		}
	}
	b, err := json.Marshal(values.Object)
	if err != nil {
		t.Fatal(err)
	}
	var model M
	if err := json.Unmarshal(b, &model); err != nil {
		t.Errorf("the model does not hold %s: %v", b, err)
	}
}

// The committed reduced document is what the whole one reduces to.
func TestReducedDocumentIsUpToDate(t *testing.T) {
	document, err := os.ReadFile("../../openapi/agentgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	reduced, err := directive.Reduce(document)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%s\n", reduced); got != string(directives.JSON()) {
		t.Error("generated/directives/directives.json is stale: run go generate . at the root")
	}
}
