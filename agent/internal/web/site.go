package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Base is the address under which clients see the server, without a trailing slash.
type Base struct {
	URL string
	// Configured tells that the operator named it; otherwise it is what the request was sent to.
	Configured bool
}

// Site knows where clients see the server.
type Site struct {
	// PublicURL, if any, is the base of every request. It has no trailing slash.
	PublicURL string
	// TrustedProxies are the peers whose X-Forwarded headers count.
	TrustedProxies []netip.Prefix
}

// Base returns the base URL for a request.
func (s Site) Base(r *http.Request) Base {
	if s.PublicURL != "" {
		return Base{URL: s.PublicURL, Configured: true}
	}
	scheme, host, prefix := "http", r.Host, ""
	if r.TLS != nil {
		scheme = "https"
	}
	if s.trusts(r.RemoteAddr) {
		if proto := forwarded(r, "X-Forwarded-Proto"); proto == "http" || proto == "https" {
			scheme = proto
		}
		if name := forwarded(r, "X-Forwarded-Host"); validHost(name) {
			host = name
		}
		prefix = validPrefix(forwarded(r, "X-Forwarded-Prefix"))
	}
	if !validHost(host) {
		host = localHost(r)
	}
	return Base{URL: scheme + "://" + Reachable(host) + prefix + mountPoint(r)}
}

func (s Site) trusts(peer string) bool {
	if len(s.TrustedProxies) == 0 {
		return false
	}
	addr, err := netip.ParseAddrPort(peer)
	return err == nil && slices.ContainsFunc(s.TrustedProxies, func(p netip.Prefix) bool {
		return p.Contains(addr.Addr().Unmap())
	})
}

// forwarded returns what the first of several proxies saw.
func forwarded(r *http.Request, header string) string {
	first, _, _ := strings.Cut(r.Header.Get(header), ",")
	return strings.TrimSpace(first)
}

// validHost tells whether a text is a host with an optional port, and nothing that would need escaping.
func validHost(host string) bool {
	odd := func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("-._:[]", c))
	}
	if strings.ContainsFunc(host, odd) {
		return false
	}
	u, err := url.Parse("//" + host)
	return err == nil && u.Hostname() != ""
}

// validPrefix returns the prefix without a trailing slash, or nothing if it is no absolute path.
func validPrefix(prefix string) string {
	u, err := url.Parse(prefix)
	if err != nil || !strings.HasPrefix(prefix, "/") || strings.HasPrefix(prefix, "//") || u.EscapedPath() != prefix {
		return ""
	}
	return strings.TrimRight(prefix, "/")
}

// localHost is where the request arrived, for requests that don't say where they were sent.
func localHost(r *http.Request) string {
	if addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		return addr.String()
	}
	return "localhost"
}

// Reachable replaces the address that means "all interfaces", which no client can call.
func Reachable(host string) string {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.Trim(host, "[]"), ""
	}
	addr, err := netip.ParseAddr(name)
	if err != nil || !addr.IsUnspecified() {
		return host
	}
	name = "127.0.0.1"
	if addr.Is6() {
		name = "[::1]"
	}
	if port == "" {
		return name
	}
	return name + ":" + port
}

// mountPoint is the part of the path that [http.StripPrefix] took away.
func mountPoint(r *http.Request) string {
	full := r.RequestURI
	if !strings.HasPrefix(full, "/") { // the absolute form, or a request that came over no wire
		u, err := url.Parse(full)
		if err != nil {
			return ""
		}
		full = u.EscapedPath()
	}
	full, _, _ = strings.Cut(full, "?")
	if full == r.URL.Path || full == "" {
		return ""
	}
	mount, ok := strings.CutSuffix(path.Clean(full), strings.TrimSuffix(r.URL.EscapedPath(), "/"))
	if !ok || mount == "/" {
		return ""
	}
	return mount
}
