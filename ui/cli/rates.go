package cli

import (
	"context"

	"headroom/sensors"
	"headroom/sensors/bandwidth"
	"headroom/sensors/gpu/prove"
	"headroom/ui/frame"
)

// measuredRAM reads RAM for a tenth of a second and gives the bandwidth reached.
func measuredRAM(ctx context.Context, f frame.Frame) sensors.Number {
	available, _ := f.Budget.Memory.RAMAvailable.Get()
	return bandwidth.RAM(ctx, uint64(max(available, 0))).Value
}

// provenRates are what the proofs measured on the GPU in use, where they were run and kept.
func provenRates(f frame.Frame) frame.Rates {
	dir, err := prove.Dir()
	a, ok := adapterInUse(f)
	if err != nil || !ok {
		return frame.Rates{}
	}
	kept, err := prove.Load(dir, a.Name, a.Driver)
	if err != nil {
		// Never run on this adapter, or of no use.
		return frame.Rates{}
	}
	return frame.Rates{
		GPU:    rateOf(kept.Result, prove.Bandwidth, "copy_gb_per_s"),
		Upload: rateOf(kept.Result, prove.ZeroCopy, "ring_gb_per_s", "write_buffer_gb_per_s"),
	}
}

// rateOf is the first figure that a proof has of some, in bytes a second. A proof whose numbers were wrong says nothing.
func rateOf(r prove.Result, proof string, keys ...string) sensors.Number {
	p, ok := r.Find(proof)
	if !ok || !p.Verified {
		return sensors.Number{}
	}
	for _, key := range keys {
		if v, ok := p.Figure(key); ok {
			return sensors.Num(v * 1e9)
		}
	}
	return sensors.Number{}
}

// adapterInUse is the WebGPU adapter of the GPU that decisions are made for.
func adapterInUse(f frame.Frame) (sensors.Adapter, bool) {
	if f.Budget.InUse < 0 || f.Budget.InUse >= len(f.Budget.GPUs) {
		return sensors.Adapter{}, false
	}
	g := f.Budget.GPUs[f.Budget.InUse]
	for _, a := range f.Sample.Adapters {
		if a.Backend == g.Backend && (a.PCI != "" && g.ID == "pci/"+a.PCI || a.Name == g.Name) {
			return a, true
		}
	}
	return sensors.Adapter{}, false
}
