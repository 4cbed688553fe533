package emit

import (
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/cd3b852d/agentgen/gen/describe"
	"github.com/cd3b852d/agentgen/gen/diag"
	"github.com/cd3b852d/agentgen/gen/scan"
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
	constants []string // of the agents
	imports   map[string]string
	receivers []*receiver
	verifiers []verifier

	registry, manifests, ctx, run, in string
	literals                          [2]string // stand for the manifests and the card while the rest is formatted
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

func newNames(pkg *describe.Package) (*names, diag.List) {
	n := &names{imports: map[string]string{}}
	faults := n.addConstants(pkg)
	taken := map[string]bool{registerName: true, manifestsName: true, cardName: true}
	for name := range pkg.Decls {
		taken[name] = true
	}
	for _, c := range n.constants {
		taken[c] = true
	}
	unique := func(name string) string {
		for taken[name] || token.IsKeyword(name) || isPredeclared(name) {
			name += "_"
		}
		taken[name] = true
		return name
	}
	n.addImports(pkg, unique)
	n.registry, n.manifests = unique("r"), unique("manifests")
	n.ctx, n.run, n.in = unique("ctx"), unique("run"), unique("in")
	n.literals = [2]string{unique("literal0"), unique("literal1")}
	n.addReceivers(pkg, unique)
	for _, scheme := range slices.Sorted(maps.Keys(pkg.Card.SecuritySchemes)) {
		n.verifiers = append(n.verifiers, verifier{param: unique(identifier(scheme)), scheme: scheme})
	}
	return n, faults
}

// addConstants names a constant for each agent. These names other code sees, so they do not give way.
func (n *names) addConstants(pkg *describe.Package) diag.List {
	var faults diag.List
	first := map[string]token.Position{}
	for _, fixed := range []string{registerName, manifestsName, cardName} {
		if at, taken := pkg.Decls[fixed]; taken {
			faults.Add(at, "%s is what %s declares in %s; rename this one", fixed, FileName, pkg.Dir)
		}
	}
	for _, a := range pkg.Agents {
		constant := base(a.Shape.Recv) + a.Func.Name + "Name"
		if at, taken := pkg.Decls[constant]; taken {
			faults.Add(at, "%s is what %s declares for the agent of %s at %s; rename one of them", constant, FileName, a.Func.Name, a.Pos)
		}
		if at, taken := first[constant]; taken {
			faults.Add(a.Pos, "%s would be declared for this function and for the one at %s; rename one of them", constant, at)
		}
		first[constant] = a.Pos
		n.constants = append(n.constants, constant)
	}
	return faults
}

// addImports names the packages that the file imports.
func (n *names) addImports(pkg *describe.Package, unique func(string) string) {
	n.imports[scan.RuntimePath] = unique("agent")
	n.imports[modelsPath()] = unique(path.Base(modelsPath()))
	for _, std := range []string{"context", "iter", "time"} {
		n.imports[std] = unique(std)
	}
	for _, a := range pkg.Agents {
		for _, t := range []*scan.Type{a.Shape.Recv, a.Shape.InType, a.Shape.OutType} {
			if t == nil {
				continue
			}
			for _, tok := range t.Tokens {
				if _, named := n.imports[tok.Path]; tok.Path != "" && !named {
					n.imports[tok.Path] = unique(importName(tok))
				}
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

// declareImports tells the file how it calls the packages. A name that the path says goes without saying.
func (n *names) declareImports(f *jen.File) {
	for p, name := range n.imports {
		if path.Base(p) == name {
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
			name := base(a.Shape.Recv)
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
		if r.base == base(a.Shape.Recv) {
			return r
		}
	}
	return nil
}

// base is the name of a receiver's type, "" for a function.
func base(recv *scan.Type) string {
	if recv == nil {
		return ""
	}
	return strings.Trim(recv.String(), "*() ")
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

// isPredeclared tells whether Go itself has the name.
func isPredeclared(name string) bool {
	switch name {
	case "any", "error", "string", "new", "nil", "true", "false":
		return true
	}
	return false
}
