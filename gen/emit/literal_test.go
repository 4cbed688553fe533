package emit

import (
	"encoding/json"
	"go/format"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// source is a file whose function returns the literal, as [File] has it.
func source(v any) string {
	l := newLiteral(map[string]string{modelsPath(): "agentapi", "time": "time", reflect.TypeFor[kinds]().PkgPath(): "emit"}, reflect.ValueOf(v), 1)
	return "package p\n\nfunc f() any {\n\treturn " + l.out.String() + "\n}\n"
}

// asGofmt fails unless the literal is laid out as gofmt does it.
func asGofmt(t *testing.T, v any) {
	t.Helper()
	src := source(v)
	want, err := format.Source([]byte(src))
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	if diff := cmp.Diff(string(want), src); diff != "" {
		t.Fatalf("-gofmt +got:\n%s", diff)
	}
}

// kinds has a field of each kind that a model may have one day.
type kinds struct {
	Text      string
	Named     name
	Yes       bool
	Int       int
	Int32     int32
	Small     uint8
	Float     float64
	Float32   float32
	When      time.Time
	Maybe     *bool
	MaybeText *string
	Number    *float32
	Inner     *kinds
	List      []kinds
	Pointers  []*kinds
	Array     *[2]uint8
	Names     []name
	Bytes     []byte
	Map       map[string]kinds
	Lists     map[string][]string
	Any       any
	Anys      []any
	Anything  map[string]any
}

type name string

func TestLiteral(t *testing.T) {
	v := kinds{
		Text: "a\n\"b\"`%", Named: "n", Yes: true, Int: -1, Int32: 2, Small: 3, Float: 0.1, Float32: 0.1,
		When: time.Date(2026, time.January, 2, 3, 4, 5, 6, time.FixedZone("CET", 3600)), Maybe: new(false), MaybeText: new(""), Number: new(float32(0.1)),
		Inner: &kinds{}, List: []kinds{{}, {Int: 1}}, Pointers: []*kinds{{Int: 1}}, Array: &[2]uint8{1, 2}, Names: []name{"a"}, Bytes: []byte{1, 255}, Map: map[string]kinds{"": {}},
		Lists: map[string][]string{"b": nil, "a": {"x"}}, Any: int32(1), Anys: []any{1.0, 1.5, "a", true, 2}, Anything: map[string]any{"a": nil},
	}
	const want = `emit.kinds{
		Text:      "a\n\"b\"` + "`" + `%",
		Named:     "n",
		Yes:       true,
		Int:       -1,
		Int32:     2,
		Small:     3,
		Float:     0.1,
		Float32:   0.1,
		When:      time.Date(2026, time.January, 2, 3, 4, 5, 6, time.FixedZone("", 3600)),
		Maybe:     new(false),
		MaybeText: new(""),
		Number:    new(float32(0.1)),
		Inner:     &emit.kinds{},
		List: []emit.kinds{
			{},
			{
				Int: 1,
			},
		},
		Pointers: []*emit.kinds{
			&emit.kinds{
				Int: 1,
			},
		},
		Array: &[2]uint8{1, 2},
		Names: []emit.name{"a"},
		Bytes: []uint8{1, 255},
		Map: map[string]emit.kinds{
			"": {},
		},
		Lists: map[string][]string{
			"a": {"x"},
			"b": {},
		},
		Any:  int32(1),
		Anys: []any{float64(1), 1.5, "a", true, 2},
		Anything: map[string]any{
			"a": nil,
		},
	}`
	_, got, _ := strings.Cut(source(v), "return ")
	if diff := cmp.Diff(want+"\n}\n", got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	asGofmt(t, v)
}

// TestLiteralAlignment has what gofmt treats in its own ways: keys that are long, short after long, of
// other scripts, and values of several lines between.
func TestLiteralAlignment(t *testing.T) {
	long, longer := strings.Repeat("k", 41), strings.Repeat("k", 120)
	for _, v := range []map[string]any{
		{"a": 1, long: 2, "z": 3},
		{"a": 1, longer: 2, "z": 3},
		{long: 1, longer: 2},
		{"a": 1, "b": map[string]any{"x": 1}, "cc": 2, "ddd": []any{map[string]any{}}, "eeee": ""},
		{"é": 1, "日本語日本語日本語日本語": 2, "🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉": 3, "x": 4},
		{"a\nb": 1, "c\x00\u2028": 2, "`": 3, "\"": 4, "\xff": 5},
		{"a": strings.Repeat("long ", 100), long: strings.Repeat("long\n", 100), "z": nil},
		{},
		{"": nil},
		{"a": []any{1, map[string]any{"x": 1}, nil, []any{}, []any{"y"}}},
	} {
		asGofmt(t, v)
	}
}

// A line that is longer than gofmt reckons with stands in no column. Both sides of the limit are tried, since diffs of
// such lines help nobody.
func TestLongLines(t *testing.T) {
	for _, length := range []int{1e6 - 10, 1e6 - 6, 1e6 - 5, 1e6 - 4, 2e6} {
		src := source(map[string]any{"a": "x", "b": strings.Repeat("l", length), "cdefg": "y", "h": []any{strings.Repeat("l", length)}, "ijk": 1})
		want, err := format.Source([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if string(want) != src {
			t.Errorf("a text of %d letters is not laid out as gofmt does it", length)
		}
	}
}

// FuzzLiteral checks the layout of random values against gofmt's.
func FuzzLiteral(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed, int(seed)%70)
	}
	f.Fuzz(func(t *testing.T, seed uint64, width int) {
		r := random{rand.New(rand.NewPCG(seed, 0)), 1 + max(width, -width)%100} //nolint:gosec // not for secrets
		asGofmt(t, r.object(3))
		card := agentapi.AgentCard{Name: r.text(), AdditionalProperties: r.object(2), SecuritySchemes: map[string]agentapi.SecurityScheme{}}
		for range r.IntN(5) {
			card.SecuritySchemes[r.text()] = agentapi.SecurityScheme{Type: agentapi.SecuritySchemeType(r.text()), In: "header", AdditionalProperties: r.object(1)}
			card.Skills = append(card.Skills, agentapi.AgentSkill{ID: r.text(), Tags: []string{r.text(), r.text()}})
		}
		asGofmt(t, card)
	})
}

// random makes JSON values.
type random struct {
	*rand.Rand
	width int // of texts, at most
}

func (r random) object(depth int) map[string]any {
	object := map[string]any{}
	for range r.IntN(7) {
		object[r.text()] = r.value(depth)
	}
	return object
}

func (r random) value(depth int) any {
	switch n := r.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return r.IntN(2) == 0
	case n == 2:
		return r.NormFloat64()
	case n == 3:
		return float64(r.IntN(1e6))
	case n < 6 || depth == 0:
		return r.text()
	case n == 6:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, r.value(depth-1))
		}
		return list
	}
	return r.object(depth - 1)
}

