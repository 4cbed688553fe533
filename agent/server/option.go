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
	"github.com/cd3b852d/agentgen/agent/internal/engine"
	"github.com/cd3b852d/agentgen/agent/internal/fetch"
	"github.com/cd3b852d/agentgen/agent/internal/web"
	"github.com/cd3b852d/agentgen/agent/store"
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
	runs     engine.Config
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
		if reachable := web.Reachable(u.Host); reachable != u.Host {
			return fmt.Errorf("public URL %q: %s is for listening, and no client can call it: want a host that clients reach, such as %s",
				address, u.Hostname(), reachable)
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

// Limits bound what runs may take. A zero field is its default; a negative one is no limit.
type Limits = engine.Limits

// WithLimits sets what runs may take.
func WithLimits(limits Limits) Option {
	return func(c *config) error {
		c.runs.Limits = limits
		return nil
	}
}

// WithStore sets where runs and sessions are kept. The default is a [store.Memory] of the default size.
func WithStore(s store.Store) Option {
	return func(c *config) error {
		if s == nil {
			return errors.New("store: want one")
		}
		c.runs.Store = s
		return nil
	}
}

// WithObserver has an observer told of each run. There may be several.
func WithObserver(o agent.Observer) Option {
	return func(c *config) error {
		if o == nil {
			return errors.New("observer: want one")
		}
		c.runs.Observers = append(c.runs.Observers, o)
		return nil
	}
}

// WithForeignResources names the servers from which messages of a session may be read when a client
// carries the session here: a host such as agents.example.com:8000, or a pattern such as *.example.com,
// which never leads to a private address. By default there are none, and such a session fails its run.
func WithForeignResources(hosts ...string) Option {
	return func(c *config) error {
		f, err := fetch.New(hosts...)
		if err != nil {
			return fmt.Errorf("foreign resources: %w", err)
		}
		c.runs.Fetch = f.Get
		return nil
	}
}
