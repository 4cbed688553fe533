// Package program builds commands and runs them as a person does. It is for the tests of the examples.
package program

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Build compiles the command in a folder and returns the path of the program.
func Build(t testing.TB, folder string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), filepath.Base(folder))
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// Start runs a program until the test ends, and returns the address that it prints.
func Start(t testing.TB, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	banner, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Wait(); !errors.Is(err, context.Canceled) { // which it is if the program ends well
			t.Errorf("%s ends with %v", program, err)
		}
	})
	lines := bufio.NewScanner(banner)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "overview"); ok {
			go func() { _, _ = io.Copy(io.Discard, banner) }()
			return strings.TrimSuffix(strings.TrimSpace(address), "/")
		}
	}
	t.Fatalf("%s prints no address: %v", program, lines.Err())
	return ""
}
