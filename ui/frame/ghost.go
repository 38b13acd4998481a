package frame

import "time"

// What a Ghost keeps: its first hour, at most one point each half second.
const (
	GhostSpan = time.Hour
	GhostStep = 500 * time.Millisecond
)

// ghostZero is where a ghost's own time begins.
var ghostZero = time.Unix(0, 0).UTC()

// Ghost is the course of a scenario or an earlier recording, shown behind the present one. Once it is made only Start may
// change: copy it then.
type Ghost struct {
	// Name is the scenario's, or the recording's file.
	Name string
	// Start is the moment of the present run at which the ghost's first point lies.
	Start  time.Time
	points []Point
}

// Add appends the Frame of a moment that lies offset after the ghost's first one. Moments come in order.
func (g *Ghost) Add(offset time.Duration, f Frame) {
	p := pointOf(f)
	p.At = ghostZero.Add(offset)
	if n := len(g.points); n > 1 {
		before := g.points[n-1].At.Sub(g.points[n-2].At)
		p.Gap = p.At.Sub(g.points[n-1].At) > max(gapAfter, 4*before)
	}
	g.points = append(g.points, p)
}

// Points are the ghost's moments on its own axis, oldest first. Read the slice, do not change it.
func (g *Ghost) Points() []Point { return g.points }

// At is where a moment of the present run lies on the ghost's axis.
func (g *Ghost) At(moment time.Time) time.Time { return ghostZero.Add(moment.Sub(g.Start)) }

// Shown reports whether some of the ghost lies within the span up to a moment.
func (g *Ghost) Shown(now time.Time, span time.Duration) bool {
	if g == nil || len(g.points) == 0 || g.Start.IsZero() {
		return false
	}
	at := g.At(now)
	return !at.Before(g.points[0].At) && g.points[len(g.points)-1].At.After(at.Add(-span))
}
