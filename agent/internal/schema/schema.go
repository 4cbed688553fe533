// Package schema derives the JSON Schema of a Go type, and checks JSON against it.
//
// Not its job: to decode. A type whose JSON its own methods make has a schema that allows anything.
package schema

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	derive "github.com/google/jsonschema-go/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cd3b852d/agentgen/internal/misfit"
)

// Schema is the JSON Schema (draft 2020-12) of a Go type. It is safe for concurrent use.
type Schema struct {
	of       reflect.Type
	document map[string]any
	compiled func() (*jsonschema.Schema, error)
}

// Of returns the schema of a type. The error says why it has none: it holds itself, or what JSON does not.
func Of(t reflect.Type) (*Schema, error) {
	schemas, err := known(t)
	if err != nil {
		return nil, err
	}
	derived, err := derive.ForType(t, &derive.ForOptions{TypeSchemas: schemas})
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(derived)
	if err != nil {
		return nil, err
	}
	s := &Schema{of: t}
	if err := json.Unmarshal(data, &s.document); err != nil { // a schema that allows anything may be `true`
		s.document = map[string]any{}
	}
	s.compiled = sync.OnceValues(s.compile)
	return s, nil
}

// Document is the schema as JSON has it, empty if it allows anything. Nobody changes it.
func (s *Schema) Document() map[string]any { return s.document }

func (s *Schema) compile() (*jsonschema.Schema, error) {
	const address = "agentgen:schema"
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource(address, s.document); err != nil {
		return nil, err
	}
	return c.Compile(address)
}

// Check lists what is wrong with a JSON text, nothing if it fits. The error says that it is no JSON.
func (s *Schema) Check(text []byte) ([]misfit.Fault, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if faults := hugeNumbers(value, nil); len(faults) > 0 {
		return faults, nil
	}
	compiled, err := s.compiled()
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return misfit.Of(compiled.Validate(value)), nil
}

// hugeNumbers finds the numbers that no Go type holds: to compare one with a limit can take forever.
func hugeNumbers(value any, at []string) []misfit.Fault {
	var faults []misfit.Fault
	switch value := value.(type) {
	case json.Number:
		if _, err := value.Float64(); err != nil {
			return []misfit.Fault{{At: at, Message: "is a number out of range"}}
		}
	case []any:
		for i, element := range value {
			faults = append(faults, hugeNumbers(element, append(slices.Clip(at), strconv.Itoa(i)))...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			faults = append(faults, hugeNumbers(value[name], append(slices.Clip(at), name))...)
		}
	}
	return faults
}

// errUnknown says that a type has JSON of which derive has another idea than encoding/json.
var errUnknown = errors.New("schema: a field has the option `string`, or is embedded in an unusual way")

// known has the schemas of the types within t which no look at their fields tells.
func known(t reflect.Type) (map[reflect.Type]*derive.Schema, error) {
	schemas := map[reflect.Type]*derive.Schema{
		reflect.TypeFor[time.Time]():   {Type: "string", Format: "date-time"},
		reflect.TypeFor[json.Number](): {Type: "number"},
		reflect.TypeFor[big.Int]():     {Type: "integer"},
	}
	return schemas, visit(t, schemas, map[reflect.Type]bool{})
}

func visit(t reflect.Type, schemas map[reflect.Type]*derive.Schema, seen map[reflect.Type]bool) error {
	if seen[t] || schemas[t] != nil {
		return nil
	}
	seen[t] = true
	switch {
	case t.Kind() == reflect.Pointer:
		return visit(t.Elem(), schemas, seen)
	case implements[json.Marshaler](t), implements[json.Unmarshaler](t):
		// An empty schema would allow a pointer to it nothing but null.
		schemas[t] = &derive.Schema{Types: []string{"null", "boolean", "number", "string", "array", "object"}}
	case implements[encoding.TextMarshaler](t), implements[encoding.TextUnmarshaler](t):
		schemas[t] = &derive.Schema{Type: "string"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		schemas[t] = &derive.Schema{Types: []string{"null", "string"}, ContentEncoding: "base64"}
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		return visit(t.Elem(), schemas, seen)
	case t.Kind() == reflect.Map:
		return visitMap(t, schemas, seen)
	case t.Kind() == reflect.Struct:
		return visitFields(t, schemas, seen)
	}
	return nil
}

// visitMap gives maps a schema of their own, since nil is one.
func visitMap(t reflect.Type, schemas map[reflect.Type]*derive.Schema, seen map[reflect.Type]bool) error {
	if err := visit(t.Elem(), schemas, seen); err != nil {
		return err
	}
	values, err := derive.ForType(t.Elem(), &derive.ForOptions{TypeSchemas: schemas})
	schemas[t] = &derive.Schema{Types: []string{"null", "object"}, AdditionalProperties: values}
	return err
}

func visitFields(t reflect.Type, schemas map[reflect.Type]*derive.Schema, seen map[reflect.Type]bool) error {
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if slices.Contains(strings.Split(options, ","), "string") || field.Anonymous && (name != "" || field.Type.Kind() != reflect.Struct) {
			return errUnknown
		}
		if !field.IsExported() && !field.Anonymous {
			continue
		}
		if err := visit(field.Type, schemas, seen); err != nil {
			return err
		}
	}
	return nil
}

func implements[I any](t reflect.Type) bool {
	i := reflect.TypeFor[I]()
	return t.Implements(i) || reflect.PointerTo(t).Implements(i)
}
