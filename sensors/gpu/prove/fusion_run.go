//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"errors"
	"fmt"
	"time"

	"github.com/cogentcore/webgpu/wgpu"

	"headroom/policy"
)

// fusion proves that fused kernels give the same numbers as single ones, in as many passes as planned, and what they save.
func (r *run) fusion() error {
	list := chains()
	parts := len(list) + 1
	verified := true
	var said string
	for i, c := range list {
		r.step(c.name, float64(i)/float64(parts))
		ok, err := r.chain(c, r.part(parts))
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		verified = verified && ok
		if c.key == "unary" {
			said = r.fusionMeaning(c)
		}
	}
	if len(r.req.Layer) > 0 {
		r.step("the model's own layer", float64(len(list))/float64(parts))
		ok, err := r.layer(r.part(parts))
		if err != nil {
			return fmt.Errorf("the model's layer: %w", err)
		}
		verified = verified && ok
	}
	r.proof.Verified = verified
	r.proof.Meaning = said
	return nil
}

func (r *run) fusionMeaning(c chain) string {
	speedup, _ := r.proof.Figure(c.key + "_speedup_x")
	bound, _ := r.proof.Figure(c.key + "_bound_x")
	if sure, _ := r.proof.Figure(c.key + "_faster"); sure == 0 {
		return "fused and single kernels took times that overlap here: no verdict on fusion"
	}
	return fmt.Sprintf("fusing %d element-wise ops into one kernel made them %.1f times faster; memory traffic alone accounts for %.1f", len(c.ops), speedup, bound)
}

// workspace is the buffers of a chain: two to go to and fro between, and the operands.
type workspace struct {
	n        uint64
	a, b     *buffer
	source   *buffer
	operands []*buffer
}

func (r *run) workspace(n uint64, operands int) (w workspace, err error) {
	w.n = n
	defer func() {
		if err != nil {
			w.free()
		}
	}()
	for _, b := range []**buffer{&w.source, &w.a, &w.b} {
		if *b, err = r.buffer(n * 4); err != nil {
			return w, err
		}
	}
	for range operands {
		b, err := r.buffer(n * 4)
		if err != nil {
			return w, err
		}
		w.operands = append(w.operands, b)
	}
	for i, b := range append([]*buffer{w.source}, w.operands...) {
		if err := r.fill(b, uint32(i+1)); err != nil {
			return w, err
		}
	}
	return w, nil
}

func (w workspace) free() {
	freeAll(append([]*buffer{w.source, w.a, w.b}, w.operands...)...)
}

// calls makes the dispatches of the groups on a workspace, and says which buffer holds the result.
func (r *run) calls(name string, groups []group, w workspace) ([]call, *buffer, error) {
	var calls []call
	in, out, next := w.source, w.a, w.b
	used := 0
	for i, g := range groups {
		k, err := r.compile(fmt.Sprintf("%s-%d", name, i+1), r.req.spoiled(g.wgsl(false)))
		if err != nil {
			return nil, nil, err
		}
		bound := []*buffer{in, out}
		for _, o := range g {
			if o.operand {
				bound = append(bound, w.operands[used])
				used++
			}
		}
		x, y := grid((w.n/4 + threads - 1) / threads)
		c, err := r.on(k, x, y, bound...)
		if err != nil {
			return nil, nil, err
		}
		calls = append(calls, c)
		in, out, next = out, next, out
	}
	return calls, in, nil
}

// inPasses records each call in a pass of its own.
func inPasses(calls []call) func(*wgpu.CommandEncoder) error {
	return func(e *wgpu.CommandEncoder) error {
		for _, c := range calls {
			if err := pass(e, c); err != nil {
				return err
			}
		}
		return nil
	}
}

// size finds how many values a chain may have: as many as are asked for, bindable, affordable, and fast enough that the
// slowest of the runs is well inside the watchdog. It starts small and doubles.
func (r *run) size(buffers int, try func(n uint64) (seconds float64, err error)) (uint64, error) {
	most := min(r.req.Effort.maxBytes(), r.maxBinding, r.maxBuffer)
	if r.req.Memory > 0 {
		most = min(most, r.req.Memory/uint64(buffers+1))
	}
	n := min(1<<18, most/4&^(4*threads-1))
	for {
		took, err := try(n)
		if err != nil {
			return 0, err
		}
		// Twice as much must stay inside the watchdog, and a quick proof quick.
		if n*8 > most || took > min(r.watchdog()/4, r.req.Effort.seconds()/40) || time.Now().After(r.deadline) {
			return n, nil
		}
		n *= 2
	}
}

