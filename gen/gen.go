// Package gen is the generator: annotated Go packages in, one registration file for each out.
//
// Run reads and decides, and writes nothing. What it returns can be written, compared or shown, so
// generating, checking and describing never differ in what they see.
package gen

import (
	"bytes"
	"context"
	"errors"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/google/renameio/v2/maybe"

	"github.com/cd3b852d/agentgen/gen/describe"
	"github.com/cd3b852d/agentgen/gen/diag"
	"github.com/cd3b852d/agentgen/gen/directive"
	"github.com/cd3b852d/agentgen/gen/emit"
	"github.com/cd3b852d/agentgen/gen/scan"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// Options say what to generate.
type Options struct {
	Dir      string             // where the patterns are relative to, the working directory if empty
	Patterns []string           // packages as the go command names them, the one in Dir if empty
	Grammar  *directive.Grammar // which directives there are, the default grammar if nil
	Force    bool               // overwrite a generated file that was edited, or that is not ours
	Describe bool               // only describe: make no files
}

// A Package is what was made of one Go package.
type Package struct {
	Dir       string // absolute
	Path      string // import path
	Manifests []agentapi.AgentManifest
	Card      agentapi.AgentCard // the zero card if there are no manifests
	File      File
}

// A File is the generated file of a package.
type File struct {
	Path    string
	Old     []byte // what is there, nil if there is none
	Content []byte // what should be there, nil if there should be none
}

// Stale tells whether the file is not what it should be.
func (f File) Stale() bool {
	return (f.Old == nil) != (f.Content == nil) || !bytes.Equal(emit.Normal(f.Old), f.Content)
}

// Write makes the file what it should be. Whatever happens on the way, there is the old file or the new
// one, whole.
func (f File) Write() error {
	switch {
	case !f.Stale():
		return nil
	case f.Content == nil:
		return os.Remove(f.Path)
	}
	return maybe.WriteFile(f.Path, f.Content, 0o644)
}

// Run generates. Faults in the source come as a [diag.List], all of them, and then there is no result.
func Run(ctx context.Context, opts Options) ([]Package, error) {
	if opts.Grammar == nil {
		grammar, err := directive.Default()
		if err != nil {
			return nil, err
		}
		opts.Grammar = grammar
	}
	if len(opts.Patterns) == 0 {
		opts.Patterns = []string{"."}
	}
	r := &runner{Options: opts}
	err := scan.Packages(ctx, scan.Options{
		Dir: opts.Dir, Patterns: opts.Patterns, Skip: emit.FileName,
		Tools: opts.Grammar.Tools(), Names: opts.Grammar.Names,
	}, r.generate)
	if err != nil {
		return nil, err
	}
	r.faults.Sort()
	if err := r.faults.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(r.packages, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
	return r.packages, nil
}

// runner collects what is made of several packages at a time.
type runner struct {
	Options
	mu       sync.Mutex
	packages []Package
	faults   diag.List
}

// generate makes the file of one package.
func (r *runner) generate(scanned *scan.Package, faults diag.List) error {
	described, more := describe.Describe(r.Grammar, scanned)
	faults = append(faults, more...)
	p := Package{Dir: scanned.Dir, Path: scanned.Path, Card: described.Card}
	for _, a := range described.Agents {
		p.Manifests = append(p.Manifests, a.Manifest)
	}
	if len(faults) == 0 && !r.Describe {
		p.File, faults = r.file(described)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults = append(r.faults, faults...)
	r.packages = append(r.packages, p)
	return nil
}

// file is the generated file of a package, and what is in its place now.
func (r *runner) file(p *describe.Package) (File, diag.List) {
	var faults diag.List
	f := File{Path: filepath.Join(p.Dir, emit.FileName)}
	info, err := os.Lstat(f.Path)
	if err == nil && !info.Mode().IsRegular() {
		if len(p.Agents) > 0 { // else it is none of our business
			faults.Add(position(f.Path), "this is %s, not a file: move it out of the way", kind(info.Mode()))
		}
		return f, faults
	}
	old, err := os.ReadFile(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		faults.Add(position(f.Path), "%v", err)
		return f, faults
	}
	f.Old = old
	state := emit.Ours
	if old != nil && !r.Force {
		state = emit.StateOf(old)
	}
	switch {
	case len(p.Agents) == 0 && old != nil && emit.StateOf(old) == emit.Others:
		f.Old = nil // none of our business, even by force
	case state == emit.Others:
		faults.Add(position(f.Path), "this file is not agentgen's: move it out of the way, or overwrite it with --force")
	case state == emit.Edited:
		faults.Add(position(f.Path), "this file was edited since it was generated: undo that, or overwrite it with --force")
	case len(p.Agents) > 0:
		f.Content, faults = emit.File(p)
		if !f.Stale() {
			f.Old = f.Content // one copy is enough of what does not change
		}
	}
	return f, faults
}

// kind names what is not a regular file.
func kind(mode fs.FileMode) string {
	switch mode.Type() {
	case fs.ModeDir:
		return "a folder"
	case fs.ModeSymlink:
		return "a symbolic link"
	default:
		return "a device"
	}
}

func position(path string) token.Position { return token.Position{Filename: path} }
