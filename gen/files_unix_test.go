//go:build unix

package gen_test

import (
	"os"
	"syscall"
	"testing"
)

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
