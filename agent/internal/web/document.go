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
	LinkSet = "application/linkset+json"
)

// worthwhile is from which size on a document is compressed.
const worthwhile = 512

// Document is immutable bytes that are served with an entity tag, compressed for those who accept it.
type Document struct {
	// The header values are slices that all responses share: no response allocates them anew.
	contentType, cacheControl, vary, encoding []string
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
		plain:        represent(body, tag),
		packed:       sync.OnceValue(func() representation { return represent(pack(body), tag+"-gzip") }),
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

// ServeHTTP answers a GET or HEAD with the document, or with 304 if the client has it.
func (d *Document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Ranges and preconditions are about the plain bytes.
	special := r.Header["Range"] != nil || r.Header["If-Match"] != nil
	h, body := w.Header(), d.plain
	h["Content-Type"], h["Cache-Control"] = d.contentType, d.cacheControl
	h["Vary"] = append(h["Vary"], d.vary...)
	if !special && len(body.body) >= worthwhile && acceptsGzip(r.Header["Accept-Encoding"]) {
		body = d.packed()
		h["Content-Encoding"] = d.encoding
	}
	h["Etag"] = body.etag
	if !special {
		h["Content-Length"] = body.length
	}
	if special || r.Header["If-None-Match"] != nil {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body.body))
		return
	}
	// The usual case in one write: http.ServeContent needs a system call more.
	if r.Method != http.MethodHead {
		_, _ = w.Write(body.body)
	}
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
