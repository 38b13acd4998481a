package bandwidth

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"headroom/sensors"
	"headroom/sensors/wholefile"
)

// kept is what was measured, when, and of which machine: another processor or other RAM makes it worthless.
type kept struct {
	CPU            string    `json:"cpu"`
	Threads        int       `json:"threads"`
	RAMTotal       float64   `json:"ram_total"`
	BytesPerSecond float64   `json:"ram_bytes_per_s"`
	Basis          string    `json:"basis"`
	Date           time.Time `json:"date"`
}

const (
	maxKept = 64 << 10
	// plausible bounds a bandwidth, in bytes a second.
	plausible = 1e14
)

// ErrOther is that what is kept was measured on another machine.
var ErrOther = errors.New("it was measured with another processor or other RAM")

// Path is the file that keeps RAM's bandwidth, beside the proofs; a user can delete it.
func Path() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a folder for RAM's bandwidth: %w", err)
	}
	return filepath.Join(cache, "headroom", "ram.json"), nil
}

// of is the machine that a Sample is of.
func of(s sensors.Sample) kept {
	return kept{CPU: s.Host.CPU, Threads: s.Host.Threads, RAMTotal: s.Memory.Total.Value.Or(0)}
}

// Save keeps what RAM measured on the machine of a Sample.
func Save(path string, s sensors.Sample, r sensors.Reading) error {
	rate, ok := r.Value.Get()
	if !ok || !r.Usable() {
		return nil
	}
	k := of(s)
	k.BytesPerSecond, k.Basis, k.Date = rate, r.Detail, r.At
	b, err := json.MarshalIndent(k, "", "  ")
	if err == nil {
		err = wholefile.Keep(path, append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keep RAM's bandwidth: %w", err)
	}
	return nil
}

// Load gives what was measured on the machine of a Sample, At its date. Nothing kept is fs.ErrNotExist, what another machine
// measured ErrOther.
func Load(path string, s sensors.Sample) (sensors.Reading, error) {
	b, err := wholefile.Read(path, maxKept)
	if err != nil {
		return sensors.Reading{}, fmt.Errorf("read RAM's bandwidth: %w", err)
	}
	var k kept
	if err := json.Unmarshal(b, &k); err != nil {
		return sensors.Reading{}, fmt.Errorf("read RAM's bandwidth from %s: %w", path, err)
	}
	if !(k.BytesPerSecond > 0 && k.BytesPerSecond < plausible) {
		return sensors.Reading{}, fmt.Errorf("read RAM's bandwidth from %s: %v bytes a second cannot be", path, k.BytesPerSecond)
	}
	now := of(s)
	// What the kernel keeps for itself may differ from one start to the next.
	if k.CPU != now.CPU || k.Threads != now.Threads || math.Abs(k.RAMTotal-now.RAMTotal) > 0.05*max(k.RAMTotal, now.RAMTotal) {
		return sensors.Reading{}, fmt.Errorf("read RAM's bandwidth from %s: %w", path, ErrOther)
	}
	return sensors.Reading{
		ID: "memory/bandwidth", Kind: "memory", Value: sensors.Num(k.BytesPerSecond), Unit: BytesPerSecond, State: sensors.StateOK,
		Source: "kept from an earlier measurement", Detail: k.Basis, At: k.Date,
	}, nil
}