func (r *run) chain(c chain, budget float64) (bool, error) {
	operands := group(c.ops).buffers() - 2
	fused, apart := split(c.ops, maxStorageBuffers), single(c.ops)
	r.proof.set(c.key+"_ops", float64(len(c.ops)))
	r.proof.set(c.key+"_passes_planned", float64(policy.PlanFusion(planned(c.ops))))
	r.proof.set(c.key+"_passes_run", float64(len(fused)))

	// Every value of a small run is checked, the ends not a whole workgroup.
	ok, err := r.checkChain(c, fused, apart, 4*(3*threads+7), operands)
	if err != nil {
		return false, err
	}

	n, err := r.size(3+operands, func(n uint64) (float64, error) {
		w, err := r.workspace(n, operands)
		if err != nil {
			return 0, err
		}
		defer w.free()
		calls, _, err := r.calls(c.key+"-single", apart, w)
		if err != nil {
			return 0, err
		}
		if _, err := r.run(inPasses(calls)); err != nil {
			return 0, err
		}
		return r.run(inPasses(calls))
	})
	if err != nil {
		return false, err
	}
	var tFused, tApart Timing
	var same bool
	for {
		tFused, tApart, same, err = r.timeChain(c, fused, apart, n, operands, budget)
		if !errors.Is(err, errSlow) || n <= leastValues {
			break
		}
		n = max(n/4, leastValues) // the adapter was faster when the size was chosen: it has other work too
	}
	if err != nil {
		return false, err
	}

	bytesFused, bytesApart := bytesOf(fused, n), bytesOf(apart, n)
	p := &r.proof
	p.set(c.key+"_values", float64(n))
	p.setTiming(c.key+"_fused", tFused)
	p.setTiming(c.key+"_single", tApart)
	p.set(c.key+"_fused_bytes", float64(bytesFused))
	p.set(c.key+"_single_bytes", float64(bytesApart))
	p.set(c.key+"_fused_gb_per_s", float64(bytesFused)/tFused.Median()/1e9)
	p.set(c.key+"_single_gb_per_s", float64(bytesApart)/tApart.Median()/1e9)
	speedup, bound := tApart.Median()/tFused.Median(), float64(bytesApart)/float64(bytesFused)
	p.set(c.key+"_speedup_x", speedup)
	p.set(c.key+"_bound_x", bound)
	p.set(c.key+"_of_bound_percent", 100*speedup/bound)
	p.set(c.key+"_faster", truth(tFused.FasterThan(tApart)))
	return ok && same, nil
}

// leastValues is the smallest chain that is timed, a whole number of workgroups.
const leastValues = 1 << 16

// timeChain times the fused and the single kernels on n values, and compares stretches of the fused ones' result.
func (r *run) timeChain(c chain, fused, apart []group, n uint64, operands int, budget float64) (tFused, tApart Timing, same bool, err error) {
	w, err := r.workspace(n, operands)
	if err != nil {
		return nil, nil, false, err
	}
	defer w.free()
	one, result, err := r.calls(c.key+"-fused", fused, w)
	if err != nil {
		return nil, nil, false, err
	}
	if tFused, err = r.measure(c.key+"-fused", budget/2, dispatches(one...)); err != nil {
		return nil, nil, false, err
	}
	if same, err = r.sample(c, result, n); err != nil {
		return nil, nil, false, err
	}
	many, _, err := r.calls(c.key+"-single", apart, w)
	if err != nil {
		return nil, nil, false, err
	}
	tApart, err = r.measure(c.key+"-single", budget/2, dispatches(many...))
	return tFused, tApart, same, err
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// checkChain compares each value of a small run, fused and single, with the CPU.
func (r *run) checkChain(c chain, fused, apart []group, n uint64, operands int) (bool, error) {
	w, err := r.workspace(n, operands)
	if err != nil {
		return false, err
	}
	defer w.free()
	want := make([]float32, n)
	for i := range want {
		want[i] = c.cpu(uint32(i))
	}
	ok := true
	for _, groups := range [][]group{fused, apart} {
		calls, result, err := r.calls(c.key+"-check", groups, w)
		if err != nil {
			return false, err
		}
		if _, err := r.run(inPasses(calls)); err != nil {
			return false, err
		}
		got, err := read[float32](r.device, result, 0, int(n))
		if err != nil {
			return false, err
		}
		ok = r.compare(got, want, tolerance, group(c.ops).exact()) && ok
	}
	return ok, nil
}

// sample compares stretches of a large run: its start, its middle and its end.
func (r *run) sample(c chain, result *buffer, n uint64) (bool, error) {
	const stretch = 4096
	ok := true
	for _, first := range []uint64{0, n / 2, n - min(n, stretch)} {
		count := min(stretch, n-first)
		got, err := read[float32](r.device, result, int(first), int(count))
		if err != nil {
			return false, err
		}
		want := make([]float32, count)
		for i := range want {
			want[i] = c.cpu(uint32(first) + uint32(i))
		}
		ok = r.compare(got, want, tolerance, group(c.ops).exact()) && ok
	}
	return ok, nil
}

// cpu is the chain's answer at one index.
func (c chain) cpu(i uint32) float32 {
	return group(c.ops).cpu(value(i, 1), func(j int) float32 { return value(i, uint32(j+2)) })
}
