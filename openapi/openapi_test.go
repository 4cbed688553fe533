package openapi_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cd3b852d/agentgen/openapi"
)

func load(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData([]byte(openapi.YAML()))
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func TestDocumentIsValid(t *testing.T) {
	if err := load(t).Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
}

// TestSchemasSpeak says that each schema has a description and examples of itself, and each property a
// description.
func TestSchemasSpeak(t *testing.T) {
	for name, ref := range load(t).Components.Schemas {
		s := ref.Value
		if s.Description == "" || len(s.Examples) == 0 {
			t.Errorf("%s has no description or no example", name)
		}
		for i, example := range s.Examples {
			err := s.VisitJSON(example, openapi3.EnableJSONSchema2020(), openapi3.EnableFormatValidation(), openapi3.MultiErrors())
			if err != nil {
				t.Errorf("%s: example %d: %v", name, i, err)
			}
		}
		for property, p := range s.Properties {
			if p.Value.Description == "" {
				t.Errorf("%s.%s has no description", name, property)
			}
			for i, example := range p.Value.Examples {
				if err := p.Value.VisitJSON(example, openapi3.EnableJSONSchema2020(), openapi3.EnableFormatValidation()); err != nil {
					t.Errorf("%s.%s: example %d: %v", name, property, i, err)
				}
			}
		}
	}
}

// TestOperationsSpeak says that each operation, parameter and response has a description, and each body an
// example that is valid.
func TestOperationsSpeak(t *testing.T) {
	for path, item := range load(t).Paths.Map() {
		for method, operation := range item.Operations() {
			at := method + " " + path
			if operation.Summary == "" || operation.Description == "" {
				t.Errorf("%s has no summary or no description", at)
			}
			if body := operation.RequestBody; body != nil {
				checkContent(t, at, body.Value.Description, body.Value.Content)
			}
			for status, response := range operation.Responses.Map() {
				checkContent(t, at+" "+status, *response.Value.Description, response.Value.Content)
			}
			for _, parameter := range append(item.Parameters, operation.Parameters...) {
				if parameter.Value.Description == "" || parameter.Value.Example == nil {
					t.Errorf("%s: parameter %s has no description or no example", at, parameter.Value.Name)
				}
			}
		}
	}
}

func checkContent(t *testing.T, at, description string, content openapi3.Content) {
	t.Helper()
	if description == "" {
		t.Errorf("%s has no description", at)
	}
	for mediaType, media := range content {
		if media.Example == nil {
			t.Errorf("%s: %s has no example", at, mediaType)
			continue
		}
		err := media.Schema.Value.VisitJSON(media.Example, openapi3.EnableJSONSchema2020(), openapi3.EnableFormatValidation(), openapi3.MultiErrors())
		if err != nil {
			t.Errorf("%s: %s: %v", at, mediaType, err)
		}
	}
}
