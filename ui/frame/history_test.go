package frame_test

import (
	"reflect"
	"testing"
	"time"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// at is a Frame of a cool or hot laptop, seconds after noon.
func at(seconds float64, h host, set budget.Settings) frame.Frame {
	s := h.sample()
	s.Time = noon.Add(time.Duration(seconds * float64(time.Second)))
	return frame.New(s, set)
}

var (
	llama = budget.Settings{Workload: job(8_030_000_000, 1, 0.26)}
	cool  = host{now: 60, limit: 100, limitW: 33, drawW: 10, vram: 4, vramUsed: 1.2, gtt: 20, gttUsed: 1.1, ram: 24, kind: "integrated"}
	hot   = host{now: 96, limit: 100, limitW: 33, drawW: 10, vram: 4, vramUsed: 1.2, gtt: 20, gttUsed: 1.1, ram: 24, kind: "integrated"}
)

func TestHistoryKeepsTenMinutesAtAnyRate(t *testing.T) {
	for _, every := range []float64{0.02, 0.1, 1, 5, 60} {
		h := frame.NewHistory()
		for i := range 2000 {
			h.Add(at(float64(i)*every, cool, llama))
		}
		last := noon.Add(time.Duration(1999 * every * float64(time.Second)))
		points := h.Points()
		if len(points) == 0 || len(points) > 1201 {
			t.Fatalf("every %v s: %d points", every, len(points))
		}
		if got := points[len(points)-1].At; !got.Equal(last) {
			t.Errorf("every %v s: the last point is of %v, not of %v", every, got, last)
		}
		span := last.Sub(points[0].At)
		if whole := last.Sub(noon); span > frame.Span || (whole >= frame.Span && span < frame.Span-time.Minute) {
			t.Errorf("every %v s: %v are kept of %v", every, span, whole)
		}
	}
}

func TestHistoryKeepsAShortChangeOfDecision(t *testing.T) {
	h := frame.NewHistory()
	for i := range 100 {
		f := cool
		if i == 50 {
			f = hot
		}
		h.Add(at(float64(i)*0.02, f, llama))
	}
	tight := 0
	for _, p := range h.Points() {
		if p.Tight {
			tight++
		}
	}
	equal(t, "tight points", tight, 1)
	equal(t, "changes", len(h.Changes()), 2)
}

func TestHistorySinceAndCause(t *testing.T) {
	squeezed := cool
	squeezed.gttUsed = 19
	gone := cool
	gone.kind = ""
	unplugged := cool
	unplugged.drawW, unplugged.onBattery = 20, true
	both := squeezed
	both.now = 97
	small := budget.Settings{Workload: job(1_240_000_000, 0, 0)}
	small.Workload.Name = "Llama 3.2 1B"
	pinned := llama
	pinned.Pins.ThermalC = sensors.Num(2)
	for _, c := range []struct {
		name     string
		from, to host
		set      budget.Settings
		cause    string
	}{
		{"heat", cool, hot, llama, "heat: 4.0 °C is under 5 °C"},
		{"cooler", hot, cool, llama, "cooler: 40.0 °C of headroom"},
		{"memory", cool, squeezed, llama, "less memory: budget 2.5 GiB, was 20.4 GiB"},
		{"more memory", squeezed, cool, llama, "more memory: budget 20.4 GiB, was 2.5 GiB"},
		{"the GPU goes", cool, gone, llama, "the GPU went: Radeon"},
		{"the GPU comes", gone, cool, llama, "a GPU came: Radeon"},
		{"power", cool, unplugged, llama, "power: 13.0 W is under 15 W, on battery"},
		{"memory alone leads there, heat came with it", cool, both, llama, "less memory: budget 2.5 GiB, was 20.4 GiB"},
		{"another model", cool, cool, small, "you chose Llama 3.2 1B"},
		{"a bare count", cool, cool, budget.Settings{Workload: workload.Bare(1_000_000_000)}, "you chose 1 B weights"},
		{"a pin", cool, cool, pinned, "you pinned thermal headroom"},
		{"heat, which a pin set at the same time only confirms", cool, hot, pinned, "heat: 2.0 °C is under 5 °C"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := frame.NewHistory()
			h.Add(at(0, c.from, llama))
			h.Add(at(1, c.from, llama))
			if !h.Since().Equal(noon) || len(h.Changes()) != 0 {
				t.Fatalf("before any change: since %v, %d changes", h.Since(), len(h.Changes()))
			}
			h.Add(at(2, c.to, c.set))
			h.Add(at(3, c.to, c.set))
			if len(h.Changes()) != 1 {
				t.Fatalf("%d changes", len(h.Changes()))
			}
			change := h.Changes()[0]
			equal(t, "cause", change.Cause, c.cause)
			equal(t, "since", h.Since(), noon.Add(2*time.Second))
			equal(t, "from", change.From, at(0, c.from, llama).Decided())
			equal(t, "to", change.To, change.Frame.Decided())
		})
	}
}

