package describe

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// decoder makes models of JSON values, as json.Unmarshal makes them of JSON text. Without the text a run
// takes a fifth less.
type decoder struct{ structs map[reflect.Type]layout }

// layout is where the properties of a struct belong.
type layout struct {
	fields map[string]int // by the name of the property
	others int            // the field for all other properties, -1 if there is none
	opaque bool           // some of it only the struct's own method can set
}

// set makes v of a value. Null leaves it as it is.
func (d *decoder) set(v reflect.Value, value any) error {
	if value == nil {
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return d.set(v.Elem(), value)
	case reflect.Interface:
		v.Set(reflect.ValueOf(value))
		return nil
	case reflect.String, reflect.Bool, reflect.Float64:
		if from := reflect.ValueOf(value); from.Kind() == v.Kind() {
			v.Set(from.Convert(v.Type()))
			return nil
		}
	case reflect.Struct:
		object, ok := value.(map[string]any)
		if l := d.layout(v.Type()); ok && !l.opaque {
			return d.setStruct(v, l, object)
		}
	case reflect.Slice:
		if list, ok := value.([]any); ok {
			return d.setSlice(v, list)
		}
	case reflect.Map:
		if object, ok := value.(map[string]any); ok {
			return d.setMap(v, object)
		}
	}
	return setByText(v, value)
}

func (d *decoder) setStruct(v reflect.Value, l layout, object map[string]any) error {
	for name, value := range object {
		if i, ok := l.fields[name]; ok {
			if err := d.set(v.Field(i), value); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			continue
		}
		if l.others < 0 {
			continue
		}
		others := v.Field(l.others)
		if others.IsNil() {
			others.Set(reflect.MakeMap(others.Type()))
		}
		if err := d.setEntry(others, name, value); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) setSlice(v reflect.Value, list []any) error {
	v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	for i, element := range list {
		if err := d.set(v.Index(i), element); err != nil {
			return fmt.Errorf("%d: %w", i, err)
		}
	}
	return nil
}

func (d *decoder) setMap(v reflect.Value, object map[string]any) error {
	v.Set(reflect.MakeMapWithSize(v.Type(), len(object)))
	for name, value := range object {
		if err := d.setEntry(v, name, value); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) setEntry(v reflect.Value, name string, value any) error {
	entry := reflect.New(v.Type().Elem()).Elem()
	if err := d.set(entry, value); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), entry)
	return nil
}

// layout reads the tags of a struct type, once.
func (d *decoder) layout(t reflect.Type) layout {
	if l, ok := d.structs[t]; ok {
		return l
	}
	l := layout{fields: map[string]int{}, others: -1}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case !f.IsExported():
			l.opaque = true
		case name == "-":
			l.others = i
		default:
			l.fields[name] = i
		}
	}
	d.structs[t] = l
	return l
}

// setByText is for types that have a form of their own in JSON, such as times.
func setByText(v reflect.Value, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v.Addr().Interface())
}
