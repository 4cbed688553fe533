package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/cd3b852d/agentgen/agent/internal/schema"
	"github.com/cd3b852d/agentgen/generated/agentapi"
	"github.com/cd3b852d/agentgen/internal/misfit"
)

// schemaOf returns the JSON Schema of a type that is said as JSON, and nil for one that isn't, or has none.
func schemaOf[T any]() *schema.Schema {
	switch any(*new(T)).(type) {
	case None, string, Message, []Message, Part, []Part, Metadata:
		return nil
	}
	s, err := schema.Of(reflect.TypeFor[T]())
	if err != nil || len(s.Document()) == 0 {
		return nil // the type holds itself, or anything: decoding is the only check
	}
	return s
}

// fromJSON decodes what the input has of JSON.
func fromJSON[I any](s *schema.Schema, input []Message) (I, error) {
	var in I
	content, err := jsonContent(input)
	if err != nil {
		return in, invalidInput(misfit.Fault{Message: err.Error()})
	}
	if len(bytes.TrimSpace(content)) == 0 {
		return in, invalidInput(misfit.Fault{Message: "wants JSON, has nothing: put it as text into the content of a part"})
	}
	if s != nil {
		faults, err := s.Check(content)
		if err != nil {
			return in, invalidInput(misfit.Fault{Message: "wants JSON: " + err.Error()})
		}
		if len(faults) > 0 {
			return in, invalidInput(faults...)
		}
	}
	if err := json.Unmarshal(content, &in); err != nil {
		return in, invalidInput(undecodable(err))
	}
	return in, nil
}

// undecodable says in terms of JSON what the decoder could not make a Go value of.
func undecodable(err error) misfit.Fault {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at := strings.FieldsFunc(wrong.Field, func(r rune) bool { return r == '.' })
		return misfit.Fault{At: at, Message: "is a " + wrong.Value + ", which does not fit"}
	}
	return misfit.Fault{Message: err.Error()}
}

// invalidInput tells all that is wrong with the JSON in the input, each with its place.
func invalidInput(faults ...misfit.Fault) *Error {
	e := &Error{Code: CodeInvalidInput, Data: map[string]any{}}
	var lines []string
	var list []map[string]string
	for _, f := range faults {
		where := "input"
		if p := f.Pointer(); p != "" {
			where += ": " + p
		}
		lines = append(lines, where+": "+f.Message)
		list = append(list, map[string]string{"pointer": f.Pointer(), "message": f.Message})
	}
	e.Message, e.Data["faults"] = strings.Join(lines, "; "), list
	return e
}

// checked makes a part of a typed value, if that is what its schema promises.
func checked(s *schema.Schema, value any) (Part, error) {
	part, err := JSONPart(value)
	if err != nil {
		return Part{}, err
	}
	faults, err := s.Check([]byte(*part.Content))
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("the output does not fit its schema: %s: %s", faults[0].Pointer(), faults[0].Message)
	}
	return part, err
}

// TypeDocs says what struct types of one package and their fields are for, as their comments do. The key of a type
// is its name, that of a field is Type.Field, in Go's names. The generator collects them.
type TypeDocs map[string]string

// Describe returns the handler with descriptions in the JSON Schemas of its typed input and output, nil for none.
// Each side's docs are of the package that declares its type, or what the type points to, lists or maps to; types of
// the same name from other packages remain without. The tag `jsonschema` of a field has precedence over its comment,
// and that over the comment of its type.
func (h Handler) Describe(input, output TypeDocs) Handler {
	if h.input != nil {
		h.input = h.input.Described(input)
	}
	if h.output != nil {
		h.output = h.output.Described(output)
	}
	return h
}

// publish shows in the manifest what typed values the agent takes and gives.
func (a *Agent) publish() {
	if a.Handler.input == nil && a.Handler.output == nil {
		return
	}
	if a.Manifest.Metadata == nil {
		a.Manifest.Metadata = &agentapi.AgentMetadata{}
	}
	if a.Manifest.Metadata.Annotations == nil {
		a.Manifest.Metadata.Annotations = &agentapi.Annotations{}
	}
	annotations := a.Manifest.Metadata.Annotations
	if a.Handler.input != nil {
		annotations.InputSchema = a.Handler.input.Document()
	}
	if a.Handler.output != nil {
		annotations.OutputSchema = a.Handler.output.Document()
	}
}
