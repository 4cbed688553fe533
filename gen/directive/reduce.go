package directive

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"go.yaml.in/yaml/v3"
)

// Reduce cuts an OpenAPI 3.1 document, YAML or JSON, down to the schemas that directives write and those
// that they refer to, as JSON for [New]. A document that is not valid is refused.
func Reduce(document []byte) ([]byte, error) {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(document)
	if err != nil {
		return nil, err
	}
	if err := doc.Validate(context.Background()); err != nil { //nolint:forbidigo // nothing to cancel: the document is in memory
		return nil, err
	}
	var whole struct {
		Components struct {
			Schemas map[string]map[string]any `yaml:"schemas"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(document, &whole); err != nil {
		return nil, err
	}
	all, kept := whole.Components.Schemas, map[string]any{}
	for name, schema := range all {
		if tool, _ := schema[directiveExtension].(string); tool != "" && tool != none && tool != flatten {
			keep(all, kept, name)
		}
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("no schema says %s: agent, skill or card", directiveExtension)
	}
	return json.MarshalIndent(map[string]any{"components": map[string]any{"schemas": kept}}, "", " ")
}

// keep takes over a schema and all that it refers to.
func keep(all map[string]map[string]any, kept map[string]any, name string) {
	if _, done := kept[name]; done || all[name] == nil {
		return
	}
	kept[name] = all[name]
	walk(all[name], func(ref string) { keep(all, kept, strings.TrimPrefix(ref, refPrefix)) })
}

// walk calls found for each reference in a JSON value.
func walk(value any, found func(ref string)) {
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			if ref, ok := v.(string); ok && key == "$ref" {
				found(ref)
			}
			walk(v, found)
		}
	case []any:
		for _, v := range value {
			walk(v, found)
		}
	}
}
