package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/hostfile"
	"headroom/ui/frame"
)

// fastClock is a clock on which the wait for the next round passes at once, and no deadline ever does.
type fastClock struct{ now time.Time }

func (c *fastClock) Now() time.Time { return c.now }

func (c *fastClock) After(d time.Duration) <-chan time.Time {
	switch d {
	case time.Second:
		c.now = c.now.Add(d)
	case 0: // a wait that passed already
	default:
		return nil
	}
	ready := make(chan time.Time, 1)
	ready <- c.now
	return ready
}

// memory polls a laptop for ten hours of a fast clock, with Frames and their history, and compares what the program holds
// after two hours, when all that is kept has been kept once, with the end. The temperature crosses the tight envelope
// four times a minute, so that the history of changes is full by then.
func (b *bench) memory() error {
	const hours = 10
	host, err := hostfile.Open("sensors/hostfile/testdata/hosts/intel-laptop.json")
	if err != nil {
		return err
	}
	tree := filepath.Join(filepath.Dir(b.binary), "ten-hours")
	if err := host.WriteTree(tree); err != nil {
		return err
	}
	inputs, err := filepath.Glob(filepath.Join(tree, "sys/class/hwmon/hwmon*/temp1_input"))
	// Where the host was recorded with a file that cannot be read, a folder stands in its place.
	inputs = slices.DeleteFunc(inputs, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.Mode().IsRegular()
	})
	if err != nil || len(inputs) == 0 {
		return errors.Join(err, errors.New("the recorded host has no temperature"))
	}
	clock := &fastClock{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	p := sensors.NewPoller(sensors.Options{Sysroot: tree, Clock: clock})
	defer p.Close()
	set := budget.Settings{Workload: workload.Default()}
	history := frame.NewHistory()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var heap []float64
	var failed error
	rounds, began := 0, time.Now()
	err = p.Run(ctx, func(s sensors.Sample) {
		history.Add(frame.New(s, set))
		rounds++
		if rounds%15 == 0 {
			for _, input := range inputs {
				failed = errors.Join(failed, os.WriteFile(input, fmt.Appendf(nil, "%d\n", []int{60, 98}[rounds/15%2]*1000), 0o644))
			}
		}
		if rounds%3600 == 0 {
			heap = append(heap, heapNow())
		}
		if rounds == hours*3600 || failed != nil {
			cancel()
		}
	})
	if failed != nil {
		return failed
	}
	if !errors.Is(err, context.Canceled) {
		return err
	}
	runtime.KeepAlive(history)
	first, last := heap[1], heap[len(heap)-1]
	b.table.add(fmt.Sprintf("heap over %d hours at 1 Hz, simulated in %s, %d changes of decision kept", hours, time.Since(began).Round(time.Second), len(history.Changes())),
		fmt.Sprintf("%.2f MiB at the end", last), fmt.Sprintf("%.2f MiB after two", first), ratio(last, first), goal("flat", last <= first*1.05))
	return nil
}

// heapNow is what is reachable, in MiB.
func heapNow() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}
