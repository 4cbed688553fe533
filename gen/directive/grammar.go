// Package directive knows which directives there are and what they mean.
//
// Both follow from the OpenAPI document: a schema that says `x-agentgen-directive: agent` makes each of
// its properties a directive //agent:property, and the property's schema decides the form of the
// arguments and what they may be. There is no list of directives in this package, and no field of a
// manifest or a card.
package directive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cd3b852d/agentgen/gen/scan"
	"github.com/cd3b852d/agentgen/generated/directives"
)

// The tools whose directives stand on functions, and the one whose directives stand on the package.
const (
	Agent = "agent"
	Skill = "skill"
	Card  = "card"
)

// Register is the directive that makes a function an agent: //agent:register [name].
const Register = scan.Register

// A Grammar has the directives of one document. It is safe for concurrent use.
type Grammar struct {
	namespaces map[string]*Namespace
	validator  *validator
}

// A Namespace is the directives of one tool.
type Namespace struct {
	Tool   string  // the part before the colon
	Schema *Schema // what the directives write together
	Keys   []*Key  // in the order of the document
	byName map[string]*Key
}

// A Key is a directive.
type Key struct {
	Name     string
	Path     []string // where its value belongs in the document of the namespace
	Form     Form
	Schema   *Schema
	Required bool // the document must have it
	Written  bool // a person writes it; else a program supplies it
}

// Default is the grammar of the document that this version of agentgen was built from.
func Default() (*Grammar, error) { return New(directives.JSON()) }

// New is the grammar of a reduced document, as [Reduce] makes it.
func New(reduced []byte) (*Grammar, error) {
	var doc struct {
		Components struct {
			Schemas map[string]*Schema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(reduced, &doc); err != nil {
		return nil, fmt.Errorf("reduced document: %w", err)
	}
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(reduced))
	if err != nil {
		return nil, fmt.Errorf("reduced document: %w", err)
	}
	validator, err := newValidator(raw)
	if err != nil {
		return nil, err
	}
	all := doc.Components.Schemas
	for name, s := range all {
		s.link(all, refPrefix+escape(name))
	}
	g := &Grammar{namespaces: map[string]*Namespace{}, validator: validator}
	for _, s := range all {
		if s.Directive != "" && s.Directive != none && s.Directive != flatten {
			g.namespaces[s.Directive] = newNamespace(s)
		}
	}
	for _, tool := range []string{Agent, Skill, Card} {
		if g.namespaces[tool] == nil {
			return nil, fmt.Errorf("no schema of the document says %s: %s", directiveExtension, tool)
		}
	}
	return g, nil
}

func newNamespace(s *Schema) *Namespace {
	ns := &Namespace{Tool: s.Directive, Schema: s, byName: map[string]*Key{}}
	ns.add(s, nil)
	return ns
}

// add makes a key of each property of the schema, which stands at path.
func (ns *Namespace) add(s *Schema, path []string) {
	for _, name := range s.names() {
		p := s.Properties[name]
		at := append(slices.Clip(path), name)
		if p.Directive == flatten {
			ns.add(p, at)
			continue
		}
		if _, taken := ns.byName[name]; taken {
			continue // the outer property keeps the name
		}
		key := &Key{
			Name: name, Path: at, Form: formOf(p), Schema: p,
			Required: len(path) == 0 && slices.Contains(s.Required, name),
			Written:  p.Directive != none,
		}
		ns.Keys = append(ns.Keys, key)
		ns.byName[name] = key
	}
}

// Tools are the names before the colon.
func (g *Grammar) Tools() []string { return slices.Sorted(maps.Keys(g.namespaces)) }

// Names are those of the directives of a tool that a person may write.
func (g *Grammar) Names(tool string) []string { return g.namespaces[tool].written() }

// Namespace is the directives of a tool, nil if there is no such tool.
func (g *Grammar) Namespace(tool string) *Namespace { return g.namespaces[tool] }

// Key is the directive of that name, nil if there is none.
func (ns *Namespace) Key(name string) *Key { return ns.byName[name] }

// written are the names of the directives that a person may write.
func (ns *Namespace) written() []string {
	var names []string
	if ns.Tool == Agent {
		names = append(names, Register)
	}
	for _, k := range ns.Keys {
		if k.Written {
			names = append(names, k.Name)
		}
	}
	return names
}
