package schema_test

import (
	"encoding/json"
	"math/big"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cd3b852d/agentgen/agent/internal/schema"
)

type inner struct {
	N int8 `json:"n"`
}

type embedded struct {
	Kind string `json:"kind"`
}

type outer struct {
	embedded

	Name  string         `json:"name" jsonschema:"How it is called."`
	Size  *float64       `json:"size,omitempty"`
	When  time.Time      `json:"when,omitzero"`
	Data  []byte         `json:"data,omitempty"`
	Inner []inner        `json:"inner,omitempty"`
	Map   map[string]int `json:"map,omitempty"`
	Any   any            `json:"any,omitempty"`
	Own   own            `json:"own,omitzero"`
	Big   *big.Int       `json:"big,omitempty"`
}

// own has JSON that its fields don't tell.
type own struct{ F func() }

func (own) MarshalJSON() ([]byte, error) { return []byte(`"own"`), nil }
func (*own) UnmarshalJSON([]byte) error  { return nil }

// TestCheck has JSON that the decoder takes, and JSON that it would lose something of.
func TestCheck(t *testing.T) {
	s, err := schema.Of(reflect.TypeFor[outer]())
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`{"kind":"k","name":"n"}`:                                          "",
		`{"kind":"k","name":"n","size":null,"own":[1],"any":{"x":1}}`:      "",
		`{"kind":"k","name":"n","data":"aGk=","map":{"a":1},"inner":null}`: "",
		`{"kind":"k","name":"n","when":"2026-01-02T03:04:05Z"}`:            "",
		`{}`:                            ": kind and name is missing",
		`{"kind":"k","name":7}`:         "/name: wants string, not number",
		`{"kind":"k","name":"n","x":1}`: ": knows no x",
		`{"kind":"k","name":"n","inner":[{"n":1},{"n":300}]}`: "/inner/1/n: maximum: got 300, want 127",
		`{"kind":"k","name":"n","map":{"a/b~":"1"}}`:          "/map/a~1b~0: wants integer, not string",
		`{"kind":"k","name":"n","when":"noon"}`:               `/when: "noon" is not an RFC 3339 time such as 2026-01-02T03:04:05Z`,
		`[]`:                                                  ": wants object, not array",
	} {
		faults, err := s.Check([]byte(text))
		var got []string
		for _, f := range faults {
			got = append(got, f.Pointer()+": "+f.Message)
		}
		if err != nil || strings.Join(got, "; ") != want {
			t.Errorf("%s: got %q, %v; want %q", text, got, err, want)
		}
	}
	many, err := schema.Of(reflect.TypeFor[[]int]())
	if err != nil {
		t.Fatal(err)
	}
	if faults, err := many.Check([]byte("[1e999999999,1]")); err != nil || len(faults) != 1 || faults[0].Pointer() != "/0" {
		t.Error(faults, err)
	}
	if _, err := s.Check([]byte(`{`)); err == nil {
		t.Error("half a value is JSON")
	}
}

// What Go makes of a value fits the schema of its type, nil lists and maps included.
func TestOwnJSONFits(t *testing.T) {
	size := 1.5
	for _, value := range []any{
		outer{},
		outer{embedded: embedded{"k"}, Size: &size, When: time.Now(), Data: []byte("x"), Inner: []inner{{1}}, Big: nil},
		[]inner(nil),
		map[string][]int{"a": nil},
		map[int]string{1: "one"},
		[2]bool{},
		uint(7), time.Now(), json.RawMessage(`{}`),
		own{},
		struct{ A, B []string }{},
		struct {
			M map[string]map[string]int
			N json.Number
			B *big.Int
			O *own
		}{B: big.NewInt(7), O: &own{}, N: "1.5"},
		map[string]int(nil), http.Header(nil),
		struct{ *inner }{},
		struct {
			inner `json:"inner"`
		}{},
	} {
		s, err := schema.Of(reflect.TypeOf(value))
		if err != nil {
			continue // a type without a schema is not checked
		}
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if faults, err := s.Check(data); err != nil || len(faults) > 0 {
			t.Errorf("%T: %s does not fit: %v, %v", value, data, faults, err)
		}
	}
}

type tree struct {
	Children []tree `json:"children"`
}

func TestTypesWithoutASchema(t *testing.T) {
	for _, tt := range []reflect.Type{
		reflect.TypeFor[tree](), reflect.TypeFor[func()](),
		reflect.TypeFor[struct {
			N int `json:"n,string"`
		}](),
	} {
		if s, err := schema.Of(tt); err == nil {
			t.Errorf("%v has the schema %v", tt, s.Document())
		}
	}
	if s, err := schema.Of(reflect.TypeFor[any]()); err != nil || len(s.Document()) != 0 {
		t.Error("any is restricted", err)
	}
}
