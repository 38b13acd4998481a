package frame

import (
	"fmt"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
)

// Rates are what was measured of RAM and of the GPU in use.
func (f Frame) Rates() Rates {
	g := f.proven()
	return Rates{RAM: f.Settings.Measured.RAM, GPU: g.Read, Upload: g.Upload}
}

// proven is what the proofs measured on the GPU in use.
func (f Frame) proven() budget.GPURates {
	b := f.Budget
	if b.InUse < 0 || b.InUse >= len(b.GPUs) {
		return budget.GPURates{}
	}
	return f.Settings.Measured.GPUs[b.GPUs[b.InUse].ID]
}

// Speed is how fast the plan writes one sequence of the workload; both ends are unknown, with the reason, where nothing was
// measured that bounds it, and where it does not run.
func (f Frame) Speed() Speed {
	w, p := f.Settings.Workload, f.Plan
	switch {
	case !f.MemoryKnown():
		return Speed{Basis: "the free memory is unknown"}
	case !p.Fits:
		return Speed{Basis: "it does not fit"}
	case p.Backend == policy.GPU:
		if s, ok := f.decoded(w, p.Precision); ok {
			return s
		}
	}
	r := Row{Offer: Offer{Weights: p.Job}, KVBytes: w.KVBytes, Fit: FitCPU}
	if p.Backend == policy.GPU {
		r.Fit = FitGPU
	}
	if r.Model = (workload.Model{Params: w.Params, ActiveParams: w.ActiveParams}); w.Model != nil {
		r.Model = *w.Model
	}
	return f.speed(r, f.Rates())
}

// decoded is the speed by the products that were measured at a precision on the GPU in use.
func (f Frame) decoded(w workload.Workload, p policy.Precision) (Speed, bool) {
	g := f.proven()
	rate, ok := g.Weights[p].Get()
	if !ok {
		return Speed{}, false
	}
	stray := min(max(g.Spread[p].Or(0), 0), 0.9)
	t, ok := w.DecodeSpeed(p, workload.Products{
		Weights: workload.Range{Low: rate * (1 - stray), High: rate * (1 + stray)}, Cache: g.Read.Or(0), Pass: g.Pass.Or(0),
	})
	if !ok {
		return Speed{}, false
	}
	return Speed{
		Low: sensors.Num(t.Low), High: sensors.Num(t.High),
		Basis: fmt.Sprintf("%v weights, measured on this GPU at %s a second: from the KV cache full and each pass paid, to the weights of a token alone",
			p, Params(uint64(min(rate, 1<<62)))),
	}, true
}

// SpeedWords is the speed with its basis in one sentence, or why there is none.
func (f Frame) SpeedWords() string {
	s := f.Speed()
	if !s.Low.Known() {
		return "No tokens a second: " + s.Basis + "."
	}
	return sentence(s.Words() + ": " + s.Basis)
}
