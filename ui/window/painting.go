//go:build cgo || !darwin

package window

import (
	"image"
	"math"

	"headroom/ui/draw"
	"headroom/ui/frame"
)

// plate is what was last painted for a slot, and the spare image that the window has given back.
type plate struct {
	slot  slot
	scale float64
	theme string
	scene draw.Scene
	done  bool
	spare *image.RGBA
}

// painted is one figure, newly painted; img is nil where it looks as before, though it may tell something else.
type painted struct {
	id    int
	scene draw.Scene
	img   *image.RGBA
}

// context is what figures are made from. The kept Frame has the history as it was then: charts do not show what came later.
func (e *engine) context(f frame.Frame, kept bool) draw.Context {
	c := draw.Context{Frame: f, History: e.history, Phase: e.ask.phase, Whole: e.ask.whole, Origin: e.origin, Marks: e.marks, Ghost: e.ghost}
	if kept {
		c.Frame, c.History = *e.kept, e.past
	}
	return c
}

func (e *engine) scene(name string, f frame.Frame, kept bool, w, h float64) (draw.Scene, bool) {
	if name == proofsFigure && w >= 1 && h >= 1 {
		return draw.Proofs(e.proofs, w, h), true
	}
	figure, ok := draw.Figures[name]
	if !ok || w < 1 || h < 1 {
		return draw.Scene{}, false
	}
	return figure(e.context(f, kept), w, h), true
}

// paint paints a slot's figure, if it does not look as it did.
func (e *engine) paint(sl slot, f frame.Frame) (painted, bool) {
	if sl.kept && e.kept == nil {
		return painted{}, false
	}
	scene, ok := e.scene(sl.figure, f, sl.kept, sl.w, sl.h)
	if !ok {
		return painted{}, false
	}
	p := e.plates[sl.id]
	if p == nil {
		p = &plate{}
		e.plates[sl.id] = p
	}
	if p.done && p.slot == sl && p.scale == e.ask.scale && p.theme == e.ask.theme.Name && p.scene.Looks(scene) {
		tells := !p.scene.Equal(scene)
		p.scene = scene
		return painted{id: sl.id, scene: scene}, tells
	}
	img := p.spare
	p.spare = nil
	p.slot, p.scale, p.theme, p.scene, p.done = sl, e.ask.scale, e.ask.theme.Name, scene, true
	if e.ask.scale > 0 {
		img = paintScene(scene, e.ask.theme, e.ask.scale, img)
	}
	return painted{id: sl.id, scene: scene, img: img}, true
}

// paintScene paints onto the image given, or onto a new one where its size is another.
func paintScene(s draw.Scene, t draw.Theme, scale float64, onto *image.RGBA) *image.RGBA {
	size := image.Rect(0, 0, pixels(s.W, scale), pixels(s.H, scale))
	if onto == nil || onto.Rect != size {
		onto = image.NewRGBA(size)
	} else {
		clear(onto.Pix)
	}
	s.Paint(onto, t, scale)
	return onto
}

const maxPixels = 16384

// pixels is a length on the screen, within what an image can be.
func pixels(length, scale float64) int {
	return int(min(max(math.Round(length*scale), 1), maxPixels))
}
