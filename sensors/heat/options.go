package heat

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"time"

	"headroom/sensors"
	"headroom/sensors/budget"
)

// The bounds of a load.
const (
	DefaultFor     = time.Minute
	MinFor, MaxFor = time.Second, 10 * time.Minute
	// MarginC is how far below its limit a device may come, in °C: less than the 5 °C under which the policy gives up f32
	// and f16, so that this can be shown, and more than a sensor's step.
	MarginC = 3
	// MinBatteryPercent is the charge under which a machine on battery is not loaded.
	MinBatteryPercent = 20
)

// Options say what is loaded and for how long.
type Options struct {
	// CPU is how many threads do arithmetic; 0 leaves the CPU alone.
	CPU int
	// GPU is whether the GPU in use is loaded.
	GPU bool
	// For is when the load ends; 0 is DefaultFor.
	For time.Duration
	// Insist loads also a device whose temperature nothing tells.
	Insist bool
	// Device is the GPU to use, as in budget.Settings.
	Device string
	// Limits are the user's limits in °C by the ID of a temperature or of its limit. They stand in for one that the machine
	// does not state, and may lower one that it does.
	Limits map[string]float64
	// Sysroot is the tree that stands for the machine where a load is started as a child process; empty is the machine.
	Sysroot string

	// program and environ replace this program and its environment in tests.
	program string
	environ []string
}

// Threads is how many threads there are to load: the processors, or what a container may use of them.
func Threads() int { return min(runtime.GOMAXPROCS(0), runtime.NumCPU()) }

// check refuses what cannot be done and fills in what was left out.
func (o *Options) check() error {
	if o.For == 0 {
		o.For = DefaultFor
	}
	switch {
	case o.CPU == 0 && !o.GPU:
		return errors.New("heat: there is nothing to load: give a number of threads, or the GPU")
	case o.CPU < 0 || o.CPU > runtime.NumCPU():
		return fmt.Errorf("heat: %d threads of the CPU: there are %d", o.CPU, runtime.NumCPU())
	case o.For < MinFor || o.For > MaxFor:
		return fmt.Errorf("heat: a load of %s: it may take %s to %s", span(o.For), span(MinFor), span(MaxFor))
	}
	return nil
}

// settings are those under which temperatures are found. Nothing is pinned: a pin is no temperature.
func (o *Options) settings() budget.Settings {
	return budget.Settings{Device: o.Device, Limits: o.Limits}
}

// stranger is the first ID with a limit that nothing on the machine has; empty where there is none. A slip in it must not
// leave the machine with a limit that its user did not want.
func (o *Options) stranger(s sensors.Sample) string {
	known := map[string]bool{}
	for i := range s.Temperatures {
		known[s.Temperatures[i].Value.ID], known[s.Temperatures[i].Crit.ID] = true, true
	}
	for _, d := range s.Power {
		known[d.ID], known[d.Limit.ID] = true, true
	}
	for _, id := range slices.Sorted(maps.Keys(o.Limits)) {
		if !known[id] {
			return id
		}
	}
	return ""
}
