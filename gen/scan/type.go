package scan

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
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
		switch n := n.(type) {
		case *ast.FuncType, *ast.ChanType, *ast.Ellipsis:
			fault = fmt.Errorf("a %s", nodeName(n))
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
			if path := s.dotImported(n); path != "" && !fields[n] {
				text(n.Pos())
				t.Tokens, next = append(t.Tokens, Token{Text: n.Name, Path: path}), n.End()
			}
			if n.Name == "complex64" || n.Name == "complex128" {
				fault = fmt.Errorf("a %s, which JSON does not hold", n.Name)
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
	}
	return Token{Text: n.Sel.Name, Path: path, Pkg: pkg.Name}, nil
}

// dotImported is the path of the package that a bare name comes from, "" if it is the package's own or Go's.
func (s *shaper) dotImported(id *ast.Ident) string {
	if len(s.file.imports.dot) != 1 || s.declared(id.Name) || types.Universe.Lookup(id.Name) != nil || !id.IsExported() {
		return ""
	}
	return s.file.imports.dot[0]
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
