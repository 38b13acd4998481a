//go:build cgo || !darwin

package window

import (
	"reflect"
	"testing"
)

// keptFonts is how many fonts Fyne's shaper keeps plans for.
func keptFonts() int {
	return reflect.ValueOf(fyneShaper).Elem().FieldByName("buf").Elem().FieldByName("planCache").Len()
}

func TestTheFontsOfFormerThemesAreLetGoOf(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	change := func() int {
		b.setTheme(themeLight)
		b.settle()
		b.setTheme(themeDark)
		b.settle()
		return keptFonts()
	}
	if first, second := change(), change(); second > first || first == 0 {
		t.Errorf("the shaper keeps %d fonts, two changes of theme later %d", first, second)
	}
}
