package directive

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// What the document says of directives.
const (
	directiveExtension = "x-agentgen-directive"
	none               = "none"    // no person writes it
	flatten            = "flatten" // its properties are directives of its parent
	refPrefix          = "#/components/schemas/"
)

// Schema is what a directive needs to know of a schema. What a value must be like, the validator knows.
type Schema struct {
	Ref         string             `json:"$ref"`
	Type        oneOrMore          `json:"type"`
	Description string             `json:"description"`
	Properties  map[string]*Schema `json:"properties"`
	Order       int                `json:"x-order"`
	Items       *Schema            `json:"items"`
	Additional  *Schema            `json:"additionalProperties"`
	Enum        []any              `json:"enum"`
	Format      string             `json:"format"`
	Required    []string           `json:"required"`
	Default     any                `json:"default"`
	Examples    []json.RawMessage  `json:"examples"`
	Directive   string             `json:"x-agentgen-directive"`
	From        string             `json:"x-agentgen-default"`
	Refers      string             `json:"x-agentgen-refers"`

	never   bool   // the schema false
	linked  bool   // its references are replaced
	pointer string // where it stands in the reduced document
}

// UnmarshalJSON reads true and false too, which are schemas in OpenAPI 3.1.
func (s *Schema) UnmarshalJSON(b []byte) error {
	switch {
	case bytes.Equal(b, []byte("true")):
		return nil
	case bytes.Equal(b, []byte("false")):
		s.never = true
		return nil
	}
	type plain Schema
	return json.Unmarshal(b, (*plain)(s))
}

// oneOrMore is a string or a list of strings.
type oneOrMore []string

// UnmarshalJSON reads either form.
func (o *oneOrMore) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*o = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(o))
}

// is tells whether values of the type are allowed. Null does not count: nobody writes it.
func (s *Schema) is(typ string) bool { return slices.Contains(s.Type, typ) }

// names are the properties in the order of the document.
func (s *Schema) names() []string {
	return slices.SortedFunc(maps.Keys(s.Properties), func(a, b string) int {
		if d := s.Properties[a].Order - s.Properties[b].Order; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
}

// writable are those of them that a person writes.
func (s *Schema) writable() []string {
	return slices.DeleteFunc(s.names(), func(n string) bool { return s.Properties[n].Directive == none })
}

// link puts the schemas that are referred to in the place of the references, and notes where each stands.
func (s *Schema) link(all map[string]*Schema, pointer string) {
	if s.linked {
		return
	}
	s.linked, s.pointer = true, pointer
	for name, p := range s.Properties {
		s.Properties[name] = p.follow(all, pointer+"/properties/"+escape(name))
	}
	if s.Items != nil {
		s.Items = s.Items.follow(all, pointer+"/items")
	}
	if s.Additional != nil {
		s.Additional = s.Additional.follow(all, pointer+"/additionalProperties")
	}
}

// follow is the schema itself or the one it refers to, with what stands beside the reference.
func (s *Schema) follow(all map[string]*Schema, pointer string) *Schema {
	target, ok := all[strings.TrimPrefix(s.Ref, refPrefix)]
	if s.Ref == "" || !ok {
		s.link(all, pointer)
		return s
	}
	target.link(all, s.Ref)
	merged := *target
	merged.Order = s.Order
	if s.Description != "" {
		merged.Description = s.Description
	}
	if s.Directive != "" {
		merged.Directive = s.Directive
	}
	if s.From != "" {
		merged.From = s.From
	}
	return &merged
}

// escape makes a name a segment of a JSON pointer.
func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
