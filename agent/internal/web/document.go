// Package web has what the views of a registry share: immutable documents with validators, the base URL
// of a request, the protocol's error body, and caches that follow the revisions of a registry.
//
// Not its job: what the documents say, and routes.
//
// Invariants: a document never changes; its entity tag is a hash of the bytes that go over the wire.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The media types of documents.
const (
	JSON    = "application/json"
	YAML    = "application/yaml"
	HTML    = "text/html; charset=utf-8"
	LinkSet = "application/linkset+json"
)

// packedSuffix tells the entity tag of the compressed bytes from that of the plain ones.
const packedSuffix = "-gzip"

// worthwhile is from which size on a document is compressed.
const worthwhile = 512

// Document is immutable bytes that are served with an entity tag, compressed for those who accept it.
type Document struct {
	// The header values are slices that all responses share: no response allocates them anew.
	contentType, cacheControl, vary, encoding []string
	tag                                       string
	plain                                     representation
	packed                                    func() representation
}

// representation is the bytes of a document in one encoding.
type representation struct {
	body         []byte
	etag, length []string
}

// NewDocument returns a document of the bytes, which must not change any more.
func NewDocument(contentType string, body []byte) *Document {
	hash := sha256.Sum256(body)
	tag := base64.RawURLEncoding.EncodeToString(hash[:15])
	return &Document{
		contentType:  []string{contentType},
		cacheControl: []string{"public, max-age=60"},
		vary:         []string{"Accept-Encoding"},
		encoding:     []string{"gzip"},
		tag:          tag,
		plain:        represent(body, tag),
		packed:       sync.OnceValue(func() representation { return represent(pack(body), tag+packedSuffix) }),
	}
}

// NewJSON returns a document of the value as JSON.
func NewJSON(contentType string, value any) (*Document, error) {
	body, err := Marshal(value)
	if err != nil {
		return nil, err
	}
	return NewDocument(contentType, body), nil
}

// Marshal returns the value as JSON for people too: no document is put into HTML, so < stays <.
func Marshal(value any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

func represent(body []byte, tag string) representation {
	return representation{body: body, etag: []string{`"` + tag + `"`}, length: []string{strconv.Itoa(len(body))}}
}

// pack compresses the bytes. Writing to memory does not fail.
func pack(body []byte) []byte {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(body)
	_ = w.Close()
	return packed.Bytes()
}

// Size is how much memory the document takes, about.
func (d *Document) Size() int { return len(d.plain.body) }

// ServeHTTP answers a GET or HEAD with the document, with 304 if the client has it, or with the protocol's
// error body if the client wants another one or a part that isn't there.
func (d *Document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if tags := r.Header["If-Match"]; tags != nil && !d.matches(tags) {
		WriteError(w, http.StatusPreconditionFailed, Invalid("If-Match", "the document has another entity tag"))
		return
	}
	// Ranges are about the plain bytes, and nothing for a HEAD (RFC 9110, section 14.2).
	ranged := r.Header["Range"] != nil && r.Method == http.MethodGet
	h, body := w.Header(), d.plain
	h["Content-Type"], h["Cache-Control"] = d.contentType, d.cacheControl
	h["Vary"] = append(h["Vary"], d.vary...)
	if !ranged && len(body.body) >= worthwhile && acceptsGzip(r.Header["Accept-Encoding"]) {
		body = d.packed()
		h["Content-Encoding"] = d.encoding
	}
	h["Etag"] = body.etag
	if !ranged {
		h["Content-Length"] = body.length
	}
	if ranged || r.Header["If-None-Match"] != nil {
		http.ServeContent(&contentWriter{ResponseWriter: w, size: len(body.body)}, plainly(r, ranged), "", time.Time{}, bytes.NewReader(body.body))
		return
	}
	// The usual case in one write: http.ServeContent needs a system call more.
	if r.Method != http.MethodHead {
		_, _ = w.Write(body.body)
	}
}

// matches tells whether entity tags name the document, whichever bytes of it the client has.
func (d *Document) matches(tags []string) bool {
	for _, value := range tags {
		for tag := range strings.SplitSeq(value, ",") {
			switch strings.TrimSpace(tag) {
			case "*", `"` + d.tag + `"`, `"` + d.tag + packedSuffix + `"`:
				return true
			}
		}
	}
	return false
}

// plainly returns the request without the headers that are dealt with.
func plainly(r *http.Request, ranged bool) *http.Request {
	r = r.Clone(r.Context())
	r.Header.Del("If-Match")
	if !ranged {
		r.Header.Del("Range")
	}
	return r
}

// contentWriter answers with the protocol's error body where [http.ServeContent] has words of its own.
type contentWriter struct {
	http.ResponseWriter
	size    int
	refused bool
}

// WriteHeader answers at once if the status is that of a range that isn't there.
func (w *contentWriter) WriteHeader(status int) {
	if w.refused = status == http.StatusRequestedRangeNotSatisfiable; w.refused {
		WriteError(w.ResponseWriter, status, Invalid("Range", "want a part of the %d bytes that the document has", w.size))
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write drops the words.
func (w *contentWriter) Write(p []byte) (int, error) {
	if w.refused {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// acceptsGzip reads Accept-Encoding (RFC 9110, section 12.5.3): what is said of gzip counts more than
// what is said of `*`.
func acceptsGzip(values []string) bool {
	accepts := false
	for _, value := range values {
		for item := range strings.SplitSeq(value, ",") {
			coding, params, _ := strings.Cut(item, ";")
			switch coding = strings.TrimSpace(coding); {
			case strings.EqualFold(coding, "gzip"):
				return weight(params) > 0
			case coding == "*":
				accepts = weight(params) > 0
			}
		}
	}
	return accepts
}

// weight is the q parameter, 1 when there is none.
func weight(params string) float64 {
	name, value, ok := strings.Cut(strings.TrimSpace(params), "=")
	if !ok || !strings.EqualFold(strings.TrimSpace(name), "q") {
		return 1
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return 0
	}
	return q
}
