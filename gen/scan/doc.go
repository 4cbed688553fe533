// Package scan reads Go source for annotated functions.
//
// It works on syntax alone, so code that does not compile yet, such as a call to a function that is
// about to be generated, is no obstacle. Which files belong to a package the go command decides:
// build constraints, modules, workspaces and vendoring are honoured as it honours them.
//
// What the directives mean is not its job, only where they stand: each one is attached to a function
// or to the package, or is a fault.
package scan

import "go/token"

// A Package is the annotated part of one Go package.
type Package struct {
	Dir  string // absolute
	Path string // import path
	Name string // package name

	Doc        string         // the package comment, without directives
	Pos        token.Position // of the package clause that the comment belongs to
	Directives []Directive    // of the package comment
	Funcs      []*Func        // annotated functions, by file name and then in source order

	// Decls has every name that the package declares, and where, for clashes with generated names. That includes
	// the files that are built elsewhere.
	Decls map[string]token.Position
	// TestDecls has what its tests declare besides.
	TestDecls map[string]token.Position
	// Imports has the names that imports bring into one of the files, where no name of the package can be the same.
	Imports map[string][]Import
	// TypeDocs has the comments of the package's own struct types that the functions take and return, and of those
	// within them, by Type, and the comments of their fields by Type.Field.
	TypeDocs map[string]string
}

// An Import is where a name comes from.
type Import struct {
	Pos  token.Position // of the import
	Path string
}

// Register is the directive that makes a function an agent, the only one that says something on its own.
const Register = "register"

// A Func is an annotated function or method.
type Func struct {
	Name       string
	Pos        token.Position // of the name
	Doc        string         // the doc comment, without directives
	Directives []Directive
	Shape      Shape
}

// A Directive is a comment line that speaks to agentgen, not yet understood.
type Directive struct {
	Text string         // the line, from its slashes on
	Pos  token.Position // of the slashes
	// Moved is how many columns further on the arguments are than the text says, which is the line put right.
	Moved int
}

// A Shape is how a function is called.
type Shape struct {
	Recv   *Type  // the receiver's type, nil for a function
	Base   string // the name of that type, without its pointer
	Ctx    bool   // takes a context.Context
	Run    bool   // takes a *agent.Run
	In     Kind
	InType *Type // set for the kinds that have one
	Out    Kind
	// OutType is what the function returns, or yields if Stream is set.
	OutType *Type
	Stream  bool // returns an iter.Seq2
}

// A Kind says how a value travels.
type Kind int

// The kinds of a function's input and output.
const (
	None     Kind = iota // there is no value
	Text                 // a string
	Messages             // a Message, a Part, or a list of messages
	JSON                 // any other type, as JSON
)

// A Type is a Go type as source text in which the imported names are still open, since the generated
// file imports packages under names of its own.
type Type struct {
	Tokens []Token
	// Own is the type of the package of which values are, beneath pointers, lists and maps, "" if it is none.
	Own string
	// Documented is set if TypeDocs has something of Own, or of what is in it.
	Documented bool
	args       []string // the package's own types among the type arguments of Own
}

// A Token is a piece of a type: text as it stands, or a name from an imported package.
type Token struct {
	Text string // as it stands if Path is empty, else the name in that package
	Path string // import path
	Pkg  string // the package's name in the source, empty if the source does without
	// Alias is set if the name is the source's choice, so it may not be the package's own.
	Alias bool
}

// String is the type as the source has it.
func (t *Type) String() string {
	var s string
	for _, tok := range t.Tokens {
		if tok.Path != "" && tok.Pkg != "" {
			s += tok.Pkg + "."
		}
		s += tok.Text
	}
	return s
}
