package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
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
		if proto := strings.ToLower(forwarded(r, "X-Forwarded-Proto")); proto == "http" || proto == "https" {
			scheme = proto
		}
		if name := forwarded(r, "X-Forwarded-Host"); ValidHost(name) {
			host = name
		}
		prefix = validPrefix(forwarded(r, "X-Forwarded-Prefix"))
	}
	if !ValidHost(host) {
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

// maxHost is how long a host name may be (RFC 1035, section 2.3.4). Documents repeat it in each address.
const maxHost = 253

// ValidHost tells whether a text is a host name or address with an optional port, as an URL has it.
func ValidHost(host string) bool {
	name := host
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		port, err := strconv.ParseUint(host[i+1:], 10, 16)
		if err != nil || port == 0 {
			return false
		}
		name = host[:i]
	}
	if inner, ok := strings.CutPrefix(name, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		return err == nil && addr.Is6() && addr.Zone() == "" && strings.HasSuffix(inner, "]")
	}
	if name = strings.TrimSuffix(name, "."); len(name) > maxHost { // a last dot says that the name is whole
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if !validLabel(label) {
			return false
		}
	}
	return true
}

// validLabel tells whether a text is a part of a host name. The underscore is none of the standard's
// characters, and yet in use.
func validLabel(label string) bool {
	odd := func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_')
	}
	return label != "" && len(label) <= 63 && label[0] != '-' && label[len(label)-1] != '-' && !strings.ContainsFunc(label, odd)
}

// validPrefix returns the prefix without a trailing slash, or nothing if it is no absolute path.
func validPrefix(prefix string) string {
	u, err := url.Parse(prefix)
	if err != nil || !strings.HasPrefix(prefix, "/") || u.EscapedPath() != prefix || path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/") && prefix != "/" {
		return ""
	}
	return strings.TrimRight(prefix, "/")
}

// localHost is where the request arrived, for requests that don't say where they were sent. A socket may be
// a file, which is no host.
func localHost(r *http.Request) string {
	if addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && ValidHost(addr.String()) {
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
	if addr = addr.Unmap().WithZone(""); err != nil || !addr.IsUnspecified() {
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
	u, err := url.ParseRequestURI(r.RequestURI)
	if err != nil { // a request that came over no wire
		return ""
	}
	rest := strings.TrimSuffix(path.Clean("/"+r.URL.Path), "/")
	mount, ok := strings.CutSuffix(path.Clean("/"+u.Path), rest)
	if !ok || mount == "/" {
		return ""
	}
	return (&url.URL{Path: mount}).EscapedPath()
}
