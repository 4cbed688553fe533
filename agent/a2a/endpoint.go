package a2a

import (
	"net/url"
	"strings"

	"github.com/cd3b852d/agentgen/agent/internal/web"
)

// RootPath is where all agents of a server are called.
const RootPath = "/a2a"

// AgentPath is where one agent is called.
func AgentPath(name string) string { return "/agents/" + url.PathEscape(name) + RootPath }

// rootEndpoint returns the address of all agents: under the public URL that the operator configured, else
// the one that the card declares, else where the request went.
func rootEndpoint(base web.Base, declared string) string {
	if base.Configured || declared == "" {
		return base.URL + RootPath
	}
	return resolve(base, declared)
}

// agentEndpoint returns the address of one agent. A card declares the address of all agents, from which
// that of one follows only where it ends as ours do.
func agentEndpoint(base web.Base, declared, name string) string {
	if root, ok := strings.CutSuffix(rootEndpoint(base, declared), RootPath); ok {
		return root + AgentPath(name)
	}
	return base.URL + AgentPath(name)
}

// resolve makes a declared address absolute. A path counts from the base, which may itself have one,
// and what is no address at all counts as undeclared.
func resolve(base web.Base, declared string) string {
	root, err := url.Parse(base.URL + "/")
	if err != nil {
		return base.URL + RootPath
	}
	if !strings.HasPrefix(declared, "//") {
		declared = strings.TrimPrefix(declared, "/")
	}
	endpoint, err := root.Parse(declared)
	if err != nil {
		return base.URL + RootPath
	}
	return endpoint.String()
}
