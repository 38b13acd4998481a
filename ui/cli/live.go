package cli

import (
	"context"
	"path/filepath"
	"time"

	"headroom/sensors"
	"headroom/sensors/gpu"
)

// newPoller reads this machine, or the tree that stands for one.
func newPoller(sysroot string, interval time.Duration) *sensors.Poller {
	o := sensors.Options{Sysroot: sysroot, Interval: interval}
	if sysroot == "" {
		o.Probe = func(ctx context.Context) ([]sensors.Adapter, sensors.Reading) { return gpu.Probe(ctx, gpu.Options{}) }
	} else {
		// A file is cheap to read, and whoever rewrites it wants to see the change.
		o.ProbeEvery = interval
		o.Probe = func(context.Context) ([]sensors.Adapter, sensors.Reading) {
			return gpu.FromFile(filepath.Join(sysroot, "gpu.json"))
		}
	}
	return sensors.NewPoller(o)
}
