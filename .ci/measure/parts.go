package main

import (
	"fmt"
	"math"
)

// policy sets the policy's functions beside the specification's plain words.
func (b *bench) policy() error {
	sizes := []int{64, 1024, 1 << 20}
	for _, f := range []struct {
		name, bench string
		patterns    []string
	}{
		{"PlanFusion", "PlanFusion/", []string{"mixed", "uniform", "alternating"}},
		{"SelectPrecision", "Decisions/SelectPrecision/", []string{"mixed", "uniform", "alternating"}},
		{"GPUTiles", "Decisions/GPUTiles/", []string{"mixed", "uniform", "alternating"}},
	} {
		r, err := b.goBench("policy", f.bench, "25x")
		if err != nil {
			return err
		}
		for _, p := range f.patterns {
			ours, plain, times := "", "", ""
			least, last, allocs := math.Inf(1), 0.0, 0.0
			for i, n := range sizes {
				at := r[fmt.Sprintf("%s%s/n=%d", f.bench, p, n)]
				if i > 0 {
					ours, plain, times = ours+" / ", plain+" / ", times+" / "
				}
				ours += fmt.Sprintf("%.2f", at["ns/fast"])
				plain += fmt.Sprintf("%.2f", at["ns/plain"])
				last = at["x"]
				times += fmt.Sprintf("%.2f", 1/last)
				least, allocs = min(least, last), allocs+at["allocs/op"]
			}
			aim := goal("≤ 1.2, no allocation", least >= 1/1.2 && allocs == 0)
			if f.name == "PlanFusion" && p == "mixed" {
				aim = goal("≤ 0.33 at a million, no allocation", last >= 3 && least >= 1/1.2 && allocs == 0)
			}
			b.table.add(f.name+", "+p+", ns each at 64 / 1 024 / a million", ours, plain, times, aim)
		}
	}
	return nil
}

// round sets a sampling round beside what gopsutil reads of the same tree.
func (b *bench) round() error {
	r, err := b.goBench("sensors", "^BenchmarkRoundAndLibrary$|^BenchmarkRoundLive$", "500x")
	if err != nil {
		return err
	}
	laptop, live := r["RoundAndLibrary"], r["RoundLive"]
	cpu, library := laptop["cpu-ns/round"], laptop["cpu-ns/library"]
	b.table.add("one sampling round on a laptop's tree of 92 readings, CPU", fmt.Sprintf("%s, %.0f allocations of %.0f KiB", duration(cpu), laptop["allocs/op"], laptop["B/op"]/1024),
		"gopsutil alone, of the same tree: "+duration(library), ratio(cpu, library), goal("≤ 1.5 ms", cpu <= 1.5e6))
	b.table.add("one sampling round on this machine, CPU", fmt.Sprintf("%s, %.0f allocations", duration(live["cpu-ns/op"]), live["allocs/op"]), none, none, goal("≤ 1.5 ms", live["cpu-ns/op"] <= 1.5e6))
	return nil
}

// grow shows how the work grows with its size.
func (b *bench) grow() error {
	for _, g := range []struct {
		what, pkg, bench, benchtime, unit string
		sizes                             []int
		goal                              string
		most                              float64 // at the largest size, in ns; 0 for none
	}{
		{"a round of n hwmon inputs, CPU", "sensors", "RoundOfInputs", "50x", "cpu-ns/op", []int{10, 100, 1000}, "", 0},
		{"n layers alike, planned, drawn and painted", "ui/draw", "PlanOfLayers/alike=true", "50x", "ns/op", []int{2, 20, 200}, "≤ 20 ms", 20e6},
		{"n layers all different, planned, drawn and painted", "ui/draw", "PlanOfLayers/alike=false", "50x", "ns/op", []int{2, 20, 200}, "≤ 20 ms", 20e6},
		{"a recording of n hours at 10 Hz opened", "sensors/trace", "OpenHours", "3x", "ns/op", []int{1, 6, 24}, "≤ 1 s", 1e9},
		{"n models sized and shown, every other second", "ui/window", "Models/size", "5x", "ns/op", []int{10, 100, 1000}, "", 0},
		{"n models filtered, sorted and shown", "ui/window", "Models/arrange", "10x", "ns/op", []int{10, 100, 1000}, "≤ 100 ms", 100e6},
	} {
		r, err := b.goBench(g.pkg, g.bench, g.benchtime)
		if err != nil {
			return err
		}
		row := []string{g.what}
		var first, last float64
		for i, n := range g.sizes {
			last = r[fmt.Sprintf("%s/n=%d", g.bench, n)][g.unit]
			if i == 0 {
				first = last
			}
			row = append(row, fmt.Sprint(n), duration(last))
		}
		// Between the smallest and the largest; a fixed cost makes it less than the slope at the end.
		power := math.Log(last/first) / math.Log(float64(g.sizes[2])/float64(g.sizes[0]))
		b.growth.add(append(row, fmt.Sprintf("n^%.2f", power))...)
		if g.most > 0 {
			b.table.add(fmt.Sprintf("%s, n = %d", g.what, g.sizes[2]), duration(last), none, none, goal(g.goal, last <= g.most))
		}
	}
	r, err := b.goBench("sensors/trace", "ScrubDay", "200x")
	if err != nil {
		return err
	}
	step := r["ScrubDay"]["ns/op"]
	b.table.add("one step of scrubbing through a day at 10 Hz", duration(step), none, none, goal("≤ 16.7 ms", step <= 1e9/60))
	return nil
}
