package scan

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/cd3b852d/agentgen/gen/diag"
)

// RuntimePath is the import path of the package whose Run and Message types make a shape.
const RuntimePath = "github.com/cd3b852d/agentgen/agent"

// modelsPath is the import path of the models for which the runtime has names of its own.
const modelsPath = "github.com/cd3b852d/agentgen/generated/agentapi"

// Options say what to scan.
type Options struct {
	Dir      string                     // where the patterns are relative to
	Patterns []string                   // packages, as the go command names them
	Tools    []string                   // the directives to look for: //tool:name
	Names    func(tool string) []string // the names that there are
	Skip     string                     // the name of the generated file, which is not a source
}

// Packages scans the packages that the patterns name and calls each for every one of them, several at
// a time, with the faults found in it. Each package's syntax is dropped when its call returns.
//
// The error is the go command's, or the first that each returns.
func Packages(ctx context.Context, opts Options, each func(*Package, diag.List) error) error {
	if i := slices.IndexFunc(opts.Patterns, func(p string) bool { return strings.HasSuffix(p, ".go") }); i >= 0 {
		return fmt.Errorf("%s is a file: name its package, which is the folder", opts.Patterns[i])
	}
	found, err := list(ctx, opts.Dir, opts.Patterns)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, l := range found {
		none := l.empty() && l.swept()
		if none {
			l.Error = nil
		}
		group.Go(func() error {
			s := &source{ctx: ctx, listed: l, Options: opts, fset: token.NewFileSet()}
			pkg := s.scan()
			if none && len(s.faults) == 0 {
				return nil
			}
			return each(pkg, s.faults)
		})
	}
	return group.Wait()
}

// source is a package while it is scanned.
type source struct {
	ctx    context.Context //nolint:containedctx // lives as long as one call of scan
	listed listed
	Options
	fset   *token.FileSet
	files  []*file
	others []*file           // those of the package that are not built here
	spoken bool              // a file has directives
	known  map[string]listed // imported packages, asked for once
	faults diag.List
}

// file is one source file.
type file struct {
	*ast.File
	src       []byte
	imports   imports
	condition string // what keeps it from being built everywhere
}

func (s *source) scan() *Package {
	p := &Package{
		Dir: s.listed.Dir, Path: s.listed.ImportPath, Name: s.listed.Name,
		Decls: map[string]token.Position{}, TestDecls: map[string]token.Position{}, Imports: map[string][]Import{},
	}
	s.parse()
	renamed := s.rename(p)
	if !renamed && len(s.faults) == 0 {
		s.unlisted()
	}
	aliases := map[string]alias{}
	for _, f := range s.files {
		s.declare(p.Decls, f, aliases)
	}
	s.beside(p)
	for _, f := range s.files {
		if s.spoken {
			f.condition = s.condition(f.File)
		}
		s.packageDoc(p, f)
		p.Funcs = append(p.Funcs, s.funcs(f, aliases, p.Decls)...)
	}
	if len(p.Funcs) > 0 {
		s.imported(p)
		s.typeDocs(p)
	}
	return p
}

// unlisted reports why the go command could not list the package, unless it was for the generated file alone.
func (s *source) unlisted() {
	invalid := slices.DeleteFunc(slices.Clone(s.listed.InvalidGoFiles), func(name string) bool { return name == s.Skip })
	e := s.listed.Error
	if e == nil || !s.listed.empty() && len(invalid) == 0 {
		return
	}
	pos := position(e.Pos, s.listed.Dir)
	if e.Pos == "" && len(invalid) == 1 && !strings.HasPrefix(e.Err, foundPackages) {
		pos.Filename = filepath.Join(s.listed.Dir, invalid[0])
	}
	if filepath.Base(pos.Filename) != s.Skip {
		s.faults.Add(pos, "%s", advised(strings.TrimPrefix(e.Err, filepath.Base(pos.Filename)+": ")))
	}
}

// foundPackages is how the go command says that the files of a folder do not agree about their package.
const foundPackages = "found packages "

// rename gives a package the name on which its files agree, and tells whether the go command had another:
// the generated file keeps the old name until it is generated anew.
func (s *source) rename(p *Package) bool {
	if len(s.files) == 0 || s.listed.Error == nil || !strings.HasPrefix(s.listed.Error.Err, foundPackages) {
		return false
	}
	name := s.files[0].Name.Name
	if slices.ContainsFunc(s.files, func(f *file) bool { return f.Name.Name != name }) {
		return false
	}
	p.Name = name
	return true
}

// parse reads the files. A file that is not Go is a fault for each of its syntax errors.
func (s *source) parse() {
	for _, path := range s.listed.files() {
		if filepath.Base(path) == s.Skip {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			s.faults.Add(token.Position{Filename: path}, "%v", err)
			continue
		}
		s.spoken = s.spoken || s.speaks(src)
		f, err := parser.ParseFile(s.fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
		if list, ok := err.(scanner.ErrorList); ok { //nolint:errorlint // documented to be the error itself
			for _, e := range list { // only their offsets are beyond what a //line comment claims
				s.faults.Add(s.fset.PositionFor(f.FileStart+token.Pos(e.Pos.Offset), false), "%s", e.Msg)
			}
			continue
		}
		s.files = append(s.files, &file{File: f, src: src, imports: importsOf(f)})
	}
}

// declare notes the package-level names of a file, and the type aliases among them.
func (s *source) declare(decls map[string]token.Position, f *file, aliases map[string]alias) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" {
				decls[d.Name.Name] = s.at(d.Name)
			}
		case *ast.GenDecl:
			s.declareSpecs(decls, f, d, aliases)
		}
	}
}

func (s *source) declareSpecs(decls map[string]token.Position, f *file, d *ast.GenDecl, aliases map[string]alias) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			decls[spec.Name.Name] = s.at(spec.Name)
			if spec.Assign.IsValid() {
				aliases[spec.Name.Name] = alias{file: f, expr: spec.Type}
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				decls[name.Name] = s.at(name)
			}
		}
	}
}

// packageDoc adds what the package comment of a file says.
func (s *source) packageDoc(p *Package, f *file) {
	if p.Pos.Filename == "" {
		p.Pos = s.at(f.Name)
	}
	if f.Doc == nil {
		return
	}
	if text := f.Doc.Text(); text != "" && f.condition == "" { // else the description would not be the same everywhere
		if p.Doc == "" {
			p.Pos = s.at(f.Name)
		} else {
			p.Doc += "\n"
		}
		p.Doc += text
	}
	directives := s.documented(f.Doc)
	s.confined(directives, f.condition)
	p.Directives = append(p.Directives, directives...)
}

// at is where a node begins, whatever a //line comment claims.
func (s *source) at(n ast.Node) token.Position { return s.fset.PositionFor(n.Pos(), false) }

// position reads the go command's own form of a position, file:line:col, relative to dir.
func position(text, dir string) token.Position {
	p := token.Position{Filename: dir}
	rest, col, ok := cutLast(text)
	if !ok {
		return p
	}
	name, line, ok := cutLast(rest)
	if !ok {
		name, line, col = rest, col, 0
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, filepath.Base(name))
	}
	return token.Position{Filename: name, Line: line, Column: col}
}

// cutLast splits text at its last colon if a number follows.
func cutLast(text string) (before string, number int, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return text, 0, false
	}
	number, err := strconv.Atoi(text[i+1:])
	return text[:i], number, err == nil
}
