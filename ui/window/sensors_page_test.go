//go:build cgo || !darwin

package window

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"headroom/sensors"
	"headroom/ui/frame"
)

func TestADeviceAndALimitAreChosenOnTheSensorsPage(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('3')
	driving := b.last.frame.Budget.Thermal.ReadingID
	b.sensors.find(driving)
	d := b.sensors.detail
	if d.row.ID != driving || !strings.Contains(d.drives.text, "thermal headroom") {
		t.Fatalf("chosen %q, says %q", d.row.ID, d.drives.text)
	}
	was, _ := b.last.frame.Budget.Thermal.Limit.Get()
	d.typed("60")
	b.settle()
	if got, _ := b.last.frame.Budget.Thermal.Limit.Get(); got != 60 || was == 60 {
		t.Errorf("the limit is %v after it was held at 60 °C (before: %v)", got, was)
	}
	if !d.row.Pinned || d.hold.label != "Release" {
		t.Errorf("the row does not say that it is held: %+v", d.row)
	}
	d.toggle()
	b.settle()
	if got, _ := b.last.frame.Budget.Thermal.Limit.Get(); got != was {
		t.Errorf("released, the limit is %v, want %v", got, was)
	}
	for _, r := range b.sensors.rows {
		if r.Pin == pinDevice {
			b.sensors.find(r.ID)
			d.useIt()
			b.settle()
			if b.last.frame.Settings.Device != r.Device {
				t.Errorf("device %q, want %q", b.last.frame.Settings.Device, r.Device)
			}
		}
	}
}

func TestWhatWasNotReadHasNoAge(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	cool.Temperatures, cool.Power = nil, nil
	b.sample(cool)
	b.press('3')
	line := func(id string) tableRow {
		t.Helper()
		i := slices.IndexFunc(b.sensors.seen, func(r sensorRow) bool { return r.ID == id })
		if i < 0 {
			t.Fatalf("no line for %s", id)
		}
		b.sensors.find(id)
		return b.sensors.table.rows[i]
	}
	if l := line(inputThermal); l.cells[2].text != "assumed" || l.cells[3].text != "" {
		t.Errorf("an assumed headroom has the state %q and the age %q", l.cells[2].text, l.cells[3].text)
	}
	if words := b.sensors.detail.state.text; !strings.Contains(words, "not read") || strings.Contains(words, "read in this round") {
		t.Errorf("the detail says %q", words)
	}
	b.setPin(&b.set.Pins.ThermalC, sensors.Num(3))
	b.settle()
	if l := line(inputThermal); l.cells[2].text != "pinned" || l.cells[3].text != "" {
		t.Errorf("a held headroom has the state %q and the age %q", l.cells[2].text, l.cells[3].text)
	}
	if l := line("input/memory/kv"); l.cells[2].text != "" || l.cells[3].text != "" {
		t.Errorf("the KV cache has the state %q and the age %q", l.cells[2].text, l.cells[3].text)
	}
	if l := line(inputMemory + "/free"); l.cells[3].text != "now" {
		t.Errorf("the free memory has the age %q", l.cells[3].text)
	}
}

func TestTheMemoryBudgetStandsWithItsParts(t *testing.T) {
	cool, _ := coolAndHot(t)
	f := frame.New(cool, newSettings())
	l := f.Ledger()
	want := []string{l.Words(l.Budget), l.Words(l.FreeTotal), "− " + l.Words(l.KV), "− " + l.Words(l.Compute)}
	var got []string
	for _, r := range sensorRows(f) {
		if strings.HasPrefix(r.ID, inputMemory) {
			got = append(got, r.Value)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the memory budget and its parts are %q, want %q", got, want)
	}
}

func TestEachDeviceIsListedOnce(t *testing.T) {
	for _, name := range []string{"thin-laptop", "apu", "gpu-comes-and-goes"} {
		f := frame.New(script(t, name).SampleAt(0), newSettings())
		names := map[string]int{}
		for _, r := range sensorRows(f) {
			if !r.Indent && !r.Heading {
				names[r.Name]++
			}
		}
		for _, a := range f.Sample.Adapters {
			if names[a.Name] != 1 {
				t.Errorf("%s: %s is listed %d times", name, a.Name, names[a.Name])
			}
		}
	}
}

func TestTheInputThatDecidesIsShownFirst(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	_, hot := coolAndHot(t)
	b.sample(hot)
	b.press('3')
	d := b.sensors.detail
	if d.row.ID != inputThermal || !strings.Contains(d.drives.text, "under 5 °C") {
		t.Errorf("held back by heat, the page shows %q: %q", d.row.ID, d.drives.text)
	}
	n := 0
	for _, l := range b.sensors.table.rows {
		if strings.HasPrefix(l.cells[4].text, markFits) {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d inputs are marked as the one that decides", n)
	}
}

func TestSearchLeavesWhatItFindsOnTheSensorsPage(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('3')
	b.press('/')
	if b.canvas().Focused() != b.sensors.search {
		t.Fatal("/ does not lead into the search")
	}
	b.sensors.search.SetText("coretemp")
	if n := len(b.sensors.table.rows); n < 2 || n > 5 {
		t.Errorf("%d lines hold coretemp", n)
	}
	family := b.sensors.table.rows[0].cells[0].text
	name, shown, _ := strings.Cut(family, " · ")
	readings := 0
	for _, l := range b.sensors.table.rows[1:] {
		if l.heading {
			break
		}
		if !l.cells[0].indent {
			readings++
		}
	}
	b.sensors.search.SetText("")
	whole := ""
	for _, l := range b.sensors.table.rows {
		if text, ok := strings.CutPrefix(l.cells[0].text, name+" · "); ok && l.heading {
			whole = text
		}
	}
	if n, err := strconv.Atoi(whole); err != nil || n <= readings || shown != fmt.Sprintf("%d of %s", readings, whole) {
		t.Errorf("%d readings of %q stand under %q", readings, whole, family)
	}
	b.sensors.search.SetText("no such thing")
	if len(b.sensors.table.rows) != 0 || b.sensors.empty.text == "" {
		t.Error("an empty search is not told")
	}
}

func TestARunningWorkloadCanBeCountedAsFree(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	held := sensors.Reading{ID: "process/4242/gpu", Kind: "memory", Value: sensors.Num(4 << 30), Unit: sensors.Bytes, State: sensors.StateOK, Source: "fdinfo"}
	cool.Workloads = []sensors.Process{{PID: 4242, Name: "llama-server", Model: "/models/llama.gguf", RAM: held, GPU: held}}
	b.sample(cool)
	b.press('3')
	b.sensors.find("process/4242")
	b.sensors.detail.useIt()
	b.settle()
	if b.last.frame.Settings.CreditPID != 4242 || b.last.frame.Budget.Memory.Credit == 0 {
		t.Errorf("credit %d bytes for process %d", b.last.frame.Budget.Memory.Credit, b.last.frame.Settings.CreditPID)
	}
	b.press('u')
	if b.last.frame.Settings.CreditPID != 0 {
		t.Error("U does not take the credit away")
	}
}
