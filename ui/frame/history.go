package frame

import (
	"time"

	"headroom/policy"
	"headroom/sensors"
)

// What a History keeps: a span of points, at most one a step unless the decision changes, and the last changes.
const (
	Span = 10 * time.Minute

	step       = Span / 1200
	maxPoints  = 2400
	maxChanges = 200
	// gapAfter is the least time without a Frame that counts as a gap; so does four times the step before it.
	gapAfter = 10 * time.Second
	// DefaultHold is how long a decision must hold before it is settled.
	DefaultHold = 10 * time.Second
)

// History is a fold over Frames: charts, since when, timeline. It keeps the last ten minutes and the last changes, and
// depends on the Frames' own times alone, so that the same Frames give the same History. When a Frame is older than the
// one before it (the clock was set back, or a recording was rewound), what lies after it is forgotten.
// It is not safe for concurrent use: its owner folds and draws on one goroutine.
type History struct {
	points  []Point
	changes []Change
	first   time.Time
	since   time.Time
	last    Frame
	now     Decided
	settler settler
	// started is whether there was a Frame; rewound is whether the last one lies after the present.
	started, rewound bool
}

// Point is one Frame reduced to what charts show.
type Point struct {
	At time.Time
	// HeadroomC and TemperatureC are °C, PowerMW and DrawMW milliwatts, MemoryBudget bytes, CPUMHz and GPUMHz clocks.
	HeadroomC, TemperatureC, PowerMW, DrawMW, MemoryBudget, CPUMHz, GPUMHz, BatteryPercent sensors.Number
	// Throttling is 1 while the hardware says that it throttles.
	Throttling  sensors.Number
	Precision   policy.Precision
	Fits, Tight bool
	// Gap is whether Frames are missing before this point: a line must not be drawn across.
	Gap bool
}

// Decided is the part of a Plan whose change is an event.
type Decided struct {
	Precision policy.Precision
	Fits      bool
	Backend   policy.ComputeBackend
	Tiles     uint32
	ZeroCopy  policy.ZeroCopyStrategy
}

// Change is one change of decision with its cause in words, and the Frame of that moment.
type Change struct {
	At       time.Time
	From, To Decided
	Cause    string
	Frame    Frame
}

// NewHistory makes an empty history.
func NewHistory() *History { return &History{settler: settler{hold: DefaultHold}} }

// Decided is the Frame's decision, as History compares it.
func (f Frame) Decided() Decided {
	p := f.Plan
	return Decided{Precision: p.Precision, Fits: p.Fits, Backend: p.Backend, Tiles: p.Tiles, ZeroCopy: p.ZeroCopy}
}

// Add folds one Frame in.
func (h *History) Add(f Frame) {
	at, d := f.Sample.Time, f.Decided()
	if h.started && at.Before(h.last.Sample.Time) {
		h.rewind(at)
	}
	if !h.started {
		h.first, h.since, h.now, h.started = at, at, d, true
		h.settler.start(d, at)
	} else if d != h.now {
		why := "the clock was set back"
		if !h.rewound {
			why = cause(h.last, f)
		}
		h.addChange(Change{At: at, From: h.now, To: d, Cause: why, Frame: f})
		h.since, h.now = at, d
	}
	h.settler.add(d, at)
	h.addPoint(pointOf(f))
	h.last, h.rewound = f, false
}

// Resume folds in a Frame that need not follow on the last one: what lies at or after it is forgotten, and where the decision is
// another one than before, it begins here without a Change, for the moment and the cause of that one are not known.
func (h *History) Resume(f Frame) {
	if !h.started {
		h.Add(f)
		return
	}
	at, d := f.Sample.Time, f.Decided()
	back := !at.After(h.last.Sample.Time)
	h.forget(at)
	switch {
	case at.Before(h.first):
		h.first, h.since, h.now = at, at, d
	case d != h.now:
		h.since, h.now = at, d
	case !back:
		h.settler.add(d, at)
	}
	if back || h.since.Equal(at) {
		h.settler.start(d, h.since)
	}
	h.addPoint(pointOf(f))
	h.last, h.rewound = f, false
}

