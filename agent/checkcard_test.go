package agent_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// register registers a package whose card was changed and returns the faults, one a line.
func register(change func(*agentapi.AgentCard)) []string {
	p := newPackage("tested")
	change(&p.Card)
	p.Verifiers = map[string]agent.Verifier{}
	for name := range p.Card.SecuritySchemes {
		p.Verifiers[name] = agent.VerifierFunc(func(*http.Request) error { return nil })
	}
	if err := agent.NewRegistry().Register(p); err != nil {
		return strings.Split(err.Error(), "\n")
	}
	return nil
}

func TestCardsThatLackWhatReadersNeed(t *testing.T) {
	skills := func(skills ...agentapi.AgentSkill) func(*agentapi.AgentCard) {
		return func(card *agentapi.AgentCard) { card.Skills = skills }
	}
	for name, test := range map[string]struct {
		change func(*agentapi.AgentCard)
		want   []string
	}{
		"sound":           {func(*agentapi.AgentCard) {}, nil},
		"no skills":       {skills(), nil},
		"empty skills":    {skills(agentapi.AgentSkill{}, agentapi.AgentSkill{}), []string{"skills[0] has no id", "skills[0] has no name", "skills[0] has no description", "skills[1] has no id", "skills[1] has no name", "skills[1] has no description"}},
		"one skill twice": {skills(agentapi.AgentSkill{ID: "a", Name: "A", Description: "A."}, agentapi.AgentSkill{ID: "a", Name: "A", Description: "A."}), []string{`skill "a" is registered already`}},
		"empty words":     {skills(agentapi.AgentSkill{ID: "a", Name: "A", Description: "A.", Tags: []string{"x", ""}, Examples: []string{""}, InputModes: []string{""}, OutputModes: []string{""}}), []string{`skill "a" has an empty tag`, `skill "a" has an empty example`, `skill "a" has an empty input mode`, `skill "a" has an empty output mode`}},
		"empty modes": {func(card *agentapi.AgentCard) {
			card.DefaultInputModes, card.DefaultOutputModes = []string{""}, []string{""}
		}, []string{"the card has an empty default input mode", "the card has an empty default output mode"}},
		"provider without a name": {func(card *agentapi.AgentCard) { card.Provider = &agentapi.AgentProvider{} }, []string{"the card lacks the provider's organization", "the card lacks the provider's url"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, register(test.change)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// People click on what a card links to, so each of its addresses is tried with each of what may stand there.
func TestAddressesInCards(t *testing.T) {
	flow := func(change func(*agentapi.OAuthFlow, string)) func(*agentapi.AgentCard, string) {
		return func(card *agentapi.AgentCard, address string) {
			way := &agentapi.OAuthFlow{AuthorizationURL: "https://a.example", TokenURL: "https://a.example"}
			change(way, address)
			card.SecuritySchemes = map[string]agentapi.SecurityScheme{"s": {Type: "oauth2", Flows: &agentapi.OAuthFlows{AuthorizationCode: way}}}
		}
	}
	places := map[string]func(*agentapi.AgentCard, string){
		"url":              func(card *agentapi.AgentCard, address string) { card.URL = address },
		"iconUrl":          func(card *agentapi.AgentCard, address string) { card.IconURL = address },
		"documentationUrl": func(card *agentapi.AgentCard, address string) { card.DocumentationURL = address },
		"provider's url": func(card *agentapi.AgentCard, address string) {
			card.Provider = &agentapi.AgentProvider{Organization: "Acme", URL: address}
		},
		"openIdConnectUrl": func(card *agentapi.AgentCard, address string) {
			card.SecuritySchemes = map[string]agentapi.SecurityScheme{"s": {Type: "openIdConnect", OpenIDConnectURL: address}}
		},
		"oauth2MetadataUrl": func(card *agentapi.AgentCard, address string) {
			flows := &agentapi.OAuthFlows{ClientCredentials: &agentapi.OAuthFlow{TokenURL: "https://a.example"}}
			card.SecuritySchemes = map[string]agentapi.SecurityScheme{"s": {Type: "oauth2", OAuth2MetadataURL: address, Flows: flows}}
		},
		"authorizationUrl":       flow(func(way *agentapi.OAuthFlow, address string) { way.AuthorizationURL = address }),
		"deviceAuthorizationUrl": flow(func(way *agentapi.OAuthFlow, address string) { way.DeviceAuthorizationURL = address }),
		"tokenUrl":               flow(func(way *agentapi.OAuthFlow, address string) { way.TokenURL = address }),
		"refreshUrl":             flow(func(way *agentapi.OAuthFlow, address string) { way.RefreshURL = address }),
	}
	for place, put := range places {
		for _, address := range []string{"http://a.example", "HTTPS://a.example:8000/x?y#z"} {
			if faults := register(func(card *agentapi.AgentCard) { put(card, address) }); faults != nil {
				t.Errorf("%s %q: got %q", place, address, faults)
			}
		}
		for _, address := range []string{"javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "ftp://a.example", "https:a.example", "https://", "http://:80", "http://a b", "\x00"} {
			faults := register(func(card *agentapi.AgentCard) { put(card, address) })
			if len(faults) != 1 || !strings.Contains(faults[0], place+" "+strconv.Quote(address)+": want an http(s) address") {
				t.Errorf("%s %q: got %q", place, address, faults)
			}
		}
	}
	for _, path := range []string{"/v1/a2a", "v1", "//a.example/v1"} { // the server resolves them
		if faults := register(func(card *agentapi.AgentCard) { card.URL = path }); faults != nil {
			t.Errorf("url %q: got %q", path, faults)
		}
	}
	if faults := register(func(card *agentapi.AgentCard) { card.IconURL = "/icon.png" }); len(faults) != 1 {
		t.Errorf("a relative icon: got %q", faults)
	}
}

func TestSchemesThatTellNobodyWhatToSend(t *testing.T) {
	of := func(kind agentapi.SecuritySchemeType, flows agentapi.OAuthFlows) agentapi.SecurityScheme {
		return agentapi.SecurityScheme{Type: kind, Flows: &flows}
	}
	for name, test := range map[string]struct {
		scheme agentapi.SecurityScheme
		want   []string
	}{
		"mutual TLS":         {agentapi.SecurityScheme{Type: "mutualTLS"}, nil},
		"key":                {agentapi.SecurityScheme{Type: "apiKey", In: "cookie", Name: "k"}, nil},
		"no type":            {agentapi.SecurityScheme{Scheme: "bearer"}, []string{`has the type "": want apiKey, http, oauth2, openIdConnect or mutualTLS`}},
		"unknown type":       {agentapi.SecurityScheme{Type: "basic"}, []string{`has the type "basic": want`}},
		"key nowhere":        {agentapi.SecurityScheme{Type: "apiKey", In: "body"}, []string{`has its key in "body": want header`, "lacks the name of the header"}},
		"HTTP":               {agentapi.SecurityScheme{Type: "http"}, []string{"lacks the scheme of the Authorization header"}},
		"OpenID":             {agentapi.SecurityScheme{Type: "openIdConnect"}, []string{"lacks the openIdConnectUrl"}},
		"OAuth 2.0":          {agentapi.SecurityScheme{Type: "oauth2"}, []string{"lacks flows"}},
		"no flow":            {of("oauth2", agentapi.OAuthFlows{}), []string{"lacks flows"}},
		"flow of the future": {of("oauth2", agentapi.OAuthFlows{AdditionalProperties: map[string]any{"x": map[string]any{}}}), nil},
		"flows without addresses": {
			of("oauth2", agentapi.OAuthFlows{AuthorizationCode: &agentapi.OAuthFlow{}, ClientCredentials: &agentapi.OAuthFlow{}, DeviceCode: &agentapi.OAuthFlow{}, Implicit: &agentapi.OAuthFlow{}, Password: &agentapi.OAuthFlow{}}),
			[]string{
				"lacks the flow authorizationCode's authorizationUrl", "lacks the flow authorizationCode's tokenUrl",
				"lacks the flow clientCredentials's tokenUrl",
				"lacks the flow deviceCode's deviceAuthorizationUrl", "lacks the flow deviceCode's tokenUrl",
				"lacks the flow implicit's authorizationUrl",
				"lacks the flow password's tokenUrl",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := register(func(card *agentapi.AgentCard) {
				card.SecuritySchemes = map[string]agentapi.SecurityScheme{"s": test.scheme}
			})
			if len(got) != len(test.want) {
				t.Fatalf("got %q, want %q", got, test.want)
			}
			for i, want := range test.want {
				if !strings.HasPrefix(got[i], `security scheme "s" `+want) {
					t.Errorf("got %q, want %q", got[i], want)
				}
			}
		})
	}
}

type verifierPointer struct{}

func (*verifierPointer) Verify(*http.Request) error { return nil }

type verifierMap map[string]bool

func (verifierMap) Verify(*http.Request) error { return nil }

type verifierList []string

func (verifierList) Verify(*http.Request) error { return nil }

type verifierChannel chan error

func (v verifierChannel) Verify(*http.Request) error { return <-v }

type verifierStruct struct{}

func (verifierStruct) Verify(*http.Request) error { return nil }

func TestVerifiersThatAreNil(t *testing.T) {
	for name, test := range map[string]struct {
		verifier agent.Verifier
		refused  bool
	}{
		"none":            {nil, true},
		"function":        {agent.VerifierFunc(nil), true},
		"pointer":         {(*verifierPointer)(nil), true},
		"map":             {verifierMap(nil), true},
		"list":            {verifierList(nil), true},
		"channel":         {verifierChannel(nil), true},
		"struct":          {verifierStruct{}, false},
		"pointer to one":  {new(verifierPointer), false},
		"empty map":       {verifierMap{}, false},
		"function of one": {agent.VerifierFunc(func(*http.Request) error { return nil }), false},
	} {
		p := newPackage("tested")
		p.Card.SecuritySchemes = map[string]agentapi.SecurityScheme{"s": {Type: "mutualTLS"}}
		p.Verifiers = map[string]agent.Verifier{"s": test.verifier}
		err := agent.NewRegistry().Register(p)
		if refused := err != nil; refused != test.refused || refused && err.Error() != `security scheme "s" has no verifier` {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
