package describe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// words splits a Go name as people read it: HTTPServerV2 is HTTP, Server and V2.
func words(name string) []string {
	var words []string
	var word []rune
	runes := []rune(name)
	flush := func() {
		words = append(words, string(word))
		word = nil
	}
	for i, r := range runes {
		switch {
		case r == '_':
			flush()
			continue
		case i > 0 && unicode.IsUpper(r) && len(word) > 0:
			next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if unicode.IsLower(runes[i-1]) || next {
				flush()
			}
		}
		word = append(word, r)
	}
	flush()
	return words
}

// kebab is a Go name as the name of an agent: http-server-v2. It may be no valid one.
func kebab(name string) string {
	return strings.ToLower(strings.Join(words(name), "-"))
}

// title is a Go name as people write it: HTTP Server V2.
func title(name string) string {
	var parts []string
	for _, w := range words(name) {
		if w != "" {
			parts = append(parts, capital(w))
		}
	}
	return strings.Join(parts, " ")
}

// capital makes the first letter a capital one.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
