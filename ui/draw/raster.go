package draw

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/vector"
)

// Paint draws the scene over dst at a scale: one unit is scale pixels, and the scene's origin is dst's. Edges of
// rectangles and upright lines are set on whole pixels. The same scene gives the same pixels. dst is not cleared.
func (s Scene) Paint(dst *image.RGBA, th Theme, scale float64) {
	if !(scale > 0) || scale > 64 {
		return
	}
	p := painter{dst: dst, b: dst.Bounds(), scale: scale, pitch: s.pitch()}
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
		}
	}
}

type painter struct {
	dst     *image.RGBA
	b       image.Rectangle
	scale   float64
	pitch   float64
	ras     vector.Rasterizer
	outline []Point
	stripes []uint8
}

// snap puts a length on whole pixels. It is bounded, so that wild scenes stay cheap.
func (p *painter) snap(v float64) int {
	return int(math.Round(min(max(v*p.scale, -1<<20), 1<<20)))
}

// span snaps an extent; what has any width keeps at least one pixel.
func (p *painter) span(a, length float64) (int, int) {
	lo, hi := p.snap(a), p.snap(a+length)
	if hi == lo && length > 0 {
		hi++
	}
	return lo, hi
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

func (p *painter) rect(it *Item, th *Theme) {
	if !(it.W > 0) || !(it.H > 0) {
		return
	}
	x0, x1 := p.span(p.offX(it.X), it.W)
	y0, y1 := p.span(p.offY(it.Y), it.H)
	r := min(it.R*p.scale, float64(x1-x0)/2, float64(y1-y0)/2)
	if it.Fill != None {
		p.fillRect(x0, y0, x1, y1, r, inkOf(th.Color(it.Fill), it.Fade))
	}
	if it.Hatch != None {
		p.hatch(x0, y0, x1, y1, r, inkOf(th.Color(it.Hatch), it.Fade))
	}
	if it.Stroke != None && it.Width > 0 {
		p.frame(x0, y0, x1, y1, r, max(it.Width*p.scale, 1), it.Dash*p.scale, inkOf(th.Color(it.Stroke), it.Fade))
	}
}

// offX and offY move the scene's origin to dst's.
func (p *painter) offX(x float64) float64 { return x + float64(p.b.Min.X)/p.scale }
func (p *painter) offY(y float64) float64 { return y + float64(p.b.Min.Y)/p.scale }

// inside is the coverage of a pixel by a rounded rectangle, from its distance to the edge.
func inside(x, y, x0, y0, x1, y1 int, r float64) float64 {
	return min(max(0.5-distance(x, y, x0, y0, x1, y1, r), 0), 1)
}

// distance is how far the pixel's centre lies outside the rounded rectangle; negative inside.
func distance(x, y, x0, y0, x1, y1 int, r float64) float64 {
	hx, hy := float64(x1-x0)/2, float64(y1-y0)/2
	dx := math.Abs(float64(x)+0.5-float64(x0)-hx) - hx + r
	dy := math.Abs(float64(y)+0.5-float64(y0)-hy) - hy + r
	if dx <= 0 || dy <= 0 {
		return max(dx, dy) - r
	}
	return math.Sqrt(dx*dx+dy*dy) - r
}

func (p *painter) fillRect(x0, y0, x1, y1 int, r float64, c ink) {
	k := int(math.Ceil(r))
	p.box(x0+k, y0, x1-k, y1, c)
	if k == 0 {
		return
	}
	p.box(x0, y0+k, x0+k, y1-k, c)
	p.box(x1-k, y0+k, x1, y1-k, c)
	for dy := range min(k, y1-y0) {
		for dx := range min(k, x1-x0) {
			cover := uint32(math.Round(255 * inside(x0+dx, y0+dy, x0, y0, x1, y1, r)))
			p.dot(x0+dx, y0+dy, c, cover)
			if m := x1 - 1 - dx; m >= x0+k {
				p.dot(m, y0+dy, c, cover)
			}
			if n := y1 - 1 - dy; n >= y0+k {
				p.dot(x0+dx, n, c, cover)
				if m := x1 - 1 - dx; m >= x0+k {
					p.dot(m, n, c, cover)
				}
			}
		}
	}
}

// frame strokes a rounded rectangle along the inside of its edge.
func (p *painter) frame(x0, y0, x1, y1 int, r, width, dash float64, c ink) {
	k := int(math.Ceil(max(r, width)))
	if 2*k >= x1-x0 || 2*k >= y1-y0 {
		p.frameBlock(x0, y0, x1, y1, x0, y0, x1, y1, r, width, dash, c)
		return
	}
	for _, corner := range [...][2]int{{x0, y0}, {x1 - k, y0}, {x0, y1 - k}, {x1 - k, y1 - k}} {
		p.frameBlock(corner[0], corner[1], corner[0]+k, corner[1]+k, x0, y0, x1, y1, r, width, dash, c)
	}
	for i := 0; float64(i) < width; i++ {
		side := c
		side.a = uint32(math.Round(float64(c.a) * min(width-float64(i), 1)))
		p.gaps(x0, x0+k, x1-k, dash, func(a, b int) {
			p.box(a, y0+i, b, y0+i+1, side)
			p.box(a, y1-1-i, b, y1-i, side)
		})
		p.gaps(y0, y0+k, y1-k, dash, func(a, b int) {
			p.box(x0+i, a, x0+i+1, b, side)
			p.box(x1-1-i, a, x1-i, b, side)
		})
	}
}

// frameBlock strokes the part of a rounded rectangle that lies in a block of pixels.
func (p *painter) frameBlock(fromX, fromY, toX, toY, x0, y0, x1, y1 int, r, width, dash float64, c ink) {
	for y := max(fromY, p.b.Min.Y); y < min(toY, p.b.Max.Y); y++ {
		for x := max(fromX, p.b.Min.X); x < min(toX, p.b.Max.X); x++ {
			d := distance(x, y, x0, y0, x1, y1, r)
			cover := min(max(0.5-d, 0), 1) - min(max(0.5-d-width, 0), 1)
			if cover <= 0 || (dash > 0 && gap(x, y, x0, y0, x1, y1, dash)) {
				continue
			}
			p.dot(x, y, c, uint32(math.Round(255*cover)))
		}
	}
}

// gaps calls put for each dash between from and to, counted from origin.
func (p *painter) gaps(origin, from, to int, dash float64, put func(a, b int)) {
	if dash <= 0 {
		put(from, to)
		return
	}
	for a := from; a < to; {
		n := int(float64(a-origin) / dash)
		b := min(max(int(math.Ceil(float64(n+1)*dash))+origin, a+1), to)
		if n%2 == 0 {
			put(a, b)
		}
		a = b
	}
}

// gap reports whether a pixel of a dashed edge lies between dashes, counting along the nearest side.
func gap(x, y, x0, y0, x1, y1 int, dash float64) bool {
	along := x - x0
	if min(x-x0, x1-1-x) < min(y-y0, y1-1-y) {
		along = y - y0
	}
	return int(float64(along)/dash)%2 == 1
}

// The stripes of a hatch: their distance in units, and their width as a share of it.
const (
	hatchPitch = 6.0
	hatchShare = 0.18
)

func (p *painter) hatch(x0, y0, x1, y1 int, r float64, c ink) {
	lo, n := x0+y0, x1-x0+y1-y0
	if n <= 0 || n > 1<<16 {
		return
	}
	p.stripes = p.stripes[:0]
	for i := range n {
		// A stripe is a line of constant x+y: the diagonal's index gives the distance to it.
		at := math.Mod((float64(lo+i)+1)/math.Sqrt2/p.scale, p.pitch)
		if at < 0 {
			at += p.pitch
		}
		d := math.Abs(at - p.pitch/2)
		p.stripes = append(p.stripes, uint8(math.Round(255*min(max((p.pitch*hatchShare/2-d)*p.scale+0.5, 0), 1))))
	}
	k := int(math.Ceil(r))
	for y := max(y0, p.b.Min.Y); y < min(y1, p.b.Max.Y); y++ {
		for x := max(x0, p.b.Min.X); x < min(x1, p.b.Max.X); x++ {
			cover := uint32(p.stripes[x-x0+y-y0])
			if cover == 0 {
				continue
			}
			if k > 0 && (x < x0+k || x >= x1-k) && (y < y0+k || y >= y1-k) {
				cover = uint32(math.Round(float64(cover) * inside(x, y, x0, y0, x1, y1, r)))
			}
			p.dot(x, y, c, cover)
		}
	}
}

func (p *painter) line(it *Item, th *Theme) {
	if it.Stroke == None || !(it.Width > 0) {
		return
	}
	c := inkOf(th.Color(it.Stroke), it.Fade)
	switch {
	case it.H == 0:
		thick := max(p.snap(it.Width), 1)
		y := int(math.Floor(p.offY(it.Y)*p.scale - float64(thick)/2 + 0.5))
		x0, x1 := p.span(p.offX(min(it.X, it.X+it.W)), math.Abs(it.W))
		p.dashes(x0, x1, it.Dash, func(a, b int) { p.box(a, y, b, y+thick, c) })
	case it.W == 0:
		thick := max(p.snap(it.Width), 1)
		x := int(math.Floor(p.offX(it.X)*p.scale - float64(thick)/2 + 0.5))
		y0, y1 := p.span(p.offY(min(it.Y, it.Y+it.H)), math.Abs(it.H))
		p.dashes(y0, y1, it.Dash, func(a, b int) { p.box(x, a, x+thick, b, c) })
	default:
		p.stroke([]Point{{it.X, it.Y}, {it.X + it.W, it.Y + it.H}}, it.Width, false, c)
	}
}

func (p *painter) dashes(from, to int, dash float64, put func(a, b int)) {
	step := int(math.Round(dash * p.scale))
	if step < 1 {
		put(from, to)
		return
	}
	for a := from; a < to; a += 2 * step {
		put(a, min(a+step, to))
	}
}

func (p *painter) circle(it *Item, th *Theme) {
	cx, cy, r := p.offX(it.X)*p.scale, p.offY(it.Y)*p.scale, it.R*p.scale
	if !(r > 0) || r > 1<<14 || math.IsNaN(cx) || math.IsNaN(cy) || math.Abs(cx) > 1<<20 || math.Abs(cy) > 1<<20 {
		return
	}
	fill, edge := inkOf(th.Color(it.Fill), it.Fade), inkOf(th.Color(it.Stroke), it.Fade)
	width := max(it.Width*p.scale, 1)
	area := image.Rect(int(cx-r)-1, int(cy-r)-1, int(cx+r)+2, int(cy+r)+2).Intersect(p.b)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			dx, dy := float64(x)+0.5-cx, float64(y)+0.5-cy
			d := math.Sqrt(dx*dx+dy*dy) - r
			out := min(max(0.5-d, 0), 1)
			if out == 0 {
				continue
			}
			if it.Fill != None {
				p.dot(x, y, fill, uint32(math.Round(255*out)))
			}
			if it.Stroke != None {
				p.dot(x, y, edge, uint32(math.Round(255*(out-min(max(0.5-d-width, 0), 1)))))
			}
		}
	}
}

