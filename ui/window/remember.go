//go:build cgo || !darwin

package window

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/wholefile"
	"headroom/ui/frame"
)

// remembered is what the window keeps from one run to the next.
type remembered struct {
	// Width and Height are the window's, in Fyne's units; 0 where never kept.
	Width  float32 `json:"width"`
	Height float32 `json:"height"`
	Page   string  `json:"page"`
	// Type is the size of type, 1 being normal.
	Type float32 `json:"type"`
	// Theme is dark or light; empty follows the system.
	Theme      string      `json:"theme"`
	IntervalMS int64       `json:"interval_ms"`
	Model      modelChoice `json:"model"`
	// Recent are the model files last used, the latest first. A slice that is set is not changed again.
	Recent []string           `json:"recent"`
	Pins   budget.Pins        `json:"pins"`
	Limits map[string]float64 `json:"limits"`
	Device string             `json:"device"`
	// WhatIf is whether the panel of pins stands open.
	WhatIf bool `json:"what_if"`
	// Settled is whether the settled answer is shown, HoldMS how long an answer must hold for it.
	Settled bool  `json:"settled"`
	HoldMS  int64 `json:"hold_ms"`
	// Prefill and Whole choose the fusion figure's phase and extent.
	Prefill bool `json:"prefill"`
	Whole   bool `json:"whole"`
}

// modelChoice is the workload as the user chose it: one of ID, Params and Path, or none for the default.
type modelChoice struct {
	ID      string          `json:"id,omitempty"`
	Params  uint64          `json:"params,omitempty"`
	Path    string          `json:"path,omitempty"`
	Context uint64          `json:"context,omitempty"`
	KV      workload.KVType `json:"kv,omitempty"`
}

const (
	minWidth, minHeight         = 900, 600
	defaultWidth, defaultHeight = 1280, 800
	defaultHold                 = frame.DefaultHold
	minInterval, maxInterval    = 100 * time.Millisecond, time.Minute
	leastType, mostType         = 0.8, 2
	maxSettingsBytes            = 256 << 10
	maxPinnedLimits             = 256
	maxRecent, maxPath          = 8, 4096
)

func defaults() remembered {
	return remembered{Width: defaultWidth, Height: defaultHeight, Page: PageLive, Type: 1, IntervalMS: 1000, HoldMS: defaultHold.Milliseconds()}
}

// clamp brings every field into the range that the window can show, whatever the file held.
func (r *remembered) clamp() {
	r.Width = clampSide(r.Width, minWidth, defaultWidth)
	r.Height = clampSide(r.Height, minHeight, defaultHeight)
	if !slices.Contains(pageNames, r.Page) {
		r.Page = PageLive
	}
	if r.Theme != themeDark && r.Theme != themeLight {
		r.Theme = ""
	}
	if !(r.Type >= leastType && r.Type <= mostType) {
		r.Type = 1
	}
	if r.IntervalMS == 0 {
		r.IntervalMS = 1000
	}
	r.IntervalMS = min(max(r.IntervalMS, minInterval.Milliseconds()), maxInterval.Milliseconds())
	if r.HoldMS <= 0 {
		r.HoldMS = defaultHold.Milliseconds()
	}
	r.HoldMS = min(max(r.HoldMS, 1000), 600_000)
	switch r.Model.KV {
	case workload.KVF16, workload.KVQ80, workload.KVQ40:
	default:
		r.Model.KV = ""
	}
	r.Model.Context = min(r.Model.Context, maxContext)
	r.Pins.ThermalC = within(r.Pins.ThermalC, -100, 200)
	r.Pins.PowerMW = within(r.Pins.PowerMW, 0, math.MaxUint32)
	r.Pins.VRAMBytes = within(r.Pins.VRAMBytes, 0, 1<<60)
	r.Recent = slices.DeleteFunc(r.Recent, func(path string) bool { return path == "" || len(path) > maxPath })
	r.Recent = r.Recent[:min(len(r.Recent), maxRecent)]
	if len(r.Limits) > maxPinnedLimits {
		r.Limits = nil
	}
	maps.DeleteFunc(r.Limits, func(_ string, v float64) bool { return !(v > 0 && v <= math.MaxUint32) })
}

func clampSide(v, least, otherwise float32) float32 {
	if !(v > 0) || v > 16384 {
		return otherwise
	}
	return max(v, least)
}

func within(n sensors.Number, least, most float64) sensors.Number {
	if v, ok := n.Get(); ok && (v < least || v > most) {
		return sensors.Number{}
	}
	return n
}

