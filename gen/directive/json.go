package directive

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// maxDepth is how deep the JSON of a directive may nest. Nobody writes more on a line.
const maxDepth = 100

// invalidJSON says what is wrong with a text that was to be a JSON object or list.
func invalidJSON(text string) error {
	if !looksLikeJSON(text) {
		return nil
	}
	if err := json.Unmarshal([]byte(text), new(any)); err != nil {
		return fmt.Errorf("this begins like JSON and is none: %w", err)
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return lossy(d, 0)
}

func looksLikeJSON(text string) bool {
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}

// lossy says what of the next value a reader of JSON would silently lose.
func lossy(d *json.Decoder, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("JSON nests deeper than %d levels", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch token := token.(type) {
	case json.Number:
		return inexact(token)
	case json.Delim:
		return lossyElements(d, token, depth)
	}
	return nil
}

func lossyElements(d *json.Decoder, opening json.Delim, depth int) error {
	seen := map[json.Token]bool{}
	for d.More() {
		if opening == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			if seen[key] {
				return fmt.Errorf("JSON has the key %q twice", key)
			}
			seen[key] = true
		}
		if err := lossy(d, depth+1); err != nil {
			return err
		}
	}
	_, err := d.Token() // the closing bracket
	return err
}

// inexact refuses a whole number that no float64 holds, which is what readers of JSON make of it.
func inexact(n json.Number) error {
	whole, ok := new(big.Int).SetString(n.String(), 10)
	if !ok {
		return nil
	}
	f, err := n.Float64()
	if err != nil {
		return errors.New("the number " + n.String() + " is too large")
	}
	if back, _ := big.NewFloat(f).Int(nil); back.Cmp(whole) != 0 {
		return fmt.Errorf("the number %s is too large to be kept exactly: quote it", n)
	}
	return nil
}
