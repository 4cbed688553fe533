package scan

import (
	"go/ast"
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
	if s.names == nil {
		s.askNames()
	}
	for _, p := range f.imports.unnamed {
		if s.names[p] == name {
			return p
		}
	}
	if len(suggested) == 1 && s.names[suggested[0]] == "" {
		return suggested[0]
	}
	return ""
}

// askNames learns the names of all packages that the files import without giving one.
func (s *source) askNames() {
	s.names = map[string]string{}
	var paths []string
	for _, f := range s.files {
		paths = append(paths, f.imports.unnamed...)
	}
	// What the go command cannot say stays unknown, and is a fault where the name is used.
	if names, err := packageNames(s.ctx, s.listed.Dir, paths); err == nil {
		s.names = names
	}
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
