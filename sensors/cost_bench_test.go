package sensors

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/host"
	"github.com/shirou/gopsutil/v3/load"
	"github.com/shirou/gopsutil/v3/mem"
)

// BenchmarkRoundAndLibrary makes a warm round on a laptop's tree and, in turn, asks gopsutil for what it knows of the same
// tree: temperatures, memory, swap, clocks, processor times and load. It reports the median CPU time of each; the round
// also reads power, batteries, cards, throttling and trip points, which the library does not.
func BenchmarkRoundAndLibrary(b *testing.B) {
	root := tree(b, laptop())
	p := NewPoller(Options{Sysroot: root})
	p.env.rescan = rescanEvery
	p.Once(context.Background())
	ctx := libraryContext(root)
	var ours, library []float64
	b.ReportAllocs()
	for b.Loop() {
		ours = append(ours, cpuTime(func() { p.sample(context.Background()) }))
		b.StopTimer()
		library = append(library, cpuTime(func() { askLibrary(ctx) }))
		b.StartTimer()
	}
	b.ReportMetric(middle(ours), "cpu-ns/round")
	b.ReportMetric(middle(library), "cpu-ns/library")
}

// askLibrary leaves the answers: what cannot be read on the tree costs its try.
func askLibrary(ctx context.Context) {
	host.SensorsTemperaturesWithContext(ctx)
	mem.VirtualMemoryWithContext(ctx)
	mem.SwapMemoryWithContext(ctx)
	cpu.InfoWithContext(ctx)
	cpu.TimesWithContext(ctx, false)
	load.AvgWithContext(ctx)
}

// cpuTime is the processor time in ns that the process takes for f.
func cpuTime(f func()) float64 {
	before := ownCost().cpu
	f()
	return float64((ownCost().cpu - before).Nanoseconds())
}

func middle(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// inputs is a machine of n hwmon temperatures, ten to a chip.
func inputs(n int) files {
	f := meminfo(32<<20, 12<<20, 24<<20)
	for chip := range n / 10 {
		list := files{}
		for i := range 10 {
			list[fmt.Sprintf("temp%d_label", i+1)] = fmt.Sprintf("Sensor %d\n", i)
			list[fmt.Sprintf("temp%d_input", i+1)] = fmt.Sprintf("%d\n", 40_000+1000*i)
			list[fmt.Sprintf("temp%d_crit", i+1)] = "100000\n"
		}
		f = join(f, hwmon(chip, fmt.Sprintf("chip%d", chip), list))
	}
	return f
}

// BenchmarkRoundOfInputs is how a warm round grows with the machine's sensors.
func BenchmarkRoundOfInputs(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			p := NewPoller(Options{Sysroot: tree(b, inputs(n))})
			p.env.rescan = rescanEvery
			benchmarkRound(b, p)
		})
	}
}

// A round's allocations grow with the sensors and no faster, or a server of a thousand would choke the collector.
func TestARoundGrowsInLine(t *testing.T) {
	allocations := func(n int) float64 {
		p := NewPoller(Options{Sysroot: tree(t, inputs(n)), Deadline: time.Minute, Interval: time.Hour})
		p.env.rescan = time.Hour
		p.Once(t.Context())
		s := p.sample(t.Context())
		if got := len(s.Temperatures); got != n {
			t.Fatalf("%d temperatures of %d are read", got, n)
		}
		return testing.AllocsPerRun(5, func() { p.sample(t.Context()) })
	}
	few, many := allocations(100), allocations(1000)
	if many > 11*few {
		t.Errorf("%v allocations for 100 inputs, %v for 1 000", few, many)
	}
}
