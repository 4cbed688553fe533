// Package acp is the view of a registry that clients of the Agent Communication Protocol have: the
// operations of the strict server interface that the protocol defines.
//
// Not its job: HTTP (the generated server and package server do it), and the life of runs (the engine does).
//
// Invariants: a document is made once for each revision of what it tells of and served as it is; a list is
// never null; every error is an [*agent.Error] that names what the client has to change.
package acp

import (
	"bytes"
	"context"
	"sync"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/engine"
	"github.com/cd3b852d/agentgen/agent/internal/web"
	"github.com/cd3b852d/agentgen/generated/agentapi"
	"github.com/cd3b852d/agentgen/internal/jsonyaml"
)

// maxLimit is the largest page of [Service.ListAgents] and its default.
const maxLimit = 1000

// Service implements ACP's part of [agentapi.StrictServerInterface].
type Service struct {
	registry  *agent.Registry
	engine    *engine.Engine
	documents web.PerRevision[*documents]
}

// New returns the view of a registry and of the engine that executes its agents.
func New(r *agent.Registry, e *engine.Engine) *Service { return &Service{registry: r, engine: e} }

// documents are the manifests of one revision of the service in the forms in which they are served.
type documents struct {
	manifests []agentapi.AgentManifest
	byName    map[string]*web.Document
	list      *web.Document // the first page of the default size
	yaml      func() (*web.Document, error)
}

// Ping answers with an empty object.
func (s *Service) Ping(context.Context, agentapi.PingRequestObject) (agentapi.PingResponseObject, error) {
	return agentapi.Ping200JSONResponse{}, nil
}

// ListAgents answers with the manifests in the order of registration.
func (s *Service) ListAgents(ctx context.Context, request agentapi.ListAgentsRequestObject) (agentapi.ListAgentsResponseObject, error) {
	limit, offset := maxLimit, 0
	if request.Params.Limit != nil {
		limit = *request.Params.Limit
	}
	if request.Params.Offset != nil {
		offset = *request.Params.Offset
	}
	switch {
	case limit < 1:
		return nil, web.Invalid("limit", "must be at least 1")
	case limit > maxLimit:
		return nil, web.Invalid("limit", "must be at most %d", maxLimit)
	case offset < 0:
		return nil, web.Invalid("offset", "must be at least 0")
	}
	docs, err := s.current()
	if err != nil {
		return nil, err
	}
	list := docs.list
	if limit != maxLimit || offset != 0 {
		if list, err = page(docs.manifests, limit, offset); err != nil {
			return nil, err
		}
	}
	return web.Answer(ctx, list), nil
}

// GetAgent answers with the manifest of one agent.
func (s *Service) GetAgent(ctx context.Context, request agentapi.GetAgentRequestObject) (agentapi.GetAgentResponseObject, error) {
	docs, err := s.current()
	if err != nil {
		return nil, err
	}
	manifest, ok := docs.byName[request.Name]
	if !ok {
		return nil, web.NotFound("Agent", request.Name)
	}
	return web.Answer(ctx, manifest), nil
}

// GetManifestFile answers with the manifests as YAML, a document for each.
func (s *Service) GetManifestFile(ctx context.Context, _ agentapi.GetManifestFileRequestObject) (agentapi.GetManifestFileResponseObject, error) {
	docs, err := s.current()
	if err != nil {
		return nil, err
	}
	file, err := docs.yaml()
	if err != nil {
		return nil, err
	}
	return web.Answer(ctx, file), nil
}

// Revision rises with the registry and with what the engine knows of its agents.
func (s *Service) Revision() uint64 { return s.registry.Revision() + s.engine.StatusRevision() }

// current returns the documents as things are.
func (s *Service) current() (*documents, error) {
	return s.documents.Get(s, func() (*documents, error) {
		agents := s.registry.Agents()
		for i := range agents {
			agents[i].Manifest.Status = s.engine.Status(agents[i].Manifest.Name)
		}
		return newDocuments(agents)
	})
}

func newDocuments(agents []agent.Agent) (*documents, error) {
	docs := &documents{manifests: make([]agentapi.AgentManifest, len(agents)), byName: make(map[string]*web.Document, len(agents))}
	for i, a := range agents {
		manifest, err := web.NewJSON(web.JSON, a.Manifest)
		if err != nil {
			return nil, err
		}
		docs.manifests[i], docs.byName[a.Manifest.Name] = a.Manifest, manifest
	}
	docs.yaml = sync.OnceValues(func() (*web.Document, error) { return manifestFile(docs.manifests) })
	var err error
	docs.list, err = page(docs.manifests, maxLimit, 0)
	return docs, err
}

// manifestFile returns the manifests as YAML. An empty file would be no manifest.
func manifestFile(manifests []agentapi.AgentManifest) (*web.Document, error) {
	if len(manifests) == 0 {
		return nil, &agent.Error{Code: agent.CodeNotFound, Message: "No agent is registered"}
	}
	var text bytes.Buffer
	values := make([][]byte, len(manifests))
	for i, m := range manifests {
		var err error
		if values[i], err = web.Marshal(m); err != nil {
			return nil, err
		}
	}
	if err := jsonyaml.Write(&text, values...); err != nil {
		return nil, err
	}
	return web.NewDocument(web.YAML, text.Bytes()), nil
}

// page returns a part of the list, which is empty past the end.
func page(manifests []agentapi.AgentManifest, limit, offset int) (*web.Document, error) {
	start := min(offset, len(manifests))
	end := min(start+limit, len(manifests))
	return web.NewJSON(web.JSON, agentapi.AgentList{Agents: manifests[start:end]})
}
