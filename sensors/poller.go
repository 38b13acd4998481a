package sensors

import (
	"context"
	"errors"
	"sync"
	"time"

	"headroom/sensors/sysfs"
)

// ProbeFunc lists the WebGPU adapters; the Reading says how that went: ok, or why there are none.
type ProbeFunc func(ctx context.Context) ([]Adapter, Reading)

// RecallFunc gives the adapters and their Reading without a probe; false where they are not known.
type RecallFunc func() ([]Adapter, Reading, bool)

// Options say what a Poller reads and how often. The zero value reads this machine once a second, without adapters.
type Options struct {
	// Sysroot is a folder that holds sys and proc in place of the machine's; empty reads the machine itself.
	Sysroot string
	// Interval is the time from one round to the next; 0 is one second.
	Interval time.Duration
	// Probe lists the adapters at start, on Refresh and when a card appears or wakes; nil lists none.
	Probe ProbeFunc
	// Recall gives the adapters as an earlier run listed them, if nothing that they depend on has changed since. They are
	// shown until Probe has answered, and spare a single sample the probe; nil knows none.
	Recall RecallFunc
	// ProbeEvery lists the adapters again after that time, so that memory in use moves; 0 does not.
	ProbeEvery time.Duration
	// Deadline is how long a round waits for a source; 0 is a second, and never more than most of the interval.
	Deadline time.Duration
	// Observe is told of each file of /sys and /proc that a source reads: its name from /, its content and the error. It is
	// called from many goroutines.
	Observe sysfs.Observer
	// Clock is the time; nil is the system's.
	Clock TimeSource
}

// The times of a Poller.
const (
	defaultInterval = time.Second
	defaultDeadline = time.Second
	// minInterval keeps a wrong setting from taking a whole core.
	minInterval = 50 * time.Millisecond
	// staleFor is how long the last good value of a source that fails is still shown, or three rounds if that is longer.
	staleFor = 10 * time.Second
	// rescanEvery is how long a folder's content is taken as unchanged while the list of folders is.
	rescanEvery = 10 * time.Second
	// counterGap is the time between the first two readings of the counters in Once: most move every millisecond. It is
	// longerGap where one did not move, or where the adapters are waited for anyway, as that strays less.
	counterGap = 60 * time.Millisecond
	longerGap  = 250 * time.Millisecond
	// probePatience is how long Once waits for the adapters.
	probePatience = 20 * time.Second
	// probeAgain is how long after a failed probe the next one comes; each further failure doubles it, to four minutes.
	probeAgain = time.Second
	// adaptersFor is how long adapters outlive the probes that no longer find them because they fail.
	adaptersFor = time.Minute
)

// Poller reads a machine round by round. Its methods are safe to call from any goroutine.
type Poller struct {
	opts Options
	env  *env

	// round keeps two rounds from overlapping; what follows belongs to the one that runs.
	round sync.Mutex
	scans []*task
	tasks map[string]*task
	order []*task
	probe *task
	// recalling asks for what an earlier run listed; nil until then. holdProbe keeps the probe from starting while that may do.
	recalling *task
	holdProbe bool
	// failures counts the probes in a row that failed.
	failures int
	cards    []string
	before   time.Time
	last     Sample

	mu       sync.Mutex
	interval time.Duration
	refresh  bool
	// anew is whether the adapters were asked for anew, so that no earlier run's will do.
	anew   bool
	wake   chan struct{}
	closed chan struct{}
	once   sync.Once
}

// env is what the sources of one Poller share.
type env struct {
	fs       sysfs.Root
	clock    TimeSource
	counters *counters
	// rescan is how long a scan is believed; 0 for a recorded tree, which anyone may rewrite.
	rescan time.Duration
	// again asks for a scan before that.
	again scanAgain
	// ctx points the libraries at the tree.
	ctx context.Context
}

