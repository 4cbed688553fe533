package schema_test

import (
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cd3b852d/agentgen/agent/internal/schema"
)

type page[T any] struct {
	Items []T `json:"items"`
}

type base struct {
	ID int
}

// URL is called like the type of another package that is beside it.
type URL struct{ Host string }

type trip struct {
	base
	page[stop]

	To      stop               `json:"to"`
	Via     []*stop            `json:"via"`
	ByDay   map[string][1]stop `json:"by_day"`
	Note    string             `json:"note" jsonschema:"By its tag."`
	Any     any                `json:"any"`
	At      time.Time          `json:"at"`
	Fee     *big.Int           `json:"fee"`
	Addr    netip.Addr         `json:"addr"`
	Own     URL                `json:"own"`
	Foreign url.Error          `json:"foreign"`
	Unnamed struct{ A stop }   `json:"unnamed"`
	Secret  string             `json:"-"`
}

type stop struct {
	Name string
}

func docs() map[string]string {
	return map[string]string{
		"trip": "A trip.", "trip.To": "Its end.", "trip.Note": "By its comment.", "trip.Any": "Anything.", "trip.At": "When.",
		"trip.Secret": "Secret.", "base": "A base.", "base.ID": "Its number.", "page": "A page.", "page.Items": "What is on it.",
		"stop": "A stop.", "stop.Name": "Its name.", "URL": "Ours.", "URL.Host": "Our host.", "Error": "No.", "Error.Op": "No.", "Addr": "No.", "Time": "No.", "Int": "No.",
	}
}

// at is what a document has at a path.
func at(document any, path ...string) any {
	for _, name := range path {
		object, _ := document.(map[string]any)
		document = object[name]
	}
	return document
}

func TestDescribed(t *testing.T) {
	plain, err := schema.Of(reflect.TypeFor[trip]())
	if err != nil {
		t.Fatal(err)
	}
	before, _ := schema.Of(reflect.TypeFor[trip]())
	s := plain.Described(docs())
	if diff := cmp.Diff(before.Document(), plain.Document()); diff != "" {
		t.Error("the schema without descriptions has changed", diff)
	}
	p := func(names ...string) []string { return append([]string{"properties"}, names...) }
	for _, test := range []struct {
		path []string
		want any
	}{
		{nil, "A trip."},
		{p("to"), "Its end."},
		{p("to", "properties", "Name"), "Its name."},
		{p("via"), nil},
		{p("via", "items"), "A stop."},
		{p("via", "items", "properties", "Name"), "Its name."},
		{p("by_day", "additionalProperties", "items"), "A stop."},
		{p("note"), "By its tag."},
		{p("any"), "Anything."},
		{p("at"), "When."},
		{p("fee"), nil},
		{p("addr"), nil},
		{p("own"), "Ours."},
		{p("own", "properties", "Host"), "Our host."},
		{p("foreign"), nil},
		{p("foreign", "properties", "Op"), nil},
		{p("unnamed"), nil},
		{p("unnamed", "properties", "A"), "A stop."},
		{p("ID"), "Its number."},
		{p("items"), "What is on it."},
		{p("items", "items"), "A stop."},
		{p("Secret"), nil},
	} {
		if got := at(s.Document(), append(test.path, "description")...); got != test.want {
			t.Errorf("%v: got %v, want %v", test.path, got, test.want)
		}
	}
	if faults, err := s.Check([]byte(`{"to":{}}`)); err != nil || len(faults) == 0 {
		t.Errorf("faults %v, error %v", faults, err)
	}
}

// The package is that of the type beneath pointers, lists and maps.
func TestDescribedPackage(t *testing.T) {
	for _, test := range []struct {
		of   reflect.Type
		path []string
		want any
	}{
		{reflect.TypeFor[*stop](), nil, "A stop."},
		{reflect.TypeFor[map[string][]*stop](), []string{"additionalProperties", "items"}, "A stop."},
		{reflect.TypeFor[page[stop]](), nil, "A page."},
		{reflect.TypeFor[url.Userinfo](), nil, nil},
		{reflect.TypeFor[[]int](), nil, nil},
	} {
		s, err := schema.Of(test.of)
		if err != nil {
			t.Fatal(err)
		}
		if got := at(s.Described(docs()).Document(), append(test.path, "description")...); got != test.want {
			t.Errorf("%v: got %v, want %v", test.of, got, test.want)
		}
	}
}
