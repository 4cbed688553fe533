package scan

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"io"
	"path/filepath"
	"strings"
)

// confined reports directives in a file that is not built everywhere: the generated file is, and would be another
// one, or not compile, where this file is left out. What keeps the file from being built is "" if nothing does.
func (s *source) confined(directives []Directive, condition string) {
	if condition == "" || len(directives) == 0 {
		return
	}
	d := directives[0]
	s.faults.Add(d.Pos, "%s stands in a file that is not built everywhere (%s), while %s is: move it to a file without constraint, which may call what is in this one",
		d.name(), condition, s.Skip)
}

// condition is what keeps a file from being built everywhere, "" if nothing does. A version of Go does not count:
// who builds the package has to have it.
func (s *source) condition(f *ast.File) string {
	path := s.at(f.Name).Filename
	if namedForSystem(path) {
		return "its name is that of a system"
	}
	for _, spec := range f.Imports {
		if spec.Path.Value == `"C"` {
			return `import "C"`
		}
	}
	for _, line := range constraints(f) {
		if expr, err := constraint.Parse(line); err == nil && len(tags(expr)) > 0 {
			return line
		}
	}
	return ""
}

// namedForSystem tells whether a file's name says which system it is for, as a_linux.go does. The go command knows the
// names of the systems, so it is asked on a system that has none of them.
func namedForSystem(path string) bool {
	nowhere := build.Context{GOOS: "none", GOARCH: "none", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	matches, err := nowhere.MatchFile(filepath.Split(path))
	return err == nil && !matches
}

// constraints are the lines of a file that say where it is built. Those of the old form count if there is none of
// the new one.
func constraints(f *ast.File) []string {
	var lines, old []string
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, c := range group.List {
			switch line := strings.TrimRight(c.Text, "\r"); {
			case constraint.IsGoBuild(line):
				lines = append(lines, line)
			case constraint.IsPlusBuild(line) && group != f.Doc:
				old = append(old, line)
			}
		}
	}
	if len(lines) == 0 {
		return old
	}
	return lines
}

// tags are what a constraint asks for besides versions of Go.
func tags(expr constraint.Expr) []string {
	switch expr := expr.(type) {
	case *constraint.AndExpr:
		return append(tags(expr.X), tags(expr.Y)...)
	case *constraint.OrExpr:
		return append(tags(expr.X), tags(expr.Y)...)
	case *constraint.NotExpr:
		return tags(expr.X)
	case *constraint.TagExpr:
		if expr.Tag != "go1" && !strings.HasPrefix(expr.Tag, "go1.") {
			return []string{expr.Tag}
		}
	}
	return nil
}
