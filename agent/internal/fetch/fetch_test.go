package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"code.dny.dev/ssrf"
)

// origin is a server that counts what it is asked.
type origin struct {
	*httptest.Server
	host, port string
	asked      atomic.Int64
}

func serve(t *testing.T, handler http.HandlerFunc) *origin {
	t.Helper()
	o := &origin{}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.asked.Add(1)
		handler(w, r)
	}))
	t.Cleanup(o.Close)
	o.host = o.Listener.Addr().String()
	_, o.port, _ = net.SplitHostPort(o.host)
	return o
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

// fetcher resolves every name to the server, as a name server could that somebody else runs.
func fetcher(t *testing.T, o *origin, hosts ...string) *Fetcher {
	t.Helper()
	f, err := New(hosts...)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*http.Client{f.trusted, f.guarded} {
		transport, ok := c.Transport.(*http.Transport)
		if !ok {
			t.Fatalf("the transport is a %T", c.Transport)
		}
		dial := transport.DialContext
		transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dial(ctx, network, o.host)
		}
		t.Cleanup(transport.CloseIdleConnections)
	}
	return f
}

func wantFailure(t *testing.T, data []byte, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got the error %v, want one that says %q", err, want)
	}
	if data != nil {
		t.Errorf("got %d bytes besides the error", len(data))
	}
}

// No name is resolved here: these are the addresses as they are.
func TestGetFromHostByAddress(t *testing.T) {
	o := serve(t, hello)
	for _, host := range []string{o.host, "127.0.0.1"} {
		f, err := New("agents.example.com", host)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := f.Get(t.Context(), o.URL+"/a?b=c"); err != nil || string(data) != "hello" {
			t.Errorf("with %s on the list: got %q and the error %v", host, data, err)
		}
	}
}

func TestGetFromHostByName(t *testing.T) {
	o := serve(t, hello)
	for address, host := range map[string]string{
		"http://agents.example.com/":       "agents.example.com",
		"http://Agents.Example.com:8000/":  "agents.example.COM",
		"http://agents.example.com:8001/":  "agents.example.com:8001",
		"http://agents.example.com:/":      "agents.example.com:80",
		"HTTP://agents.example.com?a":      "agents.example.com:80",
		"http://agents.example.com:80/b#c": "agents.example.com:80",
		"http://[::1]:8000/":               "::1",
		"http://[::1]:8001/":               "[::1]",
		"http://[::1]:8002/":               "[::1]:8002",
	} {
		// The name counts, whatever pattern stands there too.
		f := fetcher(t, o, "*.example.com", "*.example.com:8000", host)
		if data, err := f.Get(t.Context(), address); err != nil || string(data) != "hello" {
			t.Errorf("%s with %s on the list: got %q and the error %v", address, host, data, err)
		}
	}
}

func TestGetFromHostThatIsNotOnTheList(t *testing.T) {
	o := serve(t, hello)
	f := fetcher(t, o, "agents.example.com:8000", "*.example.org", "*.example.net:8000", "127.0.0.2", "*.0.0.1", "example.edu")
	for _, address := range []string{
		"http://agents.example.com/", "http://agents.example.com:8001/", "https://agents.example.com/", "http://example.com:8000/",
		"http://a.agents.example.com:8000/", "http://agents.example.com.:8000/", "http://agents.example.com:8000.evil.example/",
		"http://example.org/", "http://evilexample.org/", "http://a.example.org.evil.example/", "http://a.example.org:8000/",
		"http://a.example.net/", "http://a.example.net:80/", "http://127.0.0.1/", "http://[::ffff:127.0.0.2]/", "http://127.0.0.2.evil.example/",
		"http://a.example.edu/", "http://2130706433/", "http://localhost/", "http:///agents.example.com:8000", "http:agents.example.com:8000",
	} {
		data, err := f.Get(t.Context(), address)
		if _, invalid := url.Parse(address); invalid != nil {
			wantFailure(t, data, err, "parse")
			continue
		}
		wantFailure(t, data, err, "is not among the servers")
	}
	if n := o.asked.Load(); n > 0 {
		t.Errorf("the server was asked %d times", n)
	}
}

// Whoever may name a host below a pattern may also say where it is.
func TestGetFromPrivateAddressByPattern(t *testing.T) {
	o := serve(t, hello)
	f := fetcher(t, o, "*.example.com", "*.example.com:8000")
	for _, address := range []string{
		"http://a.example.com/", "http://a.b.example.com:80/", "http://a.example.com:8000/", "http://a.example.com:443/",
		"https://a.example.com/", "http://*.example.com/",
	} {
		data, err := f.Get(t.Context(), address)
		wantFailure(t, data, err, "not a permitted destination")
		if !errors.Is(err, ssrf.ErrProhibitedIP) {
			t.Errorf("%s: got the error %v, want that of the guard", address, err)
		}
		if strings.Contains(err.Error(), address) {
			t.Errorf("%v: says what the caller knows", err)
		}
	}
	if n := o.asked.Load(); n > 0 {
		t.Errorf("the server was asked %d times", n)
	}
}

