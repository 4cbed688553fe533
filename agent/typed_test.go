package agent_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cd3b852d/agentgen/agent"
)

// route has no comments at run time: what the generator collects describes it.
type route struct {
	From string `json:"from" jsonschema:"By its tag."`
	Legs []leg  `json:"legs,omitempty"`
}

type leg struct {
	Km int `json:"km"`
}

func TestManifestHasDescriptionsOfTypes(t *testing.T) {
	docs := agent.TypeDocs{"route": "A route.", "route.From": "By its comment.", "route.Legs": "Its legs.", "leg": "A leg.", "leg.Km": "How far."}
	plain := agent.Func(same[*route])
	p := newPackage("both", "in", "out", "none", "text")
	p.Agents[0].Handler = plain.Describe(docs, docs)
	p.Agents[1].Handler = plain.Describe(docs, nil)
	p.Agents[2].Handler = plain.Describe(nil, docs)
	p.Agents[3].Handler = plain
	p.Agents[4].Handler = agent.Func(same[string]).Describe(docs, docs)
	r := agent.NewRegistry()
	if err := r.Register(p); err != nil {
		t.Fatal(err)
	}
	const described = `{"type": ["null", "object"], "description": "A route.", "required": ["from"], "additionalProperties": false, "properties": {
		"from": {"type": "string", "description": "By its tag."},
		"legs": {"type": ["null", "array"], "description": "Its legs.", "items": {
			"type": "object", "description": "A leg.", "required": ["km"], "additionalProperties": false, "properties": {
				"km": {"type": "integer", "description": "How far."}}}}}}`
	const bare = `{"type": ["null", "object"], "required": ["from"], "additionalProperties": false, "properties": {
		"from": {"type": "string", "description": "By its tag."},
		"legs": {"type": ["null", "array"], "items": {
			"type": "object", "required": ["km"], "additionalProperties": false, "properties": {"km": {"type": "integer"}}}}}}`
	for name, want := range map[string][2]string{
		"both": {described, described}, "in": {described, bare}, "out": {bare, described}, "none": {bare, bare},
	} {
		a, _ := r.Agent(name)
		annotations := a.Manifest.Metadata.Annotations
		for i, got := range []map[string]any{annotations.InputSchema, annotations.OutputSchema} {
			var wanted map[string]any
			if err := json.Unmarshal([]byte(want[i]), &wanted); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(wanted, got); diff != "" {
				t.Errorf("%s: -want +got:\n%s", name, diff)
			}
		}
	}
	if a, _ := r.Agent("text"); a.Manifest.Metadata != nil {
		t.Error("a text has a schema", a.Manifest.Metadata)
	}
}
