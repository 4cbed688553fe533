package directive

import (
	"go/token"
	"strings"

	"github.com/cd3b852d/agentgen/gen/diag"
	"github.com/cd3b852d/agentgen/gen/scan"
	"github.com/cd3b852d/agentgen/internal/suggest"
)

// Func is what the directives of a function say.
type Func struct {
	Agent, Skill *Values
}

// Func reads the directives of an annotated function. The faults are all of them; without any, the
// function is an agent.
func (g *Grammar) Func(ds []scan.Directive) (Func, diag.List) {
	p := g.parser(Agent, Skill)
	p.parse(ds)
	if len(ds) > 0 && p.registered.Line == 0 && len(p.faults) == 0 {
		p.faults.Add(ds[0].Pos, "the function has directives but no //%s:%s", Agent, Register)
	}
	return Func{Agent: p.values[Agent], Skill: p.values[Skill]}, p.faults
}

// Package reads the directives of a package comment, which describe the card.
func (g *Grammar) Package(ds []scan.Directive) (*Values, diag.List) {
	p := g.parser(Card)
	p.parse(ds)
	return p.values[Card], p.faults
}

// parser reads the directives of one comment.
type parser struct {
	*Grammar
	values     map[string]*Values // of the tools that may stand here
	registered token.Position
	faults     diag.List
}

func (g *Grammar) parser(tools ...string) *parser {
	p := &parser{Grammar: g, values: map[string]*Values{}}
	for _, tool := range tools {
		p.values[tool] = &Values{Object: map[string]any{}, ns: g.namespaces[tool], places: map[string]*place{}}
	}
	return p
}

func (p *parser) parse(ds []scan.Directive) {
	for _, d := range ds {
		l, at, err := parseLine(d.Text, shift(d.Pos, d.Moved))
		l.Pos = d.Pos
		ns := p.namespaces[l.Tool]
		switch {
		case err != nil:
			p.faults.Add(at, "//%s:%s: %v", l.Tool, l.Name, err)
		case p.values[l.Tool] == nil && l.Tool == Card:
			p.faults.Add(d.Pos, "//%s:%s stands in the comment of a package, not of a function", l.Tool, l.Name)
		case p.values[l.Tool] == nil:
			p.faults.Add(d.Pos, "//%s:%s stands in the comment of a function, not of a package", l.Tool, l.Name)
		case l.Tool == Agent && l.Name == Register:
			p.register(l, ns)
		default:
			p.directive(l, ns)
		}
	}
	for tool, values := range p.values {
		p.check(tool, values)
	}
}

// register reads //agent:register [name].
func (p *parser) register(l line, ns *Namespace) {
	if p.registered.Line != 0 {
		p.faults.Add(l.Pos, "//%s:%s stands twice, first at %s", Agent, Register, p.registered)
		return
	}
	p.registered = l.Pos
	switch {
	case len(l.Args) > 1:
		p.faults.Add(l.Args[1].Pos, "//%s:%s wants at most one name, got %d", Agent, Register, len(l.Args))
	case len(l.Args) == 1:
		p.set(l, ns.Key(nameKey))
	}
}

// nameKey is the property that //agent:register gives.
const nameKey = "name"

// directive reads any other directive.
func (p *parser) directive(l line, ns *Namespace) {
	key := ns.Key(l.Name)
	switch {
	case key == nil:
		p.faults.Add(l.Pos, "//%s:%s: no such directive%s", l.Tool, l.Name, suggest.Hint(l.Name, ns.written()))
	case !key.Written:
		p.faults.Add(l.Pos, "//%s:%s: nobody writes %s, it is supplied", l.Tool, l.Name, l.Name)
	default:
		p.set(l, key)
	}
}

// set gives a key the value of a line.
func (p *parser) set(l line, key *Key) {
	values := p.values[l.Tool]
	at := values.places[key.Name]
	if at != nil && !key.Form.repeatable() {
		p.faults.Add(l.Pos, "//%s:%s has one value, and has it already at %s", l.Tool, l.Name, at.first)
		return
	}
	if at == nil {
		at = &place{directive: l.Name, first: l.Pos, parts: map[string]token.Position{"": l.RestPos}}
		values.places[key.Name] = at
	}
	b := &builder{List: &p.faults, key: key, line: l, at: at}
	if value, ok := b.value(Get(values.Object, key.Path)); ok {
		Set(values.Object, key.Path, value)
	}
}

// check validates each value as the document wants it.
func (p *parser) check(tool string, values *Values) {
	for _, key := range p.namespaces[tool].Keys {
		value := Get(values.Object, key.Path)
		if value == nil {
			continue
		}
		at := values.places[key.Name]
		for _, f := range p.validator.check(key.Schema, value) {
			p.faults.Add(at.nearest(f.At), "//%s:%s %s", tool, at.directive, readable(f))
		}
	}
}

// Check lists in words what is wrong with a value for the key, nothing if it is as the document wants it.
func (g *Grammar) Check(key *Key, value any) []string {
	var faults []string
	for _, f := range g.validator.check(key.Schema, value) {
		faults = append(faults, readable(f))
	}
	return faults
}

// nearest is the position of a part of the value, or of the smallest part around it that has one.
func (at *place) nearest(path []string) token.Position {
	for n := len(path); n > 0; n-- {
		var pointer strings.Builder
		for _, segment := range path[:n] {
			pointer.WriteString("/" + escape(segment))
		}
		if pos, ok := at.parts[pointer.String()]; ok {
			return pos
		}
	}
	return at.parts[""]
}

// Get is the value at a path of a JSON object, nil if there is none.
func Get(object map[string]any, path []string) any {
	for _, name := range path[:len(path)-1] {
		object, _ = object[name].(map[string]any)
	}
	return object[path[len(path)-1]]
}

// Set puts a value at a path of a JSON object and makes the objects on the way.
func Set(object map[string]any, path []string, value any) {
	for _, name := range path[:len(path)-1] {
		inner, ok := object[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			object[name] = inner
		}
		object = inner
	}
	object[path[len(path)-1]] = value
}
