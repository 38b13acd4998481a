package trace

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"headroom/sensors"
)

// place is the way from a Sample to the field that a leaf is decoded to: numbers of struct fields and slice elements. A
// nil place is a leaf that decodes to no single field.
type place []int

// placesOf finds the place of each leaf of a sample's text, in order.
func placesOf(k keySample) []place {
	w := walker{text: k.text, leaves: k.leaves, places: make([]place, len(k.leaves))}
	w.value(0, reflect.TypeFor[sensors.Sample](), nil)
	return w.places
}

// walker goes through a text and the type that it decodes to side by side.
type walker struct {
	text   []byte
	leaves []leaf
	next   int // the next leaf
	places []place
}

// value walks over the value at i and returns where it ends. t is nil where no field takes the value.
func (w *walker) value(i int, t reflect.Type, at place) int {
	switch {
	case i >= len(w.text) || w.next == len(w.leaves):
		return len(w.text)
	case w.text[i] == '{':
		return w.object(i+1, structOf(t), at)
	case w.text[i] == '[':
		return w.array(i+1, elementOf(t), at)
	}
	if t != nil {
		w.places[w.next] = at
	}
	w.next++
	return w.leaves[w.next-1].end
}

func (w *walker) object(i int, t reflect.Type, at place) int {
	for i < len(w.text) {
		switch w.text[i] {
		case '}':
			return i + 1
		case '"':
			end := scalarEnd(w.text, i)
			field, number := fieldOf(t, w.text[i:end])
			i = w.value(end+1, field, at.then(number))
		default:
			i++
		}
	}
	return i
}

func (w *walker) array(i int, t reflect.Type, at place) int {
	for n := 0; i < len(w.text); {
		switch w.text[i] {
		case ']':
			return i + 1
		case ',':
			i++
		default:
			i = w.value(i, t, at.then(n))
			n++
		}
	}
	return i
}

// then is the place with one more step. It never shares memory with another one.
func (p place) then(step int) place { return append(p[:len(p):len(p)], step) }

// structOf is t where its JSON is an object of its fields, else nil.
func structOf(t reflect.Type) reflect.Type {
	if t == nil || t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	return t
}

// elementOf is the type of a slice's elements, else nil.
func elementOf(t reflect.Type) reflect.Type {
	if t == nil || t.Kind() != reflect.Slice {
		return nil
	}
	return t.Elem()
}

// fieldOf is the field that a quoted member name decodes to, where it is written exactly so and without options that
// change its form.
func fieldOf(t reflect.Type, quoted []byte) (reflect.Type, int) {
	if t == nil || len(quoted) < 2 {
		return nil, 0
	}
	name := string(quoted[1 : len(quoted)-1])
	for i := range t.NumField() {
		f := t.Field(i)
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == name && f.IsExported() && !strings.Contains(options, "string") {
			return f.Type, i
		}
	}
	return nil, 0
}

// in finds the field in s; false where s is built differently.
func (p place) in(s *sensors.Sample) (reflect.Value, bool) {
	v := reflect.ValueOf(s).Elem()
	for _, step := range p {
		if v.Kind() == reflect.Struct {
			v = v.Field(step)
			continue
		}
		if step >= v.Len() {
			return v, false
		}
		v = v.Index(step)
	}
	return v, p != nil
}

// set decodes raw into the field, as if it had stood in the text; false where it must be decoded with the whole text.
func (p place) set(s *sensors.Sample, raw []byte) bool {
	v, ok := p.in(s)
	if !ok {
		return false
	}
	v.SetZero()
	return json.Unmarshal(raw, v.Addr().Interface()) == nil
}

// setTime sets the field, which is a time.
func (p place) setTime(s *sensors.Sample, t time.Time) bool {
	v, ok := p.in(s)
	if !ok {
		return false
	}
	field, ok := v.Addr().Interface().(*time.Time)
	if ok {
		*field = t
	}
	return ok
}

// cloneSlices gives v slices of its own, down to the elements' own ones.
func cloneSlices(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if structOf(v.Type()) == nil {
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				cloneSlices(f)
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		v.Set(own)
		for i := range v.Len() {
			cloneSlices(v.Index(i))
		}
	}
}
