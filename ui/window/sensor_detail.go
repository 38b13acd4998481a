//go:build cgo || !darwin

package window

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/sensors"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// sensorDetail is one reading in full, with what can be held of it.
type sensorDetail struct {
	v                          *view
	root                       *fyne.Container
	ground                     *ground
	title, value, state        *words
	drives, source, detail, id *words
	ask                        *words
	entry                      *fieldEntry
	hold, use                  *button
	fault                      *words
	row                        sensorRow
	any                        bool
}

func newSensorDetail(v *view) *sensorDetail {
	d := &sensorDetail{
		v: v, ground: newGround(draw.Card, draw.Edge),
		title: newWords(draw.Text, 1, true, 2), value: newWords(draw.Text, 1.7, true, 1), state: newWords(draw.Muted, 0.96, false, 1),
		drives: newWords(draw.Text, 0.96, true, 5), source: newWords(draw.Muted, 0.92, false, 4), detail: newWords(draw.Text, 0.92, false, 6),
		id: newWords(draw.Muted, 0.88, false, 2), ask: newWords(draw.Text, 0.96, true, 1), fault: newWords(draw.Alert, 0.88, false, 1),
	}
	d.entry = newFieldEntry(v, "", d.typed)
	d.hold = newButton("", d.toggle, v.tips, v)
	d.use = newButton("", d.useIt, v.tips, v)
	d.root = container.New(d, d.ground, d.title, d.value, d.state, d.drives, d.source, d.detail, d.id, d.ask, d.entry, d.hold, d.use, d.fault)
	d.tell(sensorRow{}, false) // not refreshed: an entry would look for fonts before the window opens
	return d
}

func (d *sensorDetail) show(r sensorRow, ok bool) {
	if ok == d.any && r == d.row && ok {
		return
	}
	d.tell(r, ok)
	d.Layout(nil, d.root.Size())
	d.root.Refresh()
}

func (d *sensorDetail) tell(r sensorRow, ok bool) {
	if r.ID != d.row.ID {
		d.fault.set("")
	}
	d.row, d.any = r, ok
	d.title.set(r.Name)
	d.value.set(r.Value)
	d.drives.set("")
	d.source.set("")
	d.detail.set(r.Detail)
	d.id.set(r.ID)
	if !ok {
		d.title.set("Choose a reading")
		d.value.set("")
		d.state.set("")
		d.detail.set("Its source in full, how old it is, which decision it drives, and what of it can be held.")
	} else {
		d.state.set(join(r.stateWords(), r.read()))
		d.source.set(r.Source)
		if r.Drives != "" {
			d.drives.set(strings.TrimSpace("Decides: " + r.Drives + ". " + r.Why))
		}
	}
	d.showPin()
}

// pinWords is what the entry holds for each kind of pin, and its unit.
var pinWords = map[pinKind][2]string{
	pinThermalLimit: {"Limit of this sensor", "°C"}, pinPowerLimit: {"Limit of this domain", "W"},
	pinHeadroom: {"Thermal headroom", "°C"}, pinPower: {"Power budget", "W"}, pinMemory: {"Free memory", "GiB"},
}

func (d *sensorDetail) showPin() {
	words, typed := pinWords[d.row.Pin]
	typed = typed && d.any
	d.ask.Hidden, d.entry.Hidden, d.hold.Hidden = !typed, !typed, !typed
	d.use.Hidden = !d.any || d.row.Pin != pinDevice && d.row.Pin != pinCredit
	if typed {
		d.ask.set(join(words[0], "in "+words[1]))
		label := "Hold"
		if d.row.Pinned {
			label = "Release"
		}
		d.hold.set(label, "", d.row.Pinned)
		n := d.row.PinNow
		if limit, ok := d.v.set.Limits[d.row.Limit]; ok && d.row.Limit != "" {
			n = sensors.Num(limit)
		}
		if x, ok := n.Get(); ok {
			d.entry.show(strconv.FormatFloat(x/d.unit(), 'f', 1, 64))
		} else {
			d.entry.show("")
		}
	}
	if !d.use.Hidden {
		d.use.set(useWords[d.row.Pin][d.row.Pinned], "", d.row.Pinned)
	}
}