func (p *painter) poly(it *Item, th *Theme) {
	if it.Fill != None && len(it.Points) > 2 {
		p.fill(it.Points, inkOf(th.Color(it.Fill), it.Fade))
	}
	if it.Stroke != None && it.Width > 0 && len(it.Points) > 1 {
		p.stroke(it.Points, it.Width, it.Closed, inkOf(th.Color(it.Stroke), it.Fade))
	}
}

// fill covers a polygon.
func (p *painter) fill(pts []Point, c ink) {
	lo, hi := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, q := range pts {
		if math.IsNaN(q.X) || math.IsNaN(q.Y) {
			return
		}
		lo.X, lo.Y = min(lo.X, q.X), min(lo.Y, q.Y)
		hi.X, hi.Y = max(hi.X, q.X), max(hi.Y, q.Y)
	}
	x0, y0 := p.snap(p.offX(lo.X))-1, p.snap(p.offY(lo.Y))-1
	x1, y1 := p.snap(p.offX(hi.X))+2, p.snap(p.offY(hi.Y))+2
	w, h := x1-x0, y1-y0
	if w <= 0 || h <= 0 || w > 1<<14 || h > 1<<14 || !image.Rect(x0, y0, x1, y1).Overlaps(p.b) {
		return
	}
	p.ras.Reset(w, h)
	for i, q := range pts {
		x := float32(p.offX(q.X)*p.scale - float64(x0))
		y := float32(p.offY(q.Y)*p.scale - float64(y0))
		if i == 0 {
			p.ras.MoveTo(x, y)
		} else {
			p.ras.LineTo(x, y)
		}
	}
	p.ras.ClosePath()
	p.ras.Draw(p.dst, image.Rect(x0, y0, x1, y1), image.NewUniform(color.NRGBA{uint8(c.r), uint8(c.g), uint8(c.b), uint8(c.a)}), image.Point{})
}

