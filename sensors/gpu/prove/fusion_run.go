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
	n := uint64(1 << 18)
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
	w, err := r.workspace(n, operands)
	if err != nil {
		return false, err
	}
	defer w.free()
	one, oneResult, err := r.calls(c.key+"-fused", fused, w)
	if err != nil {
		return false, err
	}
	tFused, err := r.measure(c.key+"-fused", budget/2, dispatches(one...))
	if err != nil {
		return false, err
	}
	same, err := r.sample(c, oneResult, n)
	if err != nil {
		return false, err
	}
	many, _, err := r.calls(c.key+"-single", apart, w)
	if err != nil {
		return false, err
	}
	tApart, err := r.measure(c.key+"-single", budget/2, dispatches(many...))
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

// layer runs the model's own sequence of ops, as planned and unfused. Products and reductions are stood in for by a sum over
// a window of the values before, which keeps what matters here: they need all of their input first.
func (r *run) layer(budget float64) (bool, error) {
	ops := make([]policy.TensorOp, len(r.req.Layer))
	var most uint64
	for i, o := range r.req.Layer {
		ops[i] = policy.TensorOp{Kind: o.Kind, Shape: o.Shape}
		most = max(most, o.Elements)
	}
	if most == 0 {
		return false, errors.New("it has no elements")
	}
	// Shapes keep their proportions where the largest would be too much.
	limit := uint64(1 << 20)
	if !r.req.Effort.brief() {
		limit = 1 << 23
	}
	shrink := (most + limit - 1) / limit
	elements := func(o LayerOp) uint64 { return max(1024, o.Elements/shrink&^3) }

	a, err := r.buffer(max(limit, 1024) * 4)
	if err != nil {
		return false, err
	}
	defer a.free()
	b, err := r.buffer(max(limit, 1024) * 4)
	if err != nil {
		return false, err
	}
	defer b.free()
	extra, err := r.buffer(max(limit, 1024) * 4)
	if err != nil {
		return false, err
	}
	defer extra.free()
	for i, x := range []*buffer{a, b, extra} {
		if err := r.fill(x, uint32(i+1)); err != nil {
			return false, err
		}
	}
	passes := runs(ops)
	plan := layerPlan{run: r, a: a, b: b, extra: extra, elements: elements}
	fused, err := plan.calls("layer-fused", passes)
	if err != nil {
		return false, err
	}
	var each [][2]int
	for i := range ops {
		each = append(each, [2]int{i, i + 1})
	}
	apart, err := plan.calls("layer-single", each)
	if err != nil {
		return false, err
	}
	want := plan.cpu(passes)
	ok := true
	for _, calls := range [][]call{fused, apart} {
		if err := r.fill(a, 1); err != nil {
			return false, err
		}
		if _, err := r.run(inPasses(calls)); err != nil {
			return false, err
		}
		out := a
		if len(calls)%2 == 1 {
			out = b
		}
		got, err := read[float32](r.device, out, 0, len(want))
		if err != nil {
			return false, err
		}
		ok = r.compare(got, want, tolerance, false) && ok
	}
	tFused, err := r.measure("layer-fused", budget/2, dispatches(fused...))
	if err != nil {
		return false, err
	}
	tApart, err := r.measure("layer-single", budget/2, dispatches(apart...))
	if err != nil {
		return false, err
	}
	p := &r.proof
	p.set("layer_ops", float64(len(ops)))
	p.set("layer_passes_planned", float64(policy.PlanFusion(ops)))
	p.set("layer_passes_run", float64(len(fused)))
	p.setTiming("layer_fused", tFused)
	p.setTiming("layer_single", tApart)
	p.set("layer_speedup_x", tApart.Median()/tFused.Median())
	p.set("layer_faster", truth(tFused.FasterThan(tApart)))
	return ok && len(fused) == int(policy.PlanFusion(ops)), nil
}

// layerPlan makes a layer's kernels.
type layerPlan struct {
	run      *run
	a, b     *buffer
	extra    *buffer
	elements func(LayerOp) uint64
}

// elementwise is what stands in for the op of a name; an op with an operand reads the same fresh values.
func elementwise(name string) op {
	switch name {
	case "silu", "gelu":
		return silu
	case "mul":
		return times
	default:
		// Halving keeps a long chain of sums bounded.
		return op{name, "(v + b) * 0.5", true, func(v, b float32) float32 { return (v + b) * 0.5 }, true}
	}
}

// window is how many values a stand-in for a product sums.
const window = 16

