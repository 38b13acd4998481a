package trace

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/wholefile"
)

// RingSpan is how much a Ring keeps: the last ten minutes.
const RingSpan = 10 * time.Minute

// maxRingBytes bounds a Ring's memory whatever the interval.
const maxRingBytes = 32 << 20

// Ring keeps the last ten minutes as they would be recorded, so that what just happened can still be saved. It takes a few
// megabytes. It is safe for concurrent use.
type Ring struct {
	mu      sync.Mutex
	encoder encoder
	runs    []run
	bytes   int
	// start are the settings in force at the first run's start; nil where they were never told. next are those for the
	// samples to come, and their line; nil where they are the last sample's.
	start, next *budget.Settings
	line        []byte
}

// NewRing makes an empty ring.
func NewRing() *Ring { return &Ring{} }

// run is a key line and the lines that rest on it.
type run struct {
	lines []byte
	last  time.Time
	// settings are the last ones that are written in it; nil for none.
	settings *budget.Settings
}

// Add keeps one more sample.
func (r *Ring) Add(s sensors.Sample) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	line, key, err := r.encoder.encode(s)
	if err != nil {
		return err
	}
	if key {
		r.runs = append(r.runs, run{})
	}
	now := &r.runs[len(r.runs)-1]
	if r.next != nil {
		now.lines, now.settings = append(now.lines, r.line...), r.next
		r.bytes += len(r.line)
		r.next, r.line = nil, nil
	}
	now.lines = append(now.lines, line...)
	now.last = s.Time.Round(0)
	r.bytes += len(line)
	for len(r.runs) > 1 && (now.last.Sub(r.runs[0].last) > RingSpan || r.bytes > maxRingBytes) {
		r.bytes -= len(r.runs[0].lines)
		if set := r.runs[0].settings; set != nil {
			r.start = set
		}
		r.runs[0] = run{}
		r.runs = r.runs[1:]
		now = &r.runs[len(r.runs)-1]
	}
	return nil
}

// Settings keeps the settings for the samples after it. Those that no sample was taken under are forgotten.
func (r *Ring) Settings(at time.Time, set budget.Settings) error {
	line, err := appendObject(nil, settingsLine{Settings: save(set), At: at})
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.runs) == 0 {
		r.start = &set
		return nil
	}
	r.next, r.line = &set, line
	return nil
}

// Mark keeps an event with the samples around it; before the first sample there is nothing to mark. Long texts are cut.
func (r *Ring) Mark(at time.Time, text string) error {
	line, err := appendObject(nil, markLine{Text: clip(text), At: at})
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.runs) == 0 {
		return nil
	}
	now := &r.runs[len(r.runs)-1]
	now.lines = append(now.lines, line...)
	r.bytes += len(line)
	return nil
}

// Save writes what is kept as a recording. Its settings at the start are those that the Ring was told, or else the header's.
// The file appears whole or not at all; one that exists is replaced.
func (r *Ring) Save(path string, h Header) error {
	if err := r.save(path, h); err != nil {
		return fmt.Errorf("save the last minutes to %s: %w", path, reason(err))
	}
	return nil
}

func (r *Ring) save(path string, h Header) error {
	r.mu.Lock()
	// Lines are only ever appended to a run, so its present length can be written while it grows.
	runs := slices.Clone(r.runs)
	if r.start != nil {
		h.Settings = *r.start
	}
	r.mu.Unlock()
	if len(runs) == 0 {
		return errors.New("nothing has been sampled yet")
	}
	header, err := appendHeader(nil, h)
	if err != nil {
		return err
	}
	return wholefile.Replace(path, 0o644, func(f *os.File) error {
		_, err := f.Write(header)
		for _, run := range runs {
			if err == nil {
				_, err = f.Write(run.lines)
			}
		}
		return errors.Join(err, f.Sync())
	})
}
