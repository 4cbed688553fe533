// Package describe makes manifests and a card of annotated functions: what the directives say, and where
// they are silent, the defaults.
//
// The result is the generated model. Which fields there are the document knows; only the name, the
// description, the documentation and the content types have defaults here, the others have theirs in the
// document.
package describe

import (
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/cd3b852d/agentgen/gen/diag"
	"github.com/cd3b852d/agentgen/gen/directive"
	"github.com/cd3b852d/agentgen/gen/scan"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// The directives whose defaults come from the function.
const (
	name          = "name"
	description   = "description"
	documentation = "documentation"
	inputTypes    = "input_content_types"
	outputTypes   = "output_content_types"
)

// A Package is an annotated package with what it publishes.
type Package struct {
	*scan.Package
	Agents []Agent
	Card   agentapi.AgentCard
	// Described says what the comments of types and fields say of typed values, by Type and Type.Field.
	Described map[string]string
}

// An Agent is an annotated function with its manifest. Its skill stands at the same place in the card.
type Agent struct {
	*scan.Func
	Manifest agentapi.AgentManifest
}

// describer works on one package.
type describer struct {
	*directive.Grammar
	pkg    *scan.Package
	models decoder
	faults diag.List
}

// Describe says what a package publishes, and what is wrong with its directives. A package without
// annotated functions publishes nothing.
func Describe(g *directive.Grammar, pkg *scan.Package) (*Package, diag.List) {
	d := &describer{Grammar: g, pkg: pkg, models: decoder{structs: map[reflect.Type]layout{}}}
	out := &Package{Package: pkg}
	card, faults := g.Package(pkg.Directives)
	d.faults = append(d.faults, faults...)
	if len(pkg.Funcs) == 0 {
		if len(pkg.Directives) > 0 && len(faults) == 0 {
			d.faults.Add(pkg.Directives[0].Pos, "the package has a card but no function with //%s:%s", directive.Agent, directive.Register)
		}
		return out, d.faults
	}
	skills := make([]any, 0, len(pkg.Funcs))
	said := []*directive.Values{card}
	for _, fn := range pkg.Funcs {
		values := d.agent(fn)
		out.Agents = append(out.Agents, Agent{Func: fn, Manifest: decode[agentapi.AgentManifest](d, fn.Pos, values.Agent.Object)})
		skills = append(skills, values.Skill.Object)
		said = append(said, values.Agent, values.Skill)
	}
	d.unique(out.Agents)
	d.card(card, skills, out.Agents)
	if len(faults) == 0 { // else what is missing may be what is faulty
		for _, values := range said {
			d.faults = append(d.faults, values.References(card.Object)...)
		}
	}
	out.Card = decode[agentapi.AgentCard](d, pkg.Pos, card.Object)
	out.Described = described(pkg)
	return out, d.faults
}

// described is what the comments of types and fields say, as descriptions.
func described(pkg *scan.Package) map[string]string {
	texts := map[string]string{}
	for key, doc := range pkg.TypeDocs {
		called := key[strings.LastIndexByte(key, '.')+1:]
		if text := proseOf(doc, pkg.Decls, called).description; text != "" {
			texts[key] = text
		}
	}
	return texts
}

// agent is what the directives and the defaults say of a function: its manifest and its skill, as JSON.
func (d *describer) agent(fn *scan.Func) directive.Func {
	before := len(d.faults)
	said, faults := d.Func(fn.Directives)
	d.faults = append(d.faults, faults...)
	text := proseOf(fn.Doc, d.pkg.Decls, fn.Name)
	agent := d.filler(directive.Agent, said.Agent, fn.Pos)
	agent.fill(name, kebab(fn.Name))
	agent.fill(description, text.description)
	agent.fill(documentation, text.documentation)
	agent.fill(inputTypes, contentTypes(fn.Shape.In))
	agent.fill(outputTypes, contentTypes(fn.Shape.Out))
	agent.finish(said.Agent.Object)
	if len(d.faults) > before { // what the skill lacks it may lack for that
		return said
	}
	skill := d.filler(directive.Skill, said.Skill, fn.Pos)
	skill.fill(name, title(fn.Name))
	skill.finish(said.Agent.Object)
	return said
}

// card completes what the directives say of the card.
func (d *describer) card(said *directive.Values, skills []any, agents []Agent) {
	called := d.pkg.Name
	names := []string{"Package " + called, "package " + called}
	if called == "main" {
		called = command(d.pkg.Path)
		names = []string{"Command " + called, "command " + called, called, capital(called)}
	}
	text := proseOf(d.pkg.Doc, d.pkg.Decls, names...)
	if text.description == "" && len(agents) == 1 {
		text.description = agents[0].Manifest.Description
	}
	card := d.filler(directive.Card, said, d.pkg.Pos)
	card.fill(name, title(called))
	card.fill(description, text.description)
	for _, key := range d.Namespace(directive.Card).Keys {
		if key.Schema.Items != nil && key.Schema.Items.Directive == directive.Skill {
			directive.Set(said.Object, key.Path, skills)
		}
	}
	card.finish(said.Object)
}

// filler fills what no directive said.
type filler struct {
	*describer
	ns   *directive.Namespace
	said *directive.Values
	pos  token.Position
}

func (d *describer) filler(tool string, said *directive.Values, pos token.Position) filler {
	return filler{describer: d, ns: d.Namespace(tool), said: said, pos: pos}
}

// fill gives a key a default, unless a directive gave it a value or the default is empty.
func (f filler) fill(name string, value any) {
	key := f.ns.Key(name)
	if key == nil || f.said.Has(name) || value == "" {
		return
	}
	for _, fault := range f.Check(key, value) {
		f.faults.Add(f.pos, "%s: %s; write //%s:%s", name, fault, f.ns.Tool, name)
	}
	directive.Set(f.said.Object, key.Path, value)
}

// finish takes the document's own defaults, whose pointers point into root, and reports what is missing.
func (f filler) finish(root map[string]any) {
	for _, key := range f.ns.Keys {
		value := directive.Get(f.said.Object, key.Path)
		if value == nil && key.Schema.From != "" {
			value = lookup(root, key.Schema.From)
		}
		if value == nil {
			value = key.Schema.Default
		}
		switch {
		case value != nil:
			directive.Set(f.said.Object, key.Path, value)
		case key.Required && !f.said.Has(key.Name):
			f.faults.Add(f.pos, "%s is missing: write %s//%s:%s", key.Name, elsewhere(key.Name), f.ns.Tool, key.Name)
		}
	}
}

// elsewhere is the other place where a value may stand.
func elsewhere(key string) string {
	if key == description {
		return "a comment or "
	}
	return ""
}

// lookup is the value at a JSON pointer, in which * gathers the different values of each element.
func lookup(value any, pointer string) any {
	segment, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if segment == "" {
		return value
	}
	if list, ok := value.([]any); ok && segment == "*" {
		return gather(list, rest)
	}
	object, ok := value.(map[string]any)
	if !ok || object[segment] == nil {
		return nil
	}
	return lookup(object[segment], rest)
}

func gather(list []any, pointer string) any {
	var all []any
	for _, element := range list {
		found := lookup(element, pointer)
		values, ok := found.([]any)
		if !ok && found != nil {
			values = []any{found}
		}
		for _, v := range values {
			if !slices.ContainsFunc(all, func(other any) bool { return reflect.DeepEqual(v, other) }) {
				all = append(all, v)
			}
		}
	}
	if all == nil {
		return nil
	}
	return all
}

// contentTypes are the default media types of a value that travels in this way.
func contentTypes(k scan.Kind) []any {
	switch k {
	case scan.Text:
		return []any{"text/plain"}
	case scan.JSON:
		return []any{"application/json"}
	case scan.None, scan.Messages:
	}
	return []any{"*/*"}
}

// unique reports agents of the same name.
func (d *describer) unique(agents []Agent) {
	first := map[string]Agent{}
	for _, a := range agents {
		switch before, taken := first[a.Manifest.Name]; {
		case a.Manifest.Name == "":
		case taken:
			d.faults.Add(a.Pos, "agent %q is also the name of %s at %s; set one with //%s:%s NAME",
				a.Manifest.Name, before.Func.Name, before.Pos, directive.Agent, directive.Register)
		default:
			first[a.Manifest.Name] = a
		}
	}
}

// decode makes a model of JSON. With faults it is not wanted, and then what can be decoded serves to compare
// agents.
func decode[T any](d *describer, pos token.Position, object map[string]any) T {
	var model T
	v := reflect.ValueOf(&model).Elem()
	if len(d.faults) == 0 {
		if err := d.models.set(v, object); err != nil {
			d.faults.Add(pos, "the directives do not fit the models: %v", err)
		}
		return model
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		_ = d.models.set(v, map[string]any{key: object[key]}) // a faulty value is reported where it was written
	}
	return model
}
