package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cd3b852d/agentgen/agent/server"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// cardURLs returns every address in a card.
func cardURLs(t *testing.T, body string) []string {
	t.Helper()
	var card agentapi.AgentCard
	if err := json.Unmarshal([]byte(body), &card); err != nil {
		t.Fatal(err)
	}
	urls := []string{card.URL}
	for _, i := range card.SupportedInterfaces {
		urls = append(urls, i.URL)
	}
	for _, i := range card.AdditionalInterfaces {
		urls = append(urls, i.URL)
	}
	return urls
}

func wantURLs(t *testing.T, body, want string) {
	t.Helper()
	urls := cardURLs(t, body)
	if len(urls) != 6 {
		t.Errorf("got %d addresses, want 6", len(urls))
	}
	for _, url := range urls {
		if url != want {
			t.Errorf("got the address %s, want %s", url, want)
		}
	}
}

func TestH1PublicURLBehindProxy(t *testing.T) {
	forwarded := []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: agents.example.com", "X-Forwarded-Prefix: /v1/"}
	local := server.WithTrustedProxies(netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"))
	elsewhere := server.WithTrustedProxies(netip.MustParsePrefix("192.0.2.0/24"))
	public := server.WithPublicURL("https://public.example.com/ai/")
	r := registry(t, "chat")
	for name, test := range map[string]struct {
		options []server.Option
		want    string
	}{
		"configured":            {[]server.Option{public}, "https://public.example.com/ai"},
		"configured and proxy":  {[]server.Option{public, local}, "https://public.example.com/ai"},
		"trusted proxy":         {[]server.Option{local}, "https://agents.example.com/v1"},
		"proxy that is another": {[]server.Option{elsewhere}, ""},
		"no proxy trusted":      {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			base := serve(t, r, test.options...)
			if test.want == "" {
				test.want = base
			}
			wantURLs(t, get(t, base+"/.well-known/agent-card.json", forwarded...).body, test.want+"/a2a")
			wantURLs(t, get(t, base+"/agents/chat/.well-known/agent-card.json", forwarded...).body, test.want+"/agents/chat/a2a")
			catalog := get(t, base+"/.well-known/api-catalog", forwarded...).body
			if got, all := strings.Count(catalog, `"href":"`+test.want+"/"), strings.Count(catalog, `"href"`); got != all || all == 0 {
				t.Errorf("only %d of %d links begin with %s: %s", got, all, test.want, catalog)
			}
		})
	}
}

func TestH1HostsThatNoClientCanCall(t *testing.T) {
	base := serve(t, registry(t, "chat"))
	for host, want := range map[string]string{
		"0.0.0.0:8000": "http://127.0.0.1:8000/a2a",
		"[::]:8000":    "http://[::1]:8000/a2a",
		"a.example":    "http://a.example/a2a",
		"<script>":     base + "/a2a",
		"a@b":          base + "/a2a",
	} {
		wantURLs(t, get(t, base+"/.well-known/agent-card.json", "Host: "+host).body, want)
	}
}

func TestH2TrailingSlashesAndPrefixes(t *testing.T) {
	handler, err := server.Handler(registry(t, "chat"))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	mux.Handle("/mount/", http.StripPrefix("/mount", handler))
	s := httptest.NewServer(mux)
	defer s.Close()
	for _, base := range []string{s.URL, s.URL + "/mount"} {
		if a, b := get(t, base+"/agents"), get(t, base+"/agents/"); a.StatusCode != 200 || b.StatusCode != 200 || a.body != b.body {
			t.Errorf("%s: got %d and %d, %q and %q", base, a.StatusCode, b.StatusCode, a.body, b.body)
		}
		call(t, http.MethodPost, base+"/runs/", `{"agent_name":"nobody","input":[]}`).wantError(t, 404, "not_found", "Agent nobody not found")
		wantURLs(t, get(t, base+"/.well-known/agent-card.json").body, base+"/a2a")
		wantURLs(t, get(t, base+"/.well-known/agent-card.json/").body, base+"/a2a")
		wantURLs(t, get(t, base+"/agents/chat/.well-known/agent-card.json?x=/y").body, base+"/agents/chat/a2a")
		get(t, base+"/nowhere/").wantError(t, 404, "not_found", "Not Found")
	}
	direct := serve(t, registry(t, "chat"))
	get(t, direct+"//agents//chat/").wantStatusOK(t)
	get(t, direct+"/agents/a%2Fb/").wantError(t, 404, "not_found", "Agent a/b not found")
	mounted := http.StripPrefix("/mount", mustHandler(t, server.WithPublicURL("https://public.example.com/x")))
	s2 := httptest.NewServer(mounted)
	defer s2.Close()
	wantURLs(t, get(t, s2.URL+"/mount/.well-known/agent-card.json").body, "https://public.example.com/x/a2a")
}