// stroke covers a line of some width by the polygon along both of its sides, with mitred joins.
func (p *painter) stroke(pts []Point, width float64, closed bool, c ink) {
	half := max(width, 1/p.scale) / 2
	n := len(pts)
	side := func(i int, sign float64) Point {
		prev, next := i-1, i+1
		if closed {
			prev, next = (i+n-1)%n, (i+1)%n
		}
		ax, ay := normal(pts, max(prev, 0), i)
		bx, by := normal(pts, i, min(next, n-1))
		if prev < 0 {
			ax, ay = bx, by
		}
		if next >= n {
			bx, by = ax, ay
		}
		mx, my := ax+bx, ay+by
		dot := (mx*mx + my*my) / 2 // 1 + cos of the turn
		if dot < 0.5 {
			mx, my, dot = bx, by, 1 // a sharp turn: no spike
		}
		return Point{pts[i].X + sign*half*mx/dot, pts[i].Y + sign*half*my/dot}
	}
	p.outline = p.outline[:0]
	for i := range n {
		p.outline = append(p.outline, side(i, 1))
	}
	if closed {
		p.outline = append(p.outline, side(0, 1), side(0, -1))
	}
	for i := n - 1; i >= 0; i-- {
		p.outline = append(p.outline, side(i, -1))
	}
	p.fill(p.outline, c)
}

// normal is the unit normal of the segment between two points; 0 where they coincide.
func normal(pts []Point, i, j int) (x, y float64) {
	dx, dy := pts[j].X-pts[i].X, pts[j].Y-pts[i].Y
	l := math.Sqrt(dx*dx + dy*dy)
	if l == 0 {
		return 0, 0
	}
	return -dy / l, dx / l
}
