package examples_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/cd3b852d/agentgen/examples/internal/program"
	"github.com/cd3b852d/agentgen/internal/contract"
)

// TestRunningExamples starts each example as a person does, reads every document that the OpenAPI document
// promises, and checks it against the document.
func TestRunningExamples(t *testing.T) {
	c := contract.Load(t)
	t.Setenv("RESEARCH_TOKEN", "secret")
	for name, agentName := range map[string]string{
		"quickstart": "reading-time", "seeds": "chat", "research": "academic-search", "conformance": "echo",
	} {
		t.Run(name, func(t *testing.T) {
			base := program.Start(t, program.Build(t, "./"+name), "-addr", "127.0.0.1:0")
			for path, item := range c.Paths.Map() {
				if item.Get == nil || strings.Contains(path, "_id}") { // of runs there is none to read
					continue
				}
				response, err := http.Get(base + strings.ReplaceAll(path, "{name}", agentName))
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(response.Body)
				_ = response.Body.Close()
				if err != nil || response.StatusCode != http.StatusOK {
					t.Errorf("%s: %s, %v", path, response.Status, err)
				}
				c.Check(t, item.Get, response, string(body))
			}
		})
	}
}
