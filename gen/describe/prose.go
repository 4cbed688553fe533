package describe

import (
	"cmp"
	"go/doc/comment"
	"go/token"
	"slices"
	"strings"
	"unicode"
)

// prose is a doc comment as manifests and cards have it. Everything in a doc comment is public but its
// directives.
type prose struct {
	description   string // the first paragraph on one line
	documentation string // the whole as Markdown, if there is more than that paragraph
}

// proseOf reads the doc comment of something that the comment may begin with, by one of its names. Links to
// what the package declares are text, since who reads a manifest may not be able to follow them.
func proseOf(text string, decls map[string]token.Position, names ...string) prose {
	parser := &comment.Parser{LookupSym: func(recv, name string) bool {
		_, declared := decls[cmp.Or(recv, name)]
		return declared
	}}
	doc := parser.Parse(text)
	printer := &comment.Printer{
		TextWidth: -1,
		HeadingID: func(*comment.Heading) string { return "" },
		DocLinkURL: func(link *comment.DocLink) string {
			if link.ImportPath == "" {
				return ""
			}
			return link.DefaultURL("https://pkg.go.dev")
		},
	}
	for _, block := range doc.Content {
		if _, ok := block.(*comment.Paragraph); !ok {
			continue
		}
		p := prose{}
		first := string(printer.Text(&comment.Doc{Content: []comment.Block{block}}))
		p.description = trimName(strings.Join(strings.Fields(first), " "), names)
		if len(doc.Content) > 1 {
			p.documentation = strings.TrimSpace(string(printer.Markdown(doc)))
		}
		return p
	}
	return prose{}
}

// trimName takes the name that a Go comment begins with out of a sentence that stands without it:
// "Chat is a conversational agent" is "Conversational agent". A sentence that needs it is left alone.
func trimName(sentence string, names []string) string {
	for _, name := range names {
		rest, ok := strings.CutPrefix(sentence, name)
		if !ok || name == "" {
			continue
		}
		for _, link := range []string{": ", " - ", " – ", " — ", " is a ", " is an ", " is the ", " "} {
			if said, ok := strings.CutPrefix(rest, link); ok && said != "" && stands(link, said) {
				return capital(said)
			}
		}
	}
	return sentence
}

// stands tells whether what is said after a name and a link is a sentence of its own: after the bare name
// it must go on with a verb, and "is" or "can" without the name is none.
func stands(link, said string) bool {
	if link != " " {
		return true
	}
	verb, _, _ := strings.Cut(said, " ")
	verb = strings.TrimFunc(verb, unicode.IsPunct)
	return len(verb) > 2 && strings.HasSuffix(verb, "s") && !slices.Contains([]string{"was", "has", "this"}, verb)
}
