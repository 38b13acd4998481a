//go:build cgo || !darwin

package window

import (
	"math"
	"strconv"

	"headroom/sensors"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// pinRow is one input: its name and state, a slider and a typed value, and the key that holds or releases it.
type pinRow struct {
	w      *whatIf
	title  string
	name   *words
	state  *words
	slider *quietSlider
	entry  *fieldEntry
	unit   *words
	hold   *button
	fault  *words

	// parse reads a typed value, write shows one; scale is the slider's unit in the pin's.
	parse func(string) (float64, error)
	scale float64
	step  float64
	pin   func() *sensors.Number
	now   func() (sensors.Number, sensors.State)
	most  func() float64
}

func (w *whatIf) row(title, unit string, scale, step float64, parse func(string) (float64, error),
	pin func() *sensors.Number, now func() (sensors.Number, sensors.State), most func() float64,
) *pinRow {
	v := w.v
	r := &pinRow{
		w: w, title: title, name: newWords(draw.Text, 0.96, true, 1), state: newWords(draw.Muted, 0.92, false, 1),
		unit: newWords(draw.Muted, 0.96, false, 1), fault: newWords(draw.Alert, 0.88, false, 1),
		parse: parse, scale: scale, step: step, pin: pin, now: now, most: most,
	}
	r.name.set(title)
	r.state.right = true
	r.unit.set(unit)
	r.slider = newQuietSlider(v, 0, 60, step, r.slid)
	r.entry = newFieldEntry(v, "", r.typed)
	r.hold = newButton("Hold", r.toggle, v.tips, v)
	return r
}

// slid holds the input where the user drags it.
func (r *pinRow) slid(x float64) {
	r.w.v.setPin(r.pin(), sensors.Num(math.Round(x/r.step)*r.step*r.scale))
}

// typed holds the input at a typed value; a fault is told under the entry.
func (r *pinRow) typed(s string) {
	x, err := r.parse(s)
	if err != nil {
		r.fault.set("▲ " + err.Error())
		return
	}
	r.fault.set("")
	r.w.v.canvas().Unfocus()
	r.w.v.setPin(r.pin(), sensors.Num(x))
}

// toggle releases a held input, or holds it where it is.
func (r *pinRow) toggle() {
	if r.pin().Known() {
		r.w.v.setPin(r.pin(), sensors.Number{})
		return
	}
	if n, _ := r.now(); n.Known() && r.w.v.last.ready {
		x, _ := n.Get()
		r.w.v.setPin(r.pin(), sensors.Num(math.Round(x/r.scale/r.step)*r.step*r.scale))
	}
}

func (r *pinRow) update() {
	held := r.pin().Known()
	n, state := r.now()
	if held {
		n = *r.pin()
	}
	if !r.w.v.last.ready && !held {
		n = sensors.Number{}
	}
	x, known := n.Get()
	x /= r.scale
	most := niceMost(max(r.most(), x*1.2))
	if most > r.slider.Max || r.slider.Max > 4*most {
		r.slider.Max = most
		r.slider.Refresh()
	}
	if known {
		r.slider.show(x)
		r.entry.show(strconv.FormatFloat(x, 'f', 1, 64))
	} else {
		r.entry.show("")
	}
	label, words := "Hold", "follows the sensor"
	switch {
	case held:
		label, words = "Release", "pinned"
	case !known:
		words = "not read yet"
	case state != sensors.StateOK:
		words = frame.StateWords(state)
	}
	r.hold.set(label, "", held)
	r.state.set(words)
	if held {
		r.state.setRole(draw.Text)
	} else {
		r.state.setRole(draw.Muted)
	}
}

// niceMost is the end of a slider: the next round number from x up.
func niceMost(x float64) float64 {
	for _, m := range []float64{30, 60, 100, 150, 200, 300, 500, 800, 1200, 2000, 4000, 10_000, 100_000} {
		if x <= m {
			return m
		}
	}
	return x
}
