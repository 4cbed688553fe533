package scan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// imports are what a file imports, by how it names it.
type imports struct {
	named   map[string]string // name → path, where the import gives the name
	unnamed []string          // paths whose packages name themselves
	dot     []string          // paths whose names the file uses bare
}

func importsOf(f *ast.File) imports {
	im := imports{named: map[string]string{}}
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil || spec.Name != nil && spec.Name.Name == "_":
		case spec.Name == nil:
			im.unnamed = append(im.unnamed, p)
		case spec.Name.Name == ".":
			im.dot = append(im.dot, p)
		default:
			im.named[spec.Name.Name] = p
		}
	}
	return im
}

// importPath is the path of the package that a file calls name, "" if it imports none.
//
// A package may call itself other than its path suggests, so the go command is asked what the packages call
// themselves, unless it is one of those that every shape may name. What the go command cannot say, because
// a package is not there yet, the path has to.
func (s *source) importPath(f *file, name string) string {
	if p, ok := f.imports.named[name]; ok {
		return p
	}
	suggested := slices.DeleteFunc(slices.Clone(f.imports.unnamed), func(p string) bool { return suggestedName(p) != name })
	if len(suggested) == 1 && slices.Contains([]string{"context", "iter", RuntimePath}, suggested[0]) {
		return suggested[0]
	}
	if len(f.imports.unnamed) == 0 {
		return ""
	}
	for _, p := range f.imports.unnamed {
		if s.ask()[p].Name == name {
			return p
		}
	}
	if len(suggested) == 1 && s.ask()[suggested[0]].Name == "" {
		return suggested[0]
	}
	return ""
}

// ask learns of the go command what the files import without giving a name.
func (s *source) ask() map[string]listed {
	if s.known != nil {
		return s.known
	}
	s.known = map[string]listed{}
	var paths []string
	for _, f := range slices.Concat(s.files, s.others) {
		paths = append(append(paths, f.imports.unnamed...), f.imports.dot...)
	}
	// What the go command cannot say stays unknown, and is a fault where the name is used.
	if found, err := list(s.ctx, s.listed.Dir, paths); err == nil {
		for _, l := range found {
			s.known[l.ImportPath] = l
		}
	}
	return s.known
}

// imported notes the names that imports bring into the files. What a dot import brings the source of its package says.
func (s *source) imported(p *Package) {
	for _, f := range slices.Concat(s.files, s.others) {
		for _, spec := range f.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			switch {
			case err != nil || spec.Name == nil:
			case spec.Name.Name == ".":
				for name := range s.exported(path) {
					p.Imports[name] = append(p.Imports[name], Import{Pos: s.at(spec), Path: path})
				}
			default:
				p.Imports[spec.Name.Name] = append(p.Imports[spec.Name.Name], Import{Pos: s.at(spec), Path: path})
			}
		}
	}
}

// exported are the names that a package declares, among them those that a dot import brings.
func (s *source) exported(path string) map[string]token.Position {
	decls := map[string]token.Position{}
	for _, name := range s.ask()[path].files() {
		if f, err := parser.ParseFile(s.fset, name, nil, parser.SkipObjectResolution); err == nil {
			s.declare(decls, &file{File: f}, map[string]alias{})
		}
	}
	maps.DeleteFunc(decls, func(name string, _ token.Position) bool { return !token.IsExported(name) })
	return decls
}

// suggestedName is what a package calls itself if it follows its path.
func suggestedName(p string) string {
	base := path.Base(p)
	if isVersion(base) && path.Dir(p) != "." {
		base = path.Base(path.Dir(p))
	}
	if name, version, ok := strings.Cut(base, "."); ok && isVersion(version) {
		base = name
	}
	return base
}

// isVersion tells whether s is v and a number.
func isVersion(s string) bool {
	digits, ok := strings.CutPrefix(s, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}
