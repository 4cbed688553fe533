// Package misfit puts into words where and why a value does not fit its JSON Schema.
//
// Not its job: to validate.
package misfit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Fault is what is wrong with a part of a value.
type Fault struct {
	// At is the path to the part, by properties and positions.
	At []string
	// Kind is the rule that the part breaks.
	Kind jsonschema.ErrorKind
	// Message says what is there, and what the schema wants.
	Message string
}

// Pointer is the path as a JSON pointer (RFC 6901).
func (f Fault) Pointer() string {
	var pointer strings.Builder
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for _, segment := range f.At {
		pointer.WriteString("/" + escape.Replace(segment))
	}
	return pointer.String()
}

// Of lists the innermost faults of an error of the validator, which say what is wrong rather than which
// rule failed, in the order of their places. An error of another kind has none.
func Of(err error) []Fault {
	var faults []Fault
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		collect(invalid, &faults)
	}
	slices.SortFunc(faults, func(a, b Fault) int { // the validator goes through objects in any order
		return cmp.Or(slices.Compare(a.At, b.At), cmp.Compare(a.Message, b.Message))
	})
	return faults
}

func collect(e *jsonschema.ValidationError, faults *[]Fault) {
	for _, cause := range e.Causes {
		collect(cause, faults)
	}
	if len(e.Causes) == 0 {
		*faults = append(*faults, Fault{At: e.InstanceLocation, Kind: e.ErrorKind, Message: say(e.ErrorKind)})
	}
}

// say puts a fault into words: what is there, and what the schema wants.
func say(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Required:
		return strings.Join(k.Missing, " and ") + " is missing"
	case *kind.Enum:
		return fmt.Sprintf("%v is not one of %s", quote(k.Got), Listed(k.Want))
	case *kind.Format:
		return fmt.Sprintf("%v is not %s", quote(k.Got), describeFormat(k.Want))
	case *kind.Type:
		wanted := slices.DeleteFunc(slices.Clone(k.Want), func(t string) bool { return t == "null" })
		return fmt.Sprintf("wants %s, not %s", strings.Join(wanted, " or "), k.Got)
	case *kind.AdditionalProperties:
		return "knows no " + strings.Join(k.Properties, ", ")
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

// Listed names the values of an enumeration.
func Listed(values []any) string {
	var names []string
	for _, v := range values {
		if v != nil {
			names = append(names, fmt.Sprint(v))
		}
	}
	return strings.Join(names, ", ")
}
