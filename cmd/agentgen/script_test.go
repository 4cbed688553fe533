package main

import (
	"flag"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The test binary is the command when it is called agentgen, so the scripts, and the go command on their
// behalf, run what is tested.
func TestMain(m *testing.M) {
	flag.Bool("update", false, "record in the scripts what they compare")
	testscript.Main(m, map[string]func(){"agentgen": main})
}

// TestScripts runs testdata/script. go test ./cmd/agentgen -update records what they compare instead.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	goEnv := goEnv(t, "GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT")
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       flag.Lookup("update").Value.String() == "true",
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, goEnv...)
			env.Setenv("GOPROXY", "off") // a script that needs the network is wrong
			env.Setenv("GOFLAGS", "")
			env.Setenv("GOWORK", "off")
			env.Setenv("GOTOOLCHAIN", "local")
			env.Setenv("REPO", root)
			return nil
		},
	})
}

// exits runs a command that must end with a code: exits 2 agentgen nonsense.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	code := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if code != args[0] {
		ts.Fatalf("%s ended with %s, want %s", strings.Join(args[1:], " "), code, args[0])
	}
}

// goEnv is what the go command of a script needs to know to build as this one does.
func goEnv(t *testing.T, names ...string) []string {
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	vars := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, name := range names {
		vars[i] = name + "=" + vars[i]
	}
	return vars
}
