// Package jsonyaml writes JSON as YAML with the keys in their order.
package jsonyaml

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// Convert returns JSON as a YAML document. JSON is a dialect of YAML, which only has to lose its braces and
// quotes; where a text without quotes would be taken for something else, it keeps them.
func Convert(json []byte) ([]byte, error) {
	var node yaml.Node
	if err := yaml.Unmarshal(json, &node); err != nil {
		return nil, err
	}
	plain(&node)
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(&node); err != nil {
		return nil, err
	}
	err := e.Close()
	return out.Bytes(), err
}

// plain lets the encoder choose the style of a node and those below it. Empty collections have only one.
func plain(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode || len(n.Content) > 0 {
		n.Style = 0
	}
	for _, child := range n.Content {
		plain(child)
	}
}
