package draw

import (
	"fmt"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"headroom/assets"
)

// typeface is one weight of the embedded font. Its advances are whole font units, so that a width is the same on every
// processor; there is no kerning, in pixels or in SVG.
type typeface struct {
	font  *sfnt.Font
	em    float64
	ascii [128]int32

	mu    sync.Mutex
	buf   sfnt.Buffer
	other map[rune]int32
	sizes map[fixed.Int26_6]*glyphs
}

var typefaces = sync.OnceValue(func() [2]*typeface {
	return [2]*typeface{Regular: loadTypeface(assets.FontRegular), SemiBold: loadTypeface(assets.FontSemiBold)}
})

// loadTypeface parses an embedded font; one that does not parse is a fault of the build.
func loadTypeface(data []byte) *typeface {
	f, err := opentype.Parse(data)
	if err != nil {
		panic(fmt.Errorf("parse the embedded font: %w", err))
	}
	t := &typeface{font: f, em: float64(f.UnitsPerEm()), other: map[rune]int32{}, sizes: map[fixed.Int26_6]*glyphs{}}
	for r := range t.ascii {
		t.ascii[r] = t.read(rune(r))
	}
	return t
}

// read gives a rune's advance in font units; a rune the font lacks has the advance of the missing glyph.
func (t *typeface) read(r rune) int32 {
	i, err := t.font.GlyphIndex(&t.buf, r)
	if err != nil {
		i = 0
	}
	a, err := t.font.GlyphAdvance(&t.buf, i, fixed.Int26_6(t.font.UnitsPerEm()), font.HintingNone)
	if err != nil {
		return 0
	}
	return int32(a)
}

func (t *typeface) advance(r rune) int32 {
	if r >= 0 && int(r) < len(t.ascii) {
		return t.ascii[r]
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rare(r)
}

// rare gives the advance of a rune beyond ASCII. The caller holds t.mu.
func (t *typeface) rare(r rune) int32 {
	a, ok := t.other[r]
	if !ok {
		if len(t.other) > 4096 {
			clear(t.other)
		}
		a = t.read(r)
		t.other[r] = a
	}
	return a
}

// TextWidth is the width of a text in units at a size.
func TextWidth(text string, size float64, weight Weight) float64 {
	t := typefaces()[weight]
	var units int64
	for _, r := range text {
		units += int64(t.advance(r))
	}
	return float64(units) * size / t.em
}

// TextHeight is the height of a line of text at a size, and where its baseline lies below the top.
func TextHeight(size float64, weight Weight) (height, baseline float64) {
	t := typefaces()[weight]
	t.mu.Lock()
	defer t.mu.Unlock()
	m, err := t.font.Metrics(&t.buf, fixed.Int26_6(t.font.UnitsPerEm()), font.HintingNone)
	if err != nil {
		return size, size
	}
	return float64(m.Height) * size / t.em, float64(m.Ascent) * size / t.em
}

// cut shortens a text with an ellipsis to a width; it is empty where not even the ellipsis fits.
func cut(text string, width, size float64, weight Weight) string {
	t := typefaces()[weight]
	limit := int64(width * t.em / size)
	dots := int64(t.advance('…'))
	var units int64
	end := 0
	for i, r := range text {
		if units+dots <= limit {
			end = i
		}
		units += int64(t.advance(r))
		if units > limit {
			if dots > limit {
				return ""
			}
			return trimEnd(text[:end]) + "…"
		}
	}
	return text
}

// trimEnd takes off what would look odd before an ellipsis.
func trimEnd(s string) string {
	for len(s) > 0 {
		switch s[len(s)-1] {
		case ' ', ',', ':', ';', '.':
			s = s[:len(s)-1]
		case 0xb7: // the second byte of "·"
			if len(s) < 2 || s[len(s)-2] != 0xc2 {
				return s
			}
			s = s[:len(s)-2]
		default:
			return s
		}
	}
	return s
}
