package emit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cd3b852d/agentgen/gen/describe"
	"github.com/cd3b852d/agentgen/gen/scan"
)

// register writes
//
//	func RegisterAgents(r *agent.Registry, service *Service, bearerAuth agent.Verifier) error {
//		manifests := AgentManifests()
//		p := agent.Package{
//			Card:      AgentCard(),
//			Verifiers: map[string]agent.Verifier{…},
//		}
//		docs := agent.TypeDocs{…}
//		p.Add(manifests[0], agent.Func(…).Describe(docs, nil))
//		return r.Register(p)
//	}
func (e *emitter) register() {
	n := e.names
	e.Line()
	for _, line := range e.registerDoc() {
		e.Comment(line)
	}
	params := []jen.Code{jen.Id(n.registry).Op("*").Qual(scan.RuntimePath, "Registry")}
	for _, r := range n.receivers {
		params = append(params, jen.Id(r.param).Add(e.typ(r.typ)))
	}
	for _, v := range n.verifiers {
		params = append(params, jen.Id(v.param).Qual(scan.RuntimePath, "Verifier"))
	}
	e.Func().Id(registerName).Params(params...).Error().BlockFunc(func(g *jen.Group) {
		g.Id(n.manifests).Op(":=").Id(manifestsName).Call()
		g.Id(n.pkg).Op(":=").Qual(scan.RuntimePath, "Package").Add(fields(e.registration()...))
		if n.docs != "" {
			g.Id(n.docs).Op(":=").Qual(scan.RuntimePath, "TypeDocs").Add(fields(e.docs()...))
		}
		for i, a := range e.pkg.Agents {
			g.Id(n.pkg).Dot("Add").Call(jen.Id(n.manifests).Index(jen.Lit(i)), e.handler(a))
		}
		g.Return(jen.Id(n.registry).Dot("Register").Call(jen.Id(n.pkg)))
	})
}

func (e *emitter) registerDoc() []string {
	lines := []string{registerName + " adds the agents of this package to " + e.names.registry + "."}
	for _, r := range e.names.receivers {
		lines = append(lines, fmt.Sprintf("%s is the receiver of %s.", r.param, strings.Join(r.methods, ", ")))
	}
	for _, v := range e.names.verifiers {
		lines = append(lines, fmt.Sprintf("%s checks the credentials of the security scheme %s.", v.param, v.called()))
	}
	return lines
}

// registration is what the agent.Package has besides the agents.
func (e *emitter) registration() []jen.Code {
	set := []jen.Code{jen.Id("Card").Op(":").Id(cardName).Call()}
	if len(e.names.verifiers) == 0 {
		return set
	}
	verifiers := make([]jen.Code, len(e.names.verifiers))
	for i, v := range e.names.verifiers {
		verifiers[i] = jen.Lit(v.scheme).Op(":").Id(v.param)
	}
	return append(set, jen.Id("Verifiers").Op(":").Map(jen.String()).Qual(scan.RuntimePath, "Verifier").Add(fields(verifiers...)))
}

// handler adapts a function: agent.Func(Chat) if its shape is the adapter's own, else
//
//	agent.Func(func(ctx context.Context, _ *agent.Run, in string) (string, error) { return Chat(ctx, in) })
func (e *emitter) handler(a describe.Agent) *jen.Statement {
	call := e.callee(a)
	shape := a.Shape
	if !shape.Ctx || !shape.Run || shape.In == scan.None {
		call = e.closure(shape, call)
	}
	handler := jen.Qual(scan.RuntimePath, adapter(shape)).Call(call)
	in, out := e.docsOf(shape.InType), e.docsOf(shape.OutType)
	if in == nil && out == nil {
		return handler
	}
	return handler.Dot("Describe").Call(orNil(in), orNil(out))
}

// docs are the descriptions of the package's types and of their fields.
func (e *emitter) docs() []jen.Code {
	var entries []jen.Code
	for _, key := range slices.Sorted(maps.Keys(e.pkg.Described)) {
		entries = append(entries, jen.Lit(key).Op(":").Lit(e.pkg.Described[key]))
	}
	return entries
}

// docsOf are the descriptions for values of a type, nil if there are none.
func (e *emitter) docsOf(t *scan.Type) *jen.Statement {
	if e.names.docs == "" || t == nil || !t.Documented {
		return nil
	}
	return jen.Id(e.names.docs)
}

func orNil(s *jen.Statement) *jen.Statement {
	if s == nil {
		return jen.Nil()
	}
	return s
}

// callee is the function, or the method of the receiver that RegisterAgents takes.
func (e *emitter) callee(a describe.Agent) *jen.Statement {
	if a.Shape.Recv == nil {
		return jen.Id(a.Func.Name)
	}
	return jen.Id(e.names.receiverOf(a).param).Dot(a.Func.Name)
}

// adapter is the function of the runtime that makes a handler of a function of that shape.
func adapter(s scan.Shape) string {
	switch {
	case s.Stream:
		return "Stream"
	case s.Out == scan.None:
		return "Action"
	}
	return "Func"
}

func (e *emitter) closure(s scan.Shape, callee *jen.Statement) *jen.Statement {
	ctx, run, in := jen.Id("_"), jen.Id("_"), jen.Id("_")
	var args []jen.Code
	if s.Ctx {
		ctx = jen.Id(e.names.ctx)
		args = append(args, jen.Id(e.names.ctx))
	}
	if s.Run {
		run = jen.Id(e.names.run)
		args = append(args, jen.Id(e.names.run))
	}
	inType := jen.Qual(scan.RuntimePath, "None")
	if s.In != scan.None {
		in, inType = jen.Id(e.names.in), e.typ(s.InType)
		args = append(args, jen.Id(e.names.in))
	}
	return jen.Func().Params(
		ctx.Qual("context", "Context"),
		run.Op("*").Qual(scan.RuntimePath, "Run"),
		in.Add(inType),
	).Add(e.result(s)).Block(jen.Return(callee.Call(args...)))
}

func (e *emitter) result(s scan.Shape) *jen.Statement {
	switch {
	case s.Stream:
		return jen.Qual("iter", "Seq2").Types(e.typ(s.OutType), jen.Error())
	case s.Out == scan.None:
		return jen.Error()
	}
	return jen.Params(e.typ(s.OutType), jen.Error())
}

// fields puts each part on a line of its own.
func fields(parts ...jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, parts...)
}