// barrierWGSL sums a window of all values before: element i of the result reads around an index far from its own.
func barrierWGSL(from uint64) string {
	return fmt.Sprintf(`@group(0) @binding(0) var<storage, read> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<vec4<f32>>;
fn one(i: u32) -> f32 {
	var sum = 0.0;
	for (var j = 0u; j < %du; j = j + 1u) {
		sum = sum + source[(i * 7u + j * 13u) %% %du];
	}
	return sum * %s;
}
@compute @workgroup_size(%d)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let i = id.y * groups.x * %[4]du + id.x;
	if i < arrayLength(&result) {
		result[i] = vec4<f32>(one(4u * i), one(4u * i + 1u), one(4u * i + 2u), one(4u * i + 3u));
	}
}
`, window, from, lit(1/float32(window)), threads)
}

func barrierCPU(in []float32, n uint64) []float32 {
	out := make([]float32, n)
	for i := range out {
		var sum float32
		for j := range uint32(window) {
			sum += in[(uint32(i)*7+j*13)%uint32(len(in))]
		}
		out[i] = sum * (1 / float32(window))
	}
	return out
}

func (l *layerPlan) calls(name string, passes [][2]int) ([]call, error) {
	r := l.run
	in, out := l.a, l.b
	from := l.elements(r.req.Layer[0])
	var calls []call
	for _, p := range passes {
		first := r.req.Layer[p[0]]
		n := l.elements(first)
		var code string
		operands := false
		if first.Kind == policy.Barrier {
			code = barrierWGSL(from)
		} else {
			var g group
			for _, o := range r.req.Layer[p[0]:p[1]] {
				g = append(g, elementwise(o.Name))
				operands = operands || elementwise(o.Name).operand
			}
			code = layerKernel(g, from/4)
		}
		k, err := r.compile(fmt.Sprintf("%s-%d", name, len(calls)+1), r.req.spoiled(code))
		if err != nil {
			return nil, err
		}
		x, y := grid((n/4 + threads - 1) / threads)
		bound := []wgpu.BindGroupEntry{
			{Binding: 0, Buffer: in.Buffer, Size: wgpu.WholeSize},
			{Binding: 1, Buffer: out.Buffer, Size: n * 4},
		}
		if operands {
			bound = append(bound, wgpu.BindGroupEntry{Binding: 2, Buffer: l.extra.Buffer, Size: wgpu.WholeSize})
		}
		g, err := r.dev.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: k.layout, Entries: bound})
		if err != nil {
			return nil, fmt.Errorf("bind buffers to kernel %q: %w", k.name, err)
		}
		calls = append(calls, call{kernel: k, bound: g, x: x, y: y})
		in, out, from = out, in, n
	}
	return calls, nil
}

// layerKernel is a group whose ops all read the one operand buffer, and whose input has from vec4.
func layerKernel(g group, from uint64) string {
	code := `@group(0) @binding(0) var<storage, read> source: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> result: array<vec4<f32>>;
`
	body := ""
	for _, o := range g {
		if o.operand {
			body += "	b = operand[i];\n"
		}
		body += fmt.Sprintf("	v = %s; // %s\n", o.wgsl, plainName(o.name))
	}
	if group(g).buffers() > 2 {
		code += "@group(0) @binding(2) var<storage, read> operand: array<vec4<f32>>;\n"
		body = "	var b: vec4<f32>;\n" + body
	}
	return code + fmt.Sprintf(`@compute @workgroup_size(%d)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let i = id.y * groups.x * %du + id.x;
	if i >= arrayLength(&result) {
		return;
	}
	var v = source[i %% %du];
%s	result[i] = v;
}
`, threads, threads, from, body)
}

// plainName makes an op's name safe in a comment.
func plainName(s string) string {
	out := []rune{}
	for _, c := range s {
		if c >= ' ' && c < 127 {
			out = append(out, c)
		}
	}
	return string(out)
}

func (l *layerPlan) cpu(passes [][2]int) []float32 {
	r := l.run
	v := make([]float32, l.elements(r.req.Layer[0]))
	for i := range v {
		v[i] = value(uint32(i), 1)
	}
	for _, p := range passes {
		first := r.req.Layer[p[0]]
		n := l.elements(first)
		if first.Kind == policy.Barrier {
			v = barrierCPU(v, n)
			continue
		}
		out := make([]float32, n)
		for i := range out {
			x := v[i/4%(len(v)/4)*4+i%4]
			for _, o := range r.req.Layer[p[0]:p[1]] {
				x = elementwise(o.Name).cpu(x, value(uint32(i), 3))
			}
			out[i] = x
		}
		v = out
	}
	return v
}
