package prove

import (
	"headroom/policy"
	"headroom/policy/workload"
)

// Range is a figure between two bounds.
type Range struct{ Low, High float64 }

// Known reports whether there is one.
func (r Range) Known() bool { return r.High > 0 }

// TokensBasis says what TokensPerSecond is made from.
const TokensBasis = "measured here: at most as fast as the weights of a token are multiplied, at least as slow as with the whole KV cache read and each pass's dispatch paid besides"

// TokensPerSecond is how fast a workload would decode on this adapter at each precision, by the matrix-vector products that
// were measured on it; indexed by policy.Precision, unknown where that, or the adapter's bandwidth, was not measured.
// A pass of the plan is paid as one dispatch (dispatch_us), as kernels were measured: many dispatches in one WebGPU pass. To
// begin a WebGPU pass for each (pass_us) is what no engine does.
func TokensPerSecond(r Result, w workload.Workload) [4]Range {
	var out [4]Range
	p, ok := r.Find(Precision)
	other, beside := r.Find(Bandwidth)
	if !ok || !beside || !p.Verified || !other.Verified {
		return out
	}
	for _, f := range []policy.Precision{policy.F32, policy.F16, policy.Q8, policy.Q4} {
		rate, stray := p.Figures[f.String()+"_weights_per_s"], min(p.Figures[f.String()+spreadKey]/100, 0.9)
		t, ok := w.DecodeSpeed(f, workload.Products{
			Weights: workload.Range{Low: rate * (1 - stray), High: rate * (1 + stray)},
			Cache:   other.Figures["copy_gb_per_s"] * 1e9, Pass: other.Figures["dispatch_us"] * 1e-6,
		})
		if ok {
			out[f] = Range(t)
		}
	}
	return out
}
