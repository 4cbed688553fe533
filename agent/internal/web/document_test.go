package web

import (
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
	for name, test := range map[string]struct {
		header, value string
		status        int
		length        int64
	}{
		"range":            {"Range", "bytes=2-4", http.StatusPartialContent, 3},
		"beyond":           {"Range", "bytes=5000-", http.StatusRequestedRangeNotSatisfiable, -1},
		"other tag wanted": {"If-Match", `"other"`, http.StatusPreconditionFailed, 0},
		"this tag wanted":  {"If-Match", d.plain.etag[0], http.StatusOK, 1000},
	} {
		r, _ := http.NewRequest(http.MethodGet, s.URL, nil)
		r.Header.Set(test.header, test.value)
		r.Header.Set("Accept-Encoding", "gzip")
		a, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if a.StatusCode != test.status || test.length >= 0 && a.ContentLength != test.length {
			t.Errorf("%s: got %d with %d bytes", name, a.StatusCode, a.ContentLength)
		}
	}
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
