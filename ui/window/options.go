//go:build cgo || !darwin

package window

import (
	"context"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// Feed gives the Samples to show: a live poller, a recording or a scenario being played.
type Feed interface {
	// Run calls emit with one Sample after another, from one goroutine, until ctx ends or the feed does.
	Run(ctx context.Context, emit func(sensors.Sample)) error
}

// Options say what the window shows. Only Feed is needed.
type Options struct {
	Feed Feed
	// Settings are what the caller chose. A workload without weights, an unknown pin and an empty device or limits take
	// what the window remembers, else the defaults.
	Settings budget.Settings
	// Interval is the time between samples; 0 takes what the window remembers, else one second.
	Interval time.Duration
	// SetInterval tells the feed a new interval; nil where the feed has a pace of its own.
	SetInterval func(time.Duration)
	// Refresh asks the feed to probe the graphics adapters again; nil where it cannot.
	Refresh func()
	// FramesFile is appended one snapshot as a JSON line for each Frame shown; empty for none.
	FramesFile string
	// Origin is empty for this machine live, else what is played: "scenario NAME" or "recording FILE". Nothing of what the
	// user remembers of the live machine is applied to a played one, nor changed by it.
	Origin string
	// Host names what is read in place of this machine: a folder or a recorded host; empty for this machine.
	Host string
	// Models are what the chooser and the Models page offer.
	Models []workload.Model
	// Here finds the models that are on this machine already, for the Models page; nil for none. It is called once, off the
	// window's goroutine, and may take its time.
	Here func(ctx context.Context) []Offer
	// Proven reads what the proofs measured on the GPUs of a Sample, by their IDs, for speeds; nil where there can be none. It
	// is called off the window's goroutine, when the adapters change and after proofs have run.
	Proven func(sensors.Sample) map[string]budget.GPURates
	// MeasureRAM measures how fast this machine reads its RAM, in bytes a second, when the user asks for it; nil where that
	// would say nothing of what is shown. It is called off the window's goroutine.
	MeasureRAM func(context.Context, sensors.Sample) sensors.Reading
	// KeptRAM gives what MeasureRAM measured on this machine in an earlier run, At its date; unusable where there is nothing, and
	// nil where MeasureRAM is. It is called off the window's goroutine, once.
	KeptRAM func(sensors.Sample) sensors.Reading
	// Watched is told when nobody can see the window any more, and when they can again, so that what is read for looking at
	// alone can rest; it may be nil. It is called off the window's goroutine.
	Watched func(bool)
	// OpenModel sizes a model file, for dropped and typed paths; nil where files cannot be opened. It is called off the
	// window's goroutine.
	OpenModel func(path string) (Offer, error)
	// Recorder keeps what the feed gives, for the Record key; nil where a recording is shown.
	Recorder Recorder
	// Recorded are the settings that a sample of what Feed plays, a trace.Player, was taken under: the same pointer as long as
	// they stay the same. The window follows them, save what the user changes. It is nil where there are none, and is called
	// off the window's goroutine.
	Recorded func(sample int) (*budget.Settings, error)
	// Ghost is drawn behind the charts from the start on; nil for none. Where its own Start is not set, it is the first Sample's time.
	Ghost *frame.Ghost
	// Ghosts are what can be chosen as one: scenarios by name, recordings by path. OpenGhost makes it, or says in one line why
	// not; nil where there can be none. Both are called off the window's goroutine.
	Ghosts    func() []string
	OpenGhost func(ctx context.Context, name string) (*frame.Ghost, error)
	// Marks are the events of a recording that is shown, in order of time.
	Marks []draw.Mark
	// Heat loads this machine; nil where what is shown is not this machine.
	Heat StartLoad
	// Prove measures on the adapter what the plan says; nil where there is no Prove page.
	Prove Prover
	// Version is what About says after the name: the version, what it was built from and by, and what the build has.
	Version string
	// SettingsFile is where the window remembers size, page, model, pins and interval; empty takes
	// headroom/window.json in the user's configuration directory.
	SettingsFile string
}

// Offer is a model that was found on this machine, in its own format. Path opens it again in a later run.
type Offer struct {
	frame.Offer
	Path string
}
