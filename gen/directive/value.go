package directive

import (
	"encoding/json"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/cd3b852d/agentgen/gen/diag"
	"github.com/cd3b852d/agentgen/internal/suggest"
)

// Values is what the directives of one namespace say: the JSON object that they write, and where.
type Values struct {
	Object map[string]any
	ns     *Namespace
	places map[string]*place // by key
}

// place is where the value of a key comes from.
type place struct {
	directive string // by which name
	first     token.Position
	parts     map[string]token.Position // of the parts of the value, by JSON pointer
}

// Has tells whether a directive gives the key a value.
func (v *Values) Has(key string) bool { return v.places[key] != nil }

// Pos is where the value of a key was first given.
func (v *Values) Pos(key string) token.Position {
	if p := v.places[key]; p != nil {
		return p.first
	}
	return token.Position{}
}

// builder makes a value of one directive line.
type builder struct {
	*diag.List
	key  *Key
	line line
	at   *place
}

func (b *builder) fault(pos token.Position, format string, args ...any) {
	b.Add(pos, "//%s:%s %s", b.line.Tool, b.line.Name, fmt.Sprintf(format, args...))
}

// value makes the value that the line adds to what earlier lines of the key gave.
func (b *builder) value(before any) (any, bool) {
	if b.key.Form != Scalar {
		value, err := b.json()
		switch {
		case err != nil && b.key.Form != List:
			b.Add(b.line.RestPos, "//%s:%s: %v", b.line.Tool, b.line.Name, err)
			return nil, false
		case value != nil:
			return b.merge(before, value)
		}
	}
	switch b.key.Form {
	case Anything:
		b.fault(b.line.RestPos, "wants one JSON argument")
		return nil, false
	case Scalar:
		return b.scalar()
	case List:
		return b.list(before)
	case Objects:
		index := length(before)
		return b.appended(before)(b.object(b.key.Schema.Items, b.line.Args, fmt.Sprintf("/%d", index)))
	case Object:
		return b.object(b.key.Schema, b.line.Args, "")
	case ObjectMap:
		return b.entry(before)
	case ScopeMaps:
		return b.appended(before)(b.scopes(fmt.Sprintf("/%d", length(before))))
	}
	return nil, false
}

// json is the value if the arguments are one JSON object or list, nil if they are something else.
func (b *builder) json() (any, error) {
	text := b.line.Rest
	if len(b.line.Args) == 1 && b.line.Args[0].Quoted {
		text = b.line.Args[0].Text
	}
	if err := invalidJSON(text); err != nil {
		return nil, err
	}
	var value any
	if looksLikeJSON(text) || b.key.Form == Anything {
		_ = json.Unmarshal([]byte(text), &value) // only if it may be anything it may be no JSON
	}
	return value, nil
}

// merge adds a JSON value to what earlier lines gave: elements to a list, entries to a map.
func (b *builder) merge(before, value any) (any, bool) {
	switch value := value.(type) {
	case []any:
		if list, ok := before.([]any); ok || before == nil && b.key.Form.repeatable() {
			for i := range value {
				b.at.parts[fmt.Sprintf("/%d", len(list)+i)] = b.line.RestPos
			}
			return slices.Concat(list, value), true
		}
	case map[string]any:
		if b.key.Form == ObjectMap {
			merged, _ := before.(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(value)) {
				if !b.enter(merged, name, b.line.RestPos) {
					return nil, false
				}
			}
			return merge(merged, value), true
		}
		if b.key.Form == Objects || b.key.Form == ScopeMaps {
			return b.appended(before)(value, true)
		}
	}
	return value, true
}

func (b *builder) scalar() (any, bool) {
	args := b.line.Args
	if len(args) != 1 {
		where := b.line.RestPos
		if len(args) > 1 {
			where = args[1].Pos
		}
		b.fault(where, "wants one value, got %d; quote text that has spaces", len(args))
		return nil, false
	}
	return b.convert(b.key.Schema, args[0].whole(), args[0].Pos)
}

func (b *builder) list(before any) (any, bool) {
	list, _ := before.([]any)
	list = slices.Clip(list)
	if len(b.line.Args) == 0 {
		b.fault(b.line.RestPos, "wants at least one value")
		return nil, false
	}
	sound := true
	for _, a := range b.line.Args {
		if !a.Quoted && len(b.line.Args) > 1 && strings.HasSuffix(a.Text, ",") {
			b.fault(a.Pos, "wants spaces between values, not commas; quote a value that ends with one")
			sound = false
		}
		b.at.parts[fmt.Sprintf("/%d", len(list))] = a.Pos
		value, ok := b.convert(b.key.Schema.Items, a.whole(), a.Pos)
		list, sound = append(list, value), sound && ok
	}
	return list, sound
}

// appended adds an element to the list before.
func (b *builder) appended(before any) func(any, bool) (any, bool) {
	return func(element any, ok bool) (any, bool) {
		list, _ := before.([]any)
		b.at.parts[fmt.Sprintf("/%d", len(list))] = b.line.RestPos
		return append(slices.Clip(list), element), ok
	}
}

