package directive

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cd3b852d/agentgen/internal/misfit"
)

// An Entry of the manual is what it says about one directive.
type Entry struct {
	Usage string   // the directive with its arguments
	About string   // what it means
	Wants []string // what its values must be like, and an example
}

// About says what the directives of the tool write.
func (ns *Namespace) About() string {
	where := "in the doc comment of a function, after " + "//" + Agent + ":" + Register
	if ns.Tool == Card {
		where = "in the comment of the package"
	}
	return strings.TrimSpace(ns.Schema.Description) + "\nThese directives stand " + where + "."
}

// Manual has an entry for each directive that a person may write, in the order of the document.
func (ns *Namespace) Manual() []Entry {
	var entries []Entry
	if ns.Tool == Agent {
		entries = append(entries, Entry{
			Usage: "//" + Agent + ":" + Register + " [" + nameKey + "]",
			About: "Makes the function an agent. Its name follows from the function's unless one is given.",
		})
	}
	for _, key := range ns.Keys {
		if key.Written {
			entries = append(entries, Entry{
				Usage: strings.TrimSpace("//" + ns.Tool + ":" + key.Name + " " + key.usage()),
				About: strings.TrimSpace(key.Schema.Description),
				Wants: ns.wants(key),
			})
		}
	}
	return entries
}

// usage is the form of the arguments.
func (k *Key) usage() string {
	switch k.Form {
	case Scalar:
		return value(k.Schema)
	case List:
		return value(k.Schema.Items) + "..."
	case Objects:
		return properties(k.Schema.Items, k.Schema.Items.Required)
	case Object:
		return properties(k.Schema, k.Schema.Required)
	case ObjectMap:
		return "NAME " + properties(k.Schema.Additional, k.Schema.Additional.Required)
	case ScopeMaps:
		return "NAME[=SCOPE,SCOPE]..."
	case Anything:
	}
	return "JSON"
}

// properties names what may be given by position, or as name=value.
func properties(s *Schema, required []string) string {
	var parts []string
	for _, name := range s.writable() {
		part := strings.ToUpper(name)
		if !slices.Contains(required, name) {
			part = "[" + name + "=" + value(s.Properties[name]) + "]"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

// value is what a schema wants, in a word.
func value(s *Schema) string {
	switch {
	case len(s.Enum) > 0:
		return strings.ReplaceAll(misfit.Listed(s.Enum), ", ", "|")
	case s.Format == "date-time":
		return "TIME"
	case s.Format == "email":
		return "EMAIL"
	case s.Format != "":
		return "URL"
	case s.is("string"):
		return "TEXT"
	case s.is("boolean"):
		return "true|false"
	case s.is("number"), s.is("integer"):
		return "NUMBER"
	case s.is("array") && s.Items != nil && isScalar(s.Items):
		return value(s.Items) + ",..."
	}
	return "JSON"
}

// wants says more: how often, which values, what else, and an example of the document's.
func (ns *Namespace) wants(k *Key) []string {
	var lines []string
	for _, s := range []*Schema{k.Schema, k.Schema.Items, k.Schema.Additional} {
		if s == nil {
			continue
		}
		for _, name := range s.names() {
			if p := s.Properties[name]; len(p.Enum) > 0 && slices.Contains(s.Required, name) {
				lines = append(lines, fmt.Sprintf("%s is one of %s.", strings.ToUpper(name), misfit.Listed(p.Enum)))
			}
		}
	}
	if k.Form.repeatable() {
		lines = append(lines, "May stand several times.")
	}
	if k.Form != Scalar && k.Form != List {
		lines = append(lines, "Takes one JSON argument as well.")
	}
	if k.Schema.From != "" {
		lines = append(lines, "Default: what the "+defaultSource(ns.Tool)+" has at "+k.Schema.From+".")
	} else if k.Schema.Default != nil {
		lines = append(lines, "Default: "+strings.Trim(argument(k.Schema.Default), "`")+".")
	}
	return append(lines, k.example(ns.Tool)...)
}

// defaultSource is the document that the default's pointer points into.
func defaultSource(tool string) string {
	if tool == Card {
		return "card"
	}
	return "manifest of the agent"
}

// example is the first example of the document as a directive.
func (k *Key) example(tool string) []string {
	name, s := "", k.Schema
	switch k.Form {
	case Objects, ScopeMaps:
		s = k.Schema.Items
	case ObjectMap:
		name, s = "name ", k.Schema.Additional
	case Scalar, List, Object, Anything:
	}
	if len(s.Examples) == 0 {
		return nil
	}
	var value any
	if err := json.Unmarshal(s.Examples[0], &value); err != nil {
		return nil
	}
	return []string{"Example: //" + tool + ":" + k.Name + " " + name + arguments(s, value)}
}

// arguments is a JSON value as one writes it in a directive.
func arguments(s *Schema, value any) string {
	var parts []string
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			parts = append(parts, argument(element))
		}
	case map[string]any:
		for _, name := range append(s.names(), slices.Sorted(maps.Keys(value))...) {
			if v, ok := value[name]; ok {
				parts = append(parts, property(name, v))
				delete(value, name)
			}
		}
	default:
		return argument(value)
	}
	return strings.Join(parts, " ")
}

// property is name=value, or just the name for an empty list of scopes.
func property(name string, value any) string {
	list, ok := value.([]any)
	if !ok {
		return name + "=" + argument(value)
	}
	if len(list) == 0 {
		return name
	}
	parts := make([]string, len(list))
	for i, element := range list {
		parts[i] = fmt.Sprint(element)
	}
	return name + "=" + strings.Join(parts, ",")
}

// argument is one value: a word, a quoted text or JSON.
func argument(value any) string {
	text, ok := value.(string)
	if !ok {
		b, err := json.Marshal(value)
		if err != nil {
			return ""
		}
		text = string(b)
		if strings.ContainsAny(text, "{[") {
			return "`" + text + "`"
		}
	}
	if strings.ContainsAny(text, " \"`") {
		return strconv.Quote(text)
	}
	return text
}
