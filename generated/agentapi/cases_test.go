package agentapi_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// A manifest of another server has keys that we do not know, and null where a value may be missing.
func TestM1ManifestKeepsWhatItDoesNotKnow(t *testing.T) {
	for name, manifest := range map[string]string{
		"unknown metadata": `{"name":"n","description":"d","input_content_types":["*/*"],"output_content_types":["*/*"],
			"metadata":{"version":"2","Tags":["as others write it"],"nested":{"a":[1,{"b":null}]}}}`,
		"nested annotations": `{"name":"n","description":"d","input_content_types":["*/*"],"output_content_types":["*/*"],
			"metadata":{"annotations":{"a":{"b":{"c":[true,1.5,"x",{"d":{}}]}},
			"beeai_ui":{"ui_type":"chat","colour":"red","tools":[{"name":"n","description":"d","icon":"i"}]}}}}`,
		"empty annotations": `{"name":"n","description":"d","input_content_types":["*/*"],"output_content_types":["*/*"],
			"metadata":{"annotations":{}}}`,
		"null for all that may be missing": `{"name":"n","description":"d","input_content_types":["*/*"],"output_content_types":["*/*"],
			"metadata":{"annotations":null,"documentation":null,"license":null,"tags":null,"created_at":null,"author":null,
			"contributors":null,"links":null,"capabilities":null,"domains":null,"recommended_models":null},"status":null}`,
		"null below": `{"name":"n","description":"d","input_content_types":["*/*"],"output_content_types":["*/*"],
			"metadata":{"annotations":{"beeai_ui":null},"author":{"name":"a","email":null,"url":null}},
			"status":{"avg_run_tokens":null,"success_rate":null}}`,
		"an empty object where null would do": `{"name":"n","description":"d","input_content_types":["*/*"],
			"output_content_types":["*/*"],"metadata":{},"status":{}}`,
		"times of other zones": `{"name":"n","description":"d","input_content_types":["*/*"],"output_content_types":["*/*"],
			"metadata":{"created_at":"2026-01-02T03:04:05.000006+02:00"}}`,
	} {
		t.Run(name, func(t *testing.T) { same(t, through[agentapi.AgentManifest], decode(t, []byte(manifest))) })
	}
}

// The same of cards. Lists that are null are no error.
func TestM2CardWithNullLists(t *testing.T) {
	for _, card := range []string{
		`{"name":"n","description":"d","url":"u","skills":null,"defaultInputModes":null,"security":null,"capabilities":null}`,
		`{"name":"n","description":"d","url":"u"}`,
		`{"name":"n","description":"d","url":"u","skills":[{"id":"i","name":"n","description":"d","tags":[],"examples":null}]}`,
		`{"name":"n","description":"d","url":"u","x":null,"provider":{"organization":"o","url":"u","since":1999}}`,
	} {
		same(t, through[agentapi.AgentCard], decode(t, []byte(card)))
	}
}

// Zero, false and an empty list are facts, and not the same as nothing.
func TestM6ZeroIsAFact(t *testing.T) {
	status := same(t, through[agentapi.AgentStatus], decode(t, []byte(`{"avg_run_tokens":null,"success_rate":0}`)))
	if string(status) != `{"success_rate":0}` {
		t.Errorf("status = %s", status)
	}
	for _, card := range []string{
		`{"name":"n","description":"d","url":"u","capabilities":{"streaming":false,"pushNotifications":false}}`,
		`{"name":"n","description":"d","url":"u","security":[],"skills":[],"securitySchemes":{},"capabilities":{}}`,
		`{"name":"n","description":"d","url":"u","supportsAuthenticatedExtendedCard":false,"security":[{}]}`,
	} {
		same(t, through[agentapi.AgentCard], decode(t, []byte(card)))
	}
	part := `{"name":"","content_type":"text/plain","content":""}`
	if out := same(t, through[agentapi.MessagePart], decode(t, []byte(part))); string(out) != part {
		t.Errorf("%s came out as %s", part, out)
	}
}

