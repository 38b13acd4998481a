//go:build cgo || !darwin

package window

import (
	"fyne.io/fyne/v2"

	"headroom/sensors"
)

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

// releasePins lets every input, limit and device follow the machine again, and everything a recording.
func (v *view) releasePins() {
	if v.base != nil {
		v.set = *v.base
		v.choice = choiceOf(v.set.Workload)
		v.pinsChanged()
		return
	}
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
		v.turnTo(PageLive)
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
