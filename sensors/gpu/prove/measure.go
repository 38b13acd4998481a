//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/cogentcore/webgpu/wgpu"
)

// watchdog is the longest in seconds that one submission may take: some systems reset an adapter that works longer. A software
// adapter has none, but must stay inside the engine's patience.
func (d *device) watchdog() float64 {
	if d.info.Type == "cpu" {
		return 8 * longest
	}
	return longest
}

// run does the commands once and waits; it gives the seconds that took.
func (d *device) run(record func(*wgpu.CommandEncoder) error) (float64, error) {
	begin := time.Now()
	if err := d.submit(record); err != nil {
		return 0, err
	}
	d.wait()
	return time.Since(begin).Seconds(), nil
}

// again is run for what is known to take little.
func (d *device) again(record func(*wgpu.CommandEncoder) error) (float64, error) {
	begin := time.Now()
	if err := d.submit(record); err != nil {
		return 0, err
	}
	d.waitBriefly()
	return time.Since(begin).Seconds(), nil
}

// work is commands that can be recorded a number of times over.
type work func(e *wgpu.CommandEncoder, n int) error

// dispatches is the calls in one compute pass: what a pass itself costs is measured on its own.
func dispatches(calls ...call) work {
	return func(e *wgpu.CommandEncoder, n int) error { return pass(e, slices.Repeat(calls, n)...) }
}

// errSlow is work too large for one submission.
var errSlow = errors.New("too slow for this adapter")

// measure times work: two runs to warm up, then at least five of as many repetitions as fill a batch. The times are of one
// repetition.
func (d *device) measure(name string, budget float64, do work) (Timing, error) {
	once := math.Inf(1)
	for range 2 {
		took, err := d.run(func(e *wgpu.CommandEncoder) error { return do(e, 1) })
		if err != nil {
			return nil, fmt.Errorf("measure %s: %w", name, err)
		}
		once = min(once, took)
	}
	if once > d.watchdog() {
		return nil, fmt.Errorf("measure %s: one run takes %.2f s: %w", name, once, errSlow)
	}
	n := max(1, min(int(batchTime/once), 2000))
	// An idle card runs at a fraction of its clocks and takes a while to raise them.
	for begin := time.Now(); !d.warm && d.info.Type != "cpu" && time.Since(begin) < warmUp; {
		if _, err := d.again(func(e *wgpu.CommandEncoder) error { return do(e, n) }); err != nil {
			return nil, fmt.Errorf("measure %s: %w", name, err)
		}
	}
	d.warm = true
	var times []float64
	end := time.Now().Add(time.Duration(budget * float64(time.Second)))
	for len(times) < minRuns || len(times) < maxRuns && time.Now().Before(end) {
		took, err := d.again(func(e *wgpu.CommandEncoder) error { return do(e, n) })
		if err != nil {
			return nil, fmt.Errorf("measure %s: %w", name, err)
		}
		times = append(times, took/float64(n))
	}
	if d.dump != nil {
		d.dump(name+".times", fmt.Sprintf("%d repetitions a submission; seconds of one: %v\n", n, times))
	}
	return newTiming(times), nil
}
