package scan

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"
)

// blank is the white space of a line.
const blank = " \t"

// directives are the lines of a comment that speak to agentgen.
func (s *source) directives(group *ast.CommentGroup) []Directive {
	if group == nil {
		return nil
	}
	var found []Directive
	for _, c := range group.List {
		if d, ok := s.directive(c); ok {
			found = append(found, d)
		}
	}
	return found
}

// documented are the directives of a doc comment. A line that is nearly one is a fault, and counts as what was
// meant, so that whatever else is wrong is said as well.
func (s *source) documented(group *ast.CommentGroup) []Directive {
	if group == nil {
		return nil
	}
	var found []Directive
	for i, c := range group.List {
		d, ok := s.directive(c)
		switch {
		case ok:
			found = append(found, d)
		case strings.HasPrefix(c.Text, "/*"):
			found = append(found, s.block(c)...)
		default:
			text := strings.TrimPrefix(c.Text[len("//"):], "/") // a fourth slash makes a comment of a comment
			found = append(found, s.nearly(text, s.at(c), len(c.Text)-len(text), s.amid(group.List, i))...)
		}
	}
	return found
}

// directive is what a comment says to agentgen, if it does. One to another tool whose name is nearly that of
// one of ours is a fault, if it has a name that we know: those of other tools are none of our business.
func (s *source) directive(c *ast.Comment) (Directive, bool) {
	tool, name := addressed(c)
	if name == "" {
		return Directive{}, false
	}
	if slices.Contains(s.Tools, tool) {
		return Directive{Text: strings.TrimRight(c.Text, "\r"), Pos: s.at(c)}, true
	}
	for _, ours := range s.Tools {
		if near(strings.ToLower(tool), ours) && slices.Contains(s.Names(ours), name) {
			s.faults.Add(s.at(c), "//%s:%s: no such directive; did you mean //%s:%s?", tool, name, ours, name)
		}
	}
	return Directive{}, false
}

// addressed is the tool to which a comment speaks, and the name of what it says, which is empty if it speaks to none.
func addressed(c *ast.Comment) (tool, name string) {
	text, ok := strings.CutPrefix(c.Text, "//")
	tool, rest, found := strings.Cut(text, ":")
	if !ok || !found || word(tool) != tool {
		return "", ""
	}
	return tool, word(rest)
}

// amid tells whether a line stands among directives, with no line of prose between.
func (s *source) amid(list []*ast.Comment, i int) bool {
	for _, step := range []int{-1, 1} {
		for j := i; j >= 0 && j < len(list) && !prose(list[j]); j += step {
			if tool, name := addressed(list[j]); slices.Contains(s.Tools, tool) && name != "" {
				return true
			}
		}
	}
	return false
}

// prose tells whether a line is meant for people, as far as one can see from how it begins.
func prose(c *ast.Comment) bool {
	text, ok := strings.CutPrefix(c.Text, "//")
	return !ok || word(text) == ""
}

// block looks for lines that are nearly directives in a comment of the form in which there are none.
func (s *source) block(c *ast.Comment) []Directive {
	var found []Directive
	at := s.at(c)
	text, lead := strings.TrimSuffix(c.Text[len("/*"):], "*/"), len("/*")
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimLeft(line, blank+"*")
		indent := lead + len(line) - len(trimmed)
		at.Column += indent
		found = append(found, s.nearly(" "+trimmed, at, -1, false)...)
		at.Line, at.Column, lead = at.Line+1, 1, 0
	}
	return found
}

// nearly is the directive that a line of a comment was meant to be, with where that is, and how far behind it the text
// of the line begins.
//
// If all that is wrong is white space before the tool or before the colon, it was meant. White space behind the
// colon or instead of it is in prose as well: there the rest of the line has to tell, or directives around it.
func (s *source) nearly(text string, at token.Position, lead int, amid bool) []Directive {
	line := strings.TrimLeft(text, blank)
	tool := word(line)
	rest := line[len(tool):]
	args := strings.TrimLeft(rest, blank+":")
	between := rest[:len(rest)-len(args)]
	name := word(args)
	args = strings.TrimRight(args[len(name):], blank+"\r")
	meant := s.meant(tool, name, between == ":")
	if meant == "" || args != "" && !strings.Contains(blank, args[:1]) {
		return nil
	}
	telling := amid || meant == Register && args == "" || strings.ContainsFunc(meant, func(r rune) bool { return !unicode.IsLower(r) })
	switch colons, tight := strings.Count(between, ":"), len(line) == len(text); {
	case between == ":", tight && colons == 1 && between[0] != ':', tight && colons < 2 && telling:
	default:
		return nil
	}
	directive := "//" + tool + ":" + meant
	s.faults.Add(at, "Go takes this for prose: write %s", directive)
	before := lead + len(text) - len(line) + len(tool) + len(between) + len(name)
	return []Directive{{Text: directive + args, Pos: at, Moved: before - len(directive)}}
}

// meant is the name of the directive of a tool, "" if there is none. If it may be nearly the name, one letter
// may be wrong.
func (s *source) meant(tool, name string, nearly bool) string {
	if !slices.Contains(s.Tools, tool) || name == "" {
		return ""
	}
	for _, known := range s.Names(tool) {
		if name == known || nearly && near(name, known) && !slices.Contains(s.Names(tool), name) {
			return known
		}
	}
	return ""
}

// near tells whether two words differ by one letter, and are not so short that this means nothing.
func near(a, b string) bool { return len(b) > 2 && levenshtein.ComputeDistance(a, b) < 2 }

// word is the letters, digits and underscores at the beginning of text.
func word(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		return text
	}
	return text[:end]
}
