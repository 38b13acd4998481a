package draw

import (
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Glyphs are kept at four places between pixels: enough for even spacing, few enough to stay small.
const glyphBins = 4

// glyph is a rune's coverage, with its place relative to the pixel of the pen.
type glyph struct {
	mask      []uint8
	w, h      int
	left, top int
}

// glyphs is one weight at one pixel size.
type glyphs struct {
	font  *sfnt.Font
	px    fixed.Int26_6
	buf   sfnt.Buffer
	ascii [128 * glyphBins]*glyph
	other map[rune]*[glyphBins]*glyph
}

// Sizes and rare runes are dropped all at once when there are too many: a window being resized passes through many.
const (
	maxSizes = 96
	maxRunes = 2048
)

// at gives the glyphs of a pixel size. The caller holds t.mu.
func (t *typeface) at(px float64) *glyphs {
	key := fixed.Int26_6(math.Round(px * 64))
	g := t.sizes[key]
	if g == nil {
		if len(t.sizes) >= maxSizes {
			clear(t.sizes)
		}
		g = &glyphs{font: t.font, px: key, other: map[rune]*[glyphBins]*glyph{}}
		t.sizes[key] = g
	}
	return g
}

func (g *glyphs) get(r rune, bin int) *glyph {
	if r >= 0 && r < 128 {
		i := int(r)*glyphBins + bin
		if g.ascii[i] == nil {
			g.ascii[i] = g.draw(r, bin)
		}
		return g.ascii[i]
	}
	bins := g.other[r]
	if bins == nil {
		if len(g.other) > maxRunes {
			clear(g.other)
		}
		bins = new([glyphBins]*glyph)
		g.other[r] = bins
	}
	if bins[bin] == nil {
		bins[bin] = g.draw(r, bin)
	}
	return bins[bin]
}

// draw paints a rune's glyph; one that the font lacks is nothing.
func (g *glyphs) draw(r rune, bin int) *glyph {
	i, err := g.font.GlyphIndex(&g.buf, r)
	if err != nil || i == 0 {
		return &glyph{}
	}
	segments, err := g.font.LoadGlyph(&g.buf, i, g.px, nil)
	if err != nil {
		return &glyph{}
	}
	return outline(segments, fixed.Int26_6(bin*64/glyphBins))
}

func (p *painter) label(it *Item, th *Theme) {
	px := it.Size * p.scale
	if it.Text == "" || !(px >= 1) || px > 1024 || it.Fill == None {
		return
	}
	x := float64(p.offX(it.X)*p.scale) + nudge
	switch it.Anchor {
	case Middle:
		x -= float64(TextWidth(it.Text, it.Size, it.Weight) * p.scale / 2)
	case End:
		x -= float64(TextWidth(it.Text, it.Size, it.Weight) * p.scale)
	}
	if math.IsNaN(x) || math.Abs(x) > 1<<20 {
		return
	}
	y := p.snap(p.offY(it.Y))
	c := inkOf(th.Color(it.Fill), it.Fade)
	t := typefaces()[it.Weight]
	pen, per := 0.0, px/t.em
	t.mu.Lock()
	defer t.mu.Unlock()
	g := t.at(px)
	for _, r := range it.Text {
		at := x + pen
		whole := math.Floor(at + 0.5/glyphBins)
		bin := int((at + 0.5/glyphBins - whole) * glyphBins)
		p.stamp(g.get(r, bin), int(whole), y, c)
		if r >= 0 && r < 128 {
			pen += float64(float64(t.ascii[r]) * per)
		} else {
			pen += float64(float64(t.rare(r)) * per)
		}
	}
}

// stamp lays a glyph's coverage over the pixels.
func (p *painter) stamp(g *glyph, x, y int, c ink) {
	x, y = x+g.left, y+g.top
	from, to := max(0, p.b.Min.X-x), min(g.w, p.b.Max.X-x)
	for row := max(0, p.b.Min.Y-y); row < min(g.h, p.b.Max.Y-y); row++ {
		mask := g.mask[row*g.w : (row+1)*g.w]
		i := p.dst.PixOffset(x+from, y+row)
		for col := from; col < to; col, i = col+1, i+4 {
			if m := mask[col]; m != 0 {
				blend(p.dst.Pix[i:i+4:i+4], c, uint32(m))
			}
		}
	}
}