// NewPoller makes a Poller; it reads nothing yet.
func NewPoller(opts Options) *Poller {
	if opts.Clock == nil {
		opts.Clock = systemClock{}
	}
	if opts.Deadline <= 0 {
		opts.Deadline = defaultDeadline
	}
	e := &env{fs: sysfs.New(opts.Sysroot, opts.Observe), clock: opts.Clock, counters: newCounters()}
	e.ctx = libraryContext(opts.Sysroot)
	if opts.Sysroot == "" {
		e.rescan = rescanEvery
	}
	return newPoller(opts, e, families(e))
}

func newPoller(opts Options, e *env, scans []source) *Poller {
	p := &Poller{
		opts: opts, env: e, tasks: map[string]*task{},
		wake: make(chan struct{}, 1), closed: make(chan struct{}), refresh: true,
	}
	p.SetInterval(opts.Interval)
	for _, s := range scans {
		p.scans = append(p.scans, newTask(s))
	}
	p.probe = newTask(source{key: "adapters", background: true, every: probeAgain, read: p.readAdapters})
	return p
}

// SetInterval sets the time from one round to the next; 0 is one second, and less than 50 ms is 50 ms.
func (p *Poller) SetInterval(d time.Duration) {
	if d <= 0 {
		d = defaultInterval
	}
	p.mu.Lock()
	p.interval = max(d, minInterval)
	p.mu.Unlock()
	p.nudge()
}

// Refresh lists the adapters again with the next round, which starts at once.
func (p *Poller) Refresh() {
	p.mu.Lock()
	p.refresh, p.anew = true, true
	p.mu.Unlock()
	p.nudge()
}

// Close ends Run. It does not wait for sources that hang.
func (p *Poller) Close() { p.once.Do(func() { close(p.closed) }) }

func (p *Poller) nudge() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *Poller) every() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.interval
}

// Once makes one Sample. It waits for the adapters, unless an earlier run's will do, and, where there are counters, for a
// second reading of them, as power and throttling are differences; all waits are bounded.
func (p *Poller) Once(ctx context.Context) Sample {
	p.round.Lock()
	defer p.round.Unlock()
	p.holdProbe = p.recall(ctx, p.opts.Clock.Now())
	s := p.sample(ctx)
	if p.env.counters.waiting() {
		gap := counterGap
		if p.probe.running {
			gap = longerGap
		}
		s = p.sampleAfter(ctx, gap)
		if gap < longerGap && p.env.counters.stood() {
			s = p.sampleAfter(ctx, longerGap-gap)
		}
	}
	if p.awaitSlow(ctx) {
		s = p.sample(ctx)
	}
	if p.holdProbe {
		p.holdProbe = false
		if len(s.Adapters) == 0 {
			p.startProbe(ctx, p.opts.Clock.Now())
		}
	}
	if p.probe.running {
		p.await(ctx, p.probe, probePatience)
		p.takeAdapters(p.opts.Clock.Now())
		p.putAdapters(&s, p.opts.Clock.Now())
	}
	return s
}

// sampleAfter makes a round after that time.
func (p *Poller) sampleAfter(ctx context.Context, wait time.Duration) Sample {
	select {
	case <-p.opts.Clock.After(wait):
	case <-ctx.Done():
	}
	return p.sample(ctx)
}

// awaitSlow waits for the slow sources that have not answered yet, and reports whether one did.
func (p *Poller) awaitSlow(ctx context.Context) bool {
	answered := false
	for _, t := range p.order {
		if t.patience > 0 && t.running && !t.have && p.await(ctx, t, t.patience) {
			answered = true
		}
	}
	return answered
}

// await waits until a task has ended, without taking its result.
func (p *Poller) await(ctx context.Context, t *task, patience time.Duration) bool {
	select {
	case r := <-t.done:
		t.done <- r
		return true
	case <-p.opts.Clock.After(patience):
	case <-ctx.Done():
	}
	return false
}

