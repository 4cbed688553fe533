package directive

import (
	"encoding/json"
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/cd3b852d/agentgen/gen/diag"
)

// Values is what the directives of one namespace say: the JSON object that they write, and where.
type Values struct {
	Object map[string]any
	places map[string]*place // by key
}

// place is where the value of a key comes from.
type place struct {
	first token.Position
	parts map[string]token.Position // of the parts of the value, by JSON pointer
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
		if value, ok := b.json(); ok {
			return b.merge(before, value)
		}
	}
	switch b.key.Form {
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
	b.fault(b.line.RestPos, "wants one JSON argument")
	return nil, false
}

// json is the value if the arguments are one JSON value.
func (b *builder) json() (any, bool) {
	text := b.line.Rest
	if len(b.line.Args) == 1 && b.line.Args[0].Quoted {
		text = b.line.Args[0].Text
	}
	if text == "" || !strings.ContainsAny(text[:1], "{[") && b.key.Form != Anything {
		return nil, false
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return nil, false
	}
	return value, true
}

// merge adds a JSON value to what earlier lines gave: elements to a list, entries to a map.
func (b *builder) merge(before, value any) (any, bool) {
	switch value := value.(type) {
	case []any:
		if list, ok := before.([]any); ok || before == nil && b.key.Form.repeatable() {
			return append(append([]any{}, list...), value...), true
		}
	case map[string]any:
		if b.key.Form == ObjectMap {
			merged, _ := before.(map[string]any)
			for name, v := range value {
				if merged, ok := b.put(merged, name, v, b.line.RestPos); !ok {
					return merged, false
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
		b.at.parts[fmt.Sprintf("/%d", len(list))] = b.line.Pos
		return append(slices.Clip(list), element), ok
	}
}

// object fills the properties of an object: bare arguments in the order of the document, others by name.
func (b *builder) object(s *Schema, args []arg, pointer string) (any, bool) {
	object, sound := map[string]any{}, true
	names := slices.DeleteFunc(s.names(), func(n string) bool { return s.Properties[n].Directive == none })
	if len(args) == 0 {
		b.fault(b.line.RestPos, "wants %s", strings.Join(names, ", "))
		return nil, false
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
			b.fault(a.Pos, "knows no %s%s", name, suggest(name, names))
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

// entry adds an entry to a map of objects: its name, then the object.
func (b *builder) entry(before any) (any, bool) {
	if len(b.line.Args) == 0 || b.line.Args[0].Name != "" {
		b.fault(b.line.RestPos, "wants a name first, then %s", strings.Join(b.key.Schema.Additional.names(), ", "))
		return nil, false
	}
	name := b.line.Args[0]
	pointer := "/" + escape(name.Text)
	b.at.parts[pointer] = name.Pos
	object, ok := b.object(b.key.Schema.Additional, b.line.Args[1:], pointer)
	if !ok {
		return nil, false
	}
	entries, _ := before.(map[string]any)
	return b.put(entries, name.Text, object, name.Pos)
}

// put is the map with one more entry.
func (b *builder) put(entries map[string]any, name string, value any, pos token.Position) (any, bool) {
	if _, twice := entries[name]; twice {
		b.fault(pos, "has %s twice, first at %s", name, b.at.first)
		return nil, false
	}
	return merge(entries, map[string]any{name: value}), true
}

// scopes is a map of lists: name or name=a,b for each entry.
func (b *builder) scopes(pointer string) (any, bool) {
	object := map[string]any{}
	for _, a := range b.line.Args {
		name, list := a.Text, []any{}
		if a.Name != "" {
			name = a.Name
			for part := range strings.SplitSeq(a.Text, ",") {
				list = append(list, strings.TrimSpace(part))
			}
		}
		b.at.parts[pointer+"/"+escape(name)] = a.Pos
		object[name] = list
	}
	return object, true
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
		if n, err := strconv.ParseFloat(text, 64); err == nil {
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
	for _, m := range []map[string]any{a, b} {
		for k, v := range m {
			merged[k] = v
		}
	}
	return merged
}

func length(v any) int {
	list, _ := v.([]any)
	return len(list)
}
