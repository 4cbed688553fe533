package main

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cd3b852d/agentgen/examples/internal/program"
)

// TestOfficialClients runs the suites in testdata, in which the official clients of the protocol use the
// examples as they would any other server.
func TestOfficialClients(t *testing.T) {
	python := installed(t, "python/bin/python")
	modules := installed(t, "node/node_modules")
	node, err := exec.LookPath("node")
	if err != nil {
		lacking(t, err)
	}
	env := append(os.Environ(), servers(t)...)
	// The tests of the chat example are run on their own, to tell whose fault it is when they fail.
	t.Run("python", func(t *testing.T) {
		t.Parallel()
		suite(t, env, "testdata/python", python, "-m", "pytest", "--quiet", "--ignore=test_chat.py")
	})
	t.Run("python chat", func(t *testing.T) {
		suite(t, env, "testdata/python", python, "-m", "pytest", "--quiet", "test_chat.py")
	})
	t.Run("node", func(t *testing.T) {
		t.Parallel()
		suite(t, env, withModules(t, modules), node, "--test",
			"discovery.test.js", "runs.test.js", "events.test.js", "errors.test.js", "sessions.test.js")
	})
	t.Run("node chat", func(t *testing.T) {
		suite(t, env, withModules(t, modules), node, "--test", "chat.test.js")
	})
}

// installed returns where make interop-deps has put something.
func installed(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../.bin/interop", name))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		lacking(t, err)
	}
	return path
}

// lacking skips the test, unless INTEROP=required says that it must not be skipped.
func lacking(t *testing.T, err error) {
	t.Helper()
	const advice = "the official clients are not tested: %v; `make interop` installs them, with Python 3 and Node.js, and tests them"
	if os.Getenv("INTEROP") == "required" {
		t.Fatalf(advice, err)
	}
	t.Skipf(advice, err)
}

// servers starts the examples and returns the environment that tells the suites where they are.
func servers(t *testing.T) []string {
	t.Helper()
	conformance := program.Build(t, "../conformance")
	// The two servers between which a session moves have to know each other before they start.
	one, two := freeAddress(t), freeAddress(t)
	return []string{
		"ACP_URL=" + program.Start(t, conformance, "-addr", "127.0.0.1:0"),
		"ACP_URL_ONE=" + program.Start(t, conformance, "-addr", one, "-foreign", two),
		"ACP_URL_TWO=" + program.Start(t, conformance, "-addr", two, "-foreign", one),
		"ACP_CHAT_URL=" + program.Start(t, program.Build(t, "../seeds"), "-addr", "127.0.0.1:0"),
		"ACP_SERVER=",               // not the reference server
		"PYTHONDONTWRITEBYTECODE=1", // the source tree stays as it is
	}
}

// freeAddress returns an address at which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// withModules copies the suite to where Node.js finds the modules, which is beside the importing file only.
func withModules(t *testing.T, modules string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("testdata/node")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// suite runs a command and shows what it prints if it fails.
func suite(t *testing.T, env []string, folder, name string, args ...string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = folder, env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	t.Logf("%s", out)
}
