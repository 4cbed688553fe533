package jsonyaml_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/cd3b852d/agentgen/internal/jsonyaml"
)

func TestWriteReadsWell(t *testing.T) {
	var got bytes.Buffer
	err := jsonyaml.Write(&got,
		[]byte(`{"name":"chat","types":["*/*","text/plain"],"documentation":"# Chat\n\nSays <hello> & more.\n",
			"license":"1.0","framework":"no","tags":[],"none":null,"rate":0.5,"at":"2023-11-07T05:31:56Z",
			"links":[{"type":"homepage","url":"https://example.com"}]}`),
		[]byte(`{"name":"second"}`))
	want := `name: chat
types:
  - '*/*'
  - text/plain
documentation: |
  # Chat

  Says <hello> & more.
license: "1.0"
framework: "no"
tags: []
none: null
rate: 0.5
at: "2023-11-07T05:31:56Z"
links:
  - type: homepage
    url: https://example.com
---
name: second
`
	if diff := cmp.Diff(want, got.String()); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestWriteRefusesWhatIsNotJSON(t *testing.T) {
	for _, text := range []string{"", "{", `{"a"`, "[1,", "nope"} {
		if err := jsonyaml.Write(&bytes.Buffer{}, []byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// FuzzWrite says that the YAML of a text is the text.
func FuzzWrite(f *testing.F) {
	for _, text := range []string{
		"", "no", "~", "1.0", "0x1", "a: b", "- a", "# a", "a\n", "\n a", "  a\nb", "a \nb\t", "\ta", "a\r\nb",
		"\u2028", "\u0000\u007f\u0085\ufeff", "😀", "'\"\\", "|", "%", "@", "`", "!!str a", "&a *a", "<<", "---", "...", "{}", "[a]", "y", "\n\n", "x\n\n\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		data, err := json.Marshal(map[string]any{"text": text, "list": []any{text}})
		if err != nil {
			t.Skip(err)
		}
		var got bytes.Buffer
		if err := jsonyaml.Write(&got, data); err != nil {
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
