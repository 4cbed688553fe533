// Package jsonyaml writes JSON as YAML, with the keys in their order.
package jsonyaml

import (
	"bytes"
	"encoding/json"
	"io"

	"go.yaml.in/yaml/v3"
)

// Write writes one YAML document for each JSON value.
func Write(w io.Writer, values ...[]byte) error {
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	for _, value := range values {
		document, err := node(json.NewDecoder(bytes.NewReader(value)))
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
//
// Reading JSON as the YAML that it nearly is would be shorter, and fails on some control characters.
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
