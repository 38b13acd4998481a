package draw

import (
	"slices"
	"time"

	"headroom/ui/frame"
)

// Phase is the part of a run whose ops are shown.
type Phase uint8

// The phases.
const (
	Decode Phase = iota
	Prefill
)

// Context is all that a figure is made from.
type Context struct {
	Frame frame.Frame
	// History may be nil or empty.
	History *frame.History
	// Phase and Whole choose what the fusion figure shows: decoding or prefill, one layer or the whole model.
	Phase Phase
	Whole bool
	// Origin is empty for live sensors, else "scenario NAME" or "recording FILE".
	Origin string
	// Ghost is shown behind the courses of the cards; nil for none.
	Ghost *frame.Ghost
	// Marks are the events that somebody marked, in order of time; the timeline shows them.
	Marks []Mark
}

// Mark is an event at a moment. Its text may be empty.
type Mark struct {
	At   time.Time
	Text string
}

// points are the kept moments, none without a history.
func (c Context) points() []frame.Point {
	if c.History == nil {
		return nil
	}
	return c.History.Points()
}

func (c Context) changes() []frame.Change {
	if c.History == nil {
		return nil
	}
	return c.History.Changes()
}

// since is when the Frame's answer began, which may be one of an earlier moment than History's last; zero where that is not known.
func (c Context) since() time.Time {
	if c.History == nil {
		return time.Time{}
	}
	now := c.Frame.Sample.Time
	if at := c.History.Since(); !at.After(now) {
		return at
	}
	for _, ch := range slices.Backward(c.changes()) {
		if !ch.At.After(now) {
			return ch.At
		}
	}
	return time.Time{}
}

// waiting reports that nothing was read yet.
func (c Context) waiting() bool { return c.Frame.Sample.Time.IsZero() }

// Figure draws one view of a Context into w by h units. It is pure: the same Context gives the same Scene.
type Figure func(c Context, w, h float64) Scene

// Figures are all figures by name.
var Figures = map[string]Figure{
	"verdict":  Verdict,
	"thermal":  ThermalCard,
	"power":    PowerCard,
	"memory":   MemoryCard,
	"clocks":   ClocksCard,
	"ladder":   Ladder,
	"map":      HeatMap,
	"powermap": PowerMap,
	"tiles":    Tiles,
	"fusion":   Fusion,
	"timeline": Timeline,
}
