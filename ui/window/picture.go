//go:build cgo || !darwin

package window

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

	"headroom/ui/draw"
)

// MinWidth and MinHeight are the least size of the window in its units, which are those of a scene.
const (
	MinWidth  = minWidth
	MinHeight = minHeight
)

// Picture is the window on a page as a scene of w by h units, for the Context that figures are made from: the window's own
// widgets, laid out without a display and at rest. The options say what this window has; nothing is remembered or kept, and
// none of them is called but Here. Pictures are taken one at a time, and not while a window is open.
func Picture(ctx context.Context, c draw.Context, o Options, page string, w, h float64, th draw.Theme) (draw.Scene, error) {
	if w < MinWidth || h < MinHeight {
		return draw.Scene{}, fmt.Errorf("picture the window: %v × %v is less than its least size, %d × %d", w, h, MinWidth, MinHeight)
	}
	state := defaults()
	state.Page, state.Theme, state.Whole, state.Prefill = page, th.Name, c.Whole, c.Phase == draw.Prefill
	o.Settings, o.Origin, o.Marks, o.Ghost, o.FramesFile = c.Frame.Settings, c.Origin, c.Marks, c.Ghost, ""
	v := newView(ctx, newHeadless(), o, state)
	defer v.win.Close()
	v.still = true
	v.beside = func(work func()) { work() }
	v.win.Resize(fyne.NewSize(float32(w), float32(h)))
	v.eng.do(func() { v.eng.look(c) })
	v.findHere()
	if err := v.rest(); err != nil {
		return draw.Scene{}, err
	}
	if page == PageSensors {
		v.sensors.find(c.Frame.Budget.Thermal.ReadingID)
	}
	v.canvas().Unfocus()

	s := newScenery(v.canvas().Size(), th)
	s.add(v.canvas().Content(), fyne.Position{})
	s.scene.Title = join("Headroom: "+v.headline(), c.Origin)
	s.scene.Desc = strings.Join(s.said, "\n")
	return s.scene, s.err
}

// look shows what was made already.
func (e *engine) look(c draw.Context) {
	e.sample, e.sampled, e.frame, e.history, e.dirty = c.Frame.Sample, true, c.Frame, c.History, true
}

// headline is the page's name, or the verdict where it is on show.
func (v *view) headline() string {
	if f := v.live.byName["verdict"]; f != nil && v.state.Page == PageLive {
		return f.scene.Title
	}
	return pageTitle(v.state.Page)
}

// rest shows all that there is to show.
func (v *view) rest() error {
	for range 100 {
		s, ok := v.eng.turn()
		if !ok {
			return nil
		}
		v.apply(s)
	}
	return errors.New("picture the window: it never comes to rest")
}
