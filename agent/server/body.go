package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/web"
)

// maxDepth is how many objects and lists of a body may stand in one another. Nothing that the protocol
// says needs more than a few.
const maxDepth = 1000

// checkBody refuses a body that is too large, or not JSON, before an operation decodes it.
func (c *config) checkBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		// A connection that knows no deadline is none of ours, and its owner's to bound.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(c.bodyTime))
		body, err := c.readBody(w, r)
		if err == nil {
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		} else {
			w.Header().Set("Connection", "close") // what is left of the body is not waited for
		}
		if status, fault := bodyFault(r.Header, body, err); fault != nil {
			web.WriteError(w, status, fault)
			return
		}
		r.Body = wholeBody{bytes.NewReader(body), body}
		next.ServeHTTP(w, r)
	})
}

// readBody doesn't begin with what would be too large: a client that waits for a word hears it at once.
func (c *config) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > c.maxBody {
		return nil, &http.MaxBytesError{Limit: c.maxBody}
	}
	return io.ReadAll(http.MaxBytesReader(w, r.Body, c.maxBody))
}

// wholeBody is a body that was read and stays at hand: who decodes it does not tell where it doesn't fit.
type wholeBody struct {
	*bytes.Reader
	content []byte
}

// Close does nothing: the connection is the server's.
func (wholeBody) Close() error { return nil }

// bodyFault returns what is wrong with a body, and the status that says so.
func bodyFault(header http.Header, body []byte, readError error) (int, *agent.Error) {
	contentType, coding := header.Get("Content-Type"), header.Get("Content-Encoding")
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(readError, &tooLarge):
		return http.StatusRequestEntityTooLarge, web.Invalid("body", "must be at most %d bytes", tooLarge.Limit)
	case errors.Is(readError, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout, web.Invalid("body", "did not come in time")
	case readError != nil:
		return http.StatusUnprocessableEntity, web.Invalid("body", "ended early")
	case len(body) == 0:
		return 0, nil
	case !isJSON(contentType):
		return http.StatusUnsupportedMediaType, web.Invalid("Content-Type", "%s is not JSON: send application/json", web.Short(contentType))
	case coding != "" && !strings.EqualFold(coding, "identity"):
		return http.StatusUnsupportedMediaType, web.Invalid("Content-Encoding", "%s is not read: send the body as it is", web.Short(coding))
	case !utf8.Valid(body):
		return http.StatusUnprocessableEntity, web.Invalid("body", "is not UTF-8")
	case depth(body) > maxDepth:
		return http.StatusUnprocessableEntity, web.Invalid("body", "is nested more than %d levels deep", maxDepth)
	case !json.Valid(body):
		return http.StatusUnprocessableEntity, web.Invalid("body", "is not JSON")
	}
	return 0, nil
}

// isJSON tells whether a body of this type is JSON. Clients of the protocol leave the type out.
func isJSON(contentType string) bool {
	t, _, _ := mime.ParseMediaType(contentType)
	return contentType == "" || t == web.JSON || strings.HasSuffix(t, "+json")
}

// depth returns how deep brackets are nested outside strings.
func depth(body []byte) int {
	deepest, level, inString := 0, 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			level++
			deepest = max(deepest, level)
		case c == ']' || c == '}':
			level--
		}
	}
	return deepest
}
