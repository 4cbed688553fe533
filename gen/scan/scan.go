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
	"unicode"

	"github.com/agnivade/levenshtein"
	"golang.org/x/sync/errgroup"

	"github.com/cd3b852d/agentgen/gen/diag"
)

// RuntimePath is the import path of the package whose Run and Message types make a shape.
const RuntimePath = "github.com/cd3b852d/agentgen/agent"

// modelsPath is the import path of the models for which the runtime has names of its own.
const modelsPath = "github.com/cd3b852d/agentgen/generated/agentapi"

// Options say what to scan.
type Options struct {
	Dir      string   // where the patterns are relative to
	Patterns []string // packages, as the go command names them
	Tools    []string // the directives to look for: //tool:name
	Known    func(tool, name string) bool
	Skip     string // the name of the generated file, which is not a source
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
		if l.empty() && l.swept() {
			continue
		}
		group.Go(func() error {
			s := &source{ctx: ctx, listed: l, Options: opts, fset: token.NewFileSet()}
			pkg := s.scan()
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
	names  map[string]string // what imported packages call themselves, asked for once
	faults diag.List
}

// file is one source file.
type file struct {
	*ast.File
	src     []byte
	imports imports
}

func (s *source) scan() *Package {
	p := &Package{
		Dir: s.listed.Dir, Path: s.listed.ImportPath, Name: s.listed.Name,
		Decls: map[string]token.Position{}, TestDecls: map[string]token.Position{},
	}
	s.parse()
	renamed := s.rename(p)
	if e := s.listed.Error; e != nil && !renamed && len(s.faults) == 0 && (s.listed.empty() || len(s.listed.InvalidGoFiles) > 0) {
		if pos := position(e.Pos, s.listed.Dir); filepath.Base(pos.Filename) != s.Skip {
			s.faults.Add(pos, "%s", advised(e.Err))
		}
	}
	aliases := map[string]alias{}
	for _, f := range s.files {
		s.declare(p.Decls, f, aliases)
	}
	for _, f := range s.files {
		s.packageDoc(p, f)
		p.Funcs = append(p.Funcs, s.funcs(f, aliases, p.Decls)...)
	}
	if len(p.Funcs) > 0 {
		s.declareTests(p)
	} else {
		s.excluded()
	}
	return p
}

// excluded reports files that are not built here and have directives, where no other file has any: the
// package would seem to have no agents, and lose the generated file.
func (s *source) excluded() {
	for _, name := range s.listed.IgnoredGoFiles {
		path := filepath.Join(s.listed.Dir, name)
		src, err := os.ReadFile(path)
		if err != nil {
			continue // nothing that is built needs it
		}
		number := 0
		for line := range strings.Lines(string(src)) {
			number++
			if lead, tool, colon, directive := split(line); lead == "" && colon == ":" && directive != "" && slices.Contains(s.Tools, tool) {
				s.faults.Add(token.Position{Filename: path, Line: number, Column: 1},
					"build constraints exclude this file here, and its agents with it: generate where it is built")
				break
			}
		}
	}
}

// rename gives a package the name on which its files agree, and tells whether the go command had another:
// the generated file keeps the old name until it is generated anew.
func (s *source) rename(p *Package) bool {
	if len(s.files) == 0 || s.listed.Error == nil || !strings.HasPrefix(s.listed.Error.Err, "found packages ") {
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

// declareTests notes the names that the tests of the package declare. What else is in them is the go
// command's concern.
func (s *source) declareTests(p *Package) {
	for _, name := range s.listed.TestGoFiles {
		f, err := parser.ParseFile(s.fset, filepath.Join(s.listed.Dir, name), nil, parser.SkipObjectResolution)
		if err == nil {
			s.declare(p.TestDecls, &file{File: f}, map[string]alias{})
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
	if text := f.Doc.Text(); text != "" {
		if p.Doc == "" {
			p.Pos = s.at(f.Name)
		} else {
			p.Doc += "\n"
		}
		p.Doc += text
	}
	p.Directives = append(p.Directives, s.directives(f.Doc)...)
}

// directives are the lines of a comment that speak to agentgen.
func (s *source) directives(group *ast.CommentGroup) []Directive {
	if group == nil {
		return nil
	}
	var found []Directive
	for _, c := range group.List {
		lead, tool, colon, name := split(c.Text)
		switch {
		case lead != "" && colon != ":" || name == "":
		case slices.Contains(s.Tools, tool):
			found = append(found, Directive{Text: strings.TrimRight(c.Text, "\r"), Pos: s.at(c), Spaced: lead != "" || colon != ":"})
		case lead == "" && colon == ":":
			s.misspelt(s.at(c), tool, name)
		}
	}
	return found
}

// misspelt reports a directive whose tool is nearly one of ours. Those of other tools are none of our
// business, so the name has to be one that we know.
func (s *source) misspelt(pos token.Position, tool, name string) {
	for _, ours := range s.Tools {
		if levenshtein.ComputeDistance(strings.ToLower(tool), ours) < 2 && s.Known(ours, name) {
			s.faults.Add(pos, "//%s:%s: no such directive; did you mean //%s:%s?", tool, name, ours, name)
		}
	}
}

// split takes a comment line apart that is a directive or was meant to be one: white space, a tool, a colon
// with white space around it, a name. The name of anything else is empty.
func split(text string) (lead, tool, colon, name string) {
	const blank = " \t"
	text, ok := strings.CutPrefix(text, "//")
	i := strings.IndexByte(text, ':')
	if !ok || i < 0 {
		return "", "", "", ""
	}
	tool, name = text[:i], text[i+1:]
	lead = tool[:len(tool)-len(strings.TrimLeft(tool, blank))]
	tool, name = strings.TrimLeft(tool, blank), strings.TrimLeft(name, blank)
	end := len(strings.TrimRight(tool, blank))
	colon = text[len(lead)+end : len(text)-len(name)]
	tool = tool[:end]
	stop := strings.IndexFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if stop < 0 {
		stop = len(name)
	}
	return lead, tool, colon, name[:stop]
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