// object fills the properties of an object: bare arguments in the order of the document, others by name.
func (b *builder) object(s *Schema, args []arg, pointer string) (any, bool) {
	object, sound := map[string]any{}, true
	names := s.writable()
	if len(args) == 0 {
		b.fault(b.line.RestPos, "wants %s", strings.Join(names, ", "))
		return nil, false
	}
	if whole := map[string]any(nil); len(args) == 1 && looksLikeJSON(args[0].whole()) && json.Unmarshal([]byte(args[0].Text), &whole) == nil {
		return whole, true
	}
	next := 0
	for _, a := range args {
		name := a.Name
		if name == "" {
			if next == len(names) {
				b.fault(a.Pos, "has more values than %s; quote text that has spaces", strings.Join(names, ", "))
				return nil, false
			}
			name, next = names[next], next+1
		}
		if !slices.Contains(names, name) {
			b.fault(a.Pos, "knows no %s%s%s", name, suggest.Hint(name, names), others(s))
			sound = false
			continue
		}
		if _, twice := object[name]; twice {
			b.fault(a.Pos, "has %s twice", name)
			sound = false
			continue
		}
		b.at.parts[pointer+"/"+escape(name)] = a.At
		value, ok := b.convert(s.Properties[name], a.Text, a.At)
		object[name], sound = value, sound && ok
	}
	return object, sound
}

// others says how to write properties that the document does not name, where it allows them.
func others(s *Schema) string {
	if s.Additional == nil || s.Additional.never {
		return ""
	}
	return "; other keys go into one JSON argument"
}

// entry adds an entry to a map of objects: its name, then the object.
func (b *builder) entry(before any) (any, bool) {
	if len(b.line.Args) == 0 || b.line.Args[0].Name != "" {
		b.fault(b.line.RestPos, "wants a name first, then %s", strings.Join(b.key.Schema.Additional.writable(), ", "))
		return nil, false
	}
	name := b.line.Args[0]
	entries, _ := before.(map[string]any)
	if !b.enter(entries, name.Text, name.Pos) {
		return nil, false
	}
	object, ok := b.object(b.key.Schema.Additional, b.line.Args[1:], "/"+escape(name.Text))
	return merge(entries, map[string]any{name.Text: object}), ok
}

// enter notes where an entry of a map comes from, unless the map has one of that name.
func (b *builder) enter(entries map[string]any, name string, pos token.Position) bool {
	pointer := "/" + escape(name)
	if _, twice := entries[name]; twice {
		b.fault(pos, "has %s twice, first at %s", name, b.at.parts[pointer])
		return false
	}
	b.at.parts[pointer] = pos
	return true
}

// scopes is a map of lists: name or name=a,b for each entry.
func (b *builder) scopes(pointer string) (any, bool) {
	object, sound := map[string]any{}, true
	if len(b.line.Args) == 0 {
		b.fault(b.line.RestPos, "wants at least one name")
		return nil, false
	}
	for _, a := range b.line.Args {
		name, list := a.Text, []any{}
		if a.Name != "" {
			name = a.Name
			for part := range strings.SplitSeq(a.Text, ",") {
				if part = strings.TrimSpace(part); part != "" {
					list = append(list, part)
				}
			}
		}
		if _, twice := object[name]; twice {
			b.fault(a.Pos, "has %s twice", name)
			sound = false
		}
		b.at.parts[pointer+"/"+escape(name)] = a.Pos
		object[name] = list
	}
	return object, sound
}

// convert makes a value of text as the schema wants it.
func (b *builder) convert(s *Schema, text string, pos token.Position) (any, bool) {
	switch {
	case s.is("string"):
		return text, true
	case s.is("boolean"):
		if text == "true" || text == "false" {
			return text == "true", true
		}
		b.fault(pos, "wants true or false, not %q", text)
		return nil, false
	case s.is("number"), s.is("integer"):
		var n float64
		if json.Unmarshal([]byte(text), &n) == nil && text != "null" {
			return n, true
		}
		b.fault(pos, "wants a number, not %q", text)
		return nil, false
	}
	var value any
	if json.Unmarshal([]byte(text), &value) == nil {
		return value, true
	}
	if s.is("array") && s.Items != nil && isScalar(s.Items) {
		var list []any
		for part := range strings.SplitSeq(text, ",") {
			element, ok := b.convert(s.Items, strings.TrimSpace(part), pos)
			if !ok {
				return nil, false
			}
			list = append(list, element)
		}
		return list, true
	}
	b.fault(pos, "wants JSON here, not %q", text)
	return nil, false
}

// merge is a new map with the entries of both.
func merge(a, b map[string]any) map[string]any {
	merged := make(map[string]any, len(a)+len(b))
	maps.Copy(merged, a)
	maps.Copy(merged, b)
	return merged
}

func length(v any) int {
	list, _ := v.([]any)
	return len(list)
}
