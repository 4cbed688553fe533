package gen_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// elsewhere has the formats that no case of testdata/cases shows, and why.
func elsewhere() map[string]string {
	return map[string]string{
		"internal error, please report it: %v":                           "there is no input that we know of",
		"the directives do not fit the models: %v":                       "a document whose models are not those of this program",
		"wants a number, not %q":                                         "no directive of the document takes a number, see TestForms",
		"wants one JSON argument":                                        "no directive of the document takes anything, see TestForms",
		"a type that is not a name":                                      "x.y.z is no type of Go's",
		"C.%s, which only cgo knows":                                     "cases have no cgo, see TestCgo",
		"it returns %w":                                                  "is part of another message",
		"go list: %w":                                                    "is an error, not a fault: see TestGoCommand",
		"go list: %s":                                                    "is an error, not a fault: see TestGoCommand",
		"%s is a file: name its package, which is the folder":            "is an error, not a fault: see TestGoCommand",
		"this is %s, not a file: move it out of the way":                 "cases have only files, see TestNoFile",
		"this is a pipe or a device, not a file: move it out of the way": "cases have only files, see TestNoFile",
		"reduced document: %w":                                           "is an error, not a fault: see TestReduce",
		"no schema of the document says %s: %s":                          "is an error, not a fault: see TestReduce",
		"no schema says %s: agent, skill or card":                        "is an error, not a fault: see TestReduce",
		"%w in\n%s":                        "is part of an internal error",
		"want DOCUMENT and OUTPUT, got %q": "is a command's",
		"%s: %w":                           "is a command's",
	}
}

// TestDiagnosticsHaveCases finds every message in the source of the generator, and fails if no case shows it.
func TestDiagnosticsHaveCases(t *testing.T) {
	var shown strings.Builder
	for _, c := range cases(t) {
		shown.WriteString(c.want["want/errors"])
	}
	unused := elsewhere()
	verb := regexp.MustCompile(`%[a-z]`)
	for at, format := range messages(t) {
		if _, ok := elsewhere()[format]; ok {
			delete(unused, format)
			continue
		}
		pattern := verb.ReplaceAllString(regexp.QuoteMeta(strings.ReplaceAll(format, "%%", "%")), ".*")
		if strings.Trim(pattern, ".*:; ") == "" {
			continue // it holds only what others say
		}
		if ok, err := regexp.MatchString(pattern, shown.String()); err != nil || !ok {
			t.Errorf("%s: no case in testdata/cases shows %q", at, format)
		}
	}
	for format := range unused {
		t.Errorf("no message is %q any more", format)
	}
}

// messages are the formats that calls of Add, fault, Errorf and New have, by their place.
func messages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	parseSources(t, func(fset *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			var name string
			switch fun := call.Fun.(type) {
			case *ast.SelectorExpr:
				name = fun.Sel.Name
			case *ast.Ident:
				name = fun.Name
			}
			switch name {
			case "Add", "fault", "Errorf", "New":
				for _, arg := range call.Args {
					if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING {
						text, err := strconv.Unquote(lit.Value)
						if err != nil {
							t.Error(err)
						}
						found[fset.Position(lit.Pos()).String()] = text
						break
					}
				}
			}
			return true
		})
	})
	if len(found) < 40 {
		t.Errorf("found only %d messages", len(found))
	}
	return found
}

// parseSources parses the generator's own files, tests left out.
func parseSources(t *testing.T, each func(*token.FileSet, *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err == nil {
			each(fset, f)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
