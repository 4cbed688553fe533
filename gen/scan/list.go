package scan

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// listed is what the go command says of a package.
type listed struct {
	Dir, ImportPath, Name             string
	GoFiles, CgoFiles, InvalidGoFiles []string
	TestGoFiles, XTestGoFiles         []string
	IgnoredGoFiles                    []string
	Match                             []string // the patterns that named it
	Error                             *struct{ Pos, Err string }
}

// files are the paths of the package's source, with those that the go command could not read, so that
// the parser can say where.
func (l listed) files() []string {
	var paths []string
	seen := map[string]bool{}
	for _, names := range [][]string{l.GoFiles, l.CgoFiles, l.InvalidGoFiles} {
		for _, name := range names {
			if !seen[name] {
				seen[name] = true
				paths = append(paths, filepath.Join(l.Dir, name))
			}
		}
	}
	return paths
}

// empty tells whether no file of the package is built here: it has only tests, or files for other systems.
func (l listed) empty() bool { return len(l.files()) == 0 }

// swept tells whether a wildcard found the package, rather than a person who named it.
func (l listed) swept() bool {
	return l.Dir != "" && slices.ContainsFunc(l.Match, func(p string) bool { return strings.Contains(p, "...") })
}

// list asks the go command which packages the patterns name. It loads no dependency and no network.
func list(ctx context.Context, dir string, patterns []string) ([]listed, error) {
	const fields = "Dir,ImportPath,Name,GoFiles,CgoFiles,InvalidGoFiles,TestGoFiles,XTestGoFiles,IgnoredGoFiles,Match,Error"
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		if found := devices(ctx, dir, patterns); len(found) > 0 {
			cancel(found)
		}
	}()
	out, err := goList(ctx, dir, append([]string{"-e", "-json=" + fields, "--"}, patterns...)...)
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, err
	}
	var pkgs []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return pkgs, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		pkgs = append(pkgs, p)
	}
}

func goList(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-find"}, args...)...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		return out, nil
	}
	text := strings.TrimSpace(stderr.String())
	if text == "" {
		return nil, fmt.Errorf("go list: %w", err)
	}
	return nil, fmt.Errorf("go list: %s", advised(text))
}

// advised is what the go command says, with the way around a workspace that is in the way.
func advised(text string) string {
	text = strings.TrimSpace(text)
	if strings.Contains(text, "go.work") {
		text += "\nTo leave the workspace aside, set GOWORK=off"
	}
	return text
}
