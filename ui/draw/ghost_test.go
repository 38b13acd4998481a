package draw

import (
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
	"headroom/ui/frame"
)

// haunted is a moment of the laptop with the course of another machine behind it, which began with it.
func haunted(t *testing.T, at time.Duration) Context {
	t.Helper()
	live, err := trace.Scenario("thin-laptop")
	if err != nil {
		t.Fatal(err)
	}
	other, err := trace.Scenario("apu")
	if err != nil {
		t.Fatal(err)
	}
	c := Context{History: frame.NewHistory(), Ghost: &frame.Ghost{Name: "apu", Start: live.Start}}
	for d := max(at-5*time.Minute, 0); d <= at; d += time.Second {
		c.Frame = frame.New(live.SampleAt(d), budget.Settings{Workload: workload.Default()})
		c.History.Add(c.Frame)
	}
	for d := time.Duration(0); d <= other.Length; d += time.Second {
		c.Ghost.Add(d, frame.New(other.SampleAt(d), budget.Settings{Workload: workload.Bare(1)}))
	}
	return c
}

// dashes are the ghost's parts of a card's scene.
func dashes(s Scene) []Item {
	return slices.Collect(func(yield func(Item) bool) {
		for _, it := range s.Items {
			if it.Kind == Poly && it.Stroke == Muted && it.Width == 1.5 && !yield(it) {
				return
			}
		}
	})
}

var cards = map[string]Figure{"thermal": ThermalCard, "power": PowerCard, "memory": MemoryCard, "clocks": ClocksCard}

func TestGhostIsDashedBehindTheLiveCourseAndNamed(t *testing.T) {
	c := haunted(t, 100*time.Second)
	for name, figure := range cards {
		s := figure(c, 320, 150)
		ghost := dashes(s)
		if len(ghost) < 10 {
			t.Errorf("%s: %d dashes are drawn", name, len(ghost))
			continue
		}
		line := slices.IndexFunc(s.Items, func(it Item) bool { return it.Kind == Poly && it.Stroke == Curve })
		last := slices.IndexFunc(s.Items, func(it Item) bool { return slices.Equal(it.Points, ghost[len(ghost)-1].Points) })
		if last > line {
			t.Errorf("%s: the ghost is drawn over the live course", name)
		}
		named := slices.ContainsFunc(s.Items, func(it Item) bool { return it.Text == "ghost: apu" })
		if !named || !strings.Contains(s.Desc, "the ghost apu, now at ") {
			t.Errorf("%s: the ghost is named %v, the words are %q", name, named, s.Desc)
		}
	}
}

// The ghost is drawn where it was at the same time after its start, and at its own value.
func TestGhostIsAlignedWithItsStart(t *testing.T) {
	c := haunted(t, 100*time.Second)
	c.Ghost.Start = c.Frame.Sample.Time.Add(-30 * time.Second)
	s := ThermalCard(c, 320, 150)
	ghost := dashes(s)
	chart := func(it Item) bool { return it.Kind == Poly && it.Fill == Area }
	area := s.Items[slices.IndexFunc(s.Items, chart)].Points
	right := area[len(area)-1].X
	left := ghost[0].Points[0].X
	if want := right - (right-pad(320))*30/120; left < want-1 || left > want+ghostGap+1 {
		t.Errorf("a ghost of 30 s begins at %v, want %v", left, want)
	}
	if !strings.Contains(s.Desc, "now at "+fixedPoint(c.Ghost.Points()[30].HeadroomC.Or(0), 1)+" °C") {
		t.Errorf("after 30 s the words are %q", s.Desc)
	}
	for _, away := range []time.Duration{time.Second, -10 * time.Minute} {
		c.Ghost.Start = c.Frame.Sample.Time.Add(away)
		if s := ThermalCard(c, 320, 150); len(dashes(s)) > 0 || strings.Contains(s.Desc, "ghost") {
			t.Errorf("a ghost that begins %v from now is drawn", away)
		}
	}
}

// While the ghost passes the scale stands still, so that the live course does not jump.
func TestScaleStandsStillWhileTheGhostPasses(t *testing.T) {
	scale := func(at time.Duration) []string {
		var labels []string
		for _, it := range ThermalCard(haunted(t, at), 640, 300).Items {
			if it.Kind == Label && it.Size == 10.5 && it.X > 500 {
				labels = append(labels, it.Text)
			}
		}
		return labels
	}
	first := scale(20 * time.Second)
	for at := 40 * time.Second; at <= 200*time.Second; at += 20 * time.Second {
		if got := scale(at); !slices.Equal(got, first) {
			t.Errorf("the scale reads %q at %v, %q before", got, at, first)
		}
	}
}

// A ghost's memory is what was free, less what the model shown needs beside its weights.
func TestGhostOfTheSameMachineLiesOnTheLiveCourse(t *testing.T) {
	c := haunted(t, 100*time.Second)
	live, err := trace.Scenario("thin-laptop")
	if err != nil {
		t.Fatal(err)
	}
	c.Ghost = &frame.Ghost{Name: live.Name, Start: live.Start}
	for d := time.Duration(0); d <= live.Length; d += time.Second {
		c.Ghost.Add(d, frame.New(live.SampleAt(d), budget.Settings{Workload: workload.Bare(1), Pins: budget.Pins{ThermalC: sensors.Num(1)}}))
	}
	for _, name := range []string{"power", "memory", "clocks"} {
		s := cards[name](c, 320, 150)
		value, _, _ := strings.Cut(s.Desc, " ")
		if !strings.Contains(s.Desc, "now at "+value+" ") {
			t.Errorf("%s: the ghost of the machine itself is elsewhere: %q", name, s.Desc)
		}
	}
}

// Hostile ghosts cost no more than others and draw nothing wild.
func TestGhostWithGapsAndOddTimes(t *testing.T) {
	c := haunted(t, 100*time.Second)
	odd := &frame.Ghost{Name: strings.Repeat("long name ", 40), Start: c.Ghost.Start}
	f := c.Frame
	odd.Add(0, f)
	odd.Add(0, f)
	odd.Add(50*time.Second, f)
	odd.Add(99*time.Second, frame.New(host{noSensors: true}.sample(noon), f.Settings))
	odd.Add(99*time.Second, f)
	odd.Add(300*24*time.Hour, f)
	c.Ghost = odd
	for name, figure := range cards {
		s := figure(c, 320, 150)
		for _, it := range dashes(s) {
			for _, p := range it.Points {
				if !(p.X >= 0 && p.X <= 320 && p.Y >= 0 && p.Y <= 150) {
					t.Errorf("%s: a dash runs to %v", name, p)
				}
			}
		}
		if n := len(s.Items); n > 200 {
			t.Errorf("%s: %d items are drawn", name, n)
		}
	}
}

func TestGhostPictures(t *testing.T) {
	c := haunted(t, 100*time.Second)
	for name, figure := range cards {
		for _, th := range []Theme{Dark, Light} {
			compare(t, name+"-ghost-"+th.Name, figure(c, 303, 144), th)
		}
	}
}
