package fetch

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// host is an entry of the list of servers.
type host struct {
	pattern bool   // whether name is the end of names
	name    string // a name or an address, in lower case
	port    string // empty for none in particular
}

// parseHost tells whether a text is an entry.
func parseHost(text string) (host, bool) {
	text, pattern := strings.CutPrefix(strings.ToLower(text), "*.")
	if isAddress(text) {
		return host{name: text}, !pattern // an address has no end that says whose it is
	}
	u, err := url.Parse("http://" + text)
	if err != nil || u.Host != text {
		return host{}, false
	}
	h := host{pattern: pattern, name: u.Hostname(), port: u.Port()}
	if strings.HasSuffix(text, ":") || h.port != "" && !isPort(h.port) {
		return host{}, false
	}
	if isAddress(h.name) {
		return h, !pattern
	}
	return h, isName(h.name)
}

// matches tells whether the entry stands for a server. A pattern without a port stands for the usual ones,
// and never for an address: those are no names.
func (h host) matches(name, port string) bool {
	switch {
	case h.port != "" && h.port != port:
		return false
	case !h.pattern:
		return name == h.name
	case h.port == "" && port != "80" && port != "443":
		return false
	}
	return strings.HasSuffix(name, "."+h.name) && !isAddress(name)
}

func isAddress(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}

// isName is stricter than URLs are. They may have a star in a name, which here would look like a pattern.
func isName(s string) bool {
	return !slices.Contains(strings.Split(s, "."), "") && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	})
}
