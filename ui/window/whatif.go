//go:build cgo && !nogui

package window

import (
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"headroom/sensors"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// whatIf is the panel of pins: each input can be held at a value of the user's, two Frames can be compared, and the
// settled answer is switched on.
type whatIf struct {
	v        *view
	root     *fyne.Container
	ground   *ground
	title    *words
	close    *button
	intro    *words
	pins     [3]*pinRow
	release  *button
	compare  *button
	compared *words
	settle   *button
	settled  *words
	hold     *fieldEntry
	holdUnit *words
}

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

func newWhatIf(v *view) *whatIf {
	w := &whatIf{
		v: v, ground: newGround(draw.Card, draw.Edge), title: newWords(draw.Text, 1, true, 1), intro: newWords(draw.Muted, 0.92, false, 2),
		compared: newWords(draw.Muted, 0.92, false, 2), settled: newWords(draw.Muted, 0.92, false, 3), holdUnit: newWords(draw.Muted, 0.96, false, 1),
	}
	w.title.set("What if")
	w.intro.set("Hold an input at a value of yours. What follows is marked as pinned everywhere.")
	w.close = newButton("×", v.toggleWhatIf, v.tips, v).setTip("Close this panel (P); what is held stays held")
	w.close.plain = true
	w.pins[0] = w.row("Thermal headroom", "°C", 1, 0.1, parseCelsius,
		func() *sensors.Number { return &v.set.Pins.ThermalC },
		func() (sensors.Number, sensors.State) {
			return sensors.Num(v.last.frame.Budget.Thermal.HeadroomC), v.last.frame.Budget.Thermal.State
		},
		func() float64 { return 60 })
	w.pins[0].slider.Min = -20
	w.pins[1] = w.row("Power budget", "W", 1000, 0.5, parsePower,
		func() *sensors.Number { return &v.set.Pins.PowerMW },
		func() (sensors.Number, sensors.State) {
			return sensors.Num(v.last.frame.Budget.Power.BudgetMW), v.last.frame.Budget.Power.State
		},
		func() float64 { return max(60, v.last.frame.Budget.Power.Limit.Or(0)/1000*1.2) })
	w.pins[2] = w.row("Free memory", "GiB", frame.GiB, 0.1, parseBytes,
		func() *sensors.Number { return &v.set.Pins.VRAMBytes },
		func() (sensors.Number, sensors.State) {
			return sensors.Num(float64(v.last.frame.Budget.Memory.Free)), v.last.frame.Budget.Memory.State
		},
		func() float64 {
			most := max(16, v.last.frame.Budget.Memory.RAMTotal.Or(0)/frame.GiB)
			for _, g := range v.last.frame.Budget.GPUs {
				most = max(most, g.VRAMTotal.Or(0)/frame.GiB)
			}
			return most
		})
	w.release = newButton("Release all", v.releasePins, v.tips, v).setTip("Let every input follow its sensor again (U)")
	w.compare = newButton("", v.toggleCompare, v.tips, v).setTip("Keep this Frame and see it beside what follows (X)")
	w.settle = newButton("Settled answer", v.toggleSettled, v.tips, v).setTip("Near a threshold the answer wavers. The settled one changes only after it has held for a time; the raw one stays in view (S)")
	w.hold = newFieldEntry(v, "10", func(s string) { v.setHold(s) })
	w.holdUnit.set("s held")
	objects := []fyne.CanvasObject{w.ground, w.title, w.close, w.intro}
	for _, r := range w.pins {
		objects = append(objects, r.name, r.state, r.slider, r.entry, r.unit, r.hold, r.fault)
	}
	objects = append(objects, w.release, w.compare, w.compared, w.settle, w.hold, w.holdUnit, w.settled)
	w.root = container.New(w, objects...)
	w.root.Hidden = !v.state.WhatIf
	return w
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
	most := niceMost(max(r.most(), x))
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

// setPin holds an input, or releases it where the number is unknown, and has everything decided anew at once.
func (v *view) setPin(pin *sensors.Number, n sensors.Number) {
	if *pin == n {
		return
	}
	*pin = n
	v.pinsChanged()
}

func (v *view) pinsChanged() {
	if v.remembers() {
		v.state.Pins, v.state.Limits, v.state.Device = v.set.Pins, v.set.Limits, v.set.Device
		v.changedState()
	}
	v.settingsChanged()
	v.whatIf.update()
	v.header.update()
}

// releasePins lets every input, limit and device follow the machine again.
func (v *view) releasePins() {
	v.set.Pins.ThermalC, v.set.Pins.PowerMW, v.set.Pins.VRAMBytes = sensors.Number{}, sensors.Number{}, sensors.Number{}
	v.set.Limits, v.set.Device = nil, ""
	v.pinsChanged()
}

func (v *view) toggleWhatIf() {
	v.state.WhatIf = !v.state.WhatIf
	v.whatIf.root.Hidden = !v.state.WhatIf
	v.canvas().Unfocus()
	v.header.update()
	v.whatIf.update()
	v.shell.Refresh()
	v.changedState()
}

// focusPin opens the panel and puts the cursor into one input's entry.
func (v *view) focusPin(i int) {
	if !v.state.WhatIf {
		v.toggleWhatIf()
	}
	e := v.whatIf.pins[i].entry
	v.canvas().Focus(e)
	e.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// toggleCompare keeps the Frame on show beside what follows, or ends the comparison.
func (v *view) toggleCompare() {
	if v.last.keptAt.IsZero() {
		if !v.last.ready {
			return
		}
		v.eng.do(v.eng.keep)
		v.turnTo(pageLive)
		return
	}
	v.eng.do(v.eng.release)
}

func (v *view) toggleSettled() {
	v.state.Settled = !v.state.Settled
	v.holdChanged()
}

func (v *view) setHold(s string) {
	x, err := parseNumber(s, 1, 600)
	if err != nil {
		v.notices.add("hold", "Hold time: "+err.Error()+" in seconds, 1 to 600.")
		return
	}
	v.notices.remove("hold")
	v.canvas().Unfocus()
	v.state.HoldMS = int64(x * 1000)
	v.holdChanged()
}

func (v *view) holdChanged() {
	d := v.holdTime()
	v.eng.do(func() { v.eng.setHold(d) })
	v.changedState()
	v.whatIf.update()
	v.settled.update()
	v.shell.Refresh()
}

func (w *whatIf) update() {
	v := w.v
	if !w.root.Visible() {
		return
	}
	for _, r := range w.pins {
		r.update()
	}
	w.release.setDisabled(!v.set.Pins.Any() && len(v.set.Limits) == 0 && v.set.Device == "")
	if v.last.keptAt.IsZero() {
		w.compare.set("Compare", "", false)
		w.compared.set("Keeps this Frame; then change an input and see both.")
	} else {
		w.compare.set("End comparison", "", true)
		w.compared.set("Kept: the Frame of " + clock(v.last.keptAt) + ".")
	}
	w.settle.set("Settled answer", onOff(v.state.Settled), v.state.Settled)
	w.hold.show(strconv.FormatFloat(float64(v.state.HoldMS)/1000, 'f', -1, 64))
	if v.state.Settled {
		w.settled.set(v.last.settledWords())
	} else {
		w.settled.set("Off: only the raw answer is shown.")
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func (w *whatIf) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// Layout stacks the rows from the top.
func (w *whatIf) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	z := theme.TextSize() / 13
	margin, pad := 16*z, 14*z
	w.ground.Move(fyne.NewPos(0, 4*z))
	w.ground.Resize(fyne.NewSize(max(s.Width-margin, 0), max(s.Height-4*z-margin, 0)))
	left, width := pad, s.Width-margin-2*pad
	y := 4*z + 10*z
	at := func(o fyne.CanvasObject, x, dx, height float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(dx, height))
	}
	control := controlHeight()
	tight := s.Height < 560*z
	at(w.title, left, width-control, control)
	at(w.close, left+width-control+6*z, control, control)
	y += control + 2*z
	w.intro.Hidden = tight
	if !tight {
		h := w.intro.MinSize().Height
		at(w.intro, left, width, h)
		y += h + 12*z
	}
	for _, r := range w.pins {
		h := r.name.MinSize().Height
		at(r.name, left, width*0.6, h)
		at(r.state, left+width*0.5, width*0.5, h)
		y += h
		at(r.slider, left-4*z, width+8*z, 26*z)
		y += 26 * z
		entry, hold := 84*z, max(r.hold.MinSize().Width, 74*z)
		at(r.entry, left, entry, control)
		at(r.unit, left+entry+6*z, 40*z, control)
		at(r.hold, left+width-hold, hold, control)
		y += control + 2*z
		h = r.fault.MinSize().Height
		at(r.fault, left, width, h)
		y += h + 2*z
	}
	at(w.release, left, width, control)
	y += control + 16*z
	half := width
	at(w.compare, left, half, control)
	y += control + 4*z
	h := w.compared.MinSize().Height
	at(w.compared, left, width, h)
	y += h + 8*z
	at(w.settle, left, width-116*z, control)
	at(w.hold, left+width-108*z, 56*z, control)
	at(w.holdUnit, left+width-46*z, 46*z, control)
	y += control + 4*z
	at(w.settled, left, width, w.settled.MinSize().Height)
}

// quietSlider is Fyne's slider, told of the user's changes only, not of the values that it is made to show.
type quietSlider struct {
	widget.Slider
	v      *view
	moving bool
}

func newQuietSlider(v *view, least, most, step float64, slid func(float64)) *quietSlider {
	s := &quietSlider{v: v}
	s.Min, s.Max, s.Step = least, most, step
	s.Orientation = widget.Horizontal
	s.OnChanged = func(x float64) {
		if !s.moving {
			slid(x)
		}
	}
	s.ExtendBaseWidget(s)
	return s
}

// show moves the slider to a value without telling anyone.
func (s *quietSlider) show(x float64) {
	x = min(max(x, s.Min), s.Max)
	if math.Abs(s.Value-x) < s.Step/2 {
		return
	}
	s.moving = true
	s.SetValue(x)
	s.moving = false
}

func (s *quietSlider) TypedRune(r rune) { s.v.typedRune(r) }

func (s *quietSlider) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown:
		s.Slider.TypedKey(e)
	default:
		s.v.typedKey(e)
	}
}
