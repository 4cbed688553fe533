package scan

import (
	"go/ast"
	"go/token"
	"reflect"
	"strconv"
	"strings"
)

// own is the name of the package's own type of which the values of a type are, beneath pointers, lists and maps, ""
// if they are of none, and those among the arguments of its type parameters.
func (s *shaper) own(e ast.Expr) (name string, args []string) {
	const deepest = 100 // source that does not compile may have aliases of themselves
	in := s
	for range deepest {
		in, e = in.resolve(e)
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.ArrayType:
			e = t.Elt
		case *ast.MapType:
			e = t.Value
		case *ast.IndexExpr:
			e, args = t.X, append(args, in.mentioned(t.Index)...)
		case *ast.IndexListExpr:
			e = t.X
			for _, arg := range t.Indices {
				args = append(args, in.mentioned(arg)...)
			}
		case *ast.Ident:
			if in.declared(t.Name) {
				return t.Name, args
			}
			return "", nil
		default:
			return "", nil
		}
	}
	return "", nil
}

// mentioned are the names in a type that the package declares.
func (s *shaper) mentioned(e ast.Expr) []string {
	var names []string
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.declared(id.Name) {
			names = append(names, id.Name)
		}
		_, foreign := n.(*ast.SelectorExpr)
		return !foreign
	})
	return names
}

// typeSpec is the declaration of a type.
type typeSpec struct {
	*ast.TypeSpec
	doc string // its comment, without directives
}

// documenter collects the comments of types.
type documenter struct {
	specs map[string]typeSpec
	docs  map[string]string
	seen  map[string]bool // types on the way from a root
	found bool            // something on that way has a comment
}

// typeDocs collects the comments of the types that functions take and return, and of the types within them.
func (s *source) typeDocs(p *Package) {
	d := &documenter{docs: map[string]string{}}
	documented := map[string]bool{} // by where the way begins
	for _, fn := range p.Funcs {
		for _, t := range []*Type{fn.Shape.InType, fn.Shape.OutType} {
			if t == nil || t.Own == "" {
				continue
			}
			if d.specs == nil {
				d.specs = s.typeSpecs()
			}
			roots := append([]string{t.Own}, t.args...)
			key := strings.Join(roots, " ")
			if _, known := documented[key]; !known {
				d.seen, d.found = map[string]bool{}, false
				for _, root := range roots {
					d.named(root)
				}
				documented[key] = d.found
			}
			t.Documented = documented[key]
		}
	}
	p.TypeDocs = d.docs
}

// typeSpecs are the types of the package, without those that are not built everywhere.
func (s *source) typeSpecs() map[string]typeSpec {
	specs := map[string]typeSpec{}
	for _, f := range s.files {
		if f.condition != "" {
			continue
		}
		for _, decl := range f.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				continue
			}
			for _, spec := range gen.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok {
					doc := spec.Doc
					if doc == nil && !gen.Lparen.IsValid() {
						doc = gen.Doc
					}
					specs[spec.Name.Name] = typeSpec{TypeSpec: spec, doc: said(doc, spec.Comment)}
				}
			}
		}
	}
	return specs
}

// said is the text of a doc comment, or else of the comment at the end of the line.
func said(doc, line *ast.CommentGroup) string {
	if text := doc.Text(); text != "" {
		return text
	}
	return line.Text()
}

// named collects the comments of a type of the package, and of the types within it.
func (d *documenter) named(name string) {
	spec, ok := d.specs[name]
	if !ok || d.seen[name] {
		return
	}
	d.seen[name] = true
	params := map[string]bool{} // names that are not those of the package here
	for _, field := range fieldsOf(spec.TypeParams) {
		for _, param := range field.Names {
			params[param.Name] = true
		}
	}
	if structure, ok := ast.Unparen(spec.Type).(*ast.StructType); ok && !spec.Assign.IsValid() {
		d.add(name, spec.doc)
		d.fields(structure, name, params)
		return
	}
	d.within(spec.Type, params)
}

// within collects the comments of the types of the package within a type.
func (d *documenter) within(e ast.Expr, params map[string]bool) {
	switch e := e.(type) {
	case *ast.Ident:
		if !params[e.Name] {
			d.named(e.Name)
		}
	case *ast.ParenExpr:
		d.within(e.X, params)
	case *ast.StarExpr:
		d.within(e.X, params)
	case *ast.ArrayType:
		d.within(e.Elt, params)
	case *ast.MapType:
		d.within(e.Value, params)
	case *ast.StructType:
		d.fields(e, "", params)
	case *ast.IndexExpr:
		d.within(e.X, params)
		d.within(e.Index, params)
	case *ast.IndexListExpr:
		d.within(e.X, params)
		for _, arg := range e.Indices {
			d.within(arg, params)
		}
	}
}

// fields collects the comments of the fields that JSON has, if their struct has a name, and of their types.
func (d *documenter) fields(structure *ast.StructType, name string, params map[string]bool) {
	for _, field := range fieldsOf(structure.Fields) {
		tag := tagOf(field)
		if tag.Get("json") == "-" {
			continue
		}
		_, tagged := tag.Lookup("jsonschema") // which has precedence
		inJSON := len(field.Names) == 0
		for _, id := range field.Names {
			if !id.IsExported() {
				continue
			}
			inJSON = true
			if name != "" && !tagged {
				d.add(name+"."+id.Name, said(field.Doc, field.Comment))
			}
		}
		if inJSON {
			d.within(field.Type, params)
		}
	}
}

func (d *documenter) add(key, doc string) {
	if doc != "" {
		d.docs[key], d.found = doc, true
	}
}

func tagOf(field *ast.Field) reflect.StructTag {
	if field.Tag == nil {
		return ""
	}
	tag, _ := strconv.Unquote(field.Tag.Value)
	return reflect.StructTag(tag)
}

func fieldsOf(list *ast.FieldList) []*ast.Field {
	if list == nil {
		return nil
	}
	return list.List
}