func TestHistoryBoundsChanges(t *testing.T) {
	h := frame.NewHistory()
	for i := range 1000 {
		h.Add(at(float64(i), []host{cool, hot}[i%2], llama))
	}
	equal(t, "changes", len(h.Changes()), 200)
	equal(t, "the newest", h.Changes()[199].At, noon.Add(999*time.Second))
}

func TestHistoryOfAClockSetBack(t *testing.T) {
	h := frame.NewHistory()
	for i := range 20 {
		f := cool
		if i >= 10 {
			f = hot
		}
		h.Add(at(float64(i), f, llama))
	}
	h.Add(at(5, cool, llama))
	equal(t, "changes after the rewind", len(h.Changes()), 0)
	equal(t, "since", h.Since(), noon)
	points := h.Points()
	equal(t, "points", len(points), 6)
	for i := 1; i < len(points); i++ {
		if !points[i].At.After(points[i-1].At) {
			t.Fatalf("point %d of %v follows %v", i, points[i].At, points[i-1].At)
		}
	}
	h.Add(at(6, hot, llama))
	equal(t, "the next change", h.Changes()[0].Cause, "heat: 4.0 °C is under 5 °C")

	h.Add(at(-3600, hot, llama))
	equal(t, "points before all others", len(h.Points()), 1)
	equal(t, "since", h.Since(), noon.Add(-time.Hour))

	h = frame.NewHistory()
	h.Add(at(0, cool, llama))
	h.Add(at(10, cool, llama))
	h.Add(at(5, hot, llama))
	equal(t, "cause", h.Changes()[0].Cause, "the clock was set back")
}

// A Frame that does not follow on the last one begins no change: what led to it was not seen. Changes before it stay.
func TestHistoryResumesElsewhere(t *testing.T) {
	fold := func() *frame.History {
		h := frame.NewHistory()
		for i, f := range []host{cool, cool, hot, hot, hot, cool, cool} {
			h.Add(at(float64(i)*60, f, llama))
		}
		return h
	}
	for _, c := range []struct {
		name    string
		seconds float64
		host    host
		changes int
		since   float64
	}{
		{"on, decided otherwise", 36_000, hot, 2, 36_000},
		{"on, decided alike", 36_000, cool, 2, 300},
		{"back, decided alike", 250, hot, 1, 120},
		{"back, decided otherwise", 250, cool, 1, 250},
		{"before all", -60, hot, 0, -60},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := fold()
			h.Resume(at(c.seconds, c.host, llama))
			equal(t, "changes", len(h.Changes()), c.changes)
			equal(t, "since", h.Since(), noon.Add(time.Duration(c.since)*time.Second))
			settled, _ := h.Settled()
			equal(t, "settled", settled, at(0, c.host, llama).Decided())
		})
	}
}

func TestHistoryMarksGaps(t *testing.T) {
	h := frame.NewHistory()
	for _, s := range []float64{0, 1, 2, 3, 3600, 3601, 3700, 3800, 3900} {
		h.Add(at(s, cool, llama))
	}
	var got []bool
	for _, p := range h.Points() {
		got = append(got, p.Gap)
	}
	// What lies an hour back is gone; a steady slow rate is no gap.
	if want := []bool{true, false, true, false, false}; !reflect.DeepEqual(got, want) {
		t.Errorf("gaps are %v, not %v", got, want)
	}
}

func TestSettledHoldsWhileTheAnswerWavers(t *testing.T) {
	h := frame.NewHistory()
	h.SetHold(5 * time.Second)
	precision := func() policy.Precision { d, _ := h.Settled(); return d.Precision }
	h.Add(at(0, cool, llama))
	equal(t, "at first", precision(), policy.F16)
	for i := 1; i < 20; i++ {
		h.Add(at(float64(i), []host{hot, cool}[i%2], llama))
		equal(t, "while wavering", precision(), policy.F16)
	}
	h.Add(at(20, hot, llama))
	h.Add(at(24, hot, llama))
	equal(t, "held for 4 s", precision(), policy.F16)
	h.Add(at(25, hot, llama))
	equal(t, "held for 5 s", precision(), policy.Q8)
	_, since := h.Settled()
	equal(t, "since", since, noon.Add(25*time.Second))
}

func TestHistoryDependsOnFramesAlone(t *testing.T) {
	fold := func() *frame.History {
		h := frame.NewHistory()
		for i := range 300 {
			h.Add(at(float64(i)*0.3, []host{cool, hot, cool, cool}[i/7%4], llama))
		}
		return h
	}
	if !reflect.DeepEqual(fold(), fold()) {
		t.Error("the same Frames gave two histories")
	}
}

func TestCloneStaysAsItWas(t *testing.T) {
	h := frame.NewHistory()
	h.Add(at(0, cool, llama))
	h.Add(at(0.1, cool, llama))
	c := h.Clone()
	for i := 1; i < 10; i++ {
		h.Add(at(float64(i)*0.2, hot, llama))
	}
	equal(t, "points", len(c.Points()), 1)
	equal(t, "temperature", c.Points()[0].TemperatureC.Or(0), 60)
	equal(t, "changes", len(c.Changes()), 0)
	equal(t, "since", c.Since(), noon)
}