func (h *History) addChange(c Change) {
	h.changes = append(h.changes, c)
	if n := len(h.changes) - maxChanges; n > 0 {
		// What is dropped must not keep its Frame alive.
		clear(h.changes[:n])
		h.changes = h.changes[n:]
	}
}

// addPoint keeps the latest point of a step; one whose decision differs from the next one's stays, however short it was.
func (h *History) addPoint(p Point) {
	n := len(h.points)
	if n > 0 {
		prev := h.points[n-1]
		if before := h.stepBefore(); before > 0 {
			p.Gap = p.At.Sub(prev.At) > max(gapAfter, 4*before)
		}
		if sameStep(prev.At, p.At) && prev.Precision == p.Precision && prev.Fits == p.Fits && prev.Tight == p.Tight && prev.Throttling == p.Throttling {
			p.Gap = prev.Gap
			h.points[n-1] = p
			return
		}
	}
	h.points = append(h.points, p)
	drop := max(len(h.points)-maxPoints, 0)
	for h.points[drop].At.Before(p.At.Add(-Span)) {
		drop++
	}
	h.points = h.points[drop:]
}

// stepBefore is the time between the last two points; 0 where there are fewer.
func (h *History) stepBefore() time.Duration {
	n := len(h.points)
	if n < 2 {
		return 0
	}
	return h.points[n-1].At.Sub(h.points[n-2].At)
}

func sameStep(a, b time.Time) bool { return a.Truncate(step).Equal(b.Truncate(step)) }

// rewind forgets all that lies at or after t, and all that there is where no point lies before it.
func (h *History) rewind(t time.Time) {
	h.forget(t)
	if len(h.points) == 0 {
		h.started, h.changes = false, nil
		return
	}
	h.rewound = true
	h.settler.start(h.now, t)
}

// forget forgets the points and changes that lie at or after t.
func (h *History) forget(t time.Time) {
	n := len(h.points)
	for n > 0 && !h.points[n-1].At.Before(t) {
		n--
	}
	h.points = h.points[:n]
	c := len(h.changes)
	for c > 0 && !h.changes[c-1].At.Before(t) {
		h.now = h.changes[c-1].From
		c--
	}
	clear(h.changes[c:])
	h.changes = h.changes[:c]
	h.since = h.first
	if c > 0 {
		h.since = h.changes[c-1].At
	}
}

// Points are the kept moments, oldest first. The slice is the history's own: read it, do not keep it.
func (h *History) Points() []Point { return h.points }

// Changes are the kept changes, oldest first. The slice is the history's own: read it, do not keep it.
func (h *History) Changes() []Change { return h.changes }

// Since is when the present decision began; the first Frame's time where it never changed.
func (h *History) Since() time.Time { return h.since }

func pointOf(f Frame) Point {
	b := f.Budget
	p := Point{
		At: f.Sample.Time, HeadroomC: sensors.Num(b.Thermal.HeadroomC), TemperatureC: b.Thermal.Temperature,
		PowerMW: sensors.Num(b.Power.BudgetMW), DrawMW: b.Power.Draw, BatteryPercent: b.Battery.Percent,
		Throttling: b.Throttle.Now, Precision: f.Plan.Precision, Fits: f.Plan.Fits, Tight: f.Plan.Tight,
	}
	if f.MemoryKnown() {
		p.MemoryBudget = sensors.Num(float64(b.Memory.Budget))
	}
	cpu, gpu := f.Clocks()
	if cpu != nil {
		p.CPUMHz = usable(cpu.Now)
	}
	if gpu != nil {
		p.GPUMHz = usable(gpu.Now)
	}
	return p
}

// Clocks are the CPU's clock and that of the GPU shown; nil where there is none.
func (f Frame) Clocks() (cpu, gpu *sensors.Clock) {
	shown := ""
	if f.Budget.Shown >= 0 {
		shown = f.Budget.GPUs[f.Budget.Shown].ID
	}
	for i := range f.Sample.Clocks {
		c := &f.Sample.Clocks[i]
		switch {
		case c.Device == "cpu" && cpu == nil:
			cpu = c
		case c.Device != "cpu" && c.Device == shown && gpu == nil:
			gpu = c
		}
	}
	return cpu, gpu
}
