// Package fetch reads what clients name by URL, from servers that the operator trusts.
//
// Not its job: what is read, and why.
//
// Invariants: no server is asked that is not on the list; no redirect is followed; an answer that is too
// long or too late is an error.
package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
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
	hosts   []host
	trusted *http.Client // for hosts that are on the list by name, wherever they are
	guarded *http.Client // for hosts that match a pattern: never at a private address
}

// New returns a fetcher for the hosts: names or addresses, with a port or for all of them, or `*.` and the
// end of names that may only lead to public addresses, with a port or for 80 and 443.
func New(hosts ...string) (*Fetcher, error) {
	// The list knows the ports, so the guard need not.
	f := &Fetcher{trusted: client(nil), guarded: client(ssrf.New(ssrf.WithAnyPort()).Safe)}
	for _, text := range hosts {
		h, ok := parseHost(text)
		if !ok {
			return nil, fmt.Errorf("%q is no host: want a name such as agents.example.com:8000 or *.example.com", text)
		}
		f.hosts = append(f.hosts, h)
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
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err // the caller knows the address
		}
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		// The text of the status is whatever the other server likes, and this error reaches clients.
		return nil, fmt.Errorf("the server answers %d %s", response.StatusCode, http.StatusText(response.StatusCode))
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxSize {
		return nil, fmt.Errorf("has more than %d bytes", maxSize)
	}
	return data, nil
}

// clientFor chooses how a host may be reached. Who is on the list by name needs no guard, even if a pattern
// before it would.
func (f *Fetcher) clientFor(u *url.URL) (*http.Client, error) {
	name, port := strings.ToLower(u.Hostname()), cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	var found *http.Client
	for _, h := range f.hosts {
		switch {
		case !h.matches(name, port):
		case !h.pattern:
			return f.trusted, nil
		default:
			found = f.guarded
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%s is not among the servers whose resources are read here", u.Host)
	}
	return found, nil
}
