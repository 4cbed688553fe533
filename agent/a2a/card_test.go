package a2a

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cd3b852d/agentgen/agent/internal/web"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// asJSON returns the value as what JSON makes of it.
func asJSON(t *testing.T, value any) any {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func wantJSON(t *testing.T, got any, want string) {
	t.Helper()
	if diff := cmp.Diff(asJSON(t, json.RawMessage(want)), asJSON(t, got)); diff != "" {
		t.Error(diff)
	}
}

func TestCardOfTheLeastThatIsRegistered(t *testing.T) {
	wantJSON(t, compose(agentapi.AgentCard{Name: "n", Description: "d"}, "http://h/a2a"), `{
		"name": "n", "description": "d", "version": "0.0.0",
		"url": "http://h/a2a", "preferredTransport": "JSONRPC", "protocolVersion": "0.3.0",
		"supportedInterfaces": [
			{"url": "http://h/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
			{"url": "http://h/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"},
			{"url": "http://h/a2a", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"},
			{"url": "http://h/a2a", "protocolBinding": "HTTP+JSON", "protocolVersion": "0.3"}],
		"additionalInterfaces": [{"url": "http://h/a2a", "transport": "HTTP+JSON"}],
		"capabilities": {"streaming": false, "pushNotifications": false},
		"defaultInputModes": [], "defaultOutputModes": [], "skills": []}`)
}

func TestPublishedIsBelowThePublicURL(t *testing.T) {
	if got := Published(agentapi.AgentCard{}, "https://p/x/").URL; got != "https://p/x/a2a" {
		t.Errorf("got %s", got)
	}
}

func TestComposeLeavesWhatIsRegistered(t *testing.T) {
	yes := true
	card := agentapi.AgentCard{
		Version:      "2.0.0",
		Capabilities: &agentapi.AgentCapabilities{StateTransitionHistory: &yes},
		Skills:       []agentapi.AgentSkill{{ID: "s", Security: []agentapi.SecurityRequirement{{"key": nil}}}},
		Security:     []agentapi.SecurityRequirement{},
		SecuritySchemes: map[string]agentapi.SecurityScheme{
			"oauth": {Type: "oauth2", Flows: &agentapi.OAuthFlows{ClientCredentials: &agentapi.OAuthFlow{TokenURL: "https://t"}}},
		},
	}
	before := asJSON(t, card)
	composed := compose(card, "http://h/a2a")
	if diff := cmp.Diff(before, asJSON(t, card)); diff != "" {
		t.Error("compose changed its input:", diff)
	}
	wantJSON(t, composed.Capabilities, `{"streaming": false, "pushNotifications": false, "stateTransitionHistory": true}`)
	wantJSON(t, composed.Skills[0], `{"id": "s", "name": "", "description": "", "tags": [], "security": [{"key": []}]}`)
	if composed.Version != "2.0.0" || composed.Security == nil {
		t.Errorf("got version %s, security %v", composed.Version, composed.Security)
	}
}

func TestSchemesHaveTheFormsOfBothVersions(t *testing.T) {
	for flat, want := range map[string]string{
		`{"type": "apiKey", "in": "header", "name": "X", "description": "d"}`: `"apiKeySecurityScheme": {"location": "header", "name": "X", "description": "d"}`,
		`{"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}`:         `"httpAuthSecurityScheme": {"scheme": "bearer", "bearerFormat": "JWT"}`,
		`{"type": "oauth2", "flows": {"password": {"tokenUrl": "https://t", "scopes": {}}}, "oauth2MetadataUrl": "https://m"}`: `"oauth2SecurityScheme":
			{"flows": {"password": {"tokenUrl": "https://t", "scopes": {}}}, "oauth2MetadataUrl": "https://m"}`,
		`{"type": "openIdConnect", "openIdConnectUrl": "https://o"}`: `"openIdConnectSecurityScheme": {"openIdConnectUrl": "https://o"}`,
		`{"type": "mutualTLS"}`:  `"mtlsSecurityScheme": {}`,
		`{"type": "of its own"}`: `"type": "of its own"`,
	} {
		var scheme agentapi.SecurityScheme
		if err := json.Unmarshal([]byte(flat), &scheme); err != nil {
			t.Fatal(err)
		}
		wantJSON(t, wrapped(scheme), flat[:len(flat)-1]+", "+want+"}")
	}
}

func TestEndpoints(t *testing.T) {
	request := web.Base{URL: "http://h/mount"}
	public := web.Base{URL: "https://p", Configured: true}
	for name, test := range map[string]struct {
		base            web.Base
		declared        string
		root, ofAnAgent string
	}{
		"undeclared":         {request, "", "http://h/mount/a2a", "http://h/mount/agents/x/a2a"},
		"declared":           {request, "https://d/a2a", "https://d/a2a", "https://d/agents/x/a2a"},
		"declared elsewhere": {request, "https://d/rpc", "https://d/rpc", "http://h/mount/agents/x/a2a"},
		"configured":         {public, "https://d/a2a", "https://p/a2a", "https://p/agents/x/a2a"},
		"relative":           {request, "a2a", "http://h/mount/a2a", "http://h/mount/agents/x/a2a"},
		"path":               {request, "/rpc", "http://h/mount/rpc", "http://h/mount/agents/x/a2a"},
		"network path":       {request, "//d/a2a", "http://d/a2a", "http://d/agents/x/a2a"},
		"no address":         {request, "http://[", "http://h/mount/a2a", "http://h/mount/agents/x/a2a"},
	} {
		if got := rootEndpoint(test.base, test.declared); got != test.root {
			t.Errorf("%s: got %s, want %s", name, got, test.root)
		}
		if got := agentEndpoint(test.base, test.declared, "x"); got != test.ofAnAgent {
			t.Errorf("%s: got %s for an agent, want %s", name, got, test.ofAnAgent)
		}
	}
}
