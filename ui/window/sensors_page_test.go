//go:build cgo || !darwin

package window

import (
	"strings"
	"testing"

	"headroom/sensors"
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
