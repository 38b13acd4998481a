//go:build cgo || !darwin

package window

import (
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// Recorder keeps what the window is fed. The last minutes are always kept, so that what just happened can be saved.
type Recorder interface {
	// Add takes a Sample of the feed; Settings those at the start and each change; Mark an event. They never wait for the disk.
	Add(sensors.Sample)
	Settings(at time.Time, set budget.Settings)
	Mark(at time.Time, text string)
	// Start begins a recording and gives the file's path. lost is called once, from any goroutine, where it ends by itself.
	// Start, Stop and Save are called off the window's goroutine.
	Start(set budget.Settings, lost func(error)) (path string, err error)
	// Stop ends the recording and says how many samples and bytes were written.
	Stop() (samples int, bytes int64, err error)
	// Save writes the last minutes and gives the file's path.
	Save(set budget.Settings) (path string, err error)
}

// record is the Record key and what belongs to it.
type record struct {
	v    *view
	now  func() time.Time
	path string
	// since is zero while nothing is recorded; busy while a file is being opened or closed.
	since time.Time
	busy  bool
}

func newRecord(v *view) *record { return &record{v: v, now: time.Now} }

func (r *record) running() bool { return !r.since.IsZero() }

// off says why nothing can be recorded.
func (r *record) off() string {
	switch {
	case r.v.o.Recorder == nil:
		return "what is shown is a recording"
	case r.busy:
		return "the file is being opened or closed"
	}
	return ""
}

// show puts the state on the header's key.
func (r *record) show(b *button) {
	if !r.running() {
		b.set("Record", "", false)
		b.setMark(draw.None)
		b.tip = "Record what the sensors say to a file, to be shown again (O)"
		return
	}
	b.set(spanText(r.now().Sub(r.since)), "stop", true)
	b.setMark(draw.Text)
	b.tip = "Recording to " + shortDir(r.path) + ". Stop with O; mark an event with B."
}

func (r *record) toggle() {
	if r.off() != "" {
		return
	}
	r.busy = true
	if r.running() {
		r.v.beside(func() {
			samples, bytes, err := r.v.o.Recorder.Stop()
			later(func() { r.stopped(samples, bytes, err) })
		})
		return
	}
	set := r.v.set
	r.v.beside(func() {
		path, err := r.v.o.Recorder.Start(set, func(err error) { later(func() { r.lost(err) }) })
		later(func() { r.started(path, err) })
	})
}

func (r *record) started(path string, err error) {
	r.busy = false
	if r.v.closed.Load() {
		return
	}
	if err != nil {
		r.v.notices.fault("record", "Nothing is recorded: "+err.Error())
		return
	}
	r.path, r.since = path, r.now()
	r.tell("Recording to "+shortDir(path)+". O stops, B marks an event.", path)
	r.tick(r.since)
	r.v.header.update()
}

// tick lets the header's clock go on, also where samples come seldom, until this recording ends.
func (r *record) tick(since time.Time) {
	r.v.after(time.Second, func() {
		if r.since == since && !r.v.closed.Load() {
			r.v.header.update()
			r.tick(since)
		}
	})
}

func (r *record) end() {
	if r.running() {
		r.since = time.Time{}
	}
	r.busy = false
	if !r.v.closed.Load() {
		r.v.header.update()
	}
}

func (r *record) stopped(samples int, bytes int64, err error) {
	path := r.path
	if !r.running() {
		r.busy = false // the disk was full before
		return
	}
	r.end()
	if err != nil {
		r.v.notices.fault("record", "The recording ended with an error: "+err.Error())
		return
	}
	r.tell(fmt.Sprintf("Recorded %s samples, %s, to %s. headroom replay shows it again.", frame.Count(uint64(samples)), frame.Bytes(uint64(bytes)), shortDir(path)), path)
}

// lost tells that the recording ended by itself; the window goes on.
func (r *record) lost(err error) {
	r.end()
	if !r.v.closed.Load() {
		r.v.notices.fault("record", "The recording has ended: "+err.Error())
	}
}

func (r *record) tell(text, path string) {
	r.v.notices.add(notice{key: "record", text: text, label: "Copy path", do: func() { r.v.app.Clipboard().SetContent(path) }})
}

// save writes what just happened.
func (r *record) save() {
	if r.v.o.Recorder == nil {
		return
	}
	set := r.v.set
	r.v.beside(func() {
		path, err := r.v.o.Recorder.Save(set)
		later(func() {
			switch {
			case r.v.closed.Load():
			case err != nil:
				r.v.notices.fault("just-now", "What just happened is not saved: "+err.Error())
			default:
				r.v.notices.add(notice{
					key: "just-now", text: "Saved the last minutes, ten at most, to " + shortDir(path) + ".", label: "Copy path",
					do: func() { r.v.app.Clipboard().SetContent(path) },
				})
			}
		})
	})
}

// mark asks for words and marks the moment at which it was asked for them.
func (r *record) mark() {
	if r.v.o.Recorder == nil {
		return
	}
	r.v.eng.do(func() {
		at := r.v.eng.latest()
		later(func() { r.ask(at) })
	})
}

func (r *record) ask(at time.Time) {
	v := r.v
	if v.closed.Load() {
		return
	}
	if at.IsZero() {
		v.notices.tell("mark", "There is nothing to mark yet: the sensors are being read.")
		return
	}
	size := v.canvas().Size()
	v.open("What happened? Enter marks it, words may be left out", fyne.NewPos(size.Width/2-220*v.look.zoom, 56*v.look.zoom), 440, func(text string) []pick {
		p := pick{name: "Mark this moment", detail: "at " + clock(at), do: func() { r.put(at, text) }}
		if text != "" {
			p.name = "Mark “" + text + "”"
		}
		return []pick{p}
	})
}

func (r *record) put(at time.Time, text string) {
	r.v.o.Recorder.Mark(at, text)
	r.v.eng.do(func() { r.v.eng.mark(draw.Mark{At: at, Text: text}) })
}

// maxMarks bounds the events that the timeline is offered.
const maxMarks = 10_000

// latest is the time of the newest Sample, shown or not; zero before the first.
func (e *engine) latest() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.samples); n > 0 {
		return e.samples[n-1].Time
	}
	if !e.sampled {
		return time.Time{}
	}
	return e.sample.Time
}

func (e *engine) mark(m draw.Mark) {
	i, _ := slices.BinarySearchFunc(e.marks, m.At, func(m draw.Mark, at time.Time) int { return m.At.Compare(at) })
	e.marks = slices.Insert(e.marks, i, m)
	if n := len(e.marks) - maxMarks; n > 0 {
		e.marks = slices.Delete(e.marks, 0, n)
	}
	e.dirty = true
}
