package scan

import (
	"go/ast"
	"go/token"

	"github.com/cd3b852d/agentgen/gen/diag"
)

// funcs are the annotated functions of a file. A directive that stands elsewhere is a fault.
func (s *source) funcs(f *file, aliases map[string]alias, decls map[string]token.Position) []*Func {
	var found []*Func
	attached := map[*ast.CommentGroup]bool{f.Doc: true}
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Doc == nil {
			continue
		}
		attached[d.Doc] = true
		directives := s.documented(d.Doc)
		if len(directives) == 0 {
			continue
		}
		s.confined(directives, f.condition)
		fn := &Func{Name: d.Name.Name, Pos: s.at(d.Name), Doc: d.Doc.Text(), Directives: directives}
		sh := &shaper{source: s, file: f, aliases: aliases, decls: decls}
		if shape, err := sh.shape(d); err != nil {
			s.faults = append(s.faults, diag.Diagnostic{Pos: fn.Pos, Message: err.Error(), Note: usable})
		} else {
			fn.Shape = shape
		}
		found = append(found, fn)
	}
	for _, group := range f.Comments {
		if !attached[group] {
			s.stray(f, group)
		}
	}
	return found
}

// stray reports the directives of a comment that belongs to no function.
func (s *source) stray(f *file, group *ast.CommentGroup) {
	for _, d := range s.directives(group) {
		s.faults.Add(d.Pos, "%s is attached to nothing: %s", d.name(), s.whereabouts(f, group))
	}
}

// name is the //tool:name of a directive.
func (d Directive) name() string {
	for i, r := range d.Text {
		if r == ' ' || r == '\t' {
			return d.Text[:i]
		}
	}
	return d.Text
}

// whereabouts says in words where a comment stands, and where its directives belong.
func (s *source) whereabouts(f *file, group *ast.CommentGroup) string {
	const belongs = "directives stand in the doc comment of a function or of the package"
	if group.End() < f.Package {
		return "an empty line stands between it and the package clause"
	}
	for _, d := range f.Decls {
		if group.Pos() > d.End() && s.at(group).Line == s.fset.PositionFor(d.End(), false).Line {
			return belongs + ", this is at the end of a line"
		}
		if gen, ok := d.(*ast.GenDecl); group.Pos() <= d.End() && (group.End() > d.Pos() || ok && gen.Doc == group) {
			return belongs + ", this is " + inside(d, group)
		}
		if group.End() > d.Pos() {
			continue
		}
		fn, ok := d.(*ast.FuncDecl)
		switch {
		case ok && fn.Doc == nil:
			return "an empty line stands between it and function " + fn.Name.Name
		case ok:
			return "an empty line stands between it and the comment of function " + fn.Name.Name
		}
		return belongs
	}
	return belongs
}

// inside says which declaration a comment belongs to.
func inside(d ast.Decl, group *ast.CommentGroup) string {
	if fn, ok := d.(*ast.FuncDecl); ok {
		if group.Pos() > fn.Pos() {
			return "inside function " + fn.Name.Name
		}
		return "beside function " + fn.Name.Name
	}
	gen, ok := d.(*ast.GenDecl)
	if !ok {
		return "elsewhere"
	}
	what := map[token.Token]string{token.TYPE: "type", token.VAR: "variable", token.CONST: "constant"}[gen.Tok]
	for _, spec := range gen.Specs {
		if group.Pos() > spec.End() {
			continue
		}
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			return "on " + what + " " + spec.Name.Name
		case *ast.ValueSpec:
			return "on " + what + " " + spec.Names[0].Name
		}
	}
	return "beside a declaration"
}
