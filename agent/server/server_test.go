package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

func TestGeneratedClientReads(t *testing.T) {
	r := registry(t, "chat", "third")
	client, err := agentapi.NewClientWithResponses(serve(t, r))
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	list, err := client.ListAgentsWithResponse(ctx, nil)
	if err != nil || list.JSON200 == nil || len(list.JSON200.Agents) != 2 {
		t.Fatal(err, list)
	}
	one, err := client.GetAgentWithResponse(ctx, "third", nil)
	if err != nil || one.JSON200 == nil {
		t.Fatal(err, one)
	}
	if diff := cmp.Diff(r.Agents()[1].Manifest, *one.JSON200); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(list.JSON200.Agents[1], *one.JSON200); diff != "" {
		t.Error(diff)
	}
	card, err := client.GetCardWithResponse(ctx, nil)
	if err != nil || card.JSON200 == nil || len(card.JSON200.Skills) != 2 {
		t.Fatal(err, card)
	}
	if got := card.JSON200.SecuritySchemes["bearerAuth"].HTTPAuthSecurityScheme; got == nil || got.Scheme != "bearer" {
		t.Errorf("got the scheme %v", got)
	}
}

func TestPages(t *testing.T) {
	base := serve(t, registry(t, "a", "b", "c"))
	for query, want := range map[string]string{
		"": "a b c", "?limit=2": "a b", "?limit=2&offset=2": "c", "?offset=1": "b c", "?offset=3": "", "?limit=1000&offset=9": "",
	} {
		a := get(t, base+"/agents"+query)
		var list agentapi.AgentList
		if err := json.Unmarshal([]byte(a.body), &list); err != nil || list.Agents == nil {
			t.Error(err, a.body)
		}
		var names []string
		for _, m := range list.Agents {
			names = append(names, m.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: got %s", query, got)
		}
	}
}

func TestLaterRegistrationsAreServed(t *testing.T) {
	r := agent.NewRegistry()
	base := serve(t, r)
	paths := []string{"/", "/agents", "/.well-known/agent-card.json", "/.well-known/agent.yml", "/.well-known/api-catalog"}
	before := map[string]string{}
	for _, path := range paths {
		before[path] = get(t, base+path).Header.Get("Etag")
	}
	if err := r.Register(chatPackage("chat")); err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		a := get(t, base+path)
		if a.StatusCode != http.StatusOK || a.Header.Get("Etag") == before[path] || !strings.Contains(a.body, "chat") {
			t.Errorf("%s: got %d %s", path, a.StatusCode, a.body)
		}
	}
}

func TestOpenAPIDocumentsAreTheSame(t *testing.T) {
	base := serve(t, registry(t))
	var fromYAML, fromJSON any
	if err := yaml.Unmarshal([]byte(get(t, base+"/openapi.yaml").body), &fromYAML); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(get(t, base+"/openapi.json").body), &fromJSON); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(fromYAML) // numbers in YAML have more types
	if err == nil {
		err = json.Unmarshal(data, &fromYAML)
	}
	if diff := cmp.Diff(fromYAML, fromJSON); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestOptionsThatAreWrong(t *testing.T) {
	for want, option := range map[string]server.Option{
		`public URL "agents.example.com": want http(s)://host`: server.WithPublicURL("agents.example.com"),
		`public URL "ftp://a"`:                                 server.WithPublicURL("ftp://a"),
		`public URL "https://a?x"`:                             server.WithPublicURL("https://a?x"),
		`public URL "https://u:p@a"`:                           server.WithPublicURL("https://u:p@a"),
		`public URL "http://0.0.0.0:8000": 0.0.0.0 is for listening, and no client can call it: want a host that clients reach, such as 127.0.0.1:8000`: server.WithPublicURL("http://0.0.0.0:8000"),
		`public URL "https://[::]/ai": :: is for listening`:    server.WithPublicURL("https://[::]/ai"),
		`public URL "http://[::ffff:0.0.0.0]": ::ffff:0.0.0.0`: server.WithPublicURL("http://[::ffff:0.0.0.0]"),
		"max body 0: want at least 1":                          server.WithMaxBody(0),
		"trusted proxies: want valid networks":                 server.WithTrustedProxies(netip.Prefix{}),
		"allowed origins: want at least one":                   server.WithAllowedOrigins(),
		"banner: want a writer":                                server.WithBanner(nil),
		"logger: want one":                                     server.WithLogger(nil),
	} {
		_, err := server.Handler(registry(t), option, server.WithMaxBody(-1))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "max body -1") {
			t.Errorf("got %v, want %s and the other fault", err, want)
		}
		if err := server.ListenAndServe(t.Context(), "127.0.0.1:0", registry(t), option); err == nil {
			t.Errorf("%s: listens", want)
		}
	}
}

// texts hands on what is written to it.
type texts chan string

func (c texts) Write(p []byte) (int, error) {
	c <- string(p)
	return len(p), nil
}

// Whatever the server listens on, people reach it at the addresses that it prints.
func TestListenAndServe(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:0": "http://127.0.0.1:",
		"localhost:0": "http://localhost:",
		":0":          "http://localhost:",
		"0.0.0.0:0":   "http://127.0.0.1:",
		"[::]:0":      "http://[::1]:",
		"[::1]:0":     "http://[::1]:",
	} {
		t.Run(addr, func(t *testing.T) {
			if strings.HasPrefix(addr, "[") {
				needIPv6(t)
			}
			ctx, stop := context.WithCancel(t.Context())
			printed := make(texts, 1)
			stopped := make(chan error, 1)
			go func() {
				stopped <- server.ListenAndServe(ctx, addr, registry(t, "chat"), server.WithBanner(printed))
			}()
			var lines []string
			select {
			case text := <-printed:
				lines = strings.Split(strings.TrimSpace(text), "\n")
			case err := <-stopped:
				t.Fatal(err)
			}
			if len(lines) != 6 {
				t.Fatalf("got %q", lines)
			}
			column := strings.Index(lines[0], want)
			for _, line := range lines {
				if column < 0 || strings.Index(line, want) != column {
					t.Fatalf("not aligned: %q", lines)
				}
				get(t, line[column:]).wantStatusOK(t)
			}
			stop()
			if err := <-stopped; err != nil {
				t.Error(err)
			}
		})
	}
}

func needIPv6(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6")
	}
	_ = listener.Close()
}

func TestListenAndServeOnATakenAddress(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	err = server.ListenAndServe(t.Context(), taken.Addr().String(), registry(t), server.WithBanner(io.Discard))
	if _, ok := errors.AsType[*net.OpError](err); !ok {
		t.Errorf("got %v", err)
	}
}
