package draw

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
	"slices"
	"time"
)

// GIF writes scenes of one size as an endless animation, one every interval. Each picture after the first holds only what
// changed. The colours are those that the scenes use most.
func GIF(w io.Writer, th Theme, scale float64, every time.Duration, scenes []Scene) error {
	if len(scenes) == 0 {
		return errors.New("write an animation: there are no pictures")
	}
	p := paletteOf(scenes, th, scale)
	out := gif.GIF{}
	delay := int(max(every/(10*time.Millisecond), 2))
	var last *image.Paletted
	for i, s := range scenes {
		if i > 0 && s.Equal(scenes[i-1]) {
			out.Delay[len(out.Delay)-1] += delay
			continue
		}
		img := p.index(s.Image(th, scale))
		shown := img
		if last != nil {
			changed := difference(last, img)
			if changed.Empty() {
				out.Delay[len(out.Delay)-1] += delay
				continue
			}
			shown = onlyChanged(last, img, changed)
		}
		last = img
		out.Image = append(out.Image, shown)
		out.Delay = append(out.Delay, delay)
		out.Disposal = append(out.Disposal, gif.DisposalNone)
	}
	out.Config = image.Config{ColorModel: last.Palette, Width: last.Rect.Dx(), Height: last.Rect.Dy()}
	if err := gif.EncodeAll(w, &out); err != nil {
		return fmt.Errorf("write an animation of %q: %w", scenes[0].Title, err)
	}
	return nil
}

// palette finds the nearest of its colours, once for each colour. Its last one is clear and stands for "as before".
type palette struct {
	colors color.Palette
	known  map[color.RGBA]uint8
}

// paletteOf counts the colours of the first, the middle and the last scene and keeps the most frequent.
func paletteOf(scenes []Scene, th Theme, scale float64) palette {
	count := map[color.RGBA]int{}
	for r := None + 1; r < numRoles; r++ {
		count[th.Color(r)] = 1 << 30
	}
	n := len(scenes)
	for _, i := range slices.Compact([]int{0, n / 2, n - 1}) {
		img := scenes[i].Image(th, scale)
		for px := img.Pix; len(px) >= 4; px = px[4:] {
			count[color.RGBA{px[0], px[1], px[2], px[3]}]++
		}
	}
	all := make([]color.RGBA, 0, len(count))
	for c := range count {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(packed(a), packed(b)))
	})
	p := palette{known: map[color.RGBA]uint8{}}
	for _, c := range all[:min(len(all), 255)] {
		p.colors = append(p.colors, c)
	}
	p.colors = append(p.colors, color.RGBA{})
	return p
}

func packed(c color.RGBA) uint32 {
	return uint32(c.R)<<24 | uint32(c.G)<<16 | uint32(c.B)<<8 | uint32(c.A)
}

func (p palette) index(img *image.RGBA) *image.Paletted {
	out := image.NewPaletted(img.Rect, p.colors)
	var last color.RGBA // most pixels look like the one before them
	var at uint8
	for i := range out.Pix {
		if c := (color.RGBA{img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2], img.Pix[4*i+3]}); c != last || i == 0 {
			n, ok := p.known[c]
			if !ok {
				n = uint8(p.colors[:len(p.colors)-1].Index(c))
				p.known[c] = n
			}
			last, at = c, n
		}
		out.Pix[i] = at
	}
	return out
}

// onlyChanged is a part of a picture in which what was there before is clear: runs of one value take little room.
func onlyChanged(before, after *image.Paletted, part image.Rectangle) *image.Paletted {
	out := image.NewPaletted(part, after.Palette)
	unchanged := uint8(len(after.Palette) - 1)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		i := after.PixOffset(part.Min.X, y)
		was, is := before.Pix[i:i+part.Dx()], after.Pix[i:i+part.Dx()]
		to := out.Pix[out.PixOffset(part.Min.X, y):]
		for x, n := range is {
			if n == was[x] {
				n = unchanged
			}
			to[x] = n
		}
	}
	return out
}

// difference is the smallest rectangle that holds all that differs.
func difference(a, b *image.Paletted) image.Rectangle {
	var r image.Rectangle
	for y := range a.Rect.Dy() {
		was, is := a.Pix[y*a.Stride:][:a.Rect.Dx()], b.Pix[y*b.Stride:][:a.Rect.Dx()]
		if bytes.Equal(was, is) {
			continue
		}
		first, last := 0, len(is)-1
		for was[first] == is[first] {
			first++
		}
		for was[last] == is[last] {
			last--
		}
		r = r.Union(image.Rect(first, y, last+1, y+1))
	}
	return r
}
