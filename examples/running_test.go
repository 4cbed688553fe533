package examples_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cd3b852d/agentgen/internal/contract"
)

// TestRunningExamples starts each example as a person does, reads every document that the OpenAPI document
// promises, and checks it against the document.
func TestRunningExamples(t *testing.T) {
	c := contract.Load(t)
	for name, agentName := range map[string]string{"quickstart": "reading-time", "seeds": "chat", "research": "academic-search"} {
		t.Run(name, func(t *testing.T) {
			base := start(t, name)
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

// start builds an example, runs it until the test ends, and returns the address that it prints.
func start(t *testing.T, name string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), name)
	if out, err := exec.Command("go", "build", "-o", program, "./"+name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program, "-addr", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "RESEARCH_TOKEN=secret")
	banner, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s ends with %v", name, err)
		}
	})
	lines := bufio.NewScanner(banner)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "overview"); ok {
			go func() { _, _ = io.Copy(io.Discard, banner) }()
			return strings.TrimSuffix(strings.TrimSpace(address), "/")
		}
	}
	t.Fatalf("%s prints no address: %v", name, lines.Err())
	return ""
}
