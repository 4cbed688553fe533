package agentgen

import (
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestReadme follows the README's tour as a reader would, and compares what it shows with what happens.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	tour := section(t, string(readme), "## Sixty seconds")
	dir := t.TempDir()
	sh := func(script string) string {
		cmd := exec.Command("sh", "-c", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Logf("%s: %v", script, err)
		}
		return string(out)
	}
	sh(strings.ReplaceAll(block(t, tour, "sh", 0), "/path/to/agentgen", root))
	main := block(t, tour, "go", 0)
	write(t, filepath.Join(dir, "main.go"), main)

	generate := block(t, tour, "console", 0)
	sh("cp " + root + "/go.sum . && go mod tidy")
	if got := sh("go generate"); !strings.Contains(generate, "$ go generate\n"+got) {
		t.Errorf("go generate prints\n%s\nthe README has\n%s", got, generate)
	}
	if got := sh("go vet ."); got != "" {
		t.Errorf("what was generated does not compile:\n%s", got)
	}
	got := sh("go tool agentgen manifest . greet -o yaml")
	if want := block(t, tour, "console", 1); !strings.HasSuffix(want, "agent.yml\n"+got) {
		t.Errorf("the manifest is\n%s\nthe README has\n%s", got, want)
	}

	runTour(t, dir, main, block(t, tour, "sh", 1), sh)

	plan := "package main\n\nimport (\n\"context\"\n\n\"github.com/cd3b852d/agentgen/agent\"\n)\n\n" +
		block(t, section(t, string(readme), "## What a run can do"), "go", 0)
	write(t, filepath.Join(dir, "plan.go"), plan)
	if got := sh("go generate && go vet ."); got != "wrote agents.gen.go (2 agents)\n" {
		t.Errorf("what the README shows of runs gives\n%s", got)
	}
	if err := os.Remove(filepath.Join(dir, "plan.go")); err != nil {
		t.Fatal(err)
	}

	faulty := strings.NewReplacer("agent:tags", "agent:tag", "links homepage", "links website").Replace(main)
	write(t, filepath.Join(dir, "main.go"), faulty)
	mistakes := regexp.MustCompile(`(?m)^(main\.go:.*)$`).FindAllString(sh("go tool agentgen generate"), -1)
	if want := block(t, tour, "console", 2); want != "$ go generate\n"+strings.Join(mistakes, "\n")+"\n" {
		t.Errorf("the mistakes are\n%s\nthe README has\n%s", strings.Join(mistakes, "\n"), want)
	}
}

// runTour starts the tour's program, on a port that is free, and sends the request that the tour shows.
func runTour(t *testing.T, dir, main, command string, sh func(string) string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	_ = listener.Close()
	write(t, filepath.Join(dir, "main.go"), strings.ReplaceAll(main, "127.0.0.1:8000", addr))
	if out := sh("go build -o hello ."); out != "" {
		t.Fatal(out)
	}
	program := exec.Command(filepath.Join(dir, "hello"))
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = program.Process.Kill(), program.Wait() })
	request := regexp.MustCompile(`--json '(.*)' http://127\.0\.0\.1:8000(\S+)`).FindStringSubmatch(command)
	if request == nil {
		t.Fatalf("no request in %s", command)
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		answer, err := http.Post("http://"+addr+request[2], "application/json", strings.NewReader(request[1]))
		if err != nil && time.Now().Before(deadline) {
			continue // it does not listen yet
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || !strings.Contains(string(body), `"content":"Hello, Ada!"`) {
			t.Errorf("the run answers %s, %v", body, err)
		}
		return
	}
}

// section is the text from a heading to the next one of its level.
func section(t *testing.T, text, heading string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "\n"+heading)
	if !ok {
		t.Fatalf("no section %q", heading)
	}
	inside, _, _ := strings.Cut(rest, "\n## ")
	return inside
}

// block is the nth fenced block of a language.
func block(t *testing.T, text, language string, n int) string {
	t.Helper()
	blocks := regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(text, -1)
	if n >= len(blocks) {
		t.Fatalf("there are %d %s blocks, want one more", len(blocks), language)
	}
	return blocks[n][1]
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
