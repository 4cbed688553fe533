package scan

import (
	"context"
	"go/build"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cd3b852d/agentgen/gen/diag"
)

// devices finds pipes and devices that are called like Go files, in the folders that patterns name. The go command
// would open them, and wait for somebody to write into the pipe.
func devices(ctx context.Context, dir string, patterns []string) diag.List {
	var found diag.List
	for _, pattern := range patterns {
		if !build.IsLocalImport(pattern) && !filepath.IsAbs(pattern) {
			continue // where that is only the go command knows
		}
		root, _, deep := strings.Cut(pattern, "...")
		if deep {
			root = filepath.Dir(root + "_")
		}
		if !filepath.IsAbs(root) {
			root = filepath.Join(dir, root)
		}
		// What cannot be found or read the go command cannot find or read either.
		root, _ = filepath.Abs(root)
		_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return fs.SkipAll
			case err != nil, entry.IsDir() && path != root && (!deep || aside(path)):
				return fs.SkipDir
			case isDevice(path, entry):
				found.Add(token.Position{Filename: path}, "this is a pipe or a device, not a file: move it out of the way")
			}
			return nil
		})
	}
	return found
}

// aside tells whether the go command leaves a folder aside when it looks for packages.
func aside(path string) bool {
	name := filepath.Base(path)
	_, err := os.Lstat(filepath.Join(path, "go.mod"))
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor" || err == nil
}

// isDevice tells whether the go command would take an entry of a folder for a source, and wait for it.
func isDevice(path string, entry fs.DirEntry) bool {
	name, mode := entry.Name(), entry.Type()
	if !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return false
	}
	if mode == fs.ModeSymlink {
		info, err := os.Stat(path)
		if err != nil {
			return false
		}
		mode = info.Mode().Type()
	}
	return mode&(fs.ModeNamedPipe|fs.ModeDevice|fs.ModeCharDevice) != 0
}
