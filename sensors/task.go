package sensors

import (
	"context"
	"fmt"
	"time"
)

// part is what one source contributes to a Sample: its own fields filled, the others zero. Sources are what a folder scan
// found to be read.
type part struct {
	Sample
	found []source
	// shares are what each running model server takes of the machine's work, by process.
	shares map[int]share
	// opinion is what a library says of the same.
	opinion *opinion
}

// source is one device, file or command that is read on its own: if it hangs, only it is late.
type source struct {
	// key names it across rounds.
	key string
	// every is the least time between two reads; 0 reads it each round.
	every time.Duration
	// background sources are not waited for once they have answered: a command, a walk over all processes.
	background bool
	// patience is how long a single sample waits for the first answer of a source that is slow to start.
	patience time.Duration
	read     func(ctx context.Context) part
}

// task runs one source again and again, never twice at once. Its fields belong to the Poller's goroutine; a run hands its
// result over by channel.
type task struct {
	source
	running bool
	started time.Time
	// last is the newest part and lastAt when its run began; have is whether there is one.
	last   part
	lastAt time.Time
	have   bool
	// panicked is what the newest run died of; empty when it ended well.
	panicked string
	done     chan *result
}

type result struct {
	part     part
	panicked string
}

func newTask(s source) *task { return &task{source: s, done: make(chan *result, 1)} }

// due reports whether the source is to be read in the round at now.
func (t *task) due(now time.Time) bool {
	if t.running {
		return false
	}
	if t.every == 0 || !t.have && t.panicked == "" {
		return true
	}
	since := now.Sub(t.started)
	// A little early is in time: rounds do not come to the nanosecond.
	return since < 0 || since >= t.every-t.every/10
}

// start runs the source in its own goroutine; finished is told when it ends.
func (t *task) start(ctx context.Context, now time.Time, finished chan<- struct{}) {
	t.running, t.started = true, now
	read, done := t.read, t.done
	go func() {
		r := new(result)
		defer func() {
			if p := recover(); p != nil {
				r = &result{panicked: fmt.Sprint(p)}
			}
			done <- r
			select {
			case finished <- struct{}{}:
			default:
			}
		}()
		r.part = read(ctx)
		stamp(&r.part.Sample, now)
	}()
}

// noGrace keeps no earlier value in place of one that turned bad.
const noGrace = -1

// collect takes the result of a run that ended. Readings that turned bad keep their last good value for a while.
func (t *task) collect(now time.Time, grace time.Duration) {
	if !t.running {
		return
	}
	select {
	case r := <-t.done:
		t.running = false
		t.panicked = r.panicked
		if r.panicked != "" {
			return
		}
		if t.have {
			keepGood(&r.part.Sample, &t.last.Sample, now, grace)
		}
		t.last, t.lastAt, t.have = r.part, t.started, true
	default:
	}
}

// current gives what the source contributes to the round at now: fresh, stale, or failed.
func (t *task) current(now time.Time, deadline, grace time.Duration) (Sample, bool) {
	if !t.have {
		return Sample{}, false
	}
	age := now.Sub(t.lastAt)
	// A source that is read now and then is on time while its next answer is not overdue.
	inTime := t.every > 0 && age >= 0 && age <= t.every+deadline
	if t.panicked == "" && (!t.running || inTime) {
		return t.last.Sample, true
	}
	why := fmt.Sprintf("no answer for %s", now.Sub(t.started).Round(100*time.Millisecond))
	if t.panicked != "" {
		why = "the reader failed: " + t.panicked
	}
	s := detach(t.last.Sample)
	eachReading(&s, func(r *Reading) { growStale(r, now, grace, why) })
	return s, true
}

// failure is the reading that says what is wrong with the source itself; ok is false when nothing is.
func (t *task) failure(now time.Time, deadline time.Duration) (Reading, bool) {
	r := Reading{Kind: "source", Source: t.key}
	waited, allowed := now.Sub(t.started), deadline
	if t.background {
		allowed += t.every
	}
	switch {
	case t.panicked != "":
		r.State, r.Detail, r.At = StateError, "the reader failed: "+t.panicked, now
	case t.running && waited >= allowed:
		r.State, r.At = StateStale, t.started
		r.Detail = fmt.Sprintf("no answer for %s; not asked again until it answers", waited.Round(100*time.Millisecond))
	default:
		return Reading{}, false
	}
	r.ID = "source/" + t.key
	return r, true
}
