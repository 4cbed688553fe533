package directive

import (
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseLine(t *testing.T) {
	for text, want := range map[string][]arg{
		"//agent:tags":                       nil,
		"//agent:tags a  b\tc":               {{Text: "a"}, {Text: "b"}, {Text: "c"}},
		`//agent:tags "a b" ` + "`c\"d`":     {{Text: "a b", Quoted: true}, {Text: `c"d`, Quoted: true}},
		`//agent:tags "\"\n\u00fc"`:          {{Text: "\"\nü", Quoted: true}},
		"//agent:links type=homepage":        {{Name: "type", Text: "homepage"}},
		`//agent:links url="a b" c=`:         {{Name: "url", Text: "a b", Quoted: true}, {Name: "c"}},
		"//agent:links https://x.y/?a=b&c=d": {{Text: "https://x.y/?a=b&c=d"}},
		"//agent:links 1a=b a-1=b _=":        {{Text: "1a=b"}, {Name: "a-1", Text: "b"}, {Name: "_"}},
		`//agent:links "a=b"`:                {{Text: "a=b", Quoted: true}},
		`//agent:x {"a": "b c"} d`:           {{Text: `{"a": "b c"}`}, {Text: "d"}},
		`//agent:x a={"a": [1, 2]} b=[]`:     {{Name: "a", Text: `{"a": [1, 2]}`}, {Name: "b", Text: "[]"}},
		"//agent:x [a b]":                    {{Text: "[a"}, {Text: "b]"}},
		"//agent:x\u00a0a\u2003b":            {{Text: "a"}, {Text: "b"}},
	} {
		l, _, err := parseLine(text, token.Position{Line: 1, Column: 1})
		for i, a := range l.Args {
			if at := text[a.At.Column-1:]; !a.Quoted && !strings.HasPrefix(at, a.Text) || a.Quoted && !strings.ContainsAny(at[:1], "\"`") {
				t.Errorf("%s: argument %d is said to be at %q", text, i, at)
			}
			l.Args[i].Pos, l.Args[i].At = token.Position{}, token.Position{}
		}
		if diff := cmp.Diff(want, l.Args); err != nil || diff != "" {
			t.Errorf("%s: error %v, -want +got:\n%s", text, err, diff)
		}
	}
}

func TestParseLineFaults(t *testing.T) {
	for text, want := range map[string]struct {
		column int
		says   string
	}{
		`//agent:tags a "b`:       {16, "does not end"},
		`//agent:tags a "b"c`:     {16, "no space"},
		`//agent:tags a x="\q"`:   {16, "not one of Go's"},
		"//agent:tags `a":         {14, "does not end"},
		`//agent:tags {"a" "b":1`: {14, "begins like JSON"},
		"//agent:Tags":            {1, "small letter"},
		"//agent:":                {1, "small letter"},
	} {
		_, at, err := parseLine(text, token.Position{Line: 1, Column: 1})
		if err == nil || !strings.Contains(err.Error(), want.says) || at.Column != want.column {
			t.Errorf("%s: got %v at column %d, want %q at %d", text, err, at.Column, want.says, want.column)
		}
	}
}

// FuzzParseLine checks that any line is taken apart, or refused, and that each argument is where it is
// said to be.
func FuzzParseLine(f *testing.F) {
	for _, text := range []string{
		"//agent:tags a b", `//agent:links url="a b" c=`, "//card:x `a` {\"a\": [1]}", `//agent:tags "\xff" "b`, "//agent:tags \xff=\xff",
		"// agent : tags", "//:", "", "/", "//agent:a\u2028b", "//skill:x {", "//skill:x a=[1,2]b",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, at, err := parseLine(text, token.Position{Line: 1, Column: 1})
		if err != nil {
			if at.Column < 1 || at.Column > len(text)+1 {
				t.Errorf("the error is at column %d of %q", at.Column, text)
			}
			return
		}
		if l.Name == "" || l.Name[0] < 'a' || l.Name[0] > 'z' {
			t.Errorf("the name is %q", l.Name)
		}
		for _, a := range l.Args {
			rest := text[a.At.Column-1:]
			if !a.Quoted && !strings.HasPrefix(rest, a.Text) {
				t.Errorf("%q is not at column %d of %q", a.Text, a.At.Column, text)
			}
		}
	})
}