func (r random) text() string {
	const letters = "abcdefghij ABCäöüß日本語🎉\"\\`%\n\t\u2028\u0000"
	runes := []rune(letters)
	text := make([]rune, r.IntN(r.width))
	for i := range text {
		text[i] = runes[r.IntN(len(runes))]
	}
	return string(text)
}

// TestEveryFieldOfTheModels fills each field of the models, and checks that its literal is one of Go's: what the
// document gains needs no change in this package.
func TestEveryFieldOfTheModels(t *testing.T) {
	for _, model := range []any{&agentapi.AgentManifest{}, &agentapi.AgentCard{}} {
		v := reflect.ValueOf(model).Elem()
		fill(v, 6)
		src := source(v.Interface())
		asGofmt(t, v.Interface())
		for _, wrong := range []string{": ,", "{,", ", ,", "new()"} {
			if strings.Contains(src, wrong) {
				t.Errorf("a value is missing in\n%s", src)
			}
		}
		if _, err := json.Marshal(v.Interface()); err != nil {
			t.Error(err)
		}
	}
}

// fill gives each field a value.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		if depth > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth-1)
		}
	case reflect.Struct:
		if _, ok := reflect.TypeAssert[time.Time](v); ok {
			v.Set(reflect.ValueOf(time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC)))
			return
		}
		for _, f := range v.Fields() {
			fill(f, depth-1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), depth-1)
		fill(v.Index(1), depth-1)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		element := reflect.New(v.Type().Elem()).Elem()
		fill(element, depth-1)
		v.SetMapIndex(reflect.ValueOf("key").Convert(v.Type().Key()), element)
	case reflect.Interface:
		v.Set(reflect.ValueOf("any"))
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(0.5)
	default:
		v.SetInt(1)
	}
}
