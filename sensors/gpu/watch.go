package gpu

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"headroom/sensors"
	"headroom/sensors/gpu/engine"
	"headroom/sensors/gpu/vulkan"
)

// The times of a Watcher.
const (
	// relistUnseen is how often adapters are listed again where the kernel does not tell that a card came or woke.
	relistUnseen = time.Minute
	// relistFailed is how soon a listing that failed is tried again.
	relistFailed = 10 * time.Second
	// figuresFor is how long memory figures are shown that could not be refreshed.
	figuresFor = 30 * time.Second
	// wakeFor is how long a card that could sleep is asked before it is left alone, and restFor how long it then has to fall
	// asleep: every question starts its idle time anew.
	wakeFor = time.Minute
	restFor = 20 * time.Second
	// backOff is the first wait after the child failed; it doubles up to maxBackOff.
	backOff    = 5 * time.Second
	maxBackOff = 5 * time.Minute
	// patience is how long a refresh may take before the child is taken for hung.
	patience = 5 * time.Second
)

// Watcher keeps the list of adapters and moves their memory figures, through a child that stays open as long as it is of
// use. Its Probe is cheap enough to be called every few seconds. Its methods are safe to call from any goroutine.
type Watcher struct {
	opts Options
	now  func() time.Time
	wait time.Duration
	// relist is whether the next Probe is to list the adapters anew. It needs no lock: a listing holds that for seconds.
	relist atomic.Bool

	mu sync.Mutex
	// listing is the last one, with what the kernel showed then and when it was made; failed is why it could not be.
	listing  answer
	state    sensors.State
	failed   error
	kernel   string
	listedAt time.Time
	paused   bool

	// moves is whether any memory figure of the listing is one that changes.
	moves bool
	live  *live
	// figuresAt is when memory figures were last read, problem why they are no longer.
	figuresAt time.Time
	problem   string
	failures  int
	retryAt   time.Time
	restUntil time.Time
}

// NewWatcher makes a Watcher; it starts nothing yet. Close it when done.
func NewWatcher(o Options) *Watcher {
	return &Watcher{opts: o, now: time.Now, wait: patience}
}

// Probe gives the adapters: listed anew at first, after Relist, and when the kernel shows that a card came, woke, fell
// asleep or went; otherwise as known, with fresh memory figures where a card has any. It is a sensors.ProbeFunc.
func (w *Watcher) Probe(ctx context.Context) ([]sensors.Adapter, sensors.Reading) {
	if !engine.Available {
		return nil, missing(sensors.StateNotOffered, probeSource(), noWebGPU)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.paused && !w.listedAt.IsZero() {
		return w.report()
	}
	now := w.now()
	devs, seen := look(w.opts)
	if kernel := describeAll(devs); w.due(now, kernel, len(devs)) {
		w.drop()
		w.relist.Store(false)
		before, known := "", false
		if w.opts.Kept != "" {
			before, known = fingerprintOf(w.opts, devs, seen)
		}
		w.listing, w.state, w.failed = listAll(ctx, w.opts, seen)
		if known {
			w.keep(before)
		}
		w.kernel, w.listedAt = kernel, w.now()
		w.moves = slices.ContainsFunc(w.listing.Adapters, func(a adapter) bool { return a.Type != "cpu" && a.VRAMBudget.Known() })
		w.figuresAt, w.problem, w.failures, w.retryAt = w.listedAt, "", 0, time.Time{}
		return w.report()
	}
	w.refresh(now, devs, seen)
	return w.report()
}

// due reports whether the adapters have to be listed anew.
func (w *Watcher) due(now time.Time, kernel string, devices int) bool {
	age := now.Sub(w.listedAt)
	switch {
	case w.listedAt.IsZero(), w.relist.Load(), kernel != w.kernel, age < 0:
		return true
	case w.failed != nil:
		return age >= relistFailed
	default:
		return devices == 0 && age >= relistUnseen
	}
}

// describeAll spells what the kernel shows, so that two looks can be compared.
func describeAll(devs []device) string {
	var b strings.Builder
	for _, d := range devs {
		fmt.Fprintf(&b, "%s %s %t\n", d.id, d.driver, d.asleep)
	}
	return b.String()
}

// refresh moves the memory figures, unless that has to wait.
func (w *Watcher) refresh(now time.Time, devs []device, seen view) {
	if !w.moves {
		return
	}
	switch idle := mayDoze(devs); {
	case now.Before(w.retryAt):
		return
	case now.Before(w.restUntil):
		w.problem = "the card is left alone so that it can fall asleep"
		return
	case w.live != nil && idle && now.Sub(w.live.since) >= wakeFor:
		w.drop()
		w.restUntil = now.Add(restFor)
		w.problem = "the card is left alone so that it can fall asleep"
		return
	}
	cards, err := w.ask(now, seen)
	if err != nil {
		w.drop()
		w.problem = err.Error()
		w.retryAt = now.Add(min(backOff<<min(w.failures, 10), maxBackOff))
		w.failures++
		return
	}
	w.failures, w.problem, w.figuresAt = 0, "", now
	w.listing.Adapters = slices.Clone(w.listing.Adapters)
	w.forgetFigures()
	addMemory(w.listing.Adapters, cards)
}

// mayDoze reports whether a card is awake that the kernel would suspend if nobody used it.
func mayDoze(devs []device) bool {
	return slices.ContainsFunc(devs, func(d device) bool { return !d.asleep && d.couldSleep })
}

func (w *Watcher) ask(now time.Time, seen view) ([]vulkan.Card, error) {
	if w.live == nil {
		var err error
		if w.live, err = startLive(w.opts, seen, now); err != nil {
			return nil, err
		}
	}
	return w.live.cards(w.wait)
}

func (w *Watcher) forgetFigures() {
	for i := range w.listing.Adapters {
		w.listing.Adapters[i].VRAMBudget, w.listing.Adapters[i].VRAMUsage = sensors.Number{}, sensors.Number{}
	}
}

// report gives what is known, without memory figures that are too old to be true.
func (w *Watcher) report() ([]sensors.Adapter, sensors.Reading) {
	if w.failed != nil {
		return nil, missing(sensors.StateError, probeSource(), w.failed.Error())
	}
	a := w.listing
	if w.problem != "" {
		age := w.now().Sub(w.figuresAt).Round(time.Second)
		note := fmt.Sprintf("memory in use was read %s ago: %s", age, w.problem)
		if age > figuresFor {
			w.listing.Adapters = slices.Clone(w.listing.Adapters)
			w.forgetFigures()
			a = w.listing
			note = "memory in use is unknown: " + w.problem
		}
		a.Notes = append(slices.Clip(a.Notes), note)
	}
	return reported(a, w.state, probeSource())
}

// Relist has the next Probe list the adapters anew. It does not wait for a Probe that goes on.
func (w *Watcher) Relist() { w.relist.Store(true) }

// Pause ends the child and touches no card until Resume: nobody looks.
func (w *Watcher) Pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = true
	if w.live != nil {
		w.problem = "nobody looked"
	}
	w.drop()
}

// Resume undoes Pause.
func (w *Watcher) Resume() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = false
}

// Close ends the child. A Probe after it starts afresh.
func (w *Watcher) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drop()
}

func (w *Watcher) drop() {
	if w.live != nil {
		w.live.end()
		w.live = nil
	}
}
