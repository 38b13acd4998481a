//go:build cgo || !darwin

package window

import (
	"context"
	"image"
	"slices"
	"sync"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// engine makes Frames of Samples and settings, folds the History, and paints the figures asked for, all on one goroutine
// beside Fyne's. It hands over at most one result at a time: while the window has not taken the last one, Samples are
// folded and nothing is painted.
type engine struct {
	post   func(shown)
	origin string
	frames *framesFile
	// recorder is told of every Sample that comes, shown or not; nil for none.
	recorder Recorder
	// recorded are the settings that a sample of what is played was taken under; nil where it has none of its own.
	recorded func(sample int) (*budget.Settings, error)
	// track is what is played; nil for a feed that cannot be skipped through.
	track  trace.Track
	models []workload.Model

	mu      sync.Mutex
	jobs    []func()
	samples []fed
	wake    chan struct{}

	// All below belongs to the engine's goroutine.
	set      budget.Settings
	base     *budget.Settings // the recorded settings that set follows, save what is own; nil for none
	own      own
	sample   sensors.Sample
	sampled  bool
	frame    frame.Frame
	seq      uint64 // counts Frames made; written is the last one that went to the frames file
	written  uint64
	history  *frame.History
	reached  reached
	filling  *filling // nil while nothing is missing from the history
	paused   bool
	kept     *frame.Frame
	past     *frame.History // the kept Frame's own
	moment   int            // the change whose Frame is shown; −1 for now
	marks    []draw.Mark
	ghost    *frame.Ghost
	proofs   []draw.Proof
	feedErr  error
	ended    bool
	ask      ask
	plates   map[int]*plate
	rows     []sensorRow
	here     []Offer
	modelKey modelKey
	modelsAt time.Time
	// modelsLate brings the model rows up to date where no other Sample does.
	modelsLate *time.Timer
	inFlight   bool
	dirty      bool
	notice     error
}

// fed is a Sample with the settings that it was recorded under, nil where there are none, and its number in what is played, −1
// where nothing is.
type fed struct {
	sensors.Sample
	under  *budget.Settings
	number int
}

// maxWaiting bounds the Samples kept while the window is paused or the machine is slow; the oldest go first.
const maxWaiting = 600

// ask is what the window wants to see.
type ask struct {
	slots   []slot
	scale   float64 // pixels to a figure's unit; 0 paints none
	theme   draw.Theme
	phase   draw.Phase
	whole   bool
	sensors bool
	models  bool
}

// slot is one figure's place: its identity, its name in draw.Figures, and its size in the figure's units.
type slot struct {
	id     int
	figure string
	w, h   float64
	// kept shows the Frame kept for comparison instead of the present one.
	kept bool
}

// shown is one result for the window: only what has changed, beside the Frame itself.
type shown struct {
	ready   bool // false until the first Sample
	frame   frame.Frame
	figures []painted
	// sensors and models are nil where not asked for or unchanged.
	sensors []sensorRow
	models  []modelRow
	paused  bool
	moment  int
	// base are the recorded settings that are followed.
	base *budget.Settings
	// ghost is what is drawn behind the charts.
	ghost *frame.Ghost
	// changes is how many changes of decision the history holds; momentAt and keptAt are zero where none is shown.
	changes  int
	momentAt time.Time
	keptAt   time.Time
	kept     frame.Frame // valid where keptAt is
	// settled is the decision that has held for the hold time, since when; raw is the present one.
	settled      frame.Decided
	settledSince time.Time
	feedErr      error
	ended        bool
	notice       error // told once
}

func newEngine(o Options, set budget.Settings, post func(shown)) *engine {
	if o.Recorder != nil {
		o.Recorder.Settings(time.Now(), set)
	}
	e := &engine{
		post: post, origin: o.Origin, recorder: o.Recorder, recorded: o.Recorded, marks: slices.Clone(o.Marks), ghost: o.Ghost, frames: openFrames(o.FramesFile), models: o.Models, wake: make(chan struct{}, 1),
		set: set, history: frame.NewHistory(), reached: reached{number: -1}, moment: -1, plates: map[int]*plate{}, dirty: true,
	}
	if p, ok := o.Feed.(*trace.Player); ok {
		e.track = p.Track()
	}
	return e
}

// do queues a change to the engine's state; it never waits.
func (e *engine) do(job func()) {
	e.mu.Lock()
	e.jobs = append(e.jobs, job)
	e.mu.Unlock()
	e.nudge()
}

// emit takes a Sample from the feed; it never waits.
func (e *engine) emit(s sensors.Sample) { e.take(fed{Sample: s, number: -1}) }

func (e *engine) take(s fed) {
	if e.recorder != nil {
		e.recorder.Add(s.Sample)
	}
	e.mu.Lock()
	e.samples = append(e.samples, s)
	if n := len(e.samples) - maxWaiting; n > 0 {
		e.samples = append(e.samples[:0], e.samples[n:]...)
	}
	e.mu.Unlock()
	e.nudge()
}

func (e *engine) nudge() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// run works until ctx ends.
func (e *engine) run(ctx context.Context) {
	defer e.frames.close()
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.wake:
			if s, ok := e.turn(); ok {
				e.post(s)
			}
		}
	}
}