func mustHandler(t *testing.T, options ...server.Option) http.Handler {
	t.Helper()
	handler, err := server.Handler(registry(t, "chat"), options...)
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

func (a answer) wantStatusOK(t testing.TB) {
	t.Helper()
	if a.StatusCode != http.StatusOK {
		t.Errorf("%s: got %d %s", a.Request.URL.Path, a.StatusCode, a.body)
	}
}

func TestH3CardAtEveryPlace(t *testing.T) {
	base := serve(t, registry(t, "chat", "third"))
	card, legacy := get(t, base+"/.well-known/agent-card.json"), get(t, base+"/.well-known/agent.json")
	if card.body != legacy.body || card.Header.Get("Etag") != legacy.Header.Get("Etag") || card.StatusCode != 200 {
		t.Errorf("got %s %s and %s %s", card.Header.Get("Etag"), card.body, legacy.Header.Get("Etag"), legacy.body)
	}
	var own agentapi.AgentCard
	if err := json.Unmarshal([]byte(get(t, base+"/agents/third/.well-known/agent-card.json").body), &own); err != nil {
		t.Fatal(err)
	}
	if own.Name != "The third" || len(own.Skills) != 1 || own.Skills[0].ID != "third" {
		t.Errorf("got the card of %q with skills %v", own.Name, own.Skills)
	}
}

func TestH4BrowserPageFromAnotherOrigin(t *testing.T) {
	open, closed := serve(t, registry(t, "chat")), serve(t, registry(t, "chat"), server.WithAllowedOrigins("https://friend.example"))
	for _, path := range []string{"/agents", "/agents/chat", "/.well-known/agent-card.json", "/runs", "/nowhere"} {
		pre := call(t, http.MethodOptions, open+path, "", "Origin: https://page.example", "Access-Control-Request-Method: POST",
			"Access-Control-Request-Headers: a2a-version,authorization,content-type")
		if pre.StatusCode != http.StatusNoContent || pre.Header.Get("Access-Control-Allow-Origin") != "*" ||
			pre.Header.Get("Access-Control-Allow-Headers") != "a2a-version,authorization,content-type" || pre.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: got %d %v", path, pre.StatusCode, pre.Header)
		}
	}
	a := get(t, open+"/agents", "Origin: https://page.example")
	if a.Header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(a.Header.Get("Access-Control-Expose-Headers"), "Run-Id") {
		t.Errorf("got %v", a.Header)
	}
	if got := get(t, closed+"/agents", "Origin: https://page.example").Header.Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("a stranger is allowed as %q", got)
	}
	if got := get(t, closed+"/agents", "Origin: https://friend.example").Header.Get("Access-Control-Allow-Origin"); got != "https://friend.example" {
		t.Errorf("a friend is allowed as %q", got)
	}
}

func TestH5ConditionalAndCompressed(t *testing.T) {
	base := serve(t, registry(t, "chat", "slow-echo", "third"))
	plain := "Accept-Encoding: identity"
	for _, path := range []string{"/", "/agents", "/.well-known/agent-card.json", "/.well-known/agent.yml", "/openapi.json", "/openapi.yaml"} {
		whole := get(t, base+path, plain)
		packed := get(t, base+path, "Accept-Encoding: br, gzip;q=0.5")
		if tag := whole.Header.Get("Etag"); tag == "" || tag == packed.Header.Get("Etag") || whole.Header.Get("Cache-Control") != "public, max-age=60" ||
			!strings.Contains(strings.Join(whole.Header.Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%s: got %v and %v", path, whole.Header, packed.Header)
		}
		if packed.Header.Get("Content-Encoding") != "gzip" || int(packed.ContentLength) != len(packed.body) || len(packed.body) >= len(whole.body) ||
			int(whole.ContentLength) != len(whole.body) {
			t.Errorf("%s: got %q with %d of %d bytes", path, packed.Header.Get("Content-Encoding"), packed.ContentLength, whole.ContentLength)
		}
		for _, matching := range []string{whole.Header.Get("Etag"), `"a", "b", W/` + whole.Header.Get("Etag"), "*"} {
			if a := get(t, base+path, plain, "If-None-Match: "+matching); a.StatusCode != http.StatusNotModified || a.body != "" {
				t.Errorf("%s: If-None-Match %s: got %d", path, matching, a.StatusCode)
			}
		}
		get(t, base+path, plain, `If-None-Match: "a", "b"`).wantStatusOK(t)
		if a := get(t, base+path, plain, `If-None-Match: "a"`, "If-None-Match: "+whole.Header.Get("Etag")); a.StatusCode != http.StatusNotModified {
			t.Errorf("%s: two headers: got %d", path, a.StatusCode)
		}
		if a := get(t, base+path, "Accept-Encoding: gzip", "If-None-Match: "+packed.Header.Get("Etag")); a.StatusCode != http.StatusNotModified {
			t.Errorf("%s: tag of the compressed bytes: got %d", path, a.StatusCode)
		}
		for _, coding := range []string{plain, "Accept-Encoding: gzip"} {
			get(t, base+path, coding, "If-Match: "+packed.Header.Get("Etag")).wantStatusOK(t)
			get(t, base+path, coding, `If-Match: "other"`).wantError(t, 412, "invalid_input", "If-Match: the document has another entity tag")
			beyond := get(t, base+path, coding, "Range: bytes=9999999-")
			beyond.wantError(t, 416, "invalid_input", fmt.Sprintf("Range: want a part of the %d bytes that the document has", len(whole.body)))
			if got, want := beyond.Header.Get("Content-Range"), fmt.Sprintf("bytes */%d", len(whole.body)); got != want {
				t.Errorf("%s: got the range %q, want %q", path, got, want)
			}
		}
		if a := get(t, base+path, "Accept-Encoding: gzip;q=0, *"); a.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: compressed for one who can't read it", path)
		}
	}
	a := get(t, base+"/.well-known/agent.yml", "Accept: application/yaml")
	if a.Header.Get("Content-Type") != "application/yaml" || strings.Count(a.body, "\n---\n") != 2 || !strings.HasPrefix(a.body, "name: chat\ndescription: ") {
		t.Errorf("got %s %s", a.Header.Get("Content-Type"), a.body)
	}
}

