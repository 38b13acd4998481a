package draw

import (
	"image"
	"image/color"
	"math"
)

func (p *painter) line(it *Item, th *Theme) {
	if it.Stroke == None || !(it.Width > 0) {
		return
	}
	c := inkOf(th.Color(it.Stroke), it.Fade)
	switch {
	case it.H == 0:
		thick := max(p.snap(it.Width), 1)
		y := int(math.Floor(float64(p.offY(it.Y)*p.scale) - float64(thick)/2 + 0.5 + nudge))
		x0, x1 := p.span(p.offX(min(it.X, it.X+it.W)), math.Abs(it.W))
		p.dashes(x0, x1, it.Dash, func(a, b int) { p.box(a, y, b, y+thick, c) })
	case it.W == 0:
		thick := max(p.snap(it.Width), 1)
		x := int(math.Floor(float64(p.offX(it.X)*p.scale) - float64(thick)/2 + 0.5 + nudge))
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
	cx, cy, r := float64(p.offX(it.X)*p.scale), float64(p.offY(it.Y)*p.scale), float64(it.R*p.scale)
	if !(r > 0) || r > 1<<14 || math.IsNaN(cx) || math.IsNaN(cy) || math.Abs(cx) > 1<<20 || math.Abs(cy) > 1<<20 {
		return
	}
	fill, edge := inkOf(th.Color(it.Fill), it.Fade), inkOf(th.Color(it.Stroke), it.Fade)
	width := max(float64(it.Width*p.scale), 1)
	area := image.Rect(int(cx-r)-1, int(cy-r)-1, int(cx+r)+2, int(cy+r)+2).Intersect(p.b)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			dx, dy := float64(x)+0.5-cx, float64(y)+0.5-cy
			d := math.Sqrt(float64(dx*dx)+float64(dy*dy)) - r
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
	area := image.Rect(x0, y0, x1, y1).Intersect(p.b)
	if x1-x0 > 1<<14 || y1-y0 > 1<<14 || area.Empty() {
		return
	}
	p.ras.Reset(area.Dx(), area.Dy())
	for i, q := range pts {
		x := float32(float64(p.offX(q.X)*p.scale) - float64(area.Min.X))
		y := float32(float64(p.offY(q.Y)*p.scale) - float64(area.Min.Y))
		if i == 0 {
			p.ras.MoveTo(x, y)
		} else {
			p.ras.LineTo(x, y)
		}
	}
	p.ras.ClosePath()
	p.ras.Draw(p.dst, area, image.NewUniform(color.NRGBA{uint8(c.r), uint8(c.g), uint8(c.b), uint8(c.a)}), image.Point{})
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
		dot := (float64(mx*mx) + float64(my*my)) / 2 // 1 + cos of the turn
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
	l := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if l == 0 {
		return 0, 0
	}
	return -dy / l, dx / l
}
