package describe

import (
	"go/doc/comment"
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cd3b852d/agentgen/gen/directive"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]struct{ kebab, title string }{
		"Chat":            {"chat", "Chat"},
		"WebResearch":     {"web-research", "Web Research"},
		"slow_echo":       {"slow-echo", "Slow Echo"},
		"HTTPServerV2":    {"http-server-v2", "HTTP Server V2"},
		"A2AProxy":        {"a2a-proxy", "A2A Proxy"},
		"ID":              {"id", "ID"},
		"userIDs":         {"user-ids", "User IDs"},
		"getURLsOf3Pages": {"get-urls-of3-pages", "Get URLs Of3 Pages"},
		"parseHTML5":      {"parse-html5", "Parse HTML5"},
		"X":               {"x", "X"},
		"AsIs":            {"as-is", "As Is"},
		"tell-time":       {"tell-time", "Tell Time"}, // a command
		"_private":        {"-private", "Private"},
		"trailing_":       {"trailing-", "Trailing"},
		"two__words":      {"two--words", "Two Words"},
		"ÄgentÜ":          {"ägent-ü", "Ägent Ü"},
		"_":               {"-", ""},
	} {
		if got := kebab(name); got != want.kebab {
			t.Errorf("kebab of %s: got %q, want %q", name, got, want.kebab)
		}
		if got := title(name); got != want.title {
			t.Errorf("title of %s: got %q, want %q", name, got, want.title)
		}
	}
}

func TestCommand(t *testing.T) {
	for path, want := range map[string]string{
		"example.com/a/tell-time": "tell-time",
		"example.com/a/server/v2": "server",
		"example.com/a/v":         "v",
		"example.com/a/v2x":       "v2x",
		"v2":                      "v2",
		"cmd":                     "cmd",
	} {
		if got := command(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestTrimName(t *testing.T) {
	for sentence, want := range map[string]string{
		"Chat searches the web.":          "Searches the web.",
		"Chat is a conversational agent.": "Conversational agent.",
		"Chat is an agent.":               "Agent.",
		"Chat is the agent.":              "Agent.",
		"Chat: says it late.":             "Says it late.",
		"Chat - says it.":                 "Says it.",
		"Chat – says it.":                 "Says it.",
		"Chat — says it.":                 "Says it.",
		"Chat searches, then stops.":      "Searches, then stops.",
		"Chat is conversational.":         "Chat is conversational.",
		"Chat can talk.":                  "Chat can talk.",
		"Chat has a memory.":              "Chat has a memory.",
		"Chat was here.":                  "Chat was here.",
		"Chat and others talk.":           "Chat and others talk.",
		"Chats with people.":              "Chats with people.",
		"Chatting helps.":                 "Chatting helps.",
		"Chat":                            "Chat",
		"Chat is a ":                      "Chat is a ",
		"A chat.":                         "A chat.",
		"Chat épelle des mots.":           "Chat épelle des mots.",
		"":                                "",
	} {
		if got := trimName(sentence, []string{"Chat", ""}); got != want {
			t.Errorf("%q: got %q, want %q", sentence, got, want)
		}
	}
}

// TestProseAsGoDoc checks the description against what go doc shows, which prints with the same package but
// knows what the declared names are (A5).
func TestProseAsGoDoc(t *testing.T) {
	const text = "F uses [T], [T.Method], [Missing], [fmt.Println] and [a page] with `code` and ``quotes''.\n\n[a page]: https://example.com\n"
	decls := map[string]token.Position{"T": {}}
	parser := comment.Parser{LookupSym: func(recv, name string) bool { return recv == "T" || name == "T" }}
	doc := parser.Parse(text)
	doc.Links = nil
	shown := string((&comment.Printer{TextWidth: -1}).Text(doc))
	got := proseOf(text, decls)
	if got.description != strings.TrimSpace(shown) {
		t.Errorf("got  %s\ngo doc shows %s", got.description, shown)
	}
}

// FuzzName checks that a name becomes a label of DNS (RFC 1123), or is refused by the document.
func FuzzName(f *testing.F) {
	g, err := directive.Default()
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range []string{"Chat", "HTTPServerV2", "slow_echo", "_", "ÄgentÜ", "ǅ", "İ", "K", "ﬁ", "x۱", strings.Repeat("A", 64), strings.Repeat("Ab", 32), "_a", "a_"} {
		f.Add(name)
	}
	key := g.Namespace(directive.Agent).Key(name)
	f.Fuzz(func(t *testing.T, name string) {
		got := kebab(name)
		_ = title(name)
		if len(g.Check(key, got)) == 0 != label(got) {
			t.Errorf("%q: is %q valid? the document says %v", name, got, g.Check(key, got))
		}
		if token.IsIdentifier(name) && title(name) == "" && strings.Trim(name, "_") != "" {
			t.Errorf("%q has no title", name)
		}
	})
}

// label is the rule, written down another time.
func label(s string) bool {
	for i := range len(s) {
		alphanumeric := 'a' <= s[i] && s[i] <= 'z' || '0' <= s[i] && s[i] <= '9'
		if !alphanumeric && (s[i] != '-' || i == 0 || i == len(s)-1) {
			return false
		}
	}
	return len(s) > 0 && len(s) <= 63
}

// FuzzProse checks that a description is one line of text, and that nothing is described by nothing.
func FuzzProse(f *testing.F) {
	for _, text := range []string{
		"Chat is a conversational agent.\n", "Chat\n", "# Heading\n\nChat: text\n", "Chat is a \n", "  code\n", " - a\n - b\n",
		"a\r\nb\r\n", "a\u2028b\u0085c\n", "[a]: b\n", "[Chat.X] [Chat]\n", "Chat \xff\n", "\n\n", "``a''\n",
	} {
		f.Add(text, "Chat")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		got := proseOf(text, map[string]token.Position{name: {}}, name)
		if strings.ContainsAny(got.description, "\n\r\u2028\u0085") {
			t.Errorf("%q: the description has more than a line: %q", text, got.description)
		}
		if got.description == "" && got.documentation != "" {
			t.Errorf("%q: documented as %q, but not described", text, got.documentation)
		}
		if utf8.ValidString(text) && utf8.ValidString(name) && !utf8.ValidString(got.description+got.documentation) {
			t.Errorf("%q: not UTF-8 any more: %q", text, got)
		}
	})
}
