// Package contract checks what servers answer against the OpenAPI document. It is for tests.
package contract

import (
	"encoding/json"
	"mime"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cd3b852d/agentgen/openapi"
)

// A Contract is the document.
type Contract struct{ *openapi3.T }

// Load reads the document.
func Load(t testing.TB) Contract {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData([]byte(openapi.YAML()))
	if err != nil {
		t.Fatal(err)
	}
	return Contract{document}
}

// Check fails unless the document allows the answer of the operation: its headers, its media type and its
// body, in which nothing is null.
func (c Contract) Check(t testing.TB, operation *openapi3.Operation, answer *http.Response, body string) {
	t.Helper()
	response := operation.Responses.Status(answer.StatusCode)
	if response == nil {
		response = operation.Responses.Default()
	}
	for name := range response.Value.Headers {
		if answer.Header.Get(name) == "" {
			t.Errorf("status %d lacks the header %s", answer.StatusCode, name)
		}
	}
	mediaType, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	media := response.Value.Content[mediaType]
	if err != nil || media == nil {
		t.Fatalf("status %d has the Content-Type %q, which the document doesn't allow; body %s", answer.StatusCode, mediaType, body)
	}
	var value any = body
	if strings.HasSuffix(mediaType, "json") {
		if err := json.Unmarshal([]byte(body), &value); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(operation.OperationID, "getOpenAPI") { // the document itself speaks of nulls
			checkNulls(t, "", value)
		}
	}
	if err := media.Schema.Value.VisitJSON(value, openapi3.EnableJSONSchema2020(), openapi3.MultiErrors(), openapi3.EnableFormatValidation()); err != nil {
		t.Errorf("status %d: %v\n%s", answer.StatusCode, err, body)
	}
}

// checkNulls fails for each null: what is unset is absent, but for the end of a message that has none yet.
func checkNulls(t testing.TB, at string, value any) {
	t.Helper()
	switch value := value.(type) {
	case nil:
		t.Errorf("%s is null", at)
	case []any:
		for _, item := range value {
			checkNulls(t, at+"/-", item)
		}
	case map[string]any:
		for key, item := range value {
			if key != "completed_at" {
				checkNulls(t, at+"/"+key, item)
			}
		}
	}
}
