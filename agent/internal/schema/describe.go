package schema

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	derive "github.com/google/jsonschema-go/jsonschema"
)

const description = "description"

// describer puts descriptions into the schemas of the types of a package.
type describer struct {
	docs   map[string]string // by Type and Type.Field
	pkg    string            // whose types they are
	opaque map[reflect.Type]*derive.Schema
}

// Described returns the schema with descriptions of types and of their fields, by Type and Type.Field. They are
// those of the package of the schema's own type, or of the one that it points to, lists or maps to. A description
// that the schema has stays.
func (s *Schema) Described(docs map[string]string) *Schema {
	pkg := named(s.of).PkgPath()
	opaque, err := known(s.of)
	if pkg == "" || len(docs) == 0 || err != nil {
		return s
	}
	d := describer{docs: docs, pkg: pkg, opaque: opaque}
	document, ok := d.described(s.document, s.of, "").(map[string]any)
	if !ok {
		return s
	}
	return &Schema{of: s.of, document: document, compiled: s.compiled} // descriptions restrict nothing
}

// named is the type that has a name beneath pointers, lists and maps, or else what is there.
func named(t reflect.Type) reflect.Type {
	for t.Name() == "" && slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map}, t.Kind()) {
		t = t.Elem()
	}
	return t
}

// described is a copy of a type's schema with its descriptions. The text, if there is one, comes before that of the
// type.
func (d describer) described(schema any, t reflect.Type, text string) any {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		text = cmp.Or(text, d.text(t, ""))
	}
	object, ok := schema.(map[string]any)
	switch {
	case !ok && schema != true, !ok && text == "":
		return schema
	case !ok:
		return map[string]any{description: text} // what allows anything may be `true`
	}
	object = maps.Clone(object)
	if object[description] == nil && text != "" {
		object[description] = text
	}
	if d.opaque[t] != nil && object["additionalProperties"] == nil {
		return object
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		object["items"] = d.described(object["items"], t.Elem(), "")
	case reflect.Map:
		object["additionalProperties"] = d.described(object["additionalProperties"], t.Elem(), "")
	case reflect.Struct:
		d.properties(object, t)
	}
	return object
}

// properties describes those of a struct. Of fields that JSON calls alike the schema has the last one.
func (d describer) properties(object map[string]any, t reflect.Type) {
	old, _ := object["properties"].(map[string]any)
	properties := map[string]any{}
	for _, field := range slices.Backward(reflect.VisibleFields(t)) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		name = cmp.Or(name, field.Name)
		property, ok := old[name]
		if _, done := properties[name]; !ok || done || field.Anonymous || !field.IsExported() || field.Tag.Get("json") == "-" {
			continue
		}
		owner := t
		for _, i := range field.Index[:len(field.Index)-1] {
			if owner = owner.Field(i).Type; owner.Kind() == reflect.Pointer {
				owner = owner.Elem()
			}
		}
		properties[name] = d.described(property, field.Type, d.text(owner, field.Name))
	}
	if len(properties) > 0 {
		object["properties"] = properties
	}
}

// text says what a type of the package is for, or a field of it if that has a name.
func (d describer) text(t reflect.Type, field string) string {
	key, _, _ := strings.Cut(t.Name(), "[") // without the arguments of type parameters
	switch {
	case key == "" || t.PkgPath() != d.pkg:
		return ""
	case field != "":
		key += "." + field
	}
	return d.docs[key]
}
