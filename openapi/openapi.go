// Package openapi holds the OpenAPI document of every server that agentgen generates.
//
// Not its job: parsing. Servers hand out the bytes as they are; tools load them with a parser of their own.
package openapi

import _ "embed"

//go:embed agentgen.yaml
var document string

// YAML returns the document as its authors wrote it.
func YAML() string { return document }
