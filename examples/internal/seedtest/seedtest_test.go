package seedtest

import (
	"slices"
	"testing"
)

func TestDifferences(t *testing.T) {
	for _, tt := range []struct {
		name, want, got string
		differences     []string
	}{
		{"equal", `{"a":[1,{"b":null}]}`, `{"a":[1,{"b":null}]}`, nil},
		{"more than wanted", `{"a":{}}`, `{"a":{"b":1},"c":2}`, nil},
		{"missing", `{"a":{"b":false}}`, `{"a":{}}`, []string{"/a/b is missing, want false"}},
		{"null is not absent", `{"a":null}`, `{}`, []string{"/a is missing, want <nil>"}},
		{"other value", `{"a":[1,2]}`, `{"a":[1,3]}`, []string{"/a/1 is 3, want 2"}},
		{"other length", `{"a":[1]}`, `{"a":[1,2]}`, []string{"/a is [1 2], want [1]"}},
		{"other type", `{"a":{}}`, `{"a":[]}`, []string{"/a is [], want map[]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Differences(Decode[any](t, []byte(tt.want)), Decode[any](t, []byte(tt.got)))
			if !slices.Equal(got, tt.differences) {
				t.Errorf("Differences() = %q, want %q", got, tt.differences)
			}
		})
	}
}
