package server

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strings"
	"text/tabwriter"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/web"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// links are the addresses of the documents of a server. The generated client knows the paths.
type links struct{ base string }

func (l links) agents() string    { return address(agentapi.NewListAgentsRequest(l.base, nil)) }
func (l links) card() string      { return address(agentapi.NewGetCardRequest(l.base, nil)) }
func (l links) manifests() string { return address(agentapi.NewGetManifestFileRequest(l.base, nil)) }

func (l links) openAPIJSON() string { return address(agentapi.NewGetOpenAPIJSONRequest(l.base, nil)) }

func (l links) openAPIYAML() string { return address(agentapi.NewGetOpenAPIYAMLRequest(l.base, nil)) }

func (l links) agent(name string) string {
	return address(agentapi.NewGetAgentRequest(l.base, name, nil))
}

func (l links) agentCard(name string) string {
	return address(agentapi.NewGetAgentCardRequest(l.base, name, nil))
}

// address is where a request goes. Bases are checked before they get here.
func address(r *http.Request, err error) string {
	if err != nil {
		return ""
	}
	return r.URL.String()
}

// linksTo returns the addresses below a base URL without a trailing slash.
func linksTo(base string) links { return links{base + "/"} }

// catalog lists what the server publishes (RFC 9727).
func catalog(base string, agents []agent.Agent) agentapi.LinkSet {
	l := linksTo(base)
	entry := agentapi.LinkContext{
		Anchor: l.base,
		ServiceDesc: []agentapi.LinkTarget{
			{Href: l.openAPIJSON(), Type: web.JSON},
			{Href: l.openAPIYAML(), Type: web.YAML},
		},
	}
	if len(agents) > 0 { // without an agent there is neither card nor manifest
		entry.ServiceMeta = []agentapi.LinkTarget{
			{Href: l.card(), Type: web.JSON, Title: "A2A agent card"},
			{Href: l.manifests(), Type: web.YAML, Title: "ACP agent manifests"},
		}
	}
	for _, a := range agents {
		name := a.Manifest.Name
		entry.Item = append(entry.Item, agentapi.LinkTarget{Href: l.agent(name), Type: web.JSON, Title: name})
	}
	return agentapi.LinkSet{Linkset: []agentapi.LinkContext{entry}}
}

// reachable is the host that the server was told to listen on, with the port that it got.
func reachable(told string, got net.Addr) string {
	host, _, _ := net.SplitHostPort(told)
	_, port, _ := net.SplitHostPort(got.String())
	if host == "" {
		host = "localhost"
	}
	reachable := web.Reachable(net.JoinHostPort(host, port))
	return strings.ReplaceAll(reachable, "%", "%25") // the zone of an address, as an URL has it (RFC 6874)
}

// printBanner prints the addresses that a person may want to open, where a server listens on a host.
func (c *config) printBanner(host string, agents []agent.Agent) {
	base := c.site.PublicURL
	if base == "" {
		base = "http://" + host
	}
	l := linksTo(base)
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	line := func(name, address string) { _, _ = fmt.Fprintf(w, "%s\t%s\n", name, address) }
	line("overview", l.base)
	line("agents", l.agents())
	for _, a := range agents {
		line("  "+a.Manifest.Name, l.agent(a.Manifest.Name))
	}
	if len(agents) > 0 {
		line("card", l.card())
		line("agent.yml", l.manifests())
	}
	line("openapi.yaml", l.openAPIYAML())
	_ = w.Flush()
	_, _ = c.banner.Write(text.Bytes()) // a banner that nobody can read stops no server
}
