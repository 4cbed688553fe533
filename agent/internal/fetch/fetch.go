// Package fetch reads what clients name by URL, from servers that the operator trusts.
//
// Not its job: what is read, and why.
//
// Invariants: no server is asked that is not on the list; no redirect is followed; an answer that is too
// long or too late is an error.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
)

const (
	// maxSize is how many bytes are read of one resource.
	maxSize = 16 << 20
	// maxTime is how long one resource may take.
	maxTime = 10 * time.Second
)

// Fetcher reads resources of other servers. It is safe for concurrent use.
type Fetcher struct {
	hosts   []string
	trusted *http.Client // for hosts that are on the list by name, wherever they are
	guarded *http.Client // for hosts that match a pattern: never at a private address
}

// New returns a fetcher for the hosts: names or addresses with an optional port, or `*.` and the end of
// names that may only lead to public addresses.
func New(hosts ...string) (*Fetcher, error) {
	f := &Fetcher{trusted: client(nil), guarded: client(ssrf.New().Safe)}
	for _, host := range hosts {
		u, err := url.Parse("http://" + strings.TrimPrefix(host, "*."))
		if err != nil || u.Host == "" || u.Host != strings.TrimPrefix(host, "*.") {
			return nil, fmt.Errorf("%q is no host: want a name such as agents.example.com:8000 or *.example.com", host)
		}
		f.hosts = append(f.hosts, strings.ToLower(host))
	}
	return f, nil
}

func client(control func(network, address string, c syscall.RawConn) error) *http.Client {
	dialer := &net.Dialer{Timeout: maxTime, Control: control}
	return &http.Client{
		Timeout:       maxTime,
		Transport:     &http.Transport{DialContext: dialer.DialContext, Proxy: nil, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Get returns the bytes at an address. The error says why there are none.
func (f *Fetcher) Get(ctx context.Context, address string) ([]byte, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, errors.New("only http and https addresses without a password are read")
	}
	c, err := f.clientFor(u)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := c.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s", response.Status)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxSize+1))
	if err == nil && len(data) > maxSize {
		err = fmt.Errorf("has more than %d bytes", maxSize)
	}
	return data, err
}

// clientFor chooses how a host may be reached.
func (f *Fetcher) clientFor(u *url.URL) (*http.Client, error) {
	host, name := strings.ToLower(u.Host), strings.ToLower(u.Hostname())
	if slices.Contains(f.hosts, host) || slices.Contains(f.hosts, name) {
		return f.trusted, nil
	}
	for _, pattern := range f.hosts {
		if end, ok := strings.CutPrefix(pattern, "*"); ok && (strings.HasSuffix(host, end) || strings.HasSuffix(name, end)) {
			return f.guarded, nil
		}
	}
	return nil, fmt.Errorf("%s is not among the servers whose resources are read here", u.Host)
}