// useWords are what the key of a device or a process does, and undoes once it is chosen.
var useWords = map[pinKind]map[bool]string{
	pinDevice: {false: "Decide for this device", true: "Let Headroom choose the device"},
	pinCredit: {false: "This is my workload: count it as free", true: "Count it as taken again"},
}

func (d *sensorDetail) unit() float64 {
	switch d.row.Pin {
	case pinPower, pinPowerLimit:
		return 1000
	case pinMemory:
		return frame.GiB
	}
	return 1
}

func (d *sensorDetail) parse(s string) (float64, error) {
	switch d.row.Pin {
	case pinPower, pinPowerLimit:
		return parsePower(s)
	case pinMemory:
		return parseBytes(s)
	case pinThermalLimit:
		x, err := parseCelsius(s)
		if err == nil && x < 1 {
			err = fmt.Errorf("type a limit above 0 °C")
		}
		return x, err
	}
	return parseCelsius(s)
}

func (d *sensorDetail) typed(s string) {
	x, err := d.parse(s)
	if err != nil {
		d.fault.set("▲ " + err.Error())
		return
	}
	d.fault.set("")
	d.v.canvas().Unfocus()
	d.pin(sensors.Num(x))
}

func (d *sensorDetail) toggle() {
	if d.row.Pinned {
		d.pin(sensors.Number{})
		return
	}
	d.typed(d.entry.Text)
}

func (d *sensorDetail) pin(n sensors.Number) {
	v := d.v
	switch d.row.Pin {
	case pinHeadroom:
		v.setPin(&v.set.Pins.ThermalC, n)
	case pinPower:
		v.setPin(&v.set.Pins.PowerMW, n)
	case pinMemory:
		v.setPin(&v.set.Pins.VRAMBytes, n)
	case pinThermalLimit, pinPowerLimit:
		limits := maps.Clone(v.set.Limits) // the engine holds the old map
		if limits == nil {
			limits = map[string]float64{}
		}
		if x, ok := n.Get(); ok {
			limits[d.row.Limit] = x
		} else {
			delete(limits, d.row.Limit)
		}
		v.set.Limits = limits
		v.pinsChanged()
	}
}

// useIt has everything decided for the row's device, or with what the row's process holds counted as free; or no more.
func (d *sensorDetail) useIt() {
	v := d.v
	switch {
	case d.row.Pin == pinCredit && d.row.Pinned:
		v.set.CreditPID = 0
	case d.row.Pin == pinCredit:
		v.set.CreditPID = d.row.PID
	case d.row.Pinned:
		v.set.Device = ""
	default:
		v.set.Device = d.row.Device
	}
	v.pinsChanged()
}

func (d *sensorDetail) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (d *sensorDetail) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	z := theme.TextSize() / 13
	pad := 14 * z
	d.ground.Resize(s)
	w, y := s.Width-2*pad, pad
	at := func(t *words, after float32) {
		if t.text == "" || t.Hidden {
			t.Resize(fyne.Size{})
			return
		}
		lines := float32(len(wrap(t.text, w, t.textSize(), t.lines)))
		h := t.MinSize().Height / float32(t.lines) * lines
		t.Move(fyne.NewPos(pad, y))
		t.Resize(fyne.NewSize(w, h))
		y += h + after
	}
	at(d.title, 4*z)
	at(d.value, 2*z)
	at(d.state, 12*z)
	at(d.drives, 10*z)
	at(d.detail, 10*z)
	at(d.source, 4*z)
	at(d.id, 18*z)
	at(d.ask, 4*z)
	control := controlHeight()
	if !d.entry.Hidden {
		d.entry.Move(fyne.NewPos(pad, y))
		d.entry.Resize(fyne.NewSize(w*0.55, control))
		d.hold.Move(fyne.NewPos(pad+w*0.55+8*z, y))
		d.hold.Resize(fyne.NewSize(w*0.45-8*z, control))
		y += control + 4*z
	}
	at(d.fault, 4*z)
	if !d.use.Hidden {
		d.use.Move(fyne.NewPos(pad, y))
		d.use.Resize(fyne.NewSize(w, control))
	}
}