// ACP has snake_case keys, A2A has camelCase ones, and no model mixes them.
func TestC7CaseOfKeys(t *testing.T) {
	for _, name := range nestedKeys(decode(t, read(t, "agent-manifest.json"))) {
		if strings.ToLower(name) != name {
			t.Errorf("the manifest has the key %q", name)
		}
	}
	card, err := json.Marshal(agentapi.AgentCard{
		Capabilities:       &agentapi.AgentCapabilities{PushNotifications: new(false)},
		DefaultInputModes:  []string{"text/plain"},
		DefaultOutputModes: []string{"text/plain"},
		Skills:             []agentapi.AgentSkill{{InputModes: []string{"text/plain"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range nestedKeys(decode(t, card)) {
		if strings.Contains(name, "_") {
			t.Errorf("the card has the key %q", name)
		}
	}
}

// Null, nothing and an empty text are what the document says they are.
func TestC8NullAbsentAndEmpty(t *testing.T) {
	for in, want := range map[string]string{
		`{"agent_name":"a","input":[],"session_id":null}`: `{"agent_name":"a","input":[]}`,
		`{"agent_name":"a","input":[]}`:                   `{"agent_name":"a","input":[]}`,
		`{"agent_name":"a","input":[],"session_id":"7d44f2a0-3f5c-4f0c-9a56-0f1d2e3c4b5a"}`: `{"agent_name":"a","input":[],` +
			`"session_id":"7d44f2a0-3f5c-4f0c-9a56-0f1d2e3c4b5a"}`,
	} {
		if out, err := through[agentapi.RunCreateRequest]([]byte(in)); err != nil || string(out) != want {
			t.Errorf("%s came out as %s (%v), want %s", in, out, err, want)
		}
	}
	if out, err := through[agentapi.RunCreateRequest]([]byte(`{"agent_name":"a","input":[],"session_id":""}`)); err == nil {
		t.Errorf("an empty text is no UUID, but came out as %s", out)
	}
}

// Each kind of scheme survives, flat and wrapped.
func TestC10SecuritySchemes(t *testing.T) {
	same(t, through[agentapi.AgentCard], decode(t, read(t, "schemes.json")))
}

// A kind of scheme or flow that the document does not know is kept, and is no reason to refuse the card.
func TestC11UnknownSchemes(t *testing.T) {
	same(t, through[agentapi.AgentCard], decode(t, []byte(`{"name":"n","description":"d","url":"u","securitySchemes":{
		"quantum":{"type":"quantumKey","x":1,"entangled":{"with":["a","b"]}},
		"device":{"type":"oauth2","flows":{"deviceCode":{"deviceAuthorizationUrl":"https://a.example/d","tokenUrl":"https://a.example/t",
			"scopes":{"read":"Read"},"interval":5},"carrierPigeon":{"loft":"north"}}},
		"wrapped":{"quantumSecurityScheme":{"x":1}}}}`)))
}

// Texts come out as the encoder is told to write them, so that people can read what they are shown.
func TestTextIsEscapedByTheEncoderOnly(t *testing.T) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	const text = "R&D for <everyone>"
	if err := enc.Encode(agentapi.AgentCard{Description: text, AdditionalProperties: map[string]any{"motto": text}}); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.String(), text) != 2 {
		t.Errorf("%q comes out as %s", text, out.String())
	}
}

func TestAdditionalPropertyWithAField(t *testing.T) {
	card := agentapi.AgentCard{AdditionalProperties: map[string]any{"name": "twice"}}
	if out, err := json.Marshal(card); err == nil {
		t.Errorf("a name twice is written as %s", out)
	}
}

func nestedKeys(v any) []string {
	var names []string
	walk(v, "", func(_ string, object map[string]any) {
		for name := range object {
			names = append(names, name)
		}
	})
	return names
}

func FuzzManifestRoundTrip(f *testing.F) {
	f.Add(read(f, "agent-manifest.json"))
	f.Add([]byte(`{"name":"n","metadata":{"annotations":{"a":{"b":null}},"x":[]},"status":{"success_rate":0}}`))
	fuzz(f, through[agentapi.AgentManifest])
}

func FuzzCardRoundTrip(f *testing.F) {
	f.Add(read(f, "agent-card.json"))
	f.Add(read(f, "schemes.json"))
	f.Add([]byte(`{"name":"n","Name":"N","security":[{}],"skills":[null],"x":{"y":[1e300]}}`))
	fuzz(f, through[agentapi.AgentCard])
}

// fuzz looks for a document that a model reads and then loses something of: what it wrote once, it writes
// again.
func fuzz(f *testing.F, model again) {
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := model(data)
		if err != nil {
			t.Skip() // no such document
		}
		twice, err := model(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%s\ncame out as\n%s (%v)", once, twice, err)
		}
	})
}
