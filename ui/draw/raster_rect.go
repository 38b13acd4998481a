package draw

import (
	"math"
)

// span snaps an extent; what has any width keeps at least one pixel.
func (p *painter) span(a, length float64) (int, int) {
	lo, hi := p.snap(a), p.snap(a+length)
	if hi == lo && length > 0 {
		hi++
	}
	return lo, hi
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
	return math.Sqrt(float64(dx*dx)+float64(dy*dy)) - r
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
		p.stripes = append(p.stripes, uint8(math.Round(255*min(max(float64((float64(p.pitch*hatchShare/2)-d)*p.scale)+0.5, 0), 1))))
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
