package acp

import (
	"bytes"
	"encoding/json"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// writeYAML writes one YAML document for each manifest, with the keys in the order of its JSON.
func writeYAML(w io.Writer, manifests []agentapi.AgentManifest) error {
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	for _, manifest := range manifests {
		data, err := json.Marshal(manifest)
		if err != nil {
			return err
		}
		document, err := node(json.NewDecoder(bytes.NewReader(data)))
		if err != nil {
			return err
		}
		if err := e.Encode(document); err != nil {
			return err
		}
	}
	return e.Close()
}

// node returns the next JSON value as YAML. The encoder quotes what YAML would read as anything but text.
func node(d *json.Decoder) (*yaml.Node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	opening, ok := token.(json.Delim)
	if !ok {
		scalar := &yaml.Node{}
		return scalar, scalar.Encode(token)
	}
	collection := &yaml.Node{Kind: yaml.MappingNode}
	if opening == '[' {
		collection.Kind = yaml.SequenceNode
	}
	for d.More() { // in JSON as in YAML, keys and values take turns
		child, err := node(d)
		if err != nil {
			return nil, err
		}
		collection.Content = append(collection.Content, child)
	}
	_, err = d.Token() // the closing bracket
	return collection, err
}
