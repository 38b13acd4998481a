package gpu

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"headroom/sensors"
	"headroom/sensors/gpu/engine"
	"headroom/sensors/wholefile"
)

// keptSchema is the form of the file; another one is left aside.
const keptSchema = "headroom.adapters/1"

// keptFor is how long a kept listing is believed at most, in case that something it depends on is not in its fingerprint.
const keptFor = 24 * time.Hour

// kept is a listing as its file holds it from one run to the next.
type kept struct {
	Schema string `json:"schema"`
	// Fingerprint is of all that the listing depends on, At when it was made.
	Fingerprint string    `json:"fingerprint"`
	At          time.Time `json:"at"`
	answer
}

// KeptFile is where the user's listing of adapters is kept; empty where there is no folder for it. A user can delete it.
func KeptFile() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "headroom", "adapters.json")
}

// Recall gives the adapters as an earlier run listed them, without memory in use, if Options.Kept holds them and neither
// cards nor drivers, nor anything else that a listing depends on, is another since. It starts no child.
func (w *Watcher) Recall() ([]sensors.Adapter, sensors.Reading, bool) {
	if !engine.Available || w.opts.Kept == "" {
		return nil, sensors.Reading{}, false
	}
	k, err := loadKept(w.opts.Kept)
	age := w.now().Sub(k.At)
	if err != nil || age < 0 || age > keptFor {
		return nil, sensors.Reading{}, false
	}
	if now, ok := w.fingerprint(); !ok || now != k.Fingerprint {
		return nil, sensors.Reading{}, false
	}
	adapters, r := reported(k.answer, sensors.StateNotOffered, probeSource())
	r.At = k.At
	r.Detail = "listed " + ago(age) + " ago; cards and drivers are the same since"
	return adapters, r, true
}

// ago is a time that has passed, in its largest unit.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}

// fingerprint is that of this machine now.
func (w *Watcher) fingerprint() (text string, ok bool) {
	devs, seen := look(w.opts)
	return fingerprintOf(w.opts, devs, seen)
}

// fingerprintOf is that of what was seen; ok is false while a card sleeps, as a listing then lacks it.
func fingerprintOf(o Options, devs []device, seen view) (text string, ok bool) {
	if len(seen.notes) > 0 {
		return "", false
	}
	return fingerprint(o, devs)
}

// keep writes the listing for later runs, if it holds adapters, has nothing to say against itself, and the machine is still
// the one whose fingerprint was taken before it was made. Memory in use is of its moment and is left out.
func (w *Watcher) keep(before string) {
	if len(w.listing.Adapters) == 0 || len(w.listing.Notes) > 0 {
		return
	}
	if after, ok := w.fingerprint(); !ok || after != before {
		return
	}
	k := kept{Schema: keptSchema, Fingerprint: before, At: w.now().Round(0), answer: answer{Adapters: slices.Clone(w.listing.Adapters)}}
	for i := range k.Adapters {
		k.Adapters[i].VRAMBudget, k.Adapters[i].VRAMUsage = sensors.Number{}, sensors.Number{}
	}
	// A home that cannot be written to costs the next run a probe, nothing else.
	_ = saveKept(w.opts.Kept, k)
}

func loadKept(path string) (kept, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return kept{}, fmt.Errorf("read kept adapters: %w", err)
	}
	if !ownFile(info) {
		return kept{}, fmt.Errorf("read kept adapters: others may write to %s", path)
	}
	b, err := wholefile.Read(path, maxAnswer)
	if err != nil {
		return kept{}, fmt.Errorf("read kept adapters: %w", err)
	}
	var k kept
	if err := json.Unmarshal(b, &k); err != nil || k.Schema != keptSchema {
		return kept{}, fmt.Errorf("read kept adapters: %s is of another form", path)
	}
	// The same bounds hold as for a child's answer.
	if k.answer, err = decode(b); err != nil || len(k.Adapters) == 0 || len(k.Notes) > 0 {
		return kept{}, fmt.Errorf("read kept adapters: %s cannot be used", path)
	}
	return k, nil
}

func saveKept(path string, k kept) error {
	b, err := json.Marshal(k)
	if err == nil {
		err = wholefile.Keep(path, append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keep adapters: %w", err)
	}
	return nil
}
