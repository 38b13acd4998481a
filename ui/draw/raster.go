package draw

import (
	"image"
	"image/color"
	"math"
	"sync"

	"golang.org/x/image/vector"
)

// Paint draws the scene over dst at a scale: one unit is scale pixels, and the scene's origin is dst's. Edges of
// rectangles and upright lines are set on whole pixels. The same scene gives the same pixels. dst is not cleared.
func (s Scene) Paint(dst *image.RGBA, th Theme, scale float64) {
	if !(scale > 0) || scale > 64 {
		return
	}
	p := painter{dst: dst, b: dst.Bounds(), origin: dst.Bounds().Min, scale: scale, pitch: s.pitch(), ras: rasterizers.Get().(*vector.Rasterizer)}
	defer rasterizers.Put(p.ras)
	for i := range s.Items {
		it := &s.Items[i]
		switch it.Kind {
		case Rect:
			p.rect(it, &th)
		case Line:
			p.line(it, &th)
		case Poly:
			p.poly(it, &th)
		case Circle:
			p.circle(it, &th)
		case Label:
			p.label(it, &th)
		case Clip:
			p.clip(it)
		}
	}
}

// rasterizers keep their buffers, which are as large as the largest polygon, from one scene to the next.
var rasterizers = sync.Pool{New: func() any { return new(vector.Rasterizer) }}

type painter struct {
	dst *image.RGBA
	// b is what may be painted, origin where the scene begins.
	b       image.Rectangle
	origin  image.Point
	scale   float64
	pitch   float64
	ras     *vector.Rasterizer
	outline []Point
	stripes []uint8
}

// nudge, in pixels, puts places that a figure has computed on the edge between two roundings on the same side on every
// processor: some of them multiply and add in one step, which differs in the last bit. Where the painter itself does both, a
// conversion to float64 keeps them two steps, as outline does for the curves of letters.
const nudge = 1e-6

// snap puts a length on whole pixels. It is bounded, so that wild scenes stay cheap.
func (p *painter) snap(v float64) int {
	return int(math.Round(float64(min(max(v*p.scale, -1<<20), 1<<20)) + nudge))
}

// ink is a colour with its fade, not multiplied yet.
type ink struct{ r, g, b, a uint32 }

func inkOf(c color.RGBA, fade float64) ink {
	a := uint32(math.Round(float64(c.A) * (1 - min(max(fade, 0), 1))))
	return ink{uint32(c.R), uint32(c.G), uint32(c.B), a}
}

// dot lays the ink over one pixel with a coverage of 0 to 255.
func (p *painter) dot(x, y int, c ink, cover uint32) {
	if x < p.b.Min.X || x >= p.b.Max.X || y < p.b.Min.Y || y >= p.b.Max.Y {
		return
	}
	i := p.dst.PixOffset(x, y)
	blend(p.dst.Pix[i:i+4:i+4], c, cover)
}

func blend(px []uint8, c ink, cover uint32) {
	a := c.a * cover
	if a == 0 {
		return
	}
	if a == 255*255 {
		px[0], px[1], px[2], px[3] = uint8(c.r), uint8(c.g), uint8(c.b), 255
		return
	}
	rest := 255*255 - a
	px[0] = uint8((c.r*a + uint32(px[0])*rest + 32512) / 65025)
	px[1] = uint8((c.g*a + uint32(px[1])*rest + 32512) / 65025)
	px[2] = uint8((c.b*a + uint32(px[2])*rest + 32512) / 65025)
	px[3] = uint8((255*a + uint32(px[3])*rest + 32512) / 65025)
}

// box fills whole pixels.
func (p *painter) box(x0, y0, x1, y1 int, c ink) {
	r := image.Rect(x0, y0, x1, y1).Intersect(p.b)
	if r.Empty() || c.a == 0 {
		return
	}
	if c.a < 255 {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			i := p.dst.PixOffset(r.Min.X, y)
			for n := r.Dx(); n > 0; n, i = n-1, i+4 {
				blend(p.dst.Pix[i:i+4:i+4], c, 255)
			}
		}
		return
	}
	first := p.dst.Pix[p.dst.PixOffset(r.Min.X, r.Min.Y):][:4*r.Dx()]
	for i := 0; i < len(first); i += 4 {
		first[i], first[i+1], first[i+2], first[i+3] = uint8(c.r), uint8(c.g), uint8(c.b), 255
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(p.dst.Pix[p.dst.PixOffset(r.Min.X, y):], first)
	}
}

// clip bounds what is painted from here on.
func (p *painter) clip(it *Item) {
	p.b = p.dst.Bounds()
	if it.W > 0 && it.H > 0 {
		x0, x1 := p.span(p.offX(it.X), it.W)
		y0, y1 := p.span(p.offY(it.Y), it.H)
		p.b = p.b.Intersect(image.Rect(x0, y0, x1, y1))
	}
}

// offX and offY move the scene's origin to dst's.
func (p *painter) offX(x float64) float64 { return x + float64(p.origin.X)/p.scale }

func (p *painter) offY(y float64) float64 { return y + float64(p.origin.Y)/p.scale }
