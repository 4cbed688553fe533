package server_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestMisfitsAreFound puts a wrong value at each place of each body that the document knows: an operation
// of which the server doesn't know the body fails.
func TestMisfitsAreFound(t *testing.T) {
	base := serve(t, registry(t, "chat"))
	tried := 0
	for path, item := range loadContract(t).Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.RequestBody == nil {
				continue
			}
			url := base + strings.ReplaceAll(path, "{run_id}", someUUID)
			visit(operation.RequestBody.Value.Content["application/json"].Schema.Value, nil, func(pointer []string, wrong any) {
				tried++
				where := "/" + strings.Join(pointer, "/")
				if len(pointer) == 0 {
					where = "body"
				}
				body, _ := json.Marshal(within(pointer, wrong))
				a := call(t, method, url, string(body))
				if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.body, `"message":"`+where+": wants a") {
					t.Errorf("%s %s %s: got %d %s", method, path, body, a.StatusCode, a.body)
				}
			})
			call(t, method, url, "").wantError(t, http.StatusUnprocessableEntity, "invalid_input", "body: is missing")
		}
	}
	if tried < 40 {
		t.Errorf("tried only %d places", tried)
	}
}

// visit calls a function for each place in a schema with a value that doesn't fit there.
func visit(schema *openapi3.Schema, pointer []string, try func(pointer []string, wrong any)) {
	switch {
	case schema.Type.Includes("integer") || schema.Type.Includes("number"):
		try(pointer, "text")
	case schema.Type != nil:
		try(pointer, 7)
	}
	for name, property := range schema.Properties {
		visit(property.Value, append(slices.Clone(pointer), name), try)
	}
	if schema.Items != nil {
		visit(schema.Items.Value, append(slices.Clone(pointer), "0"), try)
	}
}

// within returns an object, or a list, that has the value at the pointer and nothing else.
func within(pointer []string, value any) any {
	for _, key := range slices.Backward(pointer) {
		if key == "0" {
			value = []any{value}
		} else {
			value = map[string]any{key: value}
		}
	}
	return value
}

func TestMisfits(t *testing.T) {
	base := serve(t, registry(t, "chat"))
	part := func(members string) string { return `{"input":[{"parts":[{},{` + members + `}]}]}` }
	for body, want := range map[string]string{
		`[]`:                                          "body: wants an object, is an array",
		` "text"`:                                     "body: wants an object, is a string",
		`{"agent_name":{}}`:                           "/agent_name: wants a string, is an object",
		`{"input":[7]}`:                               "/input/0: wants an object, is a number",
		`{"session_id":"x"}`:                          `/session_id: wants a UUID, is "x"`,
		`{"session_id":[]}`:                           "/session_id: wants a UUID, is an array",
		`{"mode":true}`:                               "/mode: wants a string, is a boolean",
		`{"agent_name":7,"agent_name":"x"}`:           `body: wants an object, is {"agent_name":7,"agent_name":"x"}`,
		`{"input":[{"created_at":"yesterday"}]}`:      `/input/0/created_at: wants an RFC 3339 time, is "yesterday"`,
		part(`"metadata":{"start_index":1.5}`):        "/input/0/parts/1/metadata/start_index: wants an integer, is 1.5",
		part(`"metadata":{"start_index":1e99}`):       "/input/0/parts/1/metadata/start_index: wants an integer, is 1e99",
		part(`"metadata":{"tool_input":{"n":1e999}}`): "/input/0/parts/1/metadata/tool_input/n: wants numbers that have 64 bits, is 1e999",
		part(`"a/b~c":1e999`):                         "/input/0/parts/1/a~1b~0c: wants numbers that have 64 bits, is 1e999",
	} {
		call(t, http.MethodPost, base+"/runs", body).wantError(t, http.StatusUnprocessableEntity, "invalid_input", want)
	}
}
