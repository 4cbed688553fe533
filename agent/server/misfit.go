package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/web"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// bodyType is what the operation of a route decodes its body into, which its errors don't tell.
func bodyType(pattern string) reflect.Type {
	switch pattern {
	case "POST /runs":
		return reflect.TypeFor[agentapi.CreateRunJSONRequestBody]()
	case "POST /runs/{run_id}":
		return reflect.TypeFor[agentapi.ResumeRunJSONRequestBody]()
	default:
		return nil
	}
}

// misfitBody says where a body doesn't fit its operation, as a JSON pointer, and what would. The errors of
// the decoder speak of Go, which is nothing to clients.
func misfitBody(body []byte, pattern string) *agent.Error {
	if len(body) == 0 {
		return web.Invalid("body", "is missing")
	}
	t := bodyType(pattern)
	if t == nil {
		return web.Invalid("body", "does not fit the operation")
	}
	pointer, fault := locate(body, t)
	return web.Invalid(cmp.Or(web.Short(pointer), "body"), "%s", fault)
}

// locate finds the first innermost value that its type can't be decoded from.
func locate(value json.RawMessage, t reflect.Type) (pointer, fault string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, inner := range innerValues(value, t) {
		if json.Unmarshal(inner.value, reflect.New(inner.as).Interface()) != nil {
			pointer, fault := locate(inner.value, inner.as)
			return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(inner.key) + pointer, fault
		}
	}
	wanted, kind := wish(t)
	given := kindOf(value)
	if given == kind { // of the right kind, and wrong: a text that is no time, a number that is no integer
		given = web.Short(string(value))
	}
	return "", "wants " + wanted + ", is " + given
}

// innerValue is a value in an array or an object, with the type that it has there.
type innerValue struct {
	key   string
	value json.RawMessage
	as    reflect.Type
}

// innerValues returns what an array or object holds for the type, and nothing if the value is neither or
// the type wants neither.
func innerValues(value json.RawMessage, t reflect.Type) []innerValue {
	var members map[string]json.RawMessage
	var elements []json.RawMessage
	wanted, _ := wish(t)
	switch {
	case wanted == "an object" && json.Unmarshal(value, &members) == nil:
	case wanted == "an array" && json.Unmarshal(value, &elements) == nil:
	default:
		return nil
	}
	var all []innerValue
	for i, element := range elements {
		all = append(all, innerValue{strconv.Itoa(i), element, t.Elem()})
	}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if as := memberType(t, key); as != nil {
			all = append(all, innerValue{key, members[key], as})
		}
	}
	return all
}

// memberType is what a member of an object becomes: a field, an additional property, or nothing.
func memberType(t reflect.Type, key string) reflect.Type {
	if t.Kind() == reflect.Map {
		return t.Elem()
	}
	for field := range t.Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name == key {
			return field.Type
		}
	}
	if others, ok := t.FieldByName("AdditionalProperties"); ok {
		return others.Type.Elem()
	}
	return nil
}

// wish says what a type is decoded from: in words, and the kind of JSON that it is.
func wish(t reflect.Type) (wanted, kind string) {
	switch t {
	case reflect.TypeFor[time.Time]():
		return "an RFC 3339 time", "a string"
	case reflect.TypeFor[openapi_types.UUID]():
		return "a UUID", "a string"
	}
	switch t.Kind() {
	case reflect.String:
		return "a string", "a string"
	case reflect.Bool:
		return "a boolean", "a boolean"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "an integer", "a number"
	case reflect.Float32, reflect.Float64:
		return "a number", "a number"
	case reflect.Slice:
		return "an array", "an array"
	case reflect.Map, reflect.Struct:
		return "an object", "an object"
	default: // anything, which only a number can fail to be
		return "numbers that have 64 bits", "a number"
	}
}

// kindOf is the kind of a valid JSON value.
func kindOf(value json.RawMessage) string {
	switch bytes.TrimSpace(value)[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}
