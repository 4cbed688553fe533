package directive

import (
	"encoding/json"
	"errors"
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A line is a directive taken apart: //tool:name arguments.
type line struct {
	Tool, Name string
	Pos        token.Position // of the slashes
	Rest       string         // the arguments as written
	RestPos    token.Position
	Args       []arg
}

// An arg is one argument: a bare word, a "quoted" or a `raw` string, or name= and one of these.
type arg struct {
	Name   string // what stands before =, for name=value
	Text   string
	Quoted bool
	Pos    token.Position // of the whole
	At     token.Position // of the text
}

// errNotDirective is for lines that Go does not take for a directive.
var errNotDirective = errors.New("not a directive: a name begins with a small letter")

// parseLine takes a comment line apart, and says where the error is if there is one. It follows the standard
// of go/ast.ParseDirective, which knows no quotes after name=, where they hold text with spaces here, and no
// JSON, which here may have spaces and quotes as it stands.
func parseLine(text string, pos token.Position) (line, token.Position, error) {
	tool, rest, _ := strings.Cut(strings.TrimPrefix(text, "//"), ":")
	tool = strings.TrimLeft(tool, " \t")
	name := rest
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		name = rest[:i]
	}
	after := rest[len(name):]
	args := strings.TrimSpace(after)
	lead := len(text) - len(rest) + len(name) + strings.Index(after, args)
	l := line{Tool: tool, Name: name, Pos: pos, Rest: args, RestPos: shift(pos, lead)}
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return l, pos, errNotDirective
	}
	var at token.Position
	var err error
	l.Args, at, err = parseArgs(args, l.RestPos)
	if invalid := invalidJSON(args); err != nil && invalid != nil {
		at, err = l.RestPos, invalid
	}
	return l, at, err
}

func parseArgs(text string, pos token.Position) ([]arg, token.Position, error) {
	var args []arg
	for offset := 0; offset < len(text); {
		r, size := utf8.DecodeRuneInString(text[offset:])
		if unicode.IsSpace(r) {
			offset += size
			continue
		}
		a, length, err := parseArg(text[offset:])
		if err != nil {
			return nil, shift(pos, offset), err
		}
		a.Pos, a.At = shift(pos, offset), shift(pos, offset)
		if a.Name != "" {
			a.At = shift(pos, offset+len(a.Name)+1)
		}
		args = append(args, a)
		offset += length
	}
	return args, pos, nil
}

// parseArg reads the argument at the beginning of text, and says how long it is.
func parseArg(text string) (arg, int, error) {
	var a arg
	name := identifier(text)
	if name != "" && strings.HasPrefix(text[len(name):], "=") {
		a.Name = name
	}
	start := 0
	if a.Name != "" {
		start = len(name) + 1
	}
	value := text[start:]
	if value != "" && (value[0] == '"' || value[0] == '`') {
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil {
			return a, 0, errors.New("a quoted string that does not end, or is not one of Go's")
		}
		if !ends(value[len(quoted):]) {
			return a, 0, errors.New("no space after a quoted string")
		}
		a.Text, err = strconv.Unquote(quoted)
		a.Quoted = true
		return a, start + len(quoted), err
	}
	end := jsonPrefix(value)
	if end < 0 {
		end = strings.IndexFunc(value, unicode.IsSpace)
	}
	if end < 0 {
		end = len(value)
	}
	a.Text = value[:end]
	return a, start + end, nil
}

// jsonPrefix is how long the JSON object or list is that text begins with, -1 if there is none.
func jsonPrefix(text string) int {
	if !looksLikeJSON(text) {
		return -1
	}
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(new(json.RawMessage)); err != nil || !ends(text[d.InputOffset():]) {
		return -1
	}
	return int(d.InputOffset())
}

// ends tells whether an argument ends before the rest of the text.
func ends(rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || unicode.IsSpace(next)
}

// identifier is the name at the beginning of text.
func identifier(text string) string {
	for i, r := range text {
		if r == '_' || unicode.IsLetter(r) || i > 0 && (r == '-' || unicode.IsDigit(r)) {
			continue
		}
		return text[:i]
	}
	return ""
}

// whole is the argument as it stands when name= is part of the text.
func (a arg) whole() string {
	if a.Name != "" {
		return a.Name + "=" + a.Text
	}
	return a.Text
}

func shift(p token.Position, columns int) token.Position {
	p.Column += columns
	p.Offset += columns
	return p
}
