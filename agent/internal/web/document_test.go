package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

func TestAcceptsGzip(t *testing.T) {
	for header, want := range map[string]bool{
		"":                       false,
		"gzip":                   true,
		"GZIP;q=0.1":             true,
		"br, gzip":               true,
		"gzip;q=0":               false,
		"gzip;q=0.000, *":        false,
		"*, gzip;q=0":            false,
		"*":                      true,
		"*;q=0":                  false,
		"identity":               false,
		"gzip; q=many":           false,
		"deflate;q=1, gzip ;q=1": true,
	} {
		if got := acceptsGzip([]string{header}); got != want {
			t.Errorf("%q: got %v", header, got)
		}
	}
	if !acceptsGzip([]string{"br", "gzip"}) {
		t.Error("a second header is overlooked")
	}
}

func TestDocumentPreconditionsAndRanges(t *testing.T) {
	d := NewDocument(JSON, []byte(strings.Repeat("0123456789", 100)))
	s := httptest.NewServer(d)
	defer s.Close()
	plain, packed := d.plain.etag[0], d.packed().etag[0]
	for name, test := range map[string]struct {
		method, headers string // one header a line
		status          int
		body            string // "" is the whole document
		encoding        string
	}{
		"whole":                   {"GET", "", 200, "", "gzip"},
		"range":                   {"GET", "Range: bytes=2-4", 206, "234", ""},
		"range of this":           {"GET", "Range: bytes=2-4\nIf-Range: " + plain, 206, "234", ""},
		"range of another":        {"GET", `Range: bytes=2-4` + "\n" + `If-Range: "other"`, 200, "", ""},
		"range beyond":            {"GET", "Range: bytes=5000-", 416, `{"code":"invalid_input","message":"Range: want a part of the 1000 bytes that the document has"}`, ""},
		"range that is none":      {"GET", "Range: bytes=x", 416, `{"code":"invalid_input","message":"Range: want a part of the 1000 bytes that the document has"}`, ""},
		"range of a HEAD":         {"HEAD", "Range: bytes=5000-", 200, "", "gzip"},
		"range the client has":    {"GET", "Range: bytes=2-4\nIf-None-Match: " + plain, 304, "-", ""},
		"HEAD the client has":     {"HEAD", "Range: bytes=5000-\nIf-None-Match: " + packed, 304, "-", ""},
		"this":                    {"GET", "If-Match: " + plain, 200, "", "gzip"},
		"this, packed":            {"GET", "If-Match: " + packed, 200, "", "gzip"},
		"this, packed, for plain": {"GET", "Accept-Encoding: identity\nIf-Match: " + packed, 200, "", ""},
		"range of this, packed":   {"GET", "Range: bytes=2-4\nIf-Match: " + packed, 206, "234", ""},
		"one of several":          {"GET", `If-Match: "other", ` + plain, 200, "", "gzip"},
		"one of several headers":  {"GET", `If-Match: "other"` + "\nIf-Match: " + plain, 200, "", "gzip"},
		"any":                     {"GET", "If-Match: *", 200, "", "gzip"},
		"this, weakly":            {"GET", "If-Match: W/" + plain, 412, `{"code":"invalid_input","message":"If-Match: the document has another entity tag"}`, ""},
		"another":                 {"GET", `If-Match: "other"`, 412, `{"code":"invalid_input","message":"If-Match: the document has another entity tag"}`, ""},
		"another, HEAD":           {"HEAD", `If-Match: "other"`, 412, "-", ""},
		"this if I lack it":       {"GET", "If-Match: *\nIf-None-Match: " + packed, 304, "-", ""},
	} {
		t.Run(name, func(t *testing.T) {
			status, header, data := exchangeWith(t, test.method, s.URL, "Accept-Encoding: gzip\n"+test.headers)
			want := test.body
			switch {
			case test.method == http.MethodHead || want == "-":
				want = ""
			case want == "":
				want = string(d.plain.body)
			}
			if status != test.status || data != want || header.Get("Content-Encoding") != test.encoding {
				t.Errorf("got %d %v %s", status, header, data)
			}
			refused := status >= 400
			if cached := header.Get("Cache-Control") != ""; cached == refused {
				t.Errorf("status %d is cached: %v", status, cached)
			}
			if refused && header.Get("Content-Type") != JSON {
				t.Errorf("got %v", header)
			}
		})
	}
}

// exchangeWith sends a request with headers, one a line, and unpacks the answer. Of several Accept-Encoding
// the last counts.
func exchangeWith(t *testing.T, method, url, headers string) (status int, header http.Header, body string) {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(headers) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if name == "Accept-Encoding" {
			r.Header.Del(name)
		}
		r.Header.Add(name, value)
	}
	a, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	var content io.Reader = a.Body
	if a.Header.Get("Content-Encoding") == "gzip" && method != http.MethodHead {
		if content, err = gzip.NewReader(content); err != nil {
			t.Fatal(err)
		}
	}
	data, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, a.Header, string(data)
}

func TestSmallDocumentsStayPlain(t *testing.T) {
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	NewDocument(JSON, []byte("{}")).ServeHTTP(w, r)
	if w.Header().Get("Content-Encoding") != "" || w.Body.String() != "{}" {
		t.Errorf("got %v %q", w.Header(), w.Body)
	}
}

func TestCacheIsBounded(t *testing.T) {
	var c Cache[string]
	quarter := NewDocument(JSON, make([]byte, cacheSize/4))
	for i := range 100 {
		d, err := c.Get(strconv.Itoa(i%50), func() (*Document, error) { return quarter, nil })
		if d != quarter || err != nil {
			t.Fatal(d, err)
		}
	}
	if len(c.documents) != 4 || c.size != cacheSize {
		t.Errorf("keeps %d documents of %d bytes", len(c.documents), c.size)
	}
	huge := NewDocument(JSON, make([]byte, cacheSize+1))
	if d, _ := c.Get("huge", func() (*Document, error) { return huge, nil }); d != huge || len(c.documents) != 4 {
		t.Error("what is too large to keep is not handed out, or drove out the others")
	}
	c.put("huge", quarter)
	c.put("huge", quarter)
	if c.size != cacheSize {
		t.Errorf("counts %d bytes", c.size)
	}
}
