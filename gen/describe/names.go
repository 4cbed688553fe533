package describe

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words splits a name as people read it: HTTPServerV2 is HTTP, Server and V2, userIDs is user and IDs.
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
		case r == '_' || r == '-':
			flush()
			continue
		case i > 0 && unicode.IsUpper(r) && len(word) > 0:
			if unicode.IsLower(runes[i-1]) || begins(runes[i+1:]) {
				flush()
			}
		}
		word = append(word, r)
	}
	flush()
	return words
}

// begins tells whether the rest of a name makes a word of the capital letter before it, unless that ends an
// acronym in the plural.
func begins(rest []rune) bool {
	plural := len(rest) > 0 && rest[0] == 's' && (len(rest) == 1 || !unicode.IsLower(rest[1]))
	return len(rest) > 0 && unicode.IsLower(rest[0]) && !plural
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

// command is what the go command calls the program of a package main: the last element of its path that
// is no major version.
func command(importPath string) string {
	dir, base := path.Split(importPath)
	if major, ok := strings.CutPrefix(base, "v"); ok && dir != "" && major != "" && strings.Trim(major, "0123456789") == "" {
		return path.Base(dir)
	}
	return base
}

// capital makes the first letter a capital one.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
