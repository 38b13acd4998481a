package draw

import (
	"reflect"
	"testing"
)

func TestEqualSeesEveryField(t *testing.T) {
	for _, target := range []reflect.Type{reflect.TypeFor[Item](), reflect.TypeFor[Hotspot](), reflect.TypeFor[Scene]()} {
		for i := range target.NumField() {
			a := Scene{Items: []Item{{}}, Hotspots: []Hotspot{{}}}
			b := Scene{Items: []Item{{}}, Hotspots: []Hotspot{{}}}
			if !a.Equal(b) {
				t.Fatal("two empty scenes differ")
			}
			var v reflect.Value
			switch target {
			case reflect.TypeFor[Item]():
				v = reflect.ValueOf(&b.Items[0]).Elem()
			case reflect.TypeFor[Hotspot]():
				v = reflect.ValueOf(&b.Hotspots[0]).Elem()
			default:
				v = reflect.ValueOf(&b).Elem()
			}
			disturb(t, v.Field(i))
			if a.Equal(b) {
				t.Errorf("%s: a change of %s is not seen", target, target.Field(i).Name)
			}
		}
	}
}

// disturb gives a field another value.
func disturb(t *testing.T, f reflect.Value) {
	t.Helper()
	switch f.Kind() {
	case reflect.Float64:
		f.SetFloat(f.Float() + 1)
	case reflect.Uint8:
		f.SetUint(f.Uint() + 1)
	case reflect.Int:
		f.SetInt(f.Int() + 1)
	case reflect.String:
		f.SetString(f.String() + "x")
	case reflect.Bool:
		f.SetBool(!f.Bool())
	case reflect.Slice:
		f.Set(reflect.Append(f, reflect.Zero(f.Type().Elem())))
	default:
		t.Fatalf("no other value for a %s", f.Kind())
	}
}

func TestTopmostHotspotAnswers(t *testing.T) {
	s := Scene{Hotspots: []Hotspot{{X: 0, Y: 0, W: 100, H: 100, Tip: "card"}, {X: 10, Y: 10, W: 20, H: 20, Tip: "mark"}}}
	for _, k := range []struct {
		x, y float64
		want string
		hit  bool
	}{{15, 15, "mark", true}, {30, 15, "card", true}, {99.9, 99.9, "card", true}, {100, 50, "", false}, {-1, 5, "", false}} {
		h, ok := s.At(k.x, k.y)
		if ok != k.hit || h.Tip != k.want {
			t.Errorf("at %v, %v: %q, %v; want %q, %v", k.x, k.y, h.Tip, ok, k.want, k.hit)
		}
	}
}
