// Package agentapi holds the models, the server interface and the client that oapi-codegen makes from
// openapi/agentgen.yaml.
//
// Nothing here is edited by hand: change the document and run `make generate`. A valid document
// survives a round trip through the models with every field, those included that the models do not know.
package agentapi
