// Package directives holds the part of openapi/agentgen.yaml that the grammar of the directives follows
// from: the schemas that directives write, as JSON, so that the generator starts fast.
//
// `make generate` makes directives.json anew.
package directives

import _ "embed"

//go:embed directives.json
var reduced string

// JSON is the reduced document.
func JSON() []byte { return []byte(reduced) }
