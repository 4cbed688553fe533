package web

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/cd3b852d/agentgen/agent"
)

func TestBase(t *testing.T) {
	proxy := Site{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}}
	for name, test := range map[string]struct {
		site   Site
		change func(*http.Request)
		want   string
	}{
		"plain":           {Site{}, func(*http.Request) {}, "http://example.com"},
		"TLS":             {Site{}, func(r *http.Request) { r.TLS = &tls.ConnectionState{} }, "https://example.com"},
		"no host":         {Site{}, func(r *http.Request) { r.Host = "" }, "http://localhost"},
		"IPv6":            {Site{}, func(r *http.Request) { r.Host = "[2001:db8::1]:80" }, "http://[2001:db8::1]:80"},
		"unspecified":     {Site{}, func(r *http.Request) { r.Host = "[::]" }, "http://[::1]"},
		"odd port":        {Site{}, func(r *http.Request) { r.Host = "a:b" }, "http://localhost"},
		"mounted":         {Site{}, func(r *http.Request) { r.URL.Path = "/agents" }, "http://example.com/x"},
		"rewritten":       {Site{}, func(r *http.Request) { r.URL.Path = "/other" }, "http://example.com"},
		"over no wire":    {Site{}, func(r *http.Request) { r.RequestURI = "" }, "http://example.com"},
		"absolute form":   {Site{}, func(r *http.Request) { r.RequestURI = "http://example.com/x/agents"; r.URL.Path = "/agents" }, "http://example.com/x"},
		"first of two":    {proxy, forward("X-Forwarded-Host", "a.example, b.example"), "http://a.example"},
		"odd host":        {proxy, forward("X-Forwarded-Host", "a.example/x"), "http://example.com"},
		"odd scheme":      {proxy, forward("X-Forwarded-Proto", "javascript"), "http://example.com"},
		"prefix":          {proxy, forward("X-Forwarded-Prefix", "/p/q/"), "http://example.com/p/q"},
		"prefix as host":  {proxy, forward("X-Forwarded-Prefix", "//evil.example"), "http://example.com"},
		"odd prefix":      {proxy, forward("X-Forwarded-Prefix", `/"<x>`), "http://example.com"},
		"relative prefix": {proxy, forward("X-Forwarded-Prefix", "p"), "http://example.com"},
		"peer unknown":    {proxy, func(r *http.Request) { forward("X-Forwarded-Host", "a.example")(r); r.RemoteAddr = "@" }, "http://example.com"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/x/agents", nil)
			test.change(r)
			if got := test.site.Base(r); got.URL != test.want || got.Configured {
				t.Errorf("got %+v, want %s", got, test.want)
			}
		})
	}
}

func forward(header, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(header, value) }
}

func TestBaseWithoutHostIsWhereTheRequestArrived(t *testing.T) {
	for want, addr := range map[string]net.Addr{
		"http://127.0.0.1:8000": &net.TCPAddr{IP: net.IPv4zero, Port: 8000},
		"http://[::1]:8000":     &net.TCPAddr{IP: net.IPv6loopback, Port: 8000},
		"http://localhost":      &net.UnixAddr{Name: "/run/agents.sock", Net: "unix"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil).WithContext(context.WithValue(context.Background(), http.LocalAddrContextKey, addr))
		r.Host = "not a host"
		if got := (Site{}).Base(r).URL; got != want {
			t.Errorf("%v: got %s, want %s", addr, got, want)
		}
	}
}

func TestValidHost(t *testing.T) {
	longest := strings.Repeat("a.", 126) + "a"
	for host, want := range map[string]bool{
		"a.example":    true,
		"a.example.":   true,
		"a.example.:1": true,
		"a_b":          true,
		longest:        true,
		longest + ".":  true,
		longest + "a":  false,
		"a.example..":  false,
		".":            false,
		"":             false,
		"a.example:0":  false,
		"a.example:x":  false,
		"[::1]":        true,
		"[::1]:80":     true,
		"[::1%lo]":     false,
		"[1.2.3.4]":    false,
	} {
		if got := ValidHost(host); got != want {
			t.Errorf("%s: got %v", host, got)
		}
	}
}

func TestReachable(t *testing.T) {
	for host, want := range map[string]string{
		"0.0.0.0":               "127.0.0.1",
		"0.0.0.0:80":            "127.0.0.1:80",
		"[::]":                  "[::1]",
		"[::]:80":               "[::1]:80",
		"[0:0:0:0:0:0:0:0]:80":  "[::1]:80",
		"[::%eth0]:80":          "[::1]:80",
		"[::ffff:0.0.0.0]:80":   "127.0.0.1:80",
		"[::ffff:192.0.2.1]:80": "[::ffff:192.0.2.1]:80",
		"192.0.2.1:80":          "192.0.2.1:80",
		"a.example:80":          "a.example:80",
		"a.example":             "a.example",
	} {
		if got := Reachable(host); got != want {
			t.Errorf("%s: got %s, want %s", host, got, want)
		}
	}
}

func TestAnswerNeedsARequest(t *testing.T) {
	if err := Answer(context.Background(), NewDocument(JSON, nil)).VisitGetCardResponse(httptest.NewRecorder()); err == nil {
		t.Error("served without a request")
	}
	if got := BaseOf(context.Background()); got != (Base{}) {
		t.Errorf("got %v", got)
	}
}

func TestWriteErrorWithDataThatIsNoJSON(t *testing.T) {
	w := httptest.NewRecorder()
	WriteError(w, http.StatusNotFound, &agent.Error{Code: "not_found", Message: "m", Data: map[string]any{"f": func() {}}})
	if got := w.Body.String(); got != `{"code":"not_found","message":"m"}` {
		t.Errorf("got %s", got)
	}
}
