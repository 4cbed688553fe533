package server

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/web"
)

// bodyTimeout is how long a client may take to send a body.
const bodyTimeout = 30 * time.Second

// defaultMaxBody has room for a message with a picture.
const defaultMaxBody = 4 << 20

// Option changes how a registry is served. Options that contradict each other: the last one counts.
type Option func(*config) error

type config struct {
	site     web.Site
	maxBody  int64
	bodyTime time.Duration
	origins  []string
	banner   io.Writer
	logger   *slog.Logger
}

func newConfig(r *agent.Registry, options []Option) (*config, error) {
	c := &config{
		maxBody: defaultMaxBody, bodyTime: bodyTimeout, origins: []string{"*"},
		banner: io.Discard, logger: slog.Default(),
	}
	var faults []error
	if r == nil {
		faults = append(faults, errors.New("the registry is nil: make one with agent.NewRegistry"))
	}
	for _, option := range options {
		if option == nil {
			faults = append(faults, errors.New("an option is nil"))
			continue
		}
		faults = append(faults, option(c))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	return c, nil
}

// WithPublicURL sets the address under which clients reach the server, for every link and card that it
// publishes: an absolute http or https URL, with a path if there is one in front of it. By default it is
// where the request was sent to, and so it is if the address is empty.
func WithPublicURL(address string) Option {
	return func(c *config) error {
		if address == "" {
			c.site.PublicURL = ""
			return nil
		}
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || !web.ValidHost(u.Host) || !cleanURLPath(u) ||
			u.User != nil || strings.ContainsAny(address, "?#") {
			return fmt.Errorf("public URL %q: want http(s)://host[:port][/path]", address)
		}
		c.site.PublicURL = strings.TrimRight(u.String(), "/")
		return nil
	}
}

// cleanURLPath tells whether documents can take the path of an URL as it stands.
func cleanURLPath(u *url.URL) bool {
	return u.Path == "" || u.EscapedPath() == u.Path && path.Clean(u.Path) == strings.TrimRight(u.Path, "/") || u.Path == "/"
}

// WithTrustedProxies sets the networks of the proxies whose X-Forwarded-Proto, -Host and -Prefix tell
// where a request was sent to. By default none is trusted.
func WithTrustedProxies(networks ...netip.Prefix) Option {
	return func(c *config) error {
		for _, network := range networks {
			if !network.IsValid() {
				return errors.New("trusted proxies: want valid networks, such as 10.0.0.0/8")
			}
		}
		c.site.TrustedProxies = slices.Clone(networks)
		return nil
	}
}

// WithMaxBody sets how many bytes the body of a request may have. The default is 4 MiB.
func WithMaxBody(bytes int64) Option {
	return func(c *config) error {
		if bytes < 1 {
			return fmt.Errorf("max body %d: want at least 1", bytes)
		}
		c.maxBody = bytes
		return nil
	}
}

// WithAllowedOrigins sets the origins whose pages may use the server from a browser, such as
// https://example.com; `*` stands for any text in one. By default they are all allowed. Pages never send
// the credentials that the browser keeps.
func WithAllowedOrigins(origins ...string) Option {
	return func(c *config) error {
		if len(origins) == 0 || slices.Contains(origins, "") {
			return errors.New("allowed origins: want at least one, such as https://example.com, and no empty ones")
		}
		c.origins = slices.Clone(origins)
		return nil
	}
}

// WithBanner prints the URLs that a person may want to open, once [ListenAndServe] listens.
func WithBanner(w io.Writer) Option {
	return func(c *config) error {
		if w == nil {
			return errors.New("banner: want a writer")
		}
		c.banner = w
		return nil
	}
}

// WithLogger sets where failures inside the server are told. The default is [slog.Default].
func WithLogger(logger *slog.Logger) Option {
	return func(c *config) error {
		if logger == nil {
			return errors.New("logger: want one")
		}
		c.logger = logger
		return nil
	}
}
