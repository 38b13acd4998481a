package cli

import (
	"context"
	"fmt"
	"strings"

	"headroom/policy"
	"headroom/sensors"
	"headroom/sensors/bandwidth"
	"headroom/sensors/budget"
	"headroom/sensors/gpu/prove"
	"headroom/ui/frame"
)

// measuredRAM reads RAM for a tenth of a second, gives the bandwidth reached and keeps it for later runs.
func measuredRAM(ctx context.Context, s sensors.Sample) sensors.Reading {
	available := frame.New(s, budget.Settings{}).Budget.Memory.RAMAvailable.Or(0)
	r := bandwidth.RAM(ctx, uint64(max(available, 0)))
	path, err := bandwidth.Path()
	if err == nil {
		err = bandwidth.Save(path, s, r)
	}
	if err != nil {
		r.Detail += "; it is not kept: " + err.Error()
	}
	return r
}

// keptRAM is the bandwidth of RAM that was measured on this machine before; unknown where none was, or it is of no use.
func keptRAM(s sensors.Sample) sensors.Reading {
	path, err := bandwidth.Path()
	if err != nil {
		return sensors.Reading{}
	}
	r, err := bandwidth.Load(path, s)
	if err != nil {
		return sensors.Reading{}
	}
	return r
}

// measuredBefore is what earlier runs measured on the machine of a Sample.
func measuredBefore(s sensors.Sample) budget.Measured {
	return budget.Measured{GPUs: provenRates(s), RAM: keptRAM(s).Value}
}

// keptRates is measuredBefore for the Samples of a run: its files are read when adapters change.
type keptRates struct {
	adapters string
	measured budget.Measured
}

// of is what earlier runs measured on this machine, of which the Sample is.
func (k *keptRates) of(s sensors.Sample) budget.Measured {
	if now := adapterNames(s); now != k.adapters || k.measured.GPUs == nil {
		k.adapters, k.measured = now, measuredBefore(s)
	}
	return k.measured
}

func adapterNames(s sensors.Sample) string {
	var b strings.Builder
	for _, a := range s.Adapters {
		fmt.Fprintf(&b, "%s %s %s %s\n", a.PCI, a.Name, a.Backend, a.Driver)
	}
	return b.String()
}

// provenRates reads what the proofs measured on the GPUs of a Sample, by their IDs. GPUs on which none were run are left out.
func provenRates(s sensors.Sample) map[string]budget.GPURates {
	rates := map[string]budget.GPURates{}
	dir, err := prove.Dir()
	if err != nil {
		return rates
	}
	for _, g := range frame.New(s, budget.Settings{}).Budget.GPUs {
		a, ok := adapterOf(g, s)
		if !ok {
			continue
		}
		// An error is that they were never run on this adapter, or are of no use.
		if kept, err := prove.Load(dir, a.Name, a.Driver); err == nil {
			rates[g.ID] = ratesOf(kept.Result)
		}
	}
	return rates
}

// ratesOf are the figures of a result that speeds are made from.
func ratesOf(r prove.Result) budget.GPURates {
	out := budget.GPURates{
		Read:   figure(r, prove.Bandwidth, 1e9, "copy_gb_per_s"),
		Upload: figure(r, prove.ZeroCopy, 1e9, "ring_gb_per_s", "write_buffer_gb_per_s"),
		Pass:   figure(r, prove.Bandwidth, 1e-6, "dispatch_us"),
	}
	for p := range out.Weights {
		name := policy.Precision(p).String()
		out.Weights[p] = figure(r, prove.Precision, 1, name+"_weights_per_s")
		out.Spread[p] = figure(r, prove.Precision, 0.01, name+"_spread_percent")
	}
	return out
}

// figure is the first figure that a proof has of some, in the unit given. A proof whose numbers were wrong says nothing.
func figure(r prove.Result, proof string, unit float64, keys ...string) sensors.Number {
	p, ok := r.Find(proof)
	if !ok || !p.Verified {
		return sensors.Number{}
	}
	for _, key := range keys {
		if v, ok := p.Figure(key); ok {
			return sensors.Num(v * unit)
		}
	}
	return sensors.Number{}
}

// adapterOf is the WebGPU adapter of a GPU.
func adapterOf(g budget.GPU, s sensors.Sample) (sensors.Adapter, bool) {
	for _, a := range s.Adapters {
		if a.Backend == g.Backend && (a.PCI != "" && g.ID == "pci/"+a.PCI || a.Name == g.Name) {
			return a, true
		}
	}
	return sensors.Adapter{}, false
}
