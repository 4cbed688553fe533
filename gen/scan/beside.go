package scan

import (
	"bytes"
	"cmp"
	"go/build/constraint"
	"go/parser"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// beside looks at the files of the folder that are not built into the package here: its tests, and what build
// constraints exclude. Directives in them are faults, also where no other file has any: the package would seem to
// have no agents, and lose the generated file. The names that they declare may clash with generated ones.
func (s *source) beside(p *Package) {
	for _, name := range slices.Concat(s.listed.TestGoFiles, s.listed.XTestGoFiles, s.listed.IgnoredGoFiles) {
		path := filepath.Join(s.listed.Dir, name)
		src, err := os.ReadFile(path)
		if err != nil || name == s.Skip || !s.spoken && !s.speaks(src) {
			continue // nothing that is built needs it
		}
		parsed, _ := parser.ParseFile(s.fset, path, src, parser.ParseComments|parser.SkipObjectResolution) // if it is no Go, the go command will say
		f := &file{File: parsed, src: src, imports: importsOf(parsed)}
		test := strings.HasSuffix(name, "_test.go")
		if !test && parked(f) {
			continue
		}
		if f.Name.Name == p.Name {
			decls := p.Decls
			if test {
				decls = p.TestDecls
			}
			s.declare(decls, f, map[string]alias{})
			s.others = append(s.others, f)
		}
		for _, group := range f.Comments {
			switch found := s.directives(group); {
			case len(found) > 0 && test:
				s.faults.Add(found[0].Pos, "%s: tests are not part of the package, so nothing in them is an agent: move it to a file that is no test", found[0].name())
			default:
				s.confined(found, cmp.Or(s.condition(f.File), "its constraint"))
			}
		}
	}
}

// speaks tells whether a source may have directives.
func (s *source) speaks(src []byte) bool {
	return slices.ContainsFunc(s.Tools, func(tool string) bool { return bytes.Contains(src, []byte("//"+tool+":")) })
}

// parked tells whether a file is left out everywhere, by the tag that custom has for it.
func parked(f *file) bool {
	return slices.ContainsFunc(constraints(f.File), func(line string) bool {
		expr, err := constraint.Parse(line)
		return err == nil && slices.Contains(tags(expr), "ignore")
	})
}