// Run makes a Sample an interval and hands it to emit, until ctx ends or Close is called. The error is ctx's, nil after
// Close.
func (p *Poller) Run(ctx context.Context, emit func(Sample)) error {
	for {
		start := p.opts.Clock.Now()
		p.round.Lock()
		s := p.sample(ctx)
		p.round.Unlock()
		if err := ctx.Err(); err != nil {
			return err
		}
		emit(s)
		if err := p.rest(ctx, start); err != nil {
			if errors.Is(err, errClosed) {
				return nil
			}
			return err
		}
	}
}

var errClosed = errors.New("the poller is closed")

// rest waits for the next round: an interval after the last one began, or sooner when asked for.
func (p *Poller) rest(ctx context.Context, start time.Time) error {
	for {
		wait := p.every() - p.opts.Clock.Now().Sub(start)
		// A clock that jumped back must not make the wait longer than an interval.
		wait = min(max(wait, 0), p.every())
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.closed:
			return errClosed
		case <-p.opts.Clock.After(wait):
			return nil
		case <-p.wake:
			p.mu.Lock()
			now := p.refresh
			p.mu.Unlock()
			if now {
				return nil
			}
		}
	}
}

// sample makes one round.
func (p *Poller) sample(ctx context.Context) Sample {
	now := p.opts.Clock.Now()
	interval := p.every()
	deadline := min(p.opts.Deadline, max(interval*9/10, minInterval))
	grace := max(staleFor, 3*interval)
	p.watchClock(now, interval)

	p.recall(ctx, now)
	p.startProbe(ctx, now)
	p.runAll(ctx, p.scans, now, deadline, grace)
	p.adopt()
	p.runAll(ctx, p.order, now, deadline, grace)
	p.takeAdapters(p.opts.Clock.Now())

	end := p.opts.Clock.Now()
	s := p.merge(now, end, deadline, grace)
	p.noticeCards(&s)
	p.putAdapters(&s, end)
	p.last = s
	return s
}

// watchClock looks for a machine that slept or a clock that was set: what was known of folders and counters is then old.
func (p *Poller) watchClock(now time.Time, interval time.Duration) {
	before := p.before
	p.before = now
	if before.IsZero() {
		return
	}
	steady, wall := now.Sub(before), now.Round(0).Sub(before.Round(0))
	limit := max(30*time.Second, 5*interval)
	if steady < 0 || steady > limit || (wall-steady).Abs() > 2*time.Second {
		p.env.counters.forget()
		p.env.again.n.Add(1)
	}
}

// runAll starts the tasks that are due and waits for them, at most until the deadline.
func (p *Poller) runAll(ctx context.Context, tasks []*task, now time.Time, deadline, grace time.Duration) {
	finished := make(chan struct{}, len(tasks))
	pending := 0
	for _, t := range tasks {
		t.collect(now, grace)
		if !t.due(now) {
			continue
		}
		if t.background && t.have {
			t.start(ctx, now, nil)
			continue
		}
		t.start(ctx, now, finished)
		pending++
	}
	if pending > 0 {
		timeout := p.opts.Clock.After(deadline)
	wait:
		for pending > 0 {
			select {
			case <-finished:
				pending--
			case <-timeout:
				break wait
			case <-ctx.Done():
				break wait
			}
		}
	}
	for _, t := range tasks {
		t.collect(now, grace)
	}
}

// adopt makes tasks of what the scans found. A task that still runs is kept, so that its source is not started twice.
func (p *Poller) adopt() {
	n := 0
	for _, scan := range p.scans {
		n += len(scan.last.found)
	}
	order := make([]*task, 0, n)
	for _, scan := range p.scans {
		for _, s := range scan.last.found {
			t := p.tasks[s.key]
			switch {
			case t == nil:
				t = newTask(s)
				p.tasks[s.key] = t
			case !t.running:
				t.source = s
			}
			order = append(order, t)
		}
	}
	p.order = order
	if len(p.tasks) == len(order) {
		return
	}
	listed := make(map[*task]bool, len(order))
	for _, t := range order {
		listed[t] = true
	}
	for key, t := range p.tasks {
		if listed[t] {
			continue
		}
		t.have = false
		if t.collect(p.before, noGrace); !t.running {
			delete(p.tasks, key)
		}
	}
}