// feed runs the feed until ctx or the feed ends, and starts it again when asked.
func (e *engine) feed(ctx context.Context, f Feed, again <-chan struct{}) {
	for {
		err := e.play(ctx, f)
		if ctx.Err() != nil {
			return
		}
		e.do(func() { e.feedErr, e.ended, e.dirty = err, true, true })
		select {
		case <-ctx.Done():
			return
		case <-again:
			e.do(func() { e.feedErr, e.ended, e.dirty = nil, false, true })
		}
	}
}

// play runs the feed once, with the settings that a recording's samples were taken under.
func (e *engine) play(ctx context.Context, f Feed) error {
	p, ok := f.(*trace.Player)
	if !ok {
		return f.Run(ctx, e.emit)
	}
	return p.RunNumbered(ctx, func(i int, s sensors.Sample) {
		var set *budget.Settings
		if e.recorded != nil {
			var err error
			if set, err = e.recorded(i); err != nil {
				// The settings before stay in force.
				e.do(func() { e.notice, e.dirty = err, true })
			}
		}
		e.take(fed{s, set, i})
	})
}

// turn takes what has come and returns what is to be shown, if anything is.
func (e *engine) turn() (shown, bool) {
	e.mu.Lock()
	jobs := e.jobs
	e.jobs = nil
	e.mu.Unlock()
	for _, job := range jobs {
		job()
	}
	e.takeSamples()
	e.fill()
	if e.inFlight || !e.dirty {
		return shown{}, false
	}
	e.inFlight, e.dirty = true, false
	return e.show(), true
}

func (e *engine) takeSamples() {
	if e.paused {
		return
	}
	e.mu.Lock()
	samples := e.samples
	e.samples = nil
	e.mu.Unlock()
	first, last := e.reached.skips(samples)
	if e.filling == nil {
		for _, s := range samples[:first] {
			e.takeSample(s)
			e.refold()
			e.reached.follow(s.number, s.Time, s.number == 0)
		}
	}
	switch {
	case last < len(samples):
		e.skipTo(samples[last])
		samples = samples[last+1:]
	case e.filling == nil:
		return
	}
	// What follows on a skip waits until what was skipped is filled in.
	e.putBack(samples)
}

// takeSample makes a Sample the present one, under the settings that it brings.
func (e *engine) takeSample(s fed) {
	if s.under != nil && s.under != e.base {
		e.base = s.under
		e.set = e.own.over(e.set, *e.base)
	}
	e.sample, e.sampled = s.Sample, true
	e.beginGhost()
}

// refold makes the Frame of the present Sample and settings and adds it to the History.
func (e *engine) refold() {
	if !e.sampled {
		return
	}
	e.frame = frame.New(e.sample, e.set)
	at := e.momentAt()
	e.history.Add(e.frame)
	e.keepMoment(at)
	e.seq++
	e.dirty = true
}

