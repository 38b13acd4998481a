//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"errors"
	"fmt"

	"github.com/cogentcore/webgpu/wgpu"

	"headroom/policy"
)

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
	if r.req.Memory > 0 {
		limit = max(min(limit, r.req.Memory/16&^1023), 1024)
	}
	shrink := (most + limit - 1) / limit
	elements := func(o LayerOp) uint64 { return max(1024, o.Elements/shrink&^3) }

	a, err := r.buffer(limit * 4)
	if err != nil {
		return false, err
	}
	defer a.free()
	b, err := r.buffer(limit * 4)
	if err != nil {
		return false, err
	}
	defer b.free()
	extra, err := r.buffer(limit * 4)
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
