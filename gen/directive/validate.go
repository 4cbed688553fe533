package directive

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/cd3b852d/agentgen/internal/misfit"
	"github.com/cd3b852d/agentgen/internal/suggest"
)

// document is the address under which the validator knows the reduced document.
const document = "agentgen:document"

// validator checks values against the schemas of the reduced document. A schema is compiled when it is
// first needed.
type validator struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

// goTime wants a time that Go reads, which is a little less than RFC 3339 allows.
func goTime(v any) error {
	text, ok := v.(string)
	if !ok {
		return nil
	}
	_, err := time.Parse(time.RFC3339, text)
	return err
}

// readable names the part by its properties. Which element of a list it is, the position says.
func readable(f misfit.Fault) string {
	names := slices.DeleteFunc(slices.Clone(f.At), func(segment string) bool {
		_, err := strconv.Atoi(segment)
		return err == nil
	})
	if len(names) == 0 {
		return f.Message
	}
	return strings.Join(names, ".") + ": " + f.Message
}

func newValidator(reduced any) (*validator, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: goTime})
	if err := c.AddResource(document, reduced); err != nil {
		return nil, fmt.Errorf("reduced document: %w", err)
	}
	return &validator{compiler: c, compiled: map[string]*jsonschema.Schema{}}, nil
}

// check lists what is wrong with a value, nothing if it fits the schema.
func (v *validator) check(s *Schema, value any) []misfit.Fault {
	compiled, err := v.schema(s.pointer)
	if err != nil {
		return []misfit.Fault{{Message: fmt.Sprintf("the document is faulty: %v", err)}}
	}
	faults := unknown(s, value, nil)
	faults = append(faults, misfit.Of(compiled.Validate(value))...)
	for i, f := range faults {
		if _, ok := f.Kind.(*kind.Pattern); ok && len(f.At) == 0 && len(s.Examples) > 0 {
			faults[i].Message += ", as " + string(s.Examples[0]) + " does"
		}
	}
	return faults
}

// unknown finds the properties that the document does not know and has no place for.
func unknown(s *Schema, value any, at []string) []misfit.Fault {
	var faults []misfit.Fault
	switch value := value.(type) {
	case []any:
		for i, element := range value {
			if s.Items != nil {
				faults = append(faults, unknown(s.Items, element, append(slices.Clip(at), strconv.Itoa(i)))...)
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			p := s.property(name)
			if p == nil && len(s.Properties) > 0 {
				faults = append(faults, misfit.Fault{At: at, Message: "knows no " + name + suggest.Hint(name, s.writable())})
			}
			if p != nil {
				faults = append(faults, unknown(p, value[name], append(slices.Clip(at), name))...)
			}
		}
	}
	return faults
}

func (v *validator) schema(pointer string) (*jsonschema.Schema, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if s, ok := v.compiled[pointer]; ok {
		return s, nil
	}
	s, err := v.compiler.Compile(document + pointer)
	if err == nil {
		v.compiled[pointer] = s
	}
	return s, err
}
