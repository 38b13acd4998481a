//go:build cgo || !darwin

package window

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

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
	if v.base != nil {
		w.release.setTip("Follow the recording again: its model, its pins (U)")
	}
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

func (w *whatIf) update() {
	v := w.v
	if !w.root.Visible() {
		return
	}
	for _, r := range w.pins {
		r.update()
	}
	w.release.setDisabled(!v.holds())
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
