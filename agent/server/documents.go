package server

import (
	"context"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/web"
	"github.com/cd3b852d/agentgen/generated/agentapi"
	"github.com/cd3b852d/agentgen/openapi"
)

// documents are those about the server: its OpenAPI document and the catalogue of what it publishes.
type documents struct {
	registry *agent.Registry
	catalogs web.Latest[string]
	yaml     func() *web.Document
	json     func() (*web.Document, error)
}

func newDocuments(r *agent.Registry) *documents {
	return &documents{
		registry: r,
		yaml:     sync.OnceValue(func() *web.Document { return web.NewDocument(web.YAML, []byte(openapi.YAML())) }),
		json:     sync.OnceValues(func() (*web.Document, error) { return yamlToJSON(openapi.YAML()) }),
	}
}

func yamlToJSON(text string) (*web.Document, error) {
	var value map[string]any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return nil, err
	}
	return web.NewJSON(web.JSON, value)
}

// GetOpenAPIYAML answers with the OpenAPI document as it was written.
func (d *documents) GetOpenAPIYAML(ctx context.Context, _ agentapi.GetOpenAPIYAMLRequestObject) (agentapi.GetOpenAPIYAMLResponseObject, error) {
	return web.Answer(ctx, d.yaml()), nil
}

// GetOpenAPIJSON answers with the same document as JSON.
func (d *documents) GetOpenAPIJSON(ctx context.Context, _ agentapi.GetOpenAPIJSONRequestObject) (agentapi.GetOpenAPIJSONResponseObject, error) {
	document, err := d.json()
	if err != nil {
		return nil, err
	}
	return web.Answer(ctx, document), nil
}

// GetAPICatalog answers with the addresses of everything that the server publishes.
func (d *documents) GetAPICatalog(ctx context.Context, _ agentapi.GetAPICatalogRequestObject) (agentapi.GetAPICatalogResponseObject, error) {
	base := web.BaseOf(ctx).URL
	catalog, err := d.catalogs.Get(d.registry, base, func() (*web.Document, error) {
		return web.NewJSON(web.LinkSet, catalog(base, d.registry.Agents()))
	})
	if err != nil {
		return nil, err
	}
	return web.Answer(ctx, catalog), nil
}
