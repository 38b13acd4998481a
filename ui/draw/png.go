package draw

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
)

// Image paints the scene on the page's colour, scale pixels a unit.
func (s Scene) Image(th Theme, scale float64) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, int(math.Round(s.W*scale)), int(math.Round(s.H*scale))))
	p := painter{dst: img, b: img.Bounds(), scale: 1}
	p.box(p.b.Min.X, p.b.Min.Y, p.b.Max.X, p.b.Max.Y, inkOf(th.Color(Page), 0))
	s.Paint(img, th, scale)
	return img
}

// PNG writes the painted scene. The same scene, theme and scale give the same bytes.
func (s Scene) PNG(w io.Writer, th Theme, scale float64) error {
	if err := png.Encode(w, s.Image(th, scale)); err != nil {
		return fmt.Errorf("write a PNG of %q: %w", s.Title, err)
	}
	return nil
}
