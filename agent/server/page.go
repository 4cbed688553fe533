package server

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"strings"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/web"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

//go:embed page.html
var pageHTML string

// pageData is what the page for people shows.
type pageData struct {
	Title, Description string
	Agents             []pageAgent
	Documents          []agentapi.LinkTarget
}

type pageAgent struct {
	Manifest             agentapi.AgentManifest
	ManifestURL, CardURL string
}

// page shows people what the server publishes, at its root.
func (c *config) page(r *agent.Registry) http.HandlerFunc {
	parsed, fault := template.New("page").Funcs(template.FuncMap{"join": strings.Join}).Parse(pageHTML)
	var pages web.Latest[string]
	return func(w http.ResponseWriter, request *http.Request) {
		base := c.site.Base(request).URL
		page, err := pages.Get(r, base, func() (*web.Document, error) {
			if fault != nil {
				return nil, fault
			}
			var page bytes.Buffer
			err := parsed.Execute(&page, pageOf(base, r))
			return web.NewDocument(web.HTML, page.Bytes()), err
		})
		if err != nil {
			c.fail(w, request, err)
			return
		}
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		page.ServeHTTP(w, request)
	}
}

func pageOf(base string, r *agent.Registry) pageData {
	l, agents := linksTo(base), r.Agents()
	data := pageData{Title: "No agents", Description: "No agent is registered on this server."}
	if card, ok := r.Card(); ok {
		data.Title, data.Description = card.Name, card.Description
		data.Documents = []agentapi.LinkTarget{{Title: "A2A card", Href: l.card()}, {Title: "agent.yml", Href: l.manifests()}}
	}
	for _, a := range agents {
		name := a.Manifest.Name
		data.Agents = append(data.Agents, pageAgent{Manifest: a.Manifest, ManifestURL: l.agent(name), CardURL: l.agentCard(name)})
	}
	data.Documents = append(data.Documents,
		agentapi.LinkTarget{Title: "All manifests", Href: l.agents()}, agentapi.LinkTarget{Title: "OpenAPI", Href: l.openAPIYAML()})
	return data
}
