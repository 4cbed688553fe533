package directive

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cd3b852d/agentgen/gen/diag"
	"github.com/cd3b852d/agentgen/internal/suggest"
)

// References reports each name in the values that refers to nothing: a schema that says
// `x-agentgen-refers: POINTER` holds names of what the card has at that pointer, as its keys if it is an
// object, else as its value.
func (v *Values) References(card map[string]any) diag.List {
	r := &referrer{card: card}
	for _, r.key = range v.ns.Keys {
		if r.at = v.places[r.key.Name]; r.at != nil {
			r.tool = v.ns.Tool
			r.walk(r.key.Schema, Get(v.Object, r.key.Path), nil)
		}
	}
	return r.faults
}

// referrer looks for references in the value of one key after the other.
type referrer struct {
	card   map[string]any
	tool   string
	key    *Key
	at     *place
	faults diag.List
}

// walk looks in the part of the value that is at path.
func (r *referrer) walk(s *Schema, value any, path []string) {
	switch value := value.(type) {
	case []any:
		for i, element := range value {
			if s.Items != nil {
				r.walk(s.Items, element, append(slices.Clip(path), fmt.Sprint(i)))
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			at := append(slices.Clip(path), name)
			if s.Refers != "" {
				r.refer(s.Refers, name, at)
			}
			if p := s.property(name); p != nil {
				r.walk(p, value[name], at)
			}
		}
	case string:
		if s.Refers != "" {
			r.refer(s.Refers, value, path)
		}
	}
}

// property is the schema of a property, nil if there is none.
func (s *Schema) property(name string) *Schema {
	if p, ok := s.Properties[name]; ok {
		return p
	}
	return s.Additional
}

// refer reports a name that the card does not have at the pointer.
func (r *referrer) refer(pointer, name string, path []string) {
	target := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	known, _ := Get(r.card, target).(map[string]any)
	if _, ok := known[name]; ok {
		return
	}
	names := slices.Sorted(maps.Keys(known))
	r.faults.Add(r.at.nearest(path), "//%s:%s names %s, which no //%s:%s declares%s",
		r.tool, r.at.directive, name, Card, target[len(target)-1], suggest.Hint(name, names))
}