// A test has no public server, so this one stops where the guard lets a pattern pass.
func TestPatternIsGuardedAndNothingElse(t *testing.T) {
	f, err := New("*.example.com", "*.example.com:8000", "a.example.com:8000")
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]*http.Client{
		"http://b.example.com": f.guarded, "https://B.EXAMPLE.com": f.guarded, "http://b.example.com:8000": f.guarded,
		"http://*.example.com:8000": f.guarded, "http://a.example.com:8000": f.trusted, "http://a.example.com": f.guarded,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.clientFor(u); err != nil || got != want {
			t.Errorf("%s: guarded is %t, with the error %v", address, got == f.guarded, err)
		}
	}
}

func TestGetFollowsNoRedirect(t *testing.T) {
	other := serve(t, hello)
	for _, code := range []int{301, 302, 303, 307, 308} {
		o := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, code) })
		f := fetcher(t, o, "127.0.0.1")
		data, err := f.Get(t.Context(), o.URL)
		wantFailure(t, data, err, fmt.Sprint("the server answers ", code))
	}
	if n := other.asked.Load(); n > 0 {
		t.Errorf("the other server was asked %d times", n)
	}
}

func TestGetOfOtherStatus(t *testing.T) {
	for code, want := range map[int]string{
		201: "answers 201 Created", 204: "answers 204 No Content", 206: "answers 206 Partial Content",
		404: "answers 404 Not Found", 500: "answers 500 Internal Server Error", 599: "answers 599 ",
	} {
		o := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
		data, err := fetcher(t, o, o.host).Get(t.Context(), o.URL)
		wantFailure(t, data, err, want)
	}
}

func TestGetOfLongBody(t *testing.T) {
	for name, encoding := range map[string]string{"with its length": "length", "in chunks": "chunks"} {
		t.Run(name, func(t *testing.T) {
			o := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if encoding == "chunks" {
					_ = http.NewResponseController(w).Flush()
				}
				size := maxSize
				if r.URL.Path == "/more" {
					size++
				}
				_, _ = w.Write(make([]byte, size))
			})
			f := fetcher(t, o, o.host)
			if data, err := f.Get(t.Context(), o.URL); err != nil || !bytes.Equal(data, make([]byte, maxSize)) {
				t.Errorf("got %d bytes and the error %v, want all %d", len(data), err, maxSize)
			}
			data, err := f.Get(t.Context(), o.URL+"/more")
			wantFailure(t, data, err, "has more than 16777216 bytes")
		})
	}
}

func TestGetOfBodyThatBreaksOff(t *testing.T) {
	o := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "part")
	})
	data, err := fetcher(t, o, o.host).Get(t.Context(), o.URL)
	wantFailure(t, data, err, io.ErrUnexpectedEOF.Error())
}

func TestGetFromSlowServer(t *testing.T) {
	for name, path := range map[string]string{"no answer": "/", "half a body": "/half"} {
		t.Run(name, func(t *testing.T) {
			arrived := make(chan struct{}, 2)
			o := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/half" {
					_, _ = io.WriteString(w, "half")
					_ = http.NewResponseController(w).Flush()
				}
				arrived <- struct{}{}
				<-r.Context().Done() // until the client goes away
			})
			f := fetcher(t, o, o.host)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-arrived
				cancel()
			}()
			data, err := f.Get(ctx, o.URL+path)
			wantFailure(t, data, err, "canceled")
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got the error %v, want that of the context", err)
			}
			f.trusted.Timeout = 50 * time.Millisecond // nobody waits ten seconds for a test
			data, err = f.Get(t.Context(), o.URL+path)
			wantFailure(t, data, err, "Client.Timeout")
		})
	}
}

func TestGetTakesLimitedTime(t *testing.T) {
	f, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if f.trusted.Timeout != maxTime || f.guarded.Timeout != maxTime {
		t.Errorf("got the limits %v and %v, want %v", f.trusted.Timeout, f.guarded.Timeout, maxTime)
	}
}

func TestGetOfOtherAddresses(t *testing.T) {
	o := serve(t, hello)
	f := fetcher(t, o, "127.0.0.1", "h", "*.h")
	for address, want := range map[string]string{
		"http://me@" + o.host:        "only http and https addresses without a password",
		"http://me:secret@" + o.host: "only http and https addresses without a password",
		"http://@" + o.host:          "only http and https addresses without a password",
		"ftp://" + o.host:            "only http and https addresses without a password",
		"file:///etc/passwd":         "only http and https addresses without a password",
		"file://h/etc/passwd":        "only http and https addresses without a password",
		"unix://h/run.sock":          "only http and https addresses without a password",
		"//" + o.host:                "only http and https addresses without a password",
		o.host:                       "first path segment in URL cannot contain colon",
		"":                           "only http and https addresses without a password",
		"http://h/\x00":              "invalid control character",
		"http://h%2fevil.example/":   "invalid URL escape",
		"http://h evil.example/":     "invalid character",
	} {
		data, err := f.Get(t.Context(), address)
		wantFailure(t, data, err, want)
	}
	if n := o.asked.Load(); n > 0 {
		t.Errorf("the server was asked %d times", n)
	}
}
