//go:build cgo || !darwin

package window

import (
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
)

// A recording's model and pins are shown as they change in it; what the user changes stays until everything is released.
func TestAReplayFollowsTheRecordedSettings(t *testing.T) {
	small := budget.Settings{Workload: workload.Bare(3_000_000_000)}
	pinned := budget.Settings{Workload: workload.Bare(8_000_000_000), Pins: budget.Pins{ThermalC: sensors.Num(3)}}
	b := newBench(t, Options{
		Origin: "recording x.jsonl", Settings: small,
		Recorded: func(int) (*budget.Settings, error) { return &small, nil },
	}, defaults())
	cool, _ := coolAndHot(t)
	show := func(set *budget.Settings) {
		b.eng.take(fed{cool, set, -1})
		b.settle()
	}
	shown := func() (params uint64, pins budget.Pins) {
		f := b.last.frame
		if f.Settings.Workload.Params != b.set.Workload.Params || f.Settings.Pins != b.set.Pins {
			t.Errorf("the Frame is under %v %v, the window under %v %v", f.Settings.Workload.Params, f.Settings.Pins, b.set.Workload.Params, b.set.Pins)
		}
		return f.Settings.Workload.Params, f.Settings.Pins
	}
	show(&small)
	if n, p := shown(); n != 3e9 || p.Any() || !strings.Contains(b.header.model.label, "3 B") {
		t.Errorf("at first %d weights, pins %v, the key says %q", n, p, b.header.model.label)
	}
	show(&pinned)
	if n, p := shown(); n != 8e9 || p != pinned.Pins || !strings.Contains(b.header.model.label, "8 B") {
		t.Errorf("after the change %d weights, pins %v, the key says %q", n, p, b.header.model.label)
	}
	b.choose(workload.Bare(1_000_000_000), modelChoice{Params: 1_000_000_000})
	b.settle()
	show(&small)
	if n, p := shown(); n != 1e9 || p.Any() {
		t.Errorf("with a model of the user's own %d weights, pins %v: the pins should follow, the model not", n, p)
	}
	b.press('u')
	if n, _ := shown(); n != 3e9 {
		t.Errorf("released, %d weights are shown", n)
	}
	show(&pinned)
	if n, _ := shown(); n != 8e9 {
		t.Errorf("after the release, %d weights are shown: the recording is not followed", n)
	}
}

// Looking for the next change takes the settings of each sample, can be given up, and tells what it found.
func TestNextChangeLooksUnderTheRecordedSettings(t *testing.T) {
	s := script(t, "thin-laptop")
	few, many := budget.Settings{Workload: workload.Bare(1_000_000_000)}, budget.Settings{Workload: workload.Bare(70_000_000_000)}
	player := trace.NewPlayer(s.Every(time.Second))
	b := newBench(t, Options{
		Origin: "recording x.jsonl", Feed: player, Settings: few,
		Recorded: func(i int) (*budget.Settings, error) {
			if i < 20 {
				return &few, nil
			}
			return &many, nil
		},
	}, defaults())
	b.sample(s.SampleAt(0))
	b.press('n')
	if pos := player.Position(); pos.Sample != 20 || pos.Playing {
		t.Errorf("it went to sample %d, playing: %v", pos.Sample, pos.Playing)
	}
	var left []func()
	b.beside = func(work func()) { left = append(left, work) }
	b.press('n')
	b.lookedThrough(0.5)
	if !strings.Contains(b.told(), "50 %") || b.notices.top().label != "Cancel" {
		t.Errorf("half-way it says %q", b.told())
	}
	b.back()
	for _, work := range slices.Clone(left) {
		work()
	}
	if pos := player.Position(); pos.Sample != 20 || b.told() != "" || b.player.giveUp != nil {
		t.Errorf("given up, it stands at sample %d and says %q", pos.Sample, b.told())
	}
}
