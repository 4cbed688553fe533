package agentapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/cd3b852d/agentgen/generated/agentapi"
	"github.com/cd3b852d/agentgen/openapi"
)

// again decodes JSON into a model and encodes it: what a program keeps of a document that it passes on.
type again func([]byte) ([]byte, error)

func through[T any](data []byte) ([]byte, error) {
	var model T
	if err := json.Unmarshal(data, &model); err != nil {
		return nil, err
	}
	return json.Marshal(model)
}

// models has each schema of the document whose model is more than a string.
func models() map[string]again {
	return map[string]again{
		"APIKeySecurityScheme":        through[agentapi.APIKeySecurityScheme],
		"AdditionalInterface":         through[agentapi.AdditionalInterface],
		"AgentCapabilities":           through[agentapi.AgentCapabilities],
		"AgentCard":                   through[agentapi.AgentCard],
		"AgentCardSignature":          through[agentapi.AgentCardSignature],
		"AgentExtension":              through[agentapi.AgentExtension],
		"AgentInterface":              through[agentapi.AgentInterface],
		"AgentList":                   through[agentapi.AgentList],
		"AgentManifest":               through[agentapi.AgentManifest],
		"AgentMetadata":               through[agentapi.AgentMetadata],
		"AgentProvider":               through[agentapi.AgentProvider],
		"AgentSkill":                  through[agentapi.AgentSkill],
		"AgentStatus":                 through[agentapi.AgentStatus],
		"Annotations":                 through[agentapi.Annotations],
		"AwaitRequest":                through[agentapi.AwaitRequest],
		"AwaitResume":                 through[agentapi.AwaitResume],
		"Capability":                  through[agentapi.Capability],
		"Dependency":                  through[agentapi.Dependency],
		"Error":                       through[agentapi.Error],
		"Event":                       through[agentapi.Event],
		"EventList":                   through[agentapi.EventList],
		"HTTPAuthSecurityScheme":      through[agentapi.HTTPAuthSecurityScheme],
		"Link":                        through[agentapi.Link],
		"LinkContext":                 through[agentapi.LinkContext],
		"LinkSet":                     through[agentapi.LinkSet],
		"LinkTarget":                  through[agentapi.LinkTarget],
		"MTLSSecurityScheme":          through[agentapi.MTLSSecurityScheme],
		"Message":                     through[agentapi.Message],
		"MessagePart":                 through[agentapi.MessagePart],
		"OAuth2SecurityScheme":        through[agentapi.OAuth2SecurityScheme],
		"OAuthFlow":                   through[agentapi.OAuthFlow],
		"OAuthFlows":                  through[agentapi.OAuthFlows],
		"OpenAPIDocument":             through[agentapi.OpenAPIDocument],
		"OpenIDConnectSecurityScheme": through[agentapi.OpenIDConnectSecurityScheme],
		"PartMetadata":                through[agentapi.PartMetadata],
		"Person":                      through[agentapi.Person],
		"PlatformUIAnnotation":        through[agentapi.PlatformUIAnnotation],
		"PlatformUITool":              through[agentapi.PlatformUITool],
		"Pong":                        through[agentapi.Pong],
		"Run":                         through[agentapi.Run],
		"RunCreateRequest":            through[agentapi.RunCreateRequest],
		"RunResumeRequest":            through[agentapi.RunResumeRequest],
		"SecurityRequirement":         through[agentapi.SecurityRequirement],
		"SecurityScheme":              through[agentapi.SecurityScheme],
		"Session":                     through[agentapi.Session],
	}
}

// Every example that the document gives survives its model, and so it does with null for what may be missing.
func TestExamplesOfTheDocument(t *testing.T) {
	known := models()
	seen := map[string]bool{}
	for _, e := range examples(t) {
		model := known[e.schema]
		if model == nil {
			if _, isObject := e.value.(map[string]any); isObject {
				t.Errorf("the schema %s is not among the models of this test", e.schema)
			}
			continue
		}
		seen[e.schema] = true
		t.Run(e.where, func(t *testing.T) {
			same(t, model, e.value)
			object, _ := e.value.(map[string]any)
			for _, name := range e.optional {
				nulled := maps.Clone(object)
				nulled[name] = nil
				same(t, model, nulled)
			}
		})
	}
	for name := range known {
		if !seen[name] {
			t.Errorf("the schema %s has no example, or the document has no such schema", name)
		}
	}
}

