//go:build cgo || !darwin

package window

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"headroom/policy"
	"headroom/sensors/gpu/prove"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// proofTitles name the proofs and say what each is about.
var proofTitles = map[string][2]string{
	prove.Bandwidth: {"Bandwidth and overhead", "How fast memory moves, and what a kernel costs to start"},
	prove.Fusion:    {"Fusion", "Speed-up of fused kernels; the mark is the bound"},
	prove.Precision: {"Precision", "Decoding speed against f16; the mark is the bound"},
	prove.ZeroCopy:  {"Weights to the adapter", "The ways that weights take into its memory"},
	prove.Tiles:     {"Tiles", "A product larger than a memory budget, in pieces"},
}

// proofCard is what a card shows of a proof.
func proofCard(p prove.Proof) draw.Proof {
	c := draw.Proof{Title: proofTitles[p.Name][0], About: proofTitles[p.Name][1], State: draw.ProofVerified, Bars: proofBars(p), Meaning: sentence(p.Meaning)}
	switch {
	case p.Error == prove.Cancelled:
		c.State, c.Meaning = draw.ProofCancelled, sentence(p.Error)
	case p.Error != "":
		c.State, c.Meaning = draw.ProofFailed, sentence(p.Error)
	case !p.Verified:
		c.State, c.Meaning = draw.ProofWrong, fmt.Sprintf("The adapter's numbers differ from the CPU's by %.3g. Do not trust this driver with this plan.", p.MaxError)
	}
	return c
}

// sentence makes one of words that begin small and end without a stop.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(s)
	// The name of a precision stays as it is: f16, q8.
	if second, _ := utf8.DecodeRuneInString(s[n:]); !unicode.IsDigit(second) {
		s = string(unicode.ToUpper(first)) + s[n:]
	}
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// proofBars are the figures of a proof that a card has room for, what was predicted beside what was measured.
func proofBars(p prove.Proof) []draw.ProofBar {
	b := bars{proof: p}
	switch p.Name {
	case prove.Bandwidth:
		b.add("the adapter copies", "copy_gb_per_s", "", "GB/s")
		b.add("the CPU copies", "cpu_copy_gb_per_s", "", "GB/s")
		b.add("a dispatch", "dispatch_us", "", "µs")
		b.add("a submission", "submit_us", "", "µs")
	case prove.Fusion:
		for _, c := range []struct{ key, name string }{{"unary", "a chain of %s ops"}, {"binary", "%s ops with operands"}, {"gate", "the end of a gate, %s ops"}} {
			if ops, ok := p.Figure(c.key + "_ops"); ok {
				b.add(fmt.Sprintf(c.name, frame.Count(uint64(ops)))+", speed-up", c.key+"_speedup_x", c.key+"_bound_x", "×")
			}
		}
		b.add("passes of one layer", "layer_passes_run", "layer_passes_planned", "")
	case prove.Precision:
		for i, fill := range []draw.Role{draw.F32, draw.F16, draw.Q8, draw.Q4} {
			f := policy.Precision(i).String()
			before := len(b.list)
			b.add(f, f+"_speed_of_f16_x", f+"_bound_of_f16_x", "×")
			for j := before; j < len(b.list); j++ {
				b.list[j].Fill = fill
			}
		}
	case prove.ZeroCopy:
		staged, planned := p.Figure("staging_planned")
		choice := func(direct bool) string {
			if planned && (staged == 0) == direct {
				return ", as planned"
			}
			return ""
		}
		b.add("straight into the buffer"+choice(true), "direct_gb_per_s", "", "GB/s")
		b.add("mapped buffers in turn"+choice(false), "ring_gb_per_s", "", "GB/s")
		b.add("the engine's own staging", "write_buffer_gb_per_s", "", "GB/s")
	case prove.Tiles:
		b.add("tiles that the plan counts", "tiles_planned", "", "")
		b.add("pieces run, two held at a time", "pieces_run", "", "")
		for i := range b.list {
			b.list[i].Tip = "The plan counts tiles that fill the memory budget one at a time. To load one while another is worked on, two must be held: the pieces that run are half as large or less, and twice as many or more."
		}
		if v, ok := p.Figure("tiled_over_untiled_x"); ok && v > 0 {
			b.list = append(b.list, draw.ProofBar{Name: "time against untiled", Measured: v, Predicted: 1, Unit: "×", Tip: "Uploads that hide behind the products cost no time: 1× is as fast as with all weights held."})
		}
		b.add("tiled", "tiled_gflop_per_s", "", "GFLOP/s")
		b.add("untiled", "untiled_gflop_per_s", "", "GFLOP/s")
	}
	return b.list
}

// toMeasure are the bars of a proof that was not run yet.
func toMeasure(proof string) []draw.ProofBar {
	names := map[string][]string{
		prove.Bandwidth: {"the adapter copies", "the CPU copies", "a dispatch", "a submission"},
		prove.Fusion:    {"a chain of ops, speed-up", "ops with operands, speed-up", "the end of a gate, speed-up", "passes of one layer"},
		prove.Precision: {"f32", "f16", "q8", "q4"},
		prove.ZeroCopy:  {"straight into the buffer", "mapped buffers in turn", "the engine's own staging"},
		prove.Tiles:     {"tiles that the plan counts", "pieces run, two held at a time", "time against untiled", "tiled", "untiled"},
	}[proof]
	list := make([]draw.ProofBar, len(names))
	for i, name := range names {
		list[i] = draw.ProofBar{Name: name, Measured: math.NaN()}
	}
	return list
}

// bars collects what was measured.
type bars struct {
	proof prove.Proof
	list  []draw.ProofBar
}

// add takes a figure where it was measured; an empty predicted is none.
func (b *bars) add(name, measured, predicted, unit string) {
	v, ok := b.proof.Figure(measured)
	if !ok {
		return
	}
	bar := draw.ProofBar{Name: name, Measured: v, Unit: unit, Tip: fmt.Sprintf("%s: measured %.4g %s", name, v, unit)}
	if predicted != "" {
		if want, ok := b.proof.Figure(predicted); ok {
			bar.Predicted = want
			bar.Tip += fmt.Sprintf(", predicted %.4g %s", want, unit)
		}
	}
	b.list = append(b.list, bar)
}
