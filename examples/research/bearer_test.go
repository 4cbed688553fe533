package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestBearer(t *testing.T) {
	verifier, err := newBearer("secret")
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]bool{
		"":              false,
		"secret":        false,
		"Bearer":        false,
		"Bearer ":       false,
		"Bearer secre":  false,
		"Bearer secret": true,
		"bearer secret": true,
		"Basic secret":  false,
		"Bearer Secret": false,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Header.Set("Authorization", header)
		if err := verifier.Verify(r); (err == nil) != want {
			t.Errorf("Authorization %q: %v, want to be let in: %t", header, err, want)
		}
	}
	if _, err := newBearer(""); err == nil {
		t.Error("an empty token was accepted")
	}
}