func TestH10BodiesAndMethods(t *testing.T) {
	base := serve(t, registry(t, "chat"))
	deep := `{"agent_name":"chat","input":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`
	good, unknown := `{"agent_name":"chat","input":[]}`, `{"agent_name":"nobody","input":[]}`
	for name, test := range map[string]struct {
		body, contentType string
		status            int
		code              string
	}{
		"too deep":            {deep, "", 422, "invalid_input"},
		"invalid UTF-8":       {"{\"agent_name\":\"\xff\"}", "", 422, "invalid_input"},
		"malformed":           {`{"agent_name":`, "", 422, "invalid_input"},
		"more than one value": {good + good, "", 422, "invalid_input"},
		"wrong type":          {`{"agent_name":7}`, "", 422, "invalid_input"},
		"empty":               {"", "", 422, "invalid_input"},
		"text":                {good, "text/plain", 415, "invalid_input"},
		"malformed type":      {good, "json", 415, "invalid_input"},
		"very long type":      {good, strings.Repeat("x", 10_000), 415, "invalid_input"},
		"JSON with charset":   {unknown, "application/json; charset=utf-8", 404, "not_found"},
		"another JSON":        {unknown, "application/a2a+json", 404, "not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			var headers []string
			if test.contentType != "" {
				headers = []string{"Content-Type: " + test.contentType}
			}
			call(t, http.MethodPost, base+"/runs", test.body, headers...).wantStatus(t, test.status, test.code)
		})
	}
	call(t, http.MethodPost, base+"/runs", unknown, "Content-Encoding: identity").wantStatus(t, 404, "not_found")
	packed := call(t, http.MethodPost, base+"/runs", "\x1f\x8b", "Content-Encoding: gzip")
	packed.wantError(t, 415, "invalid_input", "Content-Encoding: gzip is not read: send the body as it is")
	for path, want := range map[string]string{"/agents": "GET, HEAD", "/runs": "POST", "/runs/" + someUUID: "GET, HEAD, POST"} {
		a := call(t, http.MethodPut, base+path, "{}")
		a.wantError(t, 405, "server_error", "Method Not Allowed")
		if got := a.Header.Get("Allow"); got != want {
			t.Errorf("%s: allows %q, want %q", path, got, want)
		}
	}
}

// endless is a body that never ends, so a server that waits for the end fails the test.
type endless struct{ sent atomic.Int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	if e.sent.Add(int64(len(p))) > 100<<20 {
		return 0, io.EOF
	}
	return len(p), nil
}

func TestH10BodyOf100MiB(t *testing.T) {
	for _, options := range [][]server.Option{nil, {server.WithMaxBody(64)}} {
		base := serve(t, registry(t, "chat"), options...)
		body := &endless{}
		response, err := http.Post(base+"/runs", "application/json", body)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(response.Body)
		response.Body.Close()
		answer{response, string(data)}.wantStatus(t, http.StatusRequestEntityTooLarge, "invalid_input")
		if sent := body.sent.Load(); sent > 50<<20 {
			t.Errorf("the server read %d bytes before it refused", sent)
		}
	}
}
