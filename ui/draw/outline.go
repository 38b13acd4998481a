package draw

import (
	"image"
	"image/draw"
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// outline is the coverage of a glyph's outline with the pen at (x, 0), in 64ths of a pixel. The fonts are CFF, so its curves
// are cubic. They are cut into lines here, as vector.Rasterizer.CubeTo lets some processors round fewer times than others:
// letters would differ between them by a level.
func outline(segments sfnt.Segments, x fixed.Int26_6) *glyph {
	bounds := segments.Bounds().Add(fixed.Point26_6{X: x})
	left, top := bounds.Min.X.Floor(), bounds.Min.Y.Floor()
	w, h := bounds.Max.X.Ceil()-left, bounds.Max.Y.Ceil()-top
	if w <= 0 || h <= 0 {
		return &glyph{}
	}
	at := func(p fixed.Point26_6) point32 {
		return point32{float32(p.X+x-fixed.I(left)) / 64, float32(p.Y-fixed.I(top)) / 64}
	}
	r := vector.NewRasterizer(w, h)
	r.DrawOp = draw.Src
	var pen point32
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			pen = at(s.Args[0])
			r.MoveTo(pen.x, pen.y)
		case sfnt.SegmentOpLineTo:
			pen = at(s.Args[0])
			r.LineTo(pen.x, pen.y)
		case sfnt.SegmentOpCubeTo:
			b, c, d := at(s.Args[0]), at(s.Args[1]), at(s.Args[2])
			for i, n := 1, pieces(pen, b, c, d); i < n; i++ {
				p := cubic(float32(i)/float32(n), pen, b, c, d)
				r.LineTo(p.x, p.y)
			}
			pen = d
			r.LineTo(pen.x, pen.y)
		}
	}
	mask := image.NewAlpha(image.Rect(0, 0, w, h))
	r.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return &glyph{mask: mask.Pix, w: w, h: h, left: left, top: top}
}

type point32 struct{ x, y float32 }

// toward is the point at t of the way from p to q. The conversions keep the compiler from fusing the product and the sum.
func (p point32) toward(q point32, t float32) point32 {
	return point32{p.x + float32(t*(q.x-p.x)), p.y + float32(t*(q.y-p.y))}
}

// cubic is the point at t of a Bézier curve, by de Casteljau's construction.
func cubic(t float32, a, b, c, d point32) point32 {
	ab, bc, cd := a.toward(b, t), b.toward(c, t), c.toward(d, t)
	return ab.toward(bc, t).toward(bc.toward(cd, t), t)
}

// pieces is how many lines a curve is cut into: with the fourth root of how far it bends, none strays from it by more than a
// fraction of a pixel.
func pieces(a, b, c, d point32) int {
	bend := func(p point32) float32 {
		x, y := a.x-2*p.x+d.x, a.y-2*p.y+d.y
		return float32(x*x) + float32(y*y)
	}
	return 1 + int(math.Sqrt(math.Sqrt(3*float64(max(bend(b), bend(c))))))
}
