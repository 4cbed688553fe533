package suggest_test

import (
	"testing"

	"github.com/cd3b852d/agentgen/internal/suggest"
)

func TestHint(t *testing.T) {
	known := []string{"tags", "links", "license", "created_at"}
	for name, want := range map[string]string{
		"tag":         "; did you mean tags?",
		"Tags":        "; did you mean tags?",
		"lic":         "; did you mean license?", // the beginning of it
		"licence":     "; did you mean license?",
		"creation_at": "; did you mean created_at?",
		"x":           "; there are tags, links, license, created_at",
		"documents":   "; there are tags, links, license, created_at",
	} {
		if got := suggest.Hint(name, known); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got := suggest.Hint("x", nil); got != "" {
		t.Errorf("got %q where there are no names", got)
	}
}
