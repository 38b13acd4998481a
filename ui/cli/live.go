package cli

import (
	"context"
	"path/filepath"
	"time"

	"headroom/sensors"
	"headroom/sensors/gpu"
)

// figuresEvery is how often memory in use on the adapters is asked for.
const figuresEvery = 2 * time.Second

// machine is this machine, or the tree that stands for one, read round by round.
type machine struct {
	*sensors.Poller
	adapters *gpu.Watcher
}

// newMachine makes the reader; it reads nothing yet. An empty sysroot is this machine, an interval of 0 a second.
func newMachine(sysroot string, interval time.Duration) *machine {
	o := sensors.Options{Sysroot: sysroot, Interval: interval, ProbeEvery: figuresEvery}
	m := &machine{}
	if sysroot == "" {
		m.adapters = gpu.NewWatcher(gpu.Options{Kept: gpu.KeptFile()})
		o.Probe, o.Recall = m.adapters.Probe, m.adapters.Recall
	} else {
		// A file is cheap to read, and whoever rewrites it wants to see the change.
		o.ProbeEvery = time.Millisecond
		o.Probe = func(context.Context) ([]sensors.Adapter, sensors.Reading) {
			return adaptersIn(sysroot)
		}
	}
	m.Poller = sensors.NewPoller(o)
	return m
}

// adaptersIn are the adapters of a tree that stands for a machine. Their source is named as it lies in the tree, wherever that
// was laid out.
func adaptersIn(sysroot string) ([]sensors.Adapter, sensors.Reading) {
	const name = "gpu.json"
	path := filepath.Join(sysroot, name)
	adapters, state := gpu.FromFile(path)
	if state.Source == path {
		state.Source = name
	}
	return adapters, state
}

// isHere reports whether Samples are of this very machine, so that what was measured on it holds for them.
func isHere(from runner) bool {
	m, ok := from.(*machine)
	return ok && m.adapters != nil
}

// Refresh lists the adapters anew with the next round, which starts at once.
func (m *machine) Refresh() {
	if m.adapters != nil {
		m.adapters.Relist()
	}
	m.Poller.Refresh()
}

// setWatched lets the adapters rest while nobody looks at them.
func (m *machine) setWatched(yes bool) {
	switch {
	case m.adapters == nil:
	case yes:
		m.adapters.Resume()
	default:
		m.adapters.Pause()
	}
}

// Close ends the reading and the child process that watches the adapters.
func (m *machine) Close() {
	m.Poller.Close()
	if m.adapters != nil {
		m.adapters.Close()
	}
}
