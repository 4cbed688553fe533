package scan

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// typeOf is the type as source text with its imported names open.
func (s *shaper) typeOf(e ast.Expr) (*Type, error) {
	t := &Type{}
	var fault error
	fields := map[*ast.Ident]bool{} // names that are not types
	next := e.Pos()
	text := func(until token.Pos) {
		if next < until {
			t.Tokens = append(t.Tokens, Token{Text: string(s.file.src[s.offset(next):s.offset(until)])})
		}
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if fault != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncType, *ast.ChanType, *ast.Ellipsis:
			fault = fmt.Errorf("a %s", nodeName(n))
		case *ast.InterfaceType:
			if n.Methods.NumFields() > 0 {
				fault = errors.New("an interface with methods, which JSON does not hold")
			}
		case *ast.Field:
			for _, name := range n.Names {
				fields[name] = true
			}
		case *ast.SelectorExpr:
			tok, err := s.imported(n)
			if err != nil {
				fault = err
				return false
			}
			text(n.Pos())
			t.Tokens, next = append(t.Tokens, tok), n.End()
			return false
		case *ast.Ident:
			if fields[n] {
				break
			}
			path, err := s.bare(n)
			fault = err
			if path != "" {
				text(n.Pos())
				t.Tokens, next = append(t.Tokens, Token{Text: n.Name, Path: path, Alias: true}), n.End()
			}
		}
		return fault == nil
	})
	text(e.End())
	return t, fault
}

// imported is the token for a name from an imported package.
func (s *shaper) imported(n *ast.SelectorExpr) (Token, error) {
	pkg, ok := n.X.(*ast.Ident)
	if !ok {
		return Token{}, errors.New("a type that is not a name")
	}
	path := s.importPath(s.file, pkg.Name)
	switch path {
	case "":
		return Token{}, fmt.Errorf("%s.%s, but no import of the file is called %s", pkg.Name, n.Sel.Name, pkg.Name)
	case "C":
		return Token{}, fmt.Errorf("C.%s, which only cgo knows", n.Sel.Name)
	case "iter", "unsafe":
		return Token{}, fmt.Errorf("%s.%s, which JSON does not hold", pkg.Name, n.Sel.Name)
	}
	_, alias := s.file.imports.named[pkg.Name]
	return Token{Text: n.Sel.Name, Path: path, Pkg: pkg.Name, Alias: alias}, nil
}

// bare is the path of the package that a bare name comes from, "" if it is the package's own or Go's.
func (s *shaper) bare(id *ast.Ident) (string, error) {
	dot := s.file.imports.dot
	switch {
	case s.declared(id.Name):
		return "", nil
	case types.Universe.Lookup(id.Name) != nil:
		if slices.Contains([]string{"error", "complex64", "complex128"}, id.Name) {
			return "", fmt.Errorf("a value of type %s, which JSON does not hold", id.Name)
		}
		return "", nil
	case len(dot) == 0 || !id.IsExported():
		return "", nil
	case len(dot) > 1:
		return "", fmt.Errorf("%s, which may come from either of the dot imports %s", id.Name, strings.Join(dot, ", "))
	}
	return dot[0], nil
}

func (s *shaper) offset(p token.Pos) int { return s.fset.PositionFor(p, false).Offset }

func nodeName(n ast.Node) string {
	switch n.(type) {
	case *ast.FuncType:
		return "function"
	case *ast.ChanType:
		return "channel"
	}
	return "variable number of inputs"
}
