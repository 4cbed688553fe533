package emit

import (
	"bytes"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A literal is a value as a Go expression, laid out as gofmt does it.
//
// A manifest is a deep tree, and go/printer prints every level of one anew to measure it. Since the
// layout of plain data is simple, it is made here, which is several times as fast.
type literal struct {
	imports map[string]string // path → name
	used    map[string]bool   // the paths that the text names
	out     bytes.Buffer
}

// newLiteral is the expression for v where the line is indented by tabs.
func newLiteral(imports map[string]string, v reflect.Value, tabs int) *literal {
	l := &literal{imports: imports, used: map[string]bool{}}
	l.value(v, tabs)
	return l
}

// value writes a value that says its type itself.
func (l *literal) value(v reflect.Value, tabs int) {
	if t, ok := reflect.TypeAssert[time.Time](v); ok {
		l.time(t)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if basic(v.Elem()) == "" {
			l.write("&")
			l.value(v.Elem(), tabs)
			return
		}
		l.write("new(")
		l.converted(v.Elem())
		l.write(")")
	case reflect.Interface:
		if v.IsNil() {
			l.write("nil")
			return
		}
		l.dynamic(v.Elem(), tabs)
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		l.typeName(v.Type())
		l.body(v, tabs)
	default:
		l.write(basic(v))
	}
}

// dynamic writes a value where nothing else says its type.
func (l *literal) dynamic(v reflect.Value, tabs int) {
	if basic(v) != "" {
		l.converted(v)
		return
	}
	l.value(v, tabs)
}

// converted writes a basic value with its type, unless Go takes the bare one for it.
func (l *literal) converted(v reflect.Value) {
	switch t := v.Type(); {
	case t == reflect.TypeFor[string](), t == reflect.TypeFor[bool](), t == reflect.TypeFor[int](),
		t == reflect.TypeFor[float64]() && strings.ContainsAny(basic(v), ".e"):
		l.write(basic(v))
	default:
		l.typeName(t)
		l.write("(" + basic(v) + ")")
	}
}

// element writes a value inside a literal that implies its type.
func (l *literal) element(v reflect.Value, tabs int) {
	if _, ok := reflect.TypeAssert[time.Time](v); !ok {
		switch v.Kind() {
		case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
			l.body(v, tabs)
			return
		}
	}
	l.value(v, tabs)
}

// body writes what stands in braces.
func (l *literal) body(v reflect.Value, tabs int) {
	switch v.Kind() {
	case reflect.Struct:
		l.pairs(l.fields(v, tabs+1), tabs)
	case reflect.Map:
		l.pairs(l.entries(v, tabs+1), tabs)
	default:
		l.list(v, tabs)
	}
}

// list writes basic values on one line, others each on its own.
func (l *literal) list(v reflect.Value, tabs int) {
	inline := true
	for i := range v.Len() {
		inline = inline && basic(v.Index(i)) != ""
	}
	l.write("{")
	for i := range v.Len() {
		switch {
		case !inline:
			l.newline(tabs + 1)
		case i > 0:
			l.write(", ")
		}
		l.element(v.Index(i), tabs+1)
		if !inline {
			l.write(",")
		}
	}
	if !inline {
		l.newline(tabs)
	}
	l.write("}")
}

// A pair is a key and its value, as text.
type pair struct{ key, value string }

// single tells whether the pair stands on one line, which for gofmt nothing does that is as long as this.
func (p pair) single() bool {
	const long = 1e6
	return !strings.Contains(p.value, "\n") && len(p.key)+len(": ")+len(p.value) <= long
}

// fields are the fields of a struct that are set.
func (l *literal) fields(v reflect.Value, tabs int) []pair {
	var pairs []pair
	for i := range v.NumField() {
		if f := v.Field(i); !f.IsZero() {
			pairs = append(pairs, pair{v.Type().Field(i).Name, l.text(func() { l.value(f, tabs) })})
		}
	}
	return pairs
}

// entries are the entries of a map by key.
func (l *literal) entries(v reflect.Value, tabs int) []pair {
	values := map[string]reflect.Value{}
	for _, k := range v.MapKeys() {
		values[k.String()] = v.MapIndex(k)
	}
	var pairs []pair
	for _, k := range slices.Sorted(maps.Keys(values)) {
		pairs = append(pairs, pair{strconv.Quote(k), l.text(func() { l.element(values[k], tabs) })})
	}
	return pairs
}

// pairs writes each pair on a line of its own, with the values of a section in one column.
func (l *literal) pairs(pairs []pair, tabs int) {
	if len(pairs) == 0 {
		l.write("{}")
		return
	}
	l.write("{")
	for _, s := range sections(pairs) {
		width := 0
		for _, p := range s {
			width = max(width, utf8.RuneCountInString(p.key))
		}
		for _, p := range s {
			l.newline(tabs + 1)
			l.write(p.key + ":" + strings.Repeat(" ", 1+width-utf8.RuneCountInString(p.key)) + p.value + ",")
		}
	}
	l.newline(tabs)
	l.write("}")
}

// sections groups the pairs whose values gofmt aligns: neighbours on one line each, unless a long key
// differs much from those before.
func sections(pairs []pair) [][]pair {
	const small, ratio = 40, 2.5
	var all [][]pair
	logs, count, before := 0.0, 0, 0
	for i, p := range pairs {
		size := 0
		if p.single() {
			size = len(p.key)
		}
		apart := i == 0 || before == 0 || size == 0
		if !apart && count > 0 && (before > small || size > small) {
			r := float64(size) / math.Exp(logs/float64(count))
			apart = ratio*r <= 1 || ratio <= r
		}
		if apart {
			all = append(all, nil)
			logs, count = 0, 0
		}
		all[len(all)-1] = append(all[len(all)-1], p)
		if size > 0 {
			logs += math.Log(float64(size))
			count++
		}
		before = size
	}
	return all
}

// typeName writes a type.
func (l *literal) typeName(t reflect.Type) {
	switch {
	case t.Name() != "" && t.PkgPath() != "":
		l.write(l.qualified(t.PkgPath(), t.Name()))
	case t.Name() != "":
		l.write(t.Name())
	case t.Kind() == reflect.Pointer:
		l.write("*")
		l.typeName(t.Elem())
	case t.Kind() == reflect.Array:
		l.write("[" + strconv.Itoa(t.Len()) + "]")
		l.typeName(t.Elem())
	case t.Kind() == reflect.Slice:
		l.write("[]")
		l.typeName(t.Elem())
	case t.Kind() == reflect.Map:
		l.write("map[")
		l.typeName(t.Key())
		l.write("]")
		l.typeName(t.Elem())
	default:
		l.write("any")
	}
}

// time writes time.Date(…), to the nanosecond, in UTC or with the offset that it has.
func (l *literal) time(t time.Time) {
	l.write(l.qualified("time", "Date") + "(" + strconv.Itoa(t.Year()) + ", " + l.qualified("time", t.Month().String()))
	for _, n := range []int{t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond()} {
		l.write(", " + strconv.Itoa(n))
	}
	if _, offset := t.Zone(); offset != 0 {
		l.write(", " + l.qualified("time", "FixedZone") + `("", ` + strconv.Itoa(offset) + "))")
		return
	}
	l.write(", " + l.qualified("time", "UTC") + ")")
}

// qualified is a name from an imported package.
func (l *literal) qualified(path, name string) string {
	l.used[path] = true
	return l.imports[path] + "." + name
}

// text is what write writes.
func (l *literal) text(write func()) string {
	start := l.out.Len()
	write()
	text := string(l.out.Bytes()[start:])
	l.out.Truncate(start)
	return text
}

func (l *literal) write(s string) { l.out.WriteString(s) }

func (l *literal) newline(tabs int) { l.write("\n" + strings.Repeat("\t", tabs)) }

// basic is a value of a basic kind, "" if it is of another.
func basic(v reflect.Value) string {
	if v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	}
	return ""
}
