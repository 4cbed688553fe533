package a2a_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/cd3b852d/agentgen/agent/a2a"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

const address = "https://agents.example.com/team/.well-known/agent-card.json"

// mustRead reads a card that has at least a name, a description and an address.
func mustRead(t *testing.T, properties string) agentapi.AgentCard {
	t.Helper()
	card, err := a2a.ReadCard([]byte(`{"name":"n","description":"d",`+properties+`}`), address)
	if err != nil {
		t.Fatal(err)
	}
	return card
}

// Lists that are null, or missing, are empty.
func TestM2NullLists(t *testing.T) {
	for _, properties := range []string{
		`"url":"https://h/a2a"`,
		`"url":"https://h/a2a","skills":null,"defaultInputModes":null,"defaultOutputModes":null`,
	} {
		card := mustRead(t, properties)
		out, err := json.Marshal(card)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"skills":[]`, `"defaultInputModes":[]`, `"defaultOutputModes":[]`} {
			if !strings.Contains(string(out), want) {
				t.Errorf("the card with %s lacks %s: %s", properties, want, out)
			}
		}
	}
	card := mustRead(t, `"url":"https://h/a2a","skills":[{"id":"i","name":"n","description":"d","tags":null}]`)
	if tags := card.Skills[0].Tags; tags == nil || len(tags) > 0 {
		t.Errorf("null tags are read as %#v, want an empty list", tags)
	}
}

// A client calls where the card of its version says.
func TestM3Endpoint(t *testing.T) {
	for _, tt := range []struct{ name, card, want string }{
		{"the page's card, which has a url alone", `"url":"https://h/a2a"`, "JSONRPC 0.3 https://h/a2a"},
		{
			"a card of 0.3", `"url":"https://h/rpc","protocolVersion":"0.3.0","preferredTransport":"JSONRPC",
			"additionalInterfaces":[{"url":"https://h/rest","transport":"HTTP+JSON"}]`, "JSONRPC 0.3.0 https://h/rpc",
		},
		{
			"a card of 0.3 that prefers gRPC", `"url":"h:443","protocolVersion":"0.3.0","preferredTransport":"GRPC",
			"additionalInterfaces":[{"url":"h:443","transport":"GRPC"},{"url":"https://h/rest","transport":"HTTP+JSON"}]`,
			"HTTP+JSON 0.3.0 https://h/rest",
		},
		{"a card of 0.2", `"url":"https://h/a2a","protocolVersion":"0.2.6"`, "JSONRPC 0.2.6 https://h/a2a"},
		{
			"a card of 1.0", `"supportedInterfaces":[
			{"url":"h:443","protocolBinding":"GRPC","protocolVersion":"1.0"},
			{"url":"https://h/rest","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"},
			{"url":"https://h/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"},
			{"url":"https://h/other","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`, "JSONRPC 1.0 https://h/rpc",
		},
		{
			"a newer version by a less simple binding", `"supportedInterfaces":[
			{"url":"https://h/rpc","protocolBinding":"JSONRPC","protocolVersion":"0.3"},
			{"url":"https://h/rest","protocolBinding":"HTTP+JSON","protocolVersion":"1.1"}]`, "HTTP+JSON 1.1 https://h/rest",
		},
		{
			"a card for both", `"url":"https://h/old","preferredTransport":"JSONRPC","protocolVersion":"0.3.0","supportedInterfaces":[
			{"url":"https://h/new","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`, "JSONRPC 1.0 https://h/new",
		},
		{
			"a card for both, of whose new interfaces none is of use", `"url":"https://h/old","supportedInterfaces":[
			{"url":"h:443","protocolBinding":"GRPC","protocolVersion":"1.0"},
			{"url":"https://h/2","protocolBinding":"JSONRPC","protocolVersion":"2.0"}]`, "JSONRPC 0.3 https://h/old",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			at, err := a2a.Endpoint(mustRead(t, tt.card))
			if got := at.ProtocolBinding + " " + at.ProtocolVersion + " " + at.URL; err != nil || got != tt.want {
				t.Errorf("Endpoint() = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestM3EndpointOfNoUse(t *testing.T) {
	for name, tt := range map[string]struct{ card, want string }{
		"gRPC alone":      {`"url":"h:443","preferredTransport":"GRPC"`, "only GRPC 0.3 at h:443"},
		"another version": {`"url":"https://h","protocolVersion":"0.1"`, "only JSONRPC 0.1 at https://h"},
		"another scheme":  {`"url":"ftp://h/a2a"`, "only JSONRPC 0.3 at ftp://h/a2a"},
		"no scheme":       {`"url":"localhost:1"`, "only JSONRPC 0.3 at localhost:1"},
		"no address":      {`"url":"http://[::1/%zz"`, "only JSONRPC 0.3 at http://[::1/%zz"},
	} {
		t.Run(name, func(t *testing.T) {
			at, err := a2a.Endpoint(mustRead(t, tt.card))
			if err == nil || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("Endpoint() = %v, %v, want an error that ends with %q", at, err, tt.want)
			}
		})
	}
	if _, err := a2a.Endpoint(agentapi.AgentCard{}); err == nil || !strings.Contains(err.Error(), "does not say where") {
		t.Errorf("the endpoint of no card: %v", err)
	}
}

// A card without what every card has is refused, with all that it lacks in one error.
func TestM4IncompleteCard(t *testing.T) {
	for _, tt := range []struct{ card, want string }{
		{`{}`, "it lacks name, description, url or supportedInterfaces"},
		{`{"name":null,"description":"","url":null,"supportedInterfaces":[]}`, "it lacks name, description, url or supportedInterfaces"},
		{`{"description":"d","url":"https://h/a2a"}`, "it lacks name"},
		{`{"name":"n","description":"d"}`, "it lacks url or supportedInterfaces"},
		{`null`, "it is not a JSON object"},
		{`[]`, "it is not a JSON object"},
		{``, "it is not a JSON object"},
		{`<!doctype html><title>Not Found</title>`, "it is not a JSON object"},
		{`{"name":"n"`, "it is not a JSON object"},
		{`{"name":7}`, "name: json: cannot unmarshal number into Go value of type string"},
	} {
		_, err := a2a.ReadCard([]byte(tt.card), address)
		if want := "a2a: card at " + address + ": " + tt.want; err == nil || err.Error() != want {
			t.Errorf("the error of %s is\n%v, want\n%s", tt.card, err, want)
		}
	}
	if _, err := a2a.ReadCard([]byte(`{}`), ""); err == nil || !strings.HasPrefix(err.Error(), "a2a: card: it lacks") {
		t.Errorf("without an address, the error is %v", err)
	}
}

// A relative address counts from the card's own.
func TestM5RelativeAddress(t *testing.T) {
	for relative, want := range map[string]string{
		"/a2a/x":             "https://agents.example.com/a2a/x",
		"a2a":                "https://agents.example.com/team/.well-known/a2a",
		"../a2a":             "https://agents.example.com/team/a2a",
		"//other.example/x":  "https://other.example/x",
		"?agent=x":           address + "?agent=x",
		"https://h/absolute": "https://h/absolute",
	} {
		card := mustRead(t, `"url":"`+relative+`",
			"supportedInterfaces":[{"url":"`+relative+`","protocolBinding":"JSONRPC","protocolVersion":"1.0"},
				{"url":"h:443","protocolBinding":"GRPC","protocolVersion":"1.0"}],
			"additionalInterfaces":[{"url":"`+relative+`","transport":"HTTP+JSON"}]`)
		for _, got := range []string{card.URL, card.SupportedInterfaces[0].URL, card.AdditionalInterfaces[0].URL} {
			if got != want {
				t.Errorf("%s is read as %s, want %s", relative, got, want)
			}
		}
		if got := card.SupportedInterfaces[1].URL; got != "h:443" {
			t.Errorf("the address of gRPC is read as %s", got)
		}
	}
	fromFile, err := a2a.ReadCard([]byte(`{"name":"n","description":"d","url":"/a2a"}`), "")
	if err != nil || fromFile.URL != "/a2a" {
		t.Errorf("without an address of the card, its url is %q, %v", fromFile.URL, err)
	}
	for _, bad := range []string{"agents.example.com", "/card.json", "http://[::1"} {
		if _, err := a2a.ReadCard([]byte(`{"name":"n","description":"d","url":"/a2a"}`), bad); err == nil {
			t.Errorf("a card at %s is read", bad)
		}
	}
}

// What 1.0 says of security is read as 0.3 says it, in every form that servers write.
func TestReadSecurity(t *testing.T) {
	type list = []agentapi.SecurityRequirement
	for _, tt := range []struct {
		in   string
		want list
	}{
		{`"securityRequirements":[{"schemes":{"k":{"list":["read"]}}}]`, list{{"k": {"read"}}}},
		{`"securityRequirements":[{"schemes":{"k":["read"]}},{"schemes":{"l":{"list":[]}}}]`, list{{"k": {"read"}}, {"l": {}}}},
		{`"securityRequirements":[{"schemes":{"k":{},"l":null}}]`, list{{"k": {}, "l": {}}}},
		{`"securityRequirements":[{"k":["read"]}]`, list{{"k": {"read"}}}},
		{`"securityRequirements":[{},{"schemes":null}]`, list{{}, {}}},
		{`"securityRequirements":[]`, list{}},
		{`"securityRequirements":null`, nil},
		{`"security":[{"k":[]}],"securityRequirements":[{"schemes":{"l":{}}}]`, list{{"k": {}}}},
	} {
		card := mustRead(t, `"url":"https://h/a2a","skills":[{"id":"i","name":"n","description":"d","tags":[],`+tt.in+`}],`+tt.in)
		if !reflect.DeepEqual(card.Security, tt.want) {
			t.Errorf("%s is read as %v, want %v", tt.in, card.Security, tt.want)
		}
		if got := card.Skills[0].Security; !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s of a skill is read as %v, want %v", tt.in, got, tt.want)
		}
		if card.AdditionalProperties["securityRequirements"] != nil {
			t.Errorf("%s is kept, which other readers refuse", tt.in)
		}
	}
	for _, in := range []string{`"k"`, `["k"]`, `[{"schemes":["k"]}]`, `[{"schemes":{"k":7}}]`, `[{"schemes":{"k":[7]}}]`} {
		_, err := a2a.ReadCard([]byte(`{"name":"n","description":"d","url":"https://h","securityRequirements":`+in+`}`), address)
		if err == nil || !strings.Contains(err.Error(), "securityRequirements") {
			t.Errorf("the error of %s is %v", in, err)
		}
	}
}

// A scheme that only 1.0 readers would know has the fields that all know.
func TestReadSchemes(t *testing.T) {
	card := mustRead(t, `"url":"https://h/a2a","securitySchemes":{
		"key":{"apiKeySecurityScheme":{"location":"header","name":"X-API-Key","description":"Ask."}},
		"odd":{"apiKeySecurityScheme":{"in":"cookie","name":"key"}},
		"mixed":{"type":"apiKey","location":"query","name":"key"},
		"http":{"httpAuthSecurityScheme":{"scheme":"bearer","bearerFormat":"JWT"}},
		"oauth":{"oauth2SecurityScheme":{"oauth2MetadataUrl":"https://a/m","flows":{
			"clientCredentials":{"tokenUrl":"https://a/t","scopes":{"read":"Read"}},
			"deviceCode":{"deviceAuthorizationUrl":"https://a/d","tokenUrl":"https://a/t","scopes":{}}}}},
		"openid":{"openIdConnectSecurityScheme":{"openIdConnectUrl":"https://a/o"}},
		"mtls":{"mtlsSecurityScheme":{}},
		"flat":{"type":"http","scheme":"basic","httpAuthSecurityScheme":{"scheme":"bearer"}},
		"quantum":{"type":"quantumKey","x":1}}`)
	for name, want := range map[string]string{
		"key":     `{"type":"apiKey","description":"Ask.","in":"header","name":"X-API-Key"}`,
		"odd":     `{"type":"apiKey","in":"cookie","name":"key"}`,
		"mixed":   `{"type":"apiKey","in":"query","name":"key","location":"query"}`,
		"http":    `{"type":"http","scheme":"bearer","bearerFormat":"JWT"}`,
		"openid":  `{"type":"openIdConnect","openIdConnectUrl":"https://a/o"}`,
		"mtls":    `{"type":"mutualTLS"}`,
		"flat":    `{"type":"http","scheme":"basic"}`,
		"quantum": `{"type":"quantumKey","x":1}`,
	} {
		s := card.SecuritySchemes[name]
		s.APIKeySecurityScheme, s.HTTPAuthSecurityScheme = nil, nil
		s.OpenIDConnectSecurityScheme, s.MTLSSecurityScheme = nil, nil
		if got, err := json.Marshal(s); err != nil || string(got) != want {
			t.Errorf("%s is read as %s (%v), want %s", name, got, err, want)
		}
	}
	oauth := card.SecuritySchemes["oauth"]
	if oauth.Type != "oauth2" || oauth.OAuth2MetadataURL != "https://a/m" || oauth.Flows == nil ||
		oauth.Flows.DeviceCode == nil || oauth.Flows.ClientCredentials.Scopes["read"] != "Read" {
		t.Errorf("oauth is read as %+v", oauth)
	}
}

// What no version of the protocol knows is kept.
func TestReadUnknown(t *testing.T) {
	card := mustRead(t, `"url":"https://h/a2a","x":{"y":[1]},"authentication":{"schemes":["Bearer"]}`)
	if len(card.AdditionalProperties) != 2 {
		t.Errorf("of x and authentication are kept %v", card.AdditionalProperties)
	}
}

// Our own cards are read as what they are.
func TestReadPublished(t *testing.T) {
	published := a2a.Published(agentapi.AgentCard{Name: "n", Description: "d"}, "https://agents.example.com")
	data, err := json.Marshal(published)
	if err != nil {
		t.Fatal(err)
	}
	card, err := a2a.ReadCard(data, address)
	if err != nil || !reflect.DeepEqual(card, published) {
		t.Errorf("published\n%+v, read\n%+v (%v)", published, card, err)
	}
	if at, err := a2a.Endpoint(card); err != nil || at.URL != "https://agents.example.com/a2a" || at.ProtocolVersion != "1.0" {
		t.Errorf("Endpoint() = %v, %v", at, err)
	}
}

func FuzzReadCard(f *testing.F) {
	for _, card := range []string{
		`{"name":"n","description":"d","url":"/a2a","skills":[null,{"tags":null}]}`,
		`{"name":"n","description":"d","supportedInterfaces":[{"url":"x","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`,
		`{"name":"n","description":"d","url":"//h","securityRequirements":[{"schemes":{"k":{"list":["s"]}}}],
			"securitySchemes":{"k":{"apiKeySecurityScheme":{"in":"header"}},"l":null}}`,
	} {
		f.Add([]byte(card), address)
	}
	f.Fuzz(func(t *testing.T, data []byte, address string) {
		card, err := a2a.ReadCard(data, address)
		if err != nil {
			return
		}
		if at, err := a2a.Endpoint(card); err == nil && !strings.HasPrefix(strings.ToLower(at.URL), "http") {
			t.Errorf("a client would call %q", at.URL)
		}
		once, err := json.Marshal(card)
		if err != nil {
			t.Fatalf("a card that was read cannot be written: %v", err)
		}
		again, err := a2a.ReadCard(once, address)
		if err != nil {
			t.Fatalf("%v in %s", err, once)
		}
		if twice, err := json.Marshal(again); err != nil || string(twice) != string(once) {
			t.Errorf("%s is read as\n%s (%v)", once, twice, err)
		}
	})
}