func TestSeeds(t *testing.T) {
	for file, model := range map[string]again{
		"agent-manifest.json": through[agentapi.AgentManifest],
		"agent-card.json":     through[agentapi.AgentCard],
	} {
		t.Run(file, func(t *testing.T) {
			data := read(t, file)
			out := same(t, model, decode(t, data))
			if got, want := keys(t, out), keys(t, data); !slices.Equal(got, want) {
				t.Errorf("the keys are written in the order\n%q, want that of the page\n%q", got, want)
			}
		})
	}
}

// People read the name first, and what only some platform knows last.
func TestKeysInReadingOrder(t *testing.T) {
	for _, tt := range []struct {
		model again
		in    string
		want  []string
	}{
		{
			through[agentapi.AgentManifest],
			`{"status":{},"metadata":{},"output_content_types":["*/*"],"input_content_types":["*/*"],"description":"d","name":"n"}`,
			[]string{"name", "description", "input_content_types", "output_content_types", "metadata", "status"},
		},
		{
			through[agentapi.AgentCard],
			`{"b":1,"a":2,"skills":[],"version":"1","url":"u","description":"d","name":"n"}`,
			[]string{"name", "description", "url", "version", "skills", "a", "b"},
		},
		{
			through[agentapi.AgentMetadata],
			`{"zzz":1,"tags":[],"license":"MIT","documentation":"d"}`,
			[]string{"documentation", "license", "tags", "zzz"},
		},
	} {
		out, err := tt.model([]byte(tt.in))
		if err != nil {
			t.Fatal(err)
		}
		if got := keys(t, out); !slices.Equal(got, tt.want) {
			t.Errorf("%s is written in the order %q, want %q", tt.in, got, tt.want)
		}
	}
}

// same fails unless the value comes out of the model as it went in, where null and a missing key are the same.
func same(t *testing.T, model again, value any) []byte {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	out, err := model(data)
	if err != nil {
		t.Errorf("%v in %s", err, data)
		return nil
	}
	if got, want := withoutNulls(decode(t, out)), withoutNulls(decode(t, data)); !reflect.DeepEqual(got, want) {
		t.Errorf("%s\ncame out as\n%s", data, out)
	}
	return out
}

func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		kept := map[string]any{}
		for k, value := range v {
			if value != nil {
				kept[k] = withoutNulls(value)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i := range v {
			kept[i] = withoutNulls(v[i])
		}
		return kept
	}
	return v
}

// example is a value that the document shows for a schema.
type example struct {
	where, schema string
	value         any
	optional      []string // what it may lack
}

// examples are those of the schemas, and those of the requests and responses that hold one.
func examples(t *testing.T) []example {
	var document map[string]any
	if err := yaml.Unmarshal([]byte(openapi.YAML()), &document); err != nil {
		t.Fatal(err)
	}
	var all []example
	schemas, _ := document["components"].(map[string]any)["schemas"].(map[string]any)
	for name, schema := range schemas {
		schema, _ := schema.(map[string]any)
		list, _ := schema["examples"].([]any)
		for i, value := range list {
			all = append(all, example{fmt.Sprintf("%s/%d", name, i), name, value, optional(schema)})
		}
	}
	walk(document, "", func(where string, node map[string]any) {
		schema, _ := node["schema"].(map[string]any)
		ref, _ := schema["$ref"].(string)
		if name, ok := strings.CutPrefix(ref, "#/components/schemas/"); ok && node["example"] != nil {
			all = append(all, example{where: where, schema: name, value: node["example"]})
		}
	})
	slices.SortFunc(all, func(a, b example) int { return strings.Compare(a.where, b.where) })
	return all
}

// optional are the properties that an object may lack.
func optional(schema map[string]any) []string {
	required, _ := schema["required"].([]any)
	properties, _ := schema["properties"].(map[string]any)
	var names []string
	for name := range properties {
		if !slices.Contains(required, any(name)) {
			names = append(names, name)
		}
	}
	return names
}

func walk(v any, where string, visit func(string, map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		visit(where, v)
		for name, child := range v {
			walk(child, where+"/"+name, visit)
		}
	case []any:
		for i, child := range v {
			walk(child, fmt.Sprintf("%s/%d", where, i), visit)
		}
	}
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decode(t testing.TB, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}

// keys are those of a JSON object, in their order.
func keys(t *testing.T, data []byte) []string {
	t.Helper()
	var names []string
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, fmt.Sprint(name))
		if err := dec.Decode(new(json.RawMessage)); err != nil {
			t.Fatal(err)
		}
	}
	return names
}
