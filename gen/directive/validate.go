package directive

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

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

// fault is what is wrong with a part of a value.
type fault struct {
	at      []string // the path to the part
	kind    jsonschema.ErrorKind
	message string
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

// String names the part by its properties. Which element of a list it is, the position says.
func (f fault) String() string {
	names := slices.DeleteFunc(slices.Clone(f.at), func(segment string) bool {
		_, err := strconv.Atoi(segment)
		return err == nil
	})
	if len(names) == 0 {
		return f.message
	}
	return strings.Join(names, ".") + ": " + f.message
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
func (v *validator) check(s *Schema, value any) []fault {
	compiled, err := v.schema(s.pointer)
	if err != nil {
		return []fault{{message: fmt.Sprintf("the document is faulty: %v", err)}}
	}
	faults := unknown(s, value, nil)
	var invalid *jsonschema.ValidationError
	if err := compiled.Validate(value); errors.As(err, &invalid) {
		collect(invalid, &faults)
	}
	for i, f := range faults {
		if _, ok := f.kind.(*kind.Pattern); ok && len(f.at) == 0 && len(s.Examples) > 0 {
			faults[i].message += ", as " + string(s.Examples[0]) + " does"
		}
	}
	return faults
}

// unknown finds the properties that the document does not know and has no place for.
func unknown(s *Schema, value any, at []string) []fault {
	var faults []fault
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
				faults = append(faults, fault{at: at, message: "knows no " + name + suggest.Hint(name, s.writable())})
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

// collect gathers the innermost faults, which say what is wrong rather than which rule failed.
func collect(e *jsonschema.ValidationError, faults *[]fault) {
	for _, cause := range e.Causes {
		collect(cause, faults)
	}
	if len(e.Causes) == 0 {
		*faults = append(*faults, fault{at: e.InstanceLocation, kind: e.ErrorKind, message: say(e.ErrorKind)})
	}
}

// say puts a fault into words: what is there, and what the document wants.
func say(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Required:
		return strings.Join(k.Missing, " and ") + " is missing"
	case *kind.Enum:
		return fmt.Sprintf("%v is not one of %s", quote(k.Got), listed(k.Want))
	case *kind.Format:
		return fmt.Sprintf("%v is not %s", quote(k.Got), describeFormat(k.Want))
	case *kind.Type:
		wanted := slices.DeleteFunc(slices.Clone(k.Want), func(t string) bool { return t == "null" })
		return fmt.Sprintf("wants %s, not %s", strings.Join(wanted, " or "), k.Got)
	case *kind.MinLength:
		if k.Got == 0 {
			return "is empty"
		}
	case *kind.MaxLength:
		return fmt.Sprintf("has %d letters, more than %d", k.Got, k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("wants at least %d of it", k.Want)
	case *kind.Pattern:
		if k.Got == "" {
			return "is empty"
		}
		return fmt.Sprintf("%s does not match %s", quote(k.Got), k.Want)
	}
	return k.LocalizedString(message.NewPrinter(language.English))
}

// describeFormat names a format for people, with an example.
func describeFormat(format string) string {
	switch format {
	case "uri":
		return "an absolute URI such as https://example.com"
	case "uri-reference":
		return "a URI"
	case "email":
		return "an address such as ada@example.com"
	case "date-time":
		return "an RFC 3339 time such as 2026-01-02T03:04:05Z"
	}
	return "of the format " + format
}

func quote(v any) string {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprint(v)
}

// listed names the values of an enumeration.
func listed(values []any) string {
	var names []string
	for _, v := range values {
		if v != nil {
			names = append(names, fmt.Sprint(v))
		}
	}
	return strings.Join(names, ", ")
}
