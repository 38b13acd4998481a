//go:build cgo || !darwin

package window

import (
	"strings"
	"testing"
	"time"

	"headroom/policy"
	"headroom/sensors"
	"headroom/ui/draw"
)

func TestPinsDecideAtOnceAndAreReleasedByOneKey(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('h')
	entry := b.whatIf.pins[0].entry
	if b.canvas().Focused() != entry || !b.state.WhatIf {
		t.Fatal("H does not lead into the thermal headroom's entry")
	}
	entry.SetText("3 °C")
	entry.OnSubmitted(entry.Text)
	b.settle()
	if p := b.last.frame.Plan; !p.TightHeat || p.Precision != policy.Q8 {
		t.Errorf("with 3 °C pinned the plan is %v, tight %v", p.Precision, p.Tight)
	}
	if !strings.Contains(b.said(), "pinned") {
		t.Error("the figures do not say that the input is pinned")
	}
	if b.header.whatIf.detail != "1 held" || b.whatIf.pins[0].state.text != "pinned" {
		t.Errorf("header says %q, panel %q", b.header.whatIf.detail, b.whatIf.pins[0].state.text)
	}
	if b.state.Pins.ThermalC.Or(0) != 3 {
		t.Error("the pin is not remembered")
	}
	b.press('u')
	if b.set.Pins.Any() || b.last.frame.Plan.TightHeat || strings.Contains(b.said(), "pinned") {
		t.Error("U does not release the pin")
	}
}

func TestASliderPinsAndFollowsItsSensorOtherwise(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	b.press('p')
	cool, hot := coolAndHot(t)
	b.sample(cool)
	row := b.whatIf.pins[1]
	if b.set.Pins.Any() {
		t.Fatal("showing a value on the slider pinned it")
	}
	row.slider.SetValue(12)
	b.settle()
	if got := b.set.Pins.PowerMW.Or(0); got != 12_000 {
		t.Errorf("the slider at 12 W pinned %v mW", got)
	}
	if !b.last.frame.Plan.TightPower {
		t.Error("12 W is under 15 W, and is not tight")
	}
	b.sample(hot)
	if row.slider.Value != 12 {
		t.Errorf("the slider of a held input moved to %v", row.slider.Value)
	}
}

func TestWrongTypedValuesAreToldInPlace(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('v')
	for _, text := range []string{"", "lots", "-1 GiB", "NaN", "1e400", "9999999 EiB"} {
		b.whatIf.pins[2].fault.set("")
		b.whatIf.pins[2].typed(text)
		if b.whatIf.pins[2].fault.text == "" || b.set.Pins.Any() {
			t.Errorf("%q: fault %q, pins %+v", text, b.whatIf.pins[2].fault.text, b.set.Pins)
		}
	}
	if len(b.canvas().Overlays().List()) != 0 {
		t.Error("a wrong value opened a dialog")
	}
}

func TestAComparisonKeepsOneFrameBesideWhatFollows(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, hot := coolAndHot(t)
	b.sample(cool)
	b.press('x')
	b.sample(hot)
	var kept, now draw.Scene
	for _, pl := range b.live.places {
		if pl.slot.figure == "verdict" {
			if pl.slot.kept {
				kept = pl.f.scene
			} else {
				now = pl.f.scene
			}
		}
	}
	if !strings.HasPrefix(kept.Title, "Runs at f16") || !strings.HasPrefix(now.Title, "Runs at q8") {
		t.Errorf("side by side: %q and %q", kept.Title, now.Title)
	}
	if got := b.live.compare.diff.text; !strings.Contains(got, "f16 → q8") {
		t.Errorf("what differs: %q", got)
	}
	b.press('x')
	if b.live.compare.root.Visible() || !strings.HasPrefix(b.scene("verdict").Title, "Runs at q8") {
		t.Error("the comparison does not end")
	}
}

func TestTheSettledAnswerWaitsAndTheRawOneStaysInView(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	b.press('s')
	b.setHold("10")
	cool, hot := coolAndHot(t)
	at := func(s sensors.Sample, seconds int) {
		s.Time = cool.Time.Add(time.Duration(seconds) * time.Second)
		b.sample(s)
	}
	at(cool, 0)
	at(cool, 20)
	at(hot, 21)
	if b.settled.chip.of != policy.F16 || !strings.Contains(b.settled.text.text, "raw answer, q8") {
		t.Errorf("settled %v, beside it %q", b.settled.chip.of, b.settled.text.text)
	}
	if !strings.HasPrefix(b.scene("verdict").Title, "Runs at q8") {
		t.Error("the raw answer is not shown at once")
	}
	at(hot, 32)
	if b.settled.chip.of != policy.Q8 || !strings.Contains(b.settled.text.text, "the same") {
		t.Errorf("after 11 s: settled %v, %q", b.settled.chip.of, b.settled.text.text)
	}
}

func TestHoldingThePictureKeepsItWhileSamplesCome(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, hot := coolAndHot(t)
	b.sample(cool)
	b.press(' ')
	b.sample(hot)
	if !strings.HasPrefix(b.scene("verdict").Title, "Runs at f16") || b.header.state.label != "held" {
		t.Errorf("held: %q, %q", b.scene("verdict").Title, b.header.state.label)
	}
	b.press(' ')
	if !strings.HasPrefix(b.scene("verdict").Title, "Runs at q8") {
		t.Errorf("let go: %q", b.scene("verdict").Title)
	}
}
