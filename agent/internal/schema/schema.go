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
	"reflect"
	"slices"
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
	compiled, err := s.compiled()
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return misfit.Of(compiled.Validate(value)), nil
}

// errStringOption says that the type has numbers in texts, which is nothing that derive knows.
var errStringOption = errors.New("schema: a field has the option `string`")

// known has the schemas of the types within t which no look at their fields tells.
func known(t reflect.Type) (map[reflect.Type]*derive.Schema, error) {
	schemas := map[reflect.Type]*derive.Schema{
		reflect.TypeFor[time.Time](): {Type: "string", Format: "date-time"},
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
		schemas[t] = &derive.Schema{}
	case implements[encoding.TextMarshaler](t), implements[encoding.TextUnmarshaler](t):
		schemas[t] = &derive.Schema{Type: "string"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		schemas[t] = &derive.Schema{Types: []string{"null", "string"}, ContentEncoding: "base64"}
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array, t.Kind() == reflect.Map:
		return visit(t.Elem(), schemas, seen)
	case t.Kind() == reflect.Struct:
		return visitFields(t, schemas, seen)
	}
	return nil
}

func visitFields(t reflect.Type, schemas map[reflect.Type]*derive.Schema, seen map[reflect.Type]bool) error {
	for field := range t.Fields() {
		_, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if slices.Contains(strings.Split(options, ","), "string") {
			return errStringOption
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
