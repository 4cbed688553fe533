package describe

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// TestDecoderAgreesWithJSON has each kind of property, absent, null, empty and full.
func TestDecoderAgreesWithJSON(t *testing.T) {
	for _, text := range []string{
		`{}`,
		`{"name":"chat","description":"d","input_content_types":["a","b"],"output_content_types":[],"metadata":null}`,
		`{"name":"chat","metadata":{"created_at":"2023-11-07T05:31:56.5+02:00","tags":[],"license":null,"author":{"name":"Ada"},
			"links":[{"type":"homepage","url":"https://example.com"}],"annotations":{},"env":[{"a":1}],"more":{"deep":[1,true,null,"x"]}},
			"status":{"success_rate":0,"avg_run_tokens":null},"unknown":1}`,
	} {
		agree[agentapi.AgentManifest](t, text)
	}
	agree[agentapi.AgentCard](t, `{"name":"n","capabilities":{"streaming":false,"pushNotifications":null,"x":1.5},"skills":[],
		"security":[{"b":[]},{"o":["read","write"]}],"securitySchemes":{"b":{"type":"http","scheme":"bearer"},
		"o":{"type":"oauth2","flows":{"clientCredentials":{"tokenUrl":"https://example.com","scopes":{"read":"r"},"pkceRequired":true}}}}}`)
	agree[agentapi.Run](t, `{"run_id":"0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f0","session_id":"7d44f2a0-3f5c-4f0c-9a56-0f1d2e3c4b5a",
		"output":[{"parts":[{"content":"","metadata":{"kind":"citation","start_index":3}}]}]}`)
}

func TestDecoderRefusesWhatDoesNotFit(t *testing.T) {
	for _, text := range []string{
		`{"name":1}`, `{"description":[]}`, `{"input_content_types":{}}`, `{"metadata":"m"}`, `{"metadata":{"created_at":"yesterday"}}`,
		`{"metadata":{"links":[{"type":true}]}}`, `{"status":{"success_rate":"all"}}`,
	} {
		var model agentapi.AgentManifest
		if err := decodeText(t, &model, text); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

func agree[T any](t *testing.T, text string) {
	t.Helper()
	var got, want T
	if err := decodeText(t, &got, text); err != nil {
		t.Errorf("%s: %v", text, err)
	}
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b time.Time) bool { return a.String() == b.String() })); diff != "" {
		t.Errorf("%s: %s", text, diff)
	}
}

func decodeText(t *testing.T, model any, text string) error {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	d := &decoder{structs: map[reflect.Type]layout{}}
	return d.set(reflect.ValueOf(model).Elem(), value)
}
