// Package seedtest tells in which fields a document differs from the example that a protocol publishes.
//
// It is for the tests of the examples and looks at JSON only, not at Go types, since JSON is what clients see.
package seedtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"testing"
)

// Load reads a JSON file that holds one object.
func Load(t testing.TB, path string) map[string]any {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Decode[map[string]any](t, b)
}

// JSON returns a value as its clients see it.
func JSON[T any](t testing.TB, value any) T {
	t.Helper()
	b, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return Decode[T](t, b)
}

// Decode reads JSON.
func Decode[T any](t testing.TB, b []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	return v
}

// Differences lists the fields of want that got lacks or has with another value. Fields that only got has
// are no difference: a newer version of a protocol may add some.
func Differences(want, got any) []string { return differences("", want, got) }

func differences(path string, want, got any) []string {
	var found []string
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if value, ok := object[key]; ok {
				found = append(found, differences(path+"/"+key, want[key], value)...)
			} else {
				found = append(found, fmt.Sprintf("%s/%s is missing, want %v", path, key, want[key]))
			}
		}
		return found
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			break
		}
		for i := range want {
			found = append(found, differences(fmt.Sprintf("%s/%d", path, i), want[i], list[i])...)
		}
		return found
	}
	if !reflect.DeepEqual(want, got) {
		found = append(found, fmt.Sprintf("%s is %v, want %v", path, got, want))
	}
	return found
}
