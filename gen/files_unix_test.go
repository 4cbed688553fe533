//go:build unix

package gen_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cd3b852d/agentgen/gen"
)

// What is in the place of the generated file and is no file is an error: it is neither read, which may never end, nor
// written through.
func TestNoFile(t *testing.T) {
	offline(t)
	for name, put := range map[string]func(path string) error{
		"folder":          func(path string) error { return os.Mkdir(path, 0o755) },
		"pipe":            func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"link":            func(path string) error { return os.Symlink("target", path) },
		"link to nowhere": func(path string) error { return os.Symlink("nowhere", path) },
		"link to a pipe":  func(path string) error { return os.Symlink("pipe", path) },
		"link to devices": func(path string) error { return os.Symlink("/dev/zero", path) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, map[string]string{"some/a.go": oneAgent, "some/target": "package a\n", "none/a.go": "package none\n"})
			if err := errors.Join(syscall.Mkfifo(filepath.Join(dir, "some/pipe"), 0o644), put(filepath.Join(dir, "some/agents.gen.go"))); err != nil {
				t.Fatal(err)
			}
			for _, force := range []bool{false, true} {
				for _, pattern := range []string{"./some", "./...", dir + "/..."} {
					_, err := gen.Run(t.Context(), gen.Options{Dir: dir, Patterns: []string{pattern}, Force: force})
					if err == nil || !strings.HasPrefix(err.Error(), filepath.Join(dir, "some/agents.gen.go")+": this is a ") {
						t.Errorf("%s, force %v: got error %v", pattern, force, err)
					}
				}
			}
			generate(t, dir, "./none")
			if got := read(t, filepath.Join(dir, "some/target")); got != "package a\n" {
				t.Errorf("the target became\n%s", got)
			}
		})
	}
}

// failures make the next write in a folder fail, until the end of the test.
func failures(t *testing.T, dir string) map[string]func(*testing.T) {
	t.Helper()
	all := map[string]func(*testing.T){
		"the disk is full": func(t *testing.T) {
			t.Helper()
			// A limit of the size of files is what comes nearest to a full disk without being root.
			var old syscall.Rlimit
			if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
				t.Fatal(err)
			}
			limit := old
			limit.Cur = 100
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
					t.Error(err)
				}
			})
		},
	}
	if os.Geteuid() != 0 { // root may write anywhere
		all["the folder is read-only"] = func(t *testing.T) {
			t.Helper()
			if err := os.Chmod(dir, 0o555); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := os.Chmod(dir, 0o755); err != nil {
					t.Error(err)
				}
			})
		}
	}
	return all
}
