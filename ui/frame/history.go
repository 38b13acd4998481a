package frame

import (
	"time"

	"headroom/policy"
	"headroom/sensors"
)

// History is a fold over Frames: charts, since when, timeline. It keeps the last ten minutes and the last changes.
// It is not safe for concurrent use: its owner folds and draws on one goroutine.
type History struct {
	points  []Point
	changes []Change
	since   time.Time
}

// Point is one Frame reduced to what charts show.
type Point struct {
	At time.Time
	// HeadroomC and TemperatureC are °C, PowerMW and DrawMW milliwatts, MemoryBudget bytes, CPUMHz and GPUMHz clocks.
	HeadroomC, TemperatureC, PowerMW, DrawMW, MemoryBudget, CPUMHz, GPUMHz, BatteryPercent sensors.Number
	Throttling                                                                             sensors.Number
	Precision                                                                              policy.Precision
	Fits, Tight                                                                            bool
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
func NewHistory() *History { return &History{} }

// Add folds one Frame in.
func (h *History) Add(f Frame) {}

// Points are the kept moments, oldest first. The slice is the history's own: read it, do not keep it.
func (h *History) Points() []Point { return h.points }

// Changes are the kept changes, oldest first.
func (h *History) Changes() []Change { return h.changes }

// Since is when the present decision began; the first Frame's time where it never changed.
func (h *History) Since() time.Time { return h.since }
