package acp

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

func manifest(metadata *agentapi.AgentMetadata) agentapi.AgentManifest {
	return agentapi.AgentManifest{
		Name: "chat", Description: "Chats.",
		InputContentTypes: []string{"*/*"}, OutputContentTypes: []string{"text/plain"}, Metadata: metadata,
	}
}

func TestYAMLReadsWell(t *testing.T) {
	var got bytes.Buffer
	err := writeYAML(&got, []agentapi.AgentManifest{
		manifest(&agentapi.AgentMetadata{
			Documentation: "# Chat\n\nSays <hello> & more.\n",
			License:       "1.0", Framework: "no", Tags: []string{}, Domains: []string{"2023-11-07T05:31:56Z"},
			CreatedAt: time.Date(2023, 11, 7, 5, 31, 56, 0, time.UTC),
			Links:     []agentapi.Link{{Type: "homepage", URL: "https://example.com"}},
		}),
		{Name: "second"},
	})
	want := `name: chat
description: Chats.
input_content_types:
  - '*/*'
output_content_types:
  - text/plain
metadata:
  documentation: |
    # Chat

    Says <hello> & more.
  license: "1.0"
  framework: "no"
  domains:
    - "2023-11-07T05:31:56Z"
  tags: []
  created_at: "2023-11-07T05:31:56Z"
  links:
    - type: homepage
      url: https://example.com
---
name: second
description: ""
input_content_types: null
output_content_types: null
`
	if diff := cmp.Diff(want, got.String()); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

// FuzzYAML says that the YAML of a text is the text.
func FuzzYAML(f *testing.F) {
	for _, text := range []string{"", "no", "~", "1.0", "0x1", "a: b", "- a", "# a", "a\n", "\n a", "  a\nb", "a \nb\t", "\ta", "a\r\nb",
		"\u2028", "\u0000\u007f\u0085\ufeff", "😀", "'\"\\", "|", "%", "@", "`", "!!str a", "&a *a", "<<", "---", "...", "{}", "[a]", "y", "\n\n", "x\n\n\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := manifest(&agentapi.AgentMetadata{Documentation: text, AdditionalProperties: map[string]any{"env": []any{text}}})
		data, err := json.Marshal(m)
		if err != nil {
			t.Skip(err)
		}
		var got bytes.Buffer
		if err := writeYAML(&got, []agentapi.AgentManifest{m}); err != nil {
			t.Fatal(err)
		}
		var fromYAML, fromJSON any
		if err := yaml.Unmarshal(got.Bytes(), &fromYAML); err != nil {
			t.Fatalf("%v in %s", err, got.String())
		}
		if err := json.Unmarshal(data, &fromJSON); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fromJSON, fromYAML); diff != "" {
			t.Errorf("%s\n%s", diff, got.String())
		}
	})
}
