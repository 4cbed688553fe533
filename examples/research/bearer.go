package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"
)

// A bearer lets in who sends one fixed token. It keeps only the hash of it.
type bearer struct{ want [sha256.Size]byte }

// newBearer refuses an empty token, which would let in everybody or nobody.
func newBearer(token string) (bearer, error) {
	if token == "" {
		return bearer{}, errors.New("a token is needed: set -token or RESEARCH_TOKEN")
	}
	return bearer{want: sha256.Sum256([]byte(token))}, nil
}

// Verify implements agent.Verifier. Hashes have one length, so the comparison takes the same time
// whatever the caller sends.
func (b bearer) Verify(r *http.Request) error {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got := sha256.Sum256([]byte(strings.TrimSpace(token)))
	if !strings.EqualFold(scheme, "bearer") || subtle.ConstantTimeCompare(got[:], b.want[:]) != 1 {
		return errors.New("the bearer token is missing or wrong")
	}
	return nil
}
