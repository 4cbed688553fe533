package emit

import (
	"go/doc"
	"go/token"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/cd3b852d/agentgen/gen/describe"
	"github.com/cd3b852d/agentgen/gen/diag"
	"github.com/cd3b852d/agentgen/gen/scan"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// What the file adds to the package, besides a constant for each agent.
const (
	registerName  = "RegisterAgents"
	manifestsName = "AgentManifests"
	cardName      = "AgentCard"
)

// names has every name that the file declares or uses, chosen once. Those that only the file sees give
// way to the package's own.
type names struct {
	constants []string          // of the agents
	imports   map[string]string // path → name
	aliases   map[string]bool   // the paths whose packages may call themselves otherwise
	receivers []*receiver
	verifiers []verifier

	registry, manifests, pkg, ctx, run, in string
	docs                                   string    // if there are any
	literals                               [2]string // stand for the manifests and the card while the rest is formatted
}

// receiver is a parameter of RegisterAgents for the methods of a type.
type receiver struct {
	param   string
	base    string
	typ     *scan.Type
	methods []string
}

// verifier is a parameter of RegisterAgents for a security scheme of the card.
type verifier struct{ param, scheme string }

// called is the name of the scheme as a comment has it.
func (v verifier) called() string {
	if token.IsIdentifier(v.scheme) {
		return v.scheme
	}
	return strconv.Quote(v.scheme)
}

func newNames(pkg *describe.Package) (*names, diag.List) {
	n := &names{imports: map[string]string{}, aliases: map[string]bool{}}
	faults := n.addConstants(pkg)
	taken := map[string]bool{registerName: true, manifestsName: true, cardName: true}
	for name := range pkg.Decls {
		taken[name] = true
	}
	for _, c := range n.constants {
		taken[c] = true
	}
	free := func(name string, elsewhere map[string]token.Position) string {
		for taken[name] || elsewhere[name].Line > 0 || token.IsKeyword(name) || doc.IsPredeclared(name) {
			name += "_"
		}
		taken[name] = true
		return name
	}
	// An import may have no name that any file of the package declares. What is inside of functions may.
	n.addImports(pkg, func(name string) string { return free(name, pkg.TestDecls) })
	unique := func(name string) string { return free(name, nil) }
	n.registry, n.manifests, n.pkg = unique("r"), unique("manifests"), unique("p")
	n.ctx, n.run, n.in = unique("ctx"), unique("run"), unique("in")
	n.literals = [2]string{unique("literal0"), unique("literal1")}
	n.addReceivers(pkg, unique)
	for _, scheme := range slices.Sorted(maps.Keys(pkg.Card.SecuritySchemes)) {
		n.verifiers = append(n.verifiers, verifier{param: unique(identifier(scheme)), scheme: scheme})
	}
	if len(pkg.Described) > 0 {
		n.docs = unique("docs")
	}
	return n, faults
}

// addConstants names a constant for each agent. These names other code sees, so they do not give way.
func (n *names) addConstants(pkg *describe.Package) diag.List {
	var faults diag.List
	first := map[string]token.Position{}
	for _, fixed := range []string{registerName, manifestsName, cardName} {
		if at, taken := declared(pkg, fixed); taken {
			faults.Add(at, "%s is what %s declares in %s; rename this one", fixed, FileName, pkg.Dir)
		}
		imported(pkg, fixed, &faults)
	}
	for _, name := range predeclared() {
		if at, taken := declared(pkg, name); taken {
			faults.Add(at, "%s means what Go means by it in %s; rename this one", name, FileName)
		}
	}
	for _, a := range pkg.Agents {
		constant := a.Shape.Base + a.Func.Name + "Name"
		if at, taken := declared(pkg, constant); taken {
			faults.Add(at, "%s is what %s declares for the agent of %s at %s; rename one of them", constant, FileName, a.Func.Name, a.Pos)
		}
		if at, taken := first[constant]; taken {
			faults.Add(a.Pos, "%s would be declared for this function and for the one at %s; rename one of them", constant, at)
		}
		imported(pkg, constant, &faults)
		first[constant] = a.Pos
		n.constants = append(n.constants, constant)
	}
	return faults
}

// imported reports the imports of files that bring a name that the package is to have.
func imported(pkg *describe.Package, name string, faults *diag.List) {
	for _, im := range pkg.Imports[name] {
		faults.Add(im.Pos, "%s comes with this import of %q, and is what %s declares; import the package by another name", name, im.Path, FileName)
	}
}

// declared is where the package or its tests declare a name.
func declared(pkg *describe.Package, name string) (token.Position, bool) {
	at, ok := pkg.Decls[name]
	if !ok {
		at, ok = pkg.TestDecls[name]
	}
	return at, ok
}

// addImports names the packages that the file imports.
func (n *names) addImports(pkg *describe.Package, unique func(string) string) {
	n.imports[scan.RuntimePath] = unique("agent")
	packages := map[string]string{"context": "context", "iter": "iter", "time": "time"}
	packagesOf(reflect.TypeOf(pkg.Card), packages, map[reflect.Type]bool{})
	packagesOf(reflect.TypeFor[agentapi.AgentManifest](), packages, map[reflect.Type]bool{})
	for _, p := range slices.Sorted(maps.Keys(packages)) {
		n.imports[p] = unique(packages[p])
	}
	for _, a := range pkg.Agents {
		for _, t := range []*scan.Type{a.Shape.Recv, a.Shape.InType, a.Shape.OutType} {
			if t == nil {
				continue
			}
			for _, tok := range t.Tokens {
				if _, named := n.imports[tok.Path]; tok.Path != "" && !named {
					n.imports[tok.Path] = unique(importName(tok))
					n.aliases[tok.Path] = tok.Alias
				}
			}
		}
	}
}

// packagesOf adds the packages of a model's type and of those inside it, with their names.
func packagesOf(t reflect.Type, packages map[string]string, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if t.PkgPath() != "" {
		packages[t.PkgPath()], _, _ = strings.Cut(t.String(), ".")
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		packagesOf(t.Elem(), packages, seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if f.IsExported() {
				packagesOf(f.Type, packages, seen)
			}
		}
	}
}

func importName(tok scan.Token) string {
	if tok.Pkg != "" {
		return tok.Pkg
	}
	return identifier(path.Base(tok.Path))
}

// declareImports tells the file how it calls the packages. A name that the path says goes without saying,
// unless it is not known to be the package's own.
func (n *names) declareImports(f *jen.File) {
	for p, name := range n.imports {
		if path.Base(p) == name && !n.aliases[p] {
			f.ImportName(p, name)
		} else {
			f.ImportAlias(p, name)
		}
	}
}

// addReceivers names a parameter for each type with annotated methods: a pointer if any method needs one.
func (n *names) addReceivers(pkg *describe.Package, unique func(string) string) {
	for _, a := range pkg.Agents {
		if a.Shape.Recv == nil {
			continue
		}
		r := n.receiverOf(a)
		if r == nil {
			name := a.Shape.Base
			r = &receiver{param: unique(lower(name)), base: name, typ: a.Shape.Recv}
			n.receivers = append(n.receivers, r)
		}
		if strings.HasPrefix(a.Shape.Recv.String(), "*") {
			r.typ = a.Shape.Recv
		}
		r.methods = append(r.methods, a.Func.Name)
	}
}

func (n *names) receiverOf(a describe.Agent) *receiver {
	for _, r := range n.receivers {
		if r.base == a.Shape.Base {
			return r
		}
	}
	return nil
}

// identifier makes a Go name of any text.
func identifier(text string) string {
	var b strings.Builder
	up := false
	for _, r := range text {
		switch {
		case unicode.IsLetter(r) || r == '_' || unicode.IsDigit(r) && b.Len() > 0:
			if up && b.Len() > 0 {
				r = unicode.ToUpper(r)
			}
			b.WriteRune(r)
			up = false
		default:
			up = true
		}
	}
	if b.Len() == 0 {
		return "v"
	}
	return b.String()
}

// predeclared are the names of Go's own that the file may use.
func predeclared() []string {
	return []string{"any", "bool", "byte", "error", "false", "float32", "float64", "int", "int32", "int64", "new", "nil", "string", "true", "uint8"}
}

// lower makes a name one that only the file sees: HTTPService is httpService, Store is store.
func lower(name string) string {
	runes := []rune(name)
	for i := range runes {
		if i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}