// setSettings recomputes at once from the last Sample. own are those that do not follow a recording.
func (e *engine) setSettings(set budget.Settings, own own) {
	if e.set, e.own = set, own; e.base != nil {
		e.set = own.over(set, *e.base)
	}
	if e.recorder != nil {
		at := e.latest()
		if at.IsZero() {
			at = time.Now()
		}
		e.recorder.Settings(at, set)
	}
	e.reached.touched = true
	e.refold()
}

func (e *engine) setPaused(p bool) { e.paused, e.dirty = p, true }

// setHold sets how long a decision must hold to be settled.
func (e *engine) setHold(d time.Duration) {
	e.history.SetHold(d)
	e.dirty = true
}

func (e *engine) setAsk(a ask) {
	e.ask, e.dirty = a, true
	if !a.sensors {
		e.rows = nil
	}
	if !a.models {
		e.modelKey = modelKey{}
	}
	wanted := make(map[int]bool, len(a.slots))
	for _, s := range a.slots {
		wanted[s.id] = true
	}
	for id := range e.plates {
		if !wanted[id] {
			delete(e.plates, id)
		}
	}
}

// keep holds the Frame on show for comparison; release ends it.
func (e *engine) keep() {
	f := e.present()
	e.kept, e.past, e.dirty = &f, e.history.Clone(), true
}

func (e *engine) release() { e.kept, e.past, e.dirty = nil, nil, true }

// showChange shows the Frame of a change of decision, counted from the oldest; out of range shows now.
func (e *engine) showChange(i int) {
	if i < 0 || i >= len(e.history.Changes()) {
		i = -1
	}
	e.moment, e.dirty = i, true
}

// momentAt is the time of the change that is shown; zero for now.
func (e *engine) momentAt() time.Time {
	if e.moment < 0 {
		return time.Time{}
	}
	return e.history.Changes()[e.moment].At
}

// keepMoment goes on showing the change of that time, whose number may be another one by now, or now where it was forgotten.
func (e *engine) keepMoment(at time.Time) {
	c := e.history.Changes()
	if e.moment < 0 || e.moment < len(c) && c[e.moment].At.Equal(at) {
		return
	}
	e.moment = slices.IndexFunc(c, func(c frame.Change) bool { return c.At.Equal(at) })
}

func (e *engine) present() frame.Frame {
	if e.moment >= 0 {
		return e.history.Changes()[e.moment].Frame
	}
	return e.frame
}

// taken tells that the window has shown the result, and gives back the images that it replaced.
func (e *engine) taken(spares map[int]*image.RGBA) {
	e.inFlight = false
	for id, img := range spares {
		if p := e.plates[id]; p != nil && p.spare == nil {
			p.spare = img
		}
	}
	if e.written == e.seq || e.moment >= 0 {
		return
	}
	e.written = e.seq
	if err := e.frames.add(e.frame); err != nil {
		e.notice, e.dirty = err, true
	}
}

func (e *engine) show() shown {
	s := shown{
		ready: e.sampled, paused: e.paused, moment: e.moment, base: e.base, ghost: e.ghost, changes: len(e.history.Changes()),
		feedErr: e.feedErr, ended: e.ended, notice: e.notice,
	}
	e.notice = nil
	s.frame = e.present()
	if e.sampled {
		s.settled, s.settledSince = e.history.Settled()
	}
	if e.moment >= 0 {
		s.momentAt = s.frame.Sample.Time
	}
	if e.kept != nil {
		s.kept, s.keptAt = *e.kept, e.kept.Sample.Time
	}
	for _, sl := range e.ask.slots {
		if p, ok := e.paint(sl, s.frame); ok {
			s.figures = append(s.figures, p)
		}
	}
	if e.ask.sensors && e.sampled {
		s.sensors = e.sensorRows(s.frame)
	}
	if e.ask.models && e.sampled {
		s.models = e.modelRows(s.frame)
	}
	return s
}

func (e *engine) sensorRows(f frame.Frame) []sensorRow {
	rows := sensorRows(f)
	if len(rows) == len(e.rows) {
		same := true
		for i := range rows {
			same = same && rows[i] == e.rows[i]
		}
		if same {
			return nil
		}
	}
	e.rows = rows
	return rows
}
