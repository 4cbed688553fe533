//go:build !unix

package gen_test

import "testing"

// failures make the next write in a folder fail. There is no way to that on this system.
func failures(*testing.T, string) map[string]func(*testing.T) { return nil }