// settingsPath is where the window remembers; an error where the user has no configuration directory.
func settingsPath() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find the user's configuration directory: %w", err)
	}
	return filepath.Join(dir, "headroom", "window.json"), nil
}

// recallFor reads what is remembered, from the file that the options name or the user's own.
func recallFor(o Options) (path string, state remembered, err error) {
	if path = o.SettingsFile; path == "" {
		if path, err = settingsPath(); err != nil {
			return "", defaults(), fmt.Errorf("%w: the window's settings are not kept for the next run; set HOME to keep them", err)
		}
	}
	state, err = recall(path)
	return path, state, err
}

// settingsVersion is the form of the settings file. It grows when a field changes its meaning, not when one is added.
const settingsVersion = 1

// errNewer is of a settings file whose fields may mean something else than here.
var errNewer = errors.New("written by a newer Headroom")

// recall reads the settings file. It always returns usable settings; the error says what could not be used. A file that
// is not what this version writes is kept aside beside it: with .newer at its name's end if a newer version wrote it, else
// with .unreadable.
func recall(path string) (remembered, error) {
	b, err := wholefile.Read(path, maxSettingsBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return defaults(), nil
	}
	if err == nil {
		var r remembered
		if r, err = parseSettings(b); err == nil {
			return r, nil
		}
		err = fmt.Errorf("%s: %w", path, err)
	}
	err = fmt.Errorf("read the window's settings: %w", err)
	if errors.Is(err, fs.ErrPermission) {
		return defaults(), err
	}
	aside := path + ".unreadable"
	if errors.Is(err, errNewer) {
		aside = path + ".newer"
	}
	if os.Rename(path, aside) == nil {
		return defaults(), fmt.Errorf("%w; kept as %s, defaults are used", err, filepath.Base(aside))
	}
	return defaults(), fmt.Errorf("%w; defaults are used", err)
}

// parseSettings is what the bytes of a settings file hold. A file without a version is of the first.
func parseSettings(b []byte) (remembered, error) {
	// The version first and alone: the rest of a newer file need not be as it is here.
	file := map[string]json.RawMessage{}
	if err := json.Unmarshal(b, &file); err != nil {
		return remembered{}, err
	}
	if err := checkVersion(file); err != nil {
		return remembered{}, err
	}
	r := defaults()
	if err := json.Unmarshal(b, &r); err != nil {
		return remembered{}, err
	}
	r.clamp()
	return r, nil
}

func checkVersion(file map[string]json.RawMessage) error {
	written, ok := file["version"]
	if !ok {
		return nil
	}
	var version uint32
	if err := json.Unmarshal(written, &version); err != nil {
		return fmt.Errorf("version: %w", err)
	}
	if version > settingsVersion {
		return fmt.Errorf("%w, in version %d, and this one knows up to %d", errNewer, version, settingsVersion)
	}
	return nil
}

// keep writes to the settings file the fields that differ between base and now, leaving the others as the file has them:
// a second window's changes, and what a later version added, survive. A file that a newer version has written since is left
// as it is.
func keep(path string, base, now remembered) error {
	fields, err := changed(base, now)
	if err != nil || len(fields) == 0 {
		return err
	}
	file := map[string]json.RawMessage{}
	if b, err := wholefile.Read(path, maxSettingsBytes); err == nil {
		if json.Unmarshal(b, &file) != nil || file == nil {
			file = map[string]json.RawMessage{}
		}
	}
	if err := checkVersion(file); errors.Is(err, errNewer) {
		return fmt.Errorf("write the window's settings %s: it was %w", path, err)
	}
	maps.Copy(file, fields)
	file["version"] = json.RawMessage(strconv.Itoa(settingsVersion))
	b, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return fmt.Errorf("write the window's settings: %w", err)
	}
	if err := replaceFile(path, append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the window's settings %s: %w", path, err)
	}
	return nil
}

func changed(base, now remembered) (map[string]json.RawMessage, error) {
	was, err := rawFields(base)
	if err != nil {
		return nil, err
	}
	is, err := rawFields(now)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(is, func(k string, v json.RawMessage) bool { return bytes.Equal(v, was[k]) })
	return is, nil
}

func rawFields(r remembered) (map[string]json.RawMessage, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("write the window's settings: %w", err)
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(b, &fields); err != nil {
		return nil, fmt.Errorf("write the window's settings: %w", err)
	}
	return fields, nil
}

// replaceFile writes b to a file at once or not at all, and has the disk hold it. It makes the folder where it is missing.
func replaceFile(path string, b []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return wholefile.Replace(path, mode, func(f *os.File) error {
		if _, err := f.Write(b); err != nil {
			return err
		}
		return f.Sync()
	})
}
