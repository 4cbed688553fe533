package scan

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// usable is what shape errors have in common.
const usable = "An agent is func([ctx context.Context], [run *agent.Run], [input]) with the result error, (T, error) or iter.Seq2[T, error], " +
	"where input and T are string, agent.Message, agent.Part, a list of either, or another type that JSON holds"

// alias is a type that another name stands for.
type alias struct {
	file *file
	expr ast.Expr
}

// shaper finds the shape of the functions of one file.
type shaper struct {
	*source
	file    *file
	aliases map[string]alias
	decls   map[string]token.Position
}

func (s *shaper) shape(d *ast.FuncDecl) (Shape, error) {
	var shape Shape
	err := s.receiver(&shape, d)
	if err == nil {
		err = s.params(&shape, flatten(d.Type.Params))
	}
	if err == nil {
		err = s.results(&shape, flatten(d.Type.Results))
	}
	if err != nil {
		return Shape{}, fmt.Errorf("%s cannot be an agent: %w", d.Name.Name, err)
	}
	return shape, nil
}

// receiver reads what a function is called on, and whether it can be called at all.
func (s *shaper) receiver(shape *Shape, d *ast.FuncDecl) error {
	switch {
	case d.Name.Name == "_":
		return errors.New("nothing can call it")
	case d.Type.TypeParams != nil:
		return errors.New("it has type parameters")
	case d.Recv == nil:
		return nil
	case d.Recv.NumFields() != 1:
		return fmt.Errorf("it has %d receivers", d.Recv.NumFields())
	}
	recv, err := s.typeOf(d.Recv.List[0].Type)
	if err != nil || strings.ContainsAny(recv.String(), "[]") {
		return errors.New("its receiver has type parameters")
	}
	shape.Recv, shape.Base = recv, baseName(d.Recv.List[0].Type)
	return nil
}

// baseName is the name of a receiver's type.
func baseName(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		return baseName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// params reads what a function takes.
func (s *shaper) params(shape *Shape, params []ast.Expr) (err error) {
	if len(params) > 0 && s.isNamed(params[0], "context", "Context") {
		shape.Ctx, params = true, params[1:]
	}
	if len(params) > 0 && s.isRun(params[0]) {
		shape.Run, params = true, params[1:]
	}
	switch {
	case slices.ContainsFunc(params, s.isFirst):
		return errors.New("context.Context and *agent.Run come first, in this order")
	case len(params) > 1:
		return fmt.Errorf("it takes %d inputs", len(params))
	case len(params) == 1:
		if shape.In, shape.InType, err = s.value(params[0]); err != nil {
			return fmt.Errorf("it takes %w", err)
		}
	}
	return nil
}

// results reads what a function returns.
func (s *shaper) results(shape *Shape, results []ast.Expr) (err error) {
	switch {
	case len(results) == 1 && isError(results[0]):
		return nil
	case len(results) == 1:
		in, value, ok := s.seq2(results[0])
		if !ok {
			return errors.New("it returns no error")
		}
		shape.Stream = true
		shape.Out, shape.OutType, err = in.value(value)
	case len(results) == 2 && isError(results[1]):
		shape.Out, shape.OutType, err = s.value(results[0])
	case len(results) == 0:
		return errors.New("it returns nothing")
	default:
		return fmt.Errorf("it returns %d values and an error does not come second", len(results))
	}
	if err != nil {
		return fmt.Errorf("it returns %w", err)
	}
	return nil
}

// seq2 is T if the type is iter.Seq2[T, error], and the shaper for the file that says so.
func (s *shaper) seq2(e ast.Expr) (*shaper, ast.Expr, bool) {
	in, e := s.resolve(e)
	list, ok := e.(*ast.IndexListExpr)
	if !ok || len(list.Indices) != 2 || !isError(list.Indices[1]) {
		return nil, nil, false
	}
	return in, list.Indices[0], in.isNamed(list.X, "iter", "Seq2")
}

// value tells how a value of the type travels.
func (s *shaper) value(e ast.Expr) (Kind, *Type, error) {
	t, err := s.typeOf(e)
	if err != nil {
		return None, nil, err
	}
	t.Own, t.args = s.own(e)
	in, e := s.resolve(e)
	if id, ok := e.(*ast.Ident); ok && id.Name == "string" && !in.declared("string") {
		return Text, t, nil
	}
	if list, ok := e.(*ast.ArrayType); ok && list.Len == nil {
		e = list.Elt
	}
	if in.isMessage(e) {
		return Messages, t, nil
	}
	return JSON, t, nil
}

// isMessage tells whether a type is the Message or the Part of the runtime, or the model that it stands for.
func (s *shaper) isMessage(e ast.Expr) bool {
	return s.isNamed(e, RuntimePath, "Message") || s.isNamed(e, RuntimePath, "Part") ||
		s.isNamed(e, modelsPath, "Message") || s.isNamed(e, modelsPath, "MessagePart")
}

func (s *shaper) isRun(e ast.Expr) bool {
	in, e := s.resolve(e)
	star, ok := e.(*ast.StarExpr)
	return ok && in.isNamed(star.X, RuntimePath, "Run")
}

// isFirst tells whether a type is one that only comes before the input.
func (s *shaper) isFirst(e ast.Expr) bool {
	return s.isNamed(e, "context", "Context") || s.isRun(e) || s.isNamed(e, RuntimePath, "Run")
}

// isNamed tells whether a type is the one of that name in the package at path.
func (s *shaper) isNamed(e ast.Expr, path, name string) bool {
	in, e := s.resolve(e)
	switch e := e.(type) {
	case *ast.SelectorExpr:
		pkg, ok := e.X.(*ast.Ident)
		return ok && e.Sel.Name == name && in.importPath(in.file, pkg.Name) == path
	case *ast.Ident:
		return e.Name == name && !in.declared(name) && slices.Contains(in.file.imports.dot, path)
	}
	return false
}

// resolve follows the package's own aliases to the type that they stand for, and to the file it is written in.
func (s *shaper) resolve(e ast.Expr) (*shaper, ast.Expr) {
	in := *s
	for range len(s.aliases) + 1 {
		e = ast.Unparen(e)
		id, ok := e.(*ast.Ident)
		if !ok {
			break
		}
		a, ok := s.aliases[id.Name]
		if !ok {
			break
		}
		in.file, e = a.file, a.expr
	}
	return &in, e
}

func (s *shaper) declared(name string) bool { _, ok := s.decls[name]; return ok }

func flatten(fields *ast.FieldList) []ast.Expr {
	if fields == nil {
		return nil
	}
	var types []ast.Expr
	for _, f := range fields.List {
		for range max(1, len(f.Names)) {
			types = append(types, f.Type)
		}
	}
	return types
}

func isError(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "error"
}
