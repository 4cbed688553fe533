// Package agentgen is the root of a toolkit that makes agents of annotated Go functions, for every ACP and
// A2A client. The command is in cmd/agentgen, what generated code imports is in agent.
//
// This file rebuilds what the OpenAPI document describes: `make generate`. The versions of the tools are
// in go.mod.
package agentgen

//go:generate go -C openapi tool oapi-codegen -config models.yaml agentgen.yaml
//go:generate go -C openapi tool oapi-codegen -config server.yaml agentgen.yaml
//go:generate go -C openapi tool oapi-codegen -config client.yaml agentgen.yaml
//go:generate go run ./gen/internal/reduce openapi/agentgen.yaml generated/directives/directives.json
