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
	rows     *fyne.Container
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
	objects := []fyne.CanvasObject{w.title, w.close, w.intro}
	for _, r := range w.pins {
		objects = append(objects, r.name, r.state, r.slider, r.entry, r.unit, r.hold, r.fault)
	}
	objects = append(objects, w.release, w.compare, w.compared, w.settle, w.hold, w.holdUnit, w.settled)
	w.rows = container.New(w, objects...)
	w.root = container.New(panelFrame{v}, w.ground, container.NewVScroll(w.rows))
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
	v.set.Limits, v.set.Device, v.set.CreditPID = nil, "", 0
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
		v.notices.fault("hold", "Hold time: "+err.Error()+" in seconds, 1 to 600.")
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
	w.release.setDisabled(!v.set.Pins.Any() && len(v.set.Limits) == 0 && v.set.Device == "" && v.set.CreditPID == 0)
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

// panelFrame lays the panel's ground, and its rows in a scroll upon it.
type panelFrame struct{ v *view }

func (f panelFrame) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (f panelFrame) Layout(o []fyne.CanvasObject, s fyne.Size) {
	z := f.v.look.zoom
	margin := 16 * z
	at, size := fyne.NewPos(0, 4*z), fyne.NewSize(max(s.Width-margin, 0), max(s.Height-4*z-margin, 0))
	o[0].Move(at)
	o[0].Resize(size)
	o[1].Move(at.AddXY(2, 2))
	o[1].Resize(size.SubtractWidthHeight(4, 4))
}

func (w *whatIf) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, w.stack((panelWidth-20)*w.v.look.zoom, func(fyne.CanvasObject, float32, float32, float32, float32) {}))
}

func (w *whatIf) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	w.stack(s.Width, func(o fyne.CanvasObject, x, y, width, height float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(width, height))
	})
}

// stack places the rows from the top and returns their height.
func (w *whatIf) stack(width float32, put func(o fyne.CanvasObject, x, y, width, height float32)) float32 {
	z := theme.TextSize() / 13
	left := 12 * z
	width -= 2 * left
	control := controlHeight()
	y := 8 * z
	row := func(height, after float32, place func()) {
		place()
		y += height + after
	}
	row(control, 2*z, func() {
		put(w.title, left, y, width-control, control)
		put(w.close, left+width-control+6*z, y, control, control)
	})
	intro := w.intro.MinSize().Height
	row(intro, 12*z, func() { put(w.intro, left, y, width, intro) })
	for _, r := range w.pins {
		line, fault := r.name.MinSize().Height, r.fault.MinSize().Height
		row(line, 0, func() {
			put(r.name, left, y, width*0.6, line)
			put(r.state, left+width*0.5, y, width*0.5, line)
		})
		row(26*z, 0, func() { put(r.slider, left-4*z, y, width+8*z, 26*z) })
		row(control, 2*z, func() {
			entry, hold := 84*z, 78*z
			put(r.entry, left, y, entry, control)
			put(r.unit, left+entry+6*z, y, 40*z, control)
			put(r.hold, left+width-hold, y, hold, control)
		})
		row(fault, 2*z, func() { put(r.fault, left, y, width, fault) })
	}
	row(control, 16*z, func() { put(w.release, left, y, width, control) })
	row(control, 4*z, func() { put(w.compare, left, y, width, control) })
	line := w.compared.MinSize().Height
	row(line, 10*z, func() { put(w.compared, left, y, width, line) })
	row(control, 4*z, func() {
		put(w.settle, left, y, width-116*z, control)
		put(w.hold, left+width-108*z, y, 52*z, control)
		put(w.holdUnit, left+width-50*z, y, 50*z, control)
	})
	line = w.settled.MinSize().Height
	row(line, 8*z, func() { put(w.settled, left, y, width, line) })
	return y
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
