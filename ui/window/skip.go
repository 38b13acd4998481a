//go:build cgo || !darwin

package window

import (
	"fmt"
	"time"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
	"headroom/ui/frame"
)

// A skip on fills in all that was skipped up to mostFilled samples, an hour at 10 Hz; a longer one, as a skip back, what charts
// and timeline can show. A turn of the engine folds fillStep of them, which takes some milliseconds.
const (
	mostFilled = 36_000
	fillStep   = 512
)

// reached is how far what is played was folded into a history.
type reached struct {
	number int // of the last sample; −1 for none
	// start is the time of the first sample of all, where none is left out since; else zero.
	start time.Time
	// touched is whether the user has changed settings on the way: playing it again would show it otherwise.
	touched bool
}

// follow goes on to a sample; first is whether the history begins with it.
func (r *reached) follow(i int, at time.Time, first bool) {
	if first {
		*r = reached{}
		if i == 0 {
			r.start = at
		}
	}
	r.number = i
}

// skips finds the first and the last of the Samples that do not follow on the one before; both are their number where all do.
func (r *reached) skips(samples []fed) (first, last int) {
	first, last = len(samples), len(samples)
	number := r.number
	for i, s := range samples {
		if s.number >= 0 && s.number != number+1 {
			first, last = min(first, i), i
		}
		number = s.number
	}
	return first, last
}

// filling folds the samples that were skipped, step by step, into a history that takes the shown one's place at the end. None of
// them is shown by itself, recorded, or written to the frames file.
type filling struct {
	history *frame.History
	reached reached
	next    int // the next sample to be folded
	// afresh is whether that one does not follow on what the history holds.
	afresh bool
	// set are the settings of the last sample folded: base, what was recorded, with the user's own of the time of the skip.
	set     budget.Settings
	own     own
	base    *budget.Settings
	decided frame.Decided
	// target is the Frame skipped to, number its sample's; seq counts the Frames made up to it.
	target frame.Frame
	number int
	seq    uint64
}

// skipTo shows at once a Sample that does not follow on the last one, and begins to fill in what lies before it.
func (e *engine) skipTo(s fed) {
	f := &filling{history: e.history, reached: e.reached, number: s.number}
	if e.filling != nil {
		f.history, f.reached = e.filling.history, e.filling.reached
	}
	e.filling, e.history = f, f.history.Clone()
	e.takeSample(s)
	e.refold()
	e.reached.number = s.number
	f.set, f.own, f.target, f.seq = e.set, e.own, e.frame, e.seq
	switch n := f.reached.number; {
	case n >= 0 && s.number > n && s.number-n <= mostFilled:
		f.next = n + 1
	case s.number <= n && f.reached.touched && f.holdsUpTo(s.Time):
		f.next = s.number // what the user changed on the way stays on the timeline
	default:
		f.next, f.afresh = leadUp(e.track, s.number, e.history.Hold()), true
	}
}

// holdsUpTo reports whether the history holds all that can be shown of an earlier moment.
func (f *filling) holdsUpTo(at time.Time) bool {
	p := f.history.Points()
	return len(p) > 0 && (!p[0].At.After(at.Add(-frame.Span)) || p[0].At.Sub(f.reached.start) < time.Second)
}

// leadUp is the first of the samples that show sample i as if all had been played: those of the span, and the hold time before it.
func leadUp(t trace.Track, i int, hold time.Duration) int {
	first := 0
	if _, end, err := t.At(i); err == nil {
		// Where that cannot be read, the fold tells so.
		first, _ = t.Index(end - frame.Span - hold)
	}
	return max(first, i-mostFilled, 0)
}

// fill folds the next of the samples that were skipped, and shows the whole once it is complete.
func (e *engine) fill() {
	f := e.filling
	if f == nil {
		return
	}
	end := min(f.next+fillStep, f.number)
	err := trace.Each(e.track, f.next, end, func(i int, s sensors.Sample) bool {
		f.fold(e, i, s)
		return true
	})
	if err != nil {
		e.notice, end = fmt.Errorf("fill in what was skipped: %w", err), f.number
	}
	if f.next = end; end == f.number {
		e.filled()
	}
	e.nudge()
}

// fold adds the Frame of one sample, which is valid only here.
func (f *filling) fold(e *engine, i int, s sensors.Sample) {
	if e.recorded != nil {
		// Where they cannot be read, the settings before stay in force.
		if base, err := e.recorded(i); err == nil && base != f.base {
			f.base, f.set = base, f.own.over(f.set, *base)
		}
	}
	made := frame.New(s, f.set)
	if d := made.Decided(); d != f.decided {
		// A change keeps its Frame.
		if kept, _, err := e.track.At(i); err == nil {
			made = frame.New(kept, f.set)
		}
		f.decided = d
	}
	f.add(i, made)
}

func (f *filling) add(i int, made frame.Frame) {
	first := f.afresh || f.reached.number < 0
	if f.afresh {
		f.history.Resume(made)
	} else {
		f.history.Add(made)
	}
	f.reached.follow(i, made.Sample.Time, first)
	f.afresh = false
}

// filled puts the whole history in place of the one with the hole.
func (e *engine) filled() {
	f := e.filling
	f.add(f.number, f.target)
	if e.seq != f.seq {
		f.history.Add(e.frame)
		f.reached.touched = true
	}
	f.history.SetHold(e.history.Hold())
	at := e.momentAt()
	e.history, e.reached, e.filling, e.dirty = f.history, f.reached, nil, true
	e.keepMoment(at)
}

// putBack leaves Samples to a later turn, before those that have come since.
func (e *engine) putBack(samples []fed) {
	if len(samples) == 0 {
		return
	}
	e.mu.Lock()
	e.samples = append(samples, e.samples...)
	e.mu.Unlock()
}
