package frame

import (
	"fmt"

	"headroom/policy/workload"
	"headroom/sensors"
)

// Speed is how fast one sequence is written: tokens a second, from measured bandwidth alone. Both are unknown where nothing
// was measured.
type Speed struct {
	Low, High sensors.Number
	// Basis is what the range rests on, or why there is none.
	Basis string
}

// least is the share of a measured bandwidth that the low end of a range counts with: kernels that read weights reach half
// of it at least, and never more than all.
const least = 0.5

// speed bounds the row's speed by what each token reads. Mixtures of experts read their active weights only.
func (f Frame) speed(r Row, rates Rates) Speed {
	if !r.Fit.Runs() {
		return Speed{Basis: "it does not run here"}
	}
	if r.Model.Encoder {
		return Speed{Basis: "it gives embeddings, and writes no tokens"}
	}
	rate, what := f.rate(r, rates)
	v, ok := rate.Get()
	if !ok || v <= 0 {
		return Speed{Basis: what}
	}
	bandwidth := workload.Range{Low: least * v, High: v}
	read := r.read()
	if r.Stream.Bytes > 0 {
		read = r.Stream.Bytes
	}
	t, ok := workload.TokensPerSecond(read, r.KVBytes, bandwidth)
	if !ok {
		return Speed{Basis: "the weights are unknown"}
	}
	return Speed{
		Low: sensors.Num(t.Low), High: sensors.Num(t.High),
		Basis: fmt.Sprintf("%s, measured at %s: half of it with the context full, to all of it with the context empty, for %s of weights a token", what, Rate(v), Bytes(read)),
	}
}

// rate is the bandwidth that bounds the row and its name; unknown with the reason.
func (f Frame) rate(r Row, rates Rates) (rate sensors.Number, what string) {
	switch {
	case r.Stream.Bytes > 0 && rates.Upload.Known():
		return rates.Upload, "upload to the GPU"
	case r.Stream.Bytes > 0:
		return sensors.Number{}, "the upload rate to the GPU was not measured"
	case r.Fit == FitGPU && rates.GPU.Known():
		return rates.GPU, "the GPU's memory"
	case r.Fit == FitGPU && !f.unified():
		return sensors.Number{}, "the bandwidth of the GPU's memory was not measured"
	case rates.RAM.Known():
		return rates.RAM, "RAM"
	default:
		return sensors.Number{}, "the bandwidth of RAM was not measured"
	}
}

// read is the bytes of weights that one token reads.
func (r Row) read() uint64 {
	if r.Model.Params == 0 {
		return r.Weights
	}
	w := workload.Workload{ActiveParams: r.Model.ActiveParams, Model: &r.Model}
	if w.ActiveParams == 0 {
		w.ActiveParams = r.Model.Params
	}
	share := min(float64(w.ReadParams())/float64(r.Model.Params), 1)
	return uint64(float64(r.Weights) * share)
}
