package prove

import (
	"fmt"
	"math"

	"headroom/policy"
)

// op is one element-wise operation on v, with an operand b of its own where it has one: the WGSL expression and the CPU's
// function are two spellings of the same thing.
type op struct {
	name    string
	wgsl    string
	operand bool
	cpu     func(v, b float32) float32
	// exact is whether every correct implementation gives the same bits: no rounding that WGSL leaves free.
	exact bool
}

// scale, shift and the like are the ops that proofs are made of. A factor is a power of two where an op is exact: WGSL may
// contract a product and a sum into one rounding, which then changes nothing.
func scale(k float32) op {
	_, e := math.Frexp(float64(k))
	return op{fmt.Sprintf("scale by %v", k), fmt.Sprintf("v * %s", lit(k)), false, func(v, _ float32) float32 { return v * k }, math.Ldexp(0.5, e) == math.Abs(float64(k))}
}

func shift(k float32) op {
	return op{fmt.Sprintf("add %v", k), fmt.Sprintf("v + %s", lit(k)), false, func(v, _ float32) float32 { return v + k }, true}
}

func atMost(k float32) op {
	return op{fmt.Sprintf("min %v", k), fmt.Sprintf("min(v, vec4<f32>(%s))", lit(k)), false, func(v, _ float32) float32 { return min(v, k) }, true}
}

func atLeast(k float32) op {
	return op{fmt.Sprintf("max %v", k), fmt.Sprintf("max(v, vec4<f32>(%s))", lit(k)), false, func(v, _ float32) float32 { return max(v, k) }, true}
}

var (
	magnitude = op{"abs", "abs(v)", false, func(v, _ float32) float32 { return float32(math.Abs(float64(v))) }, true}
	negate    = op{"negate", "-v", false, func(v, _ float32) float32 { return -v }, true}
	silu      = op{"silu", "v / (1.0 + exp(-v))", false, func(v, _ float32) float32 { return float32(float64(v) / (1 + math.Exp(-float64(v)))) }, false}
	plus      = op{"add", "v + b", true, func(v, b float32) float32 { return v + b }, true}
	minus     = op{"subtract", "v - b", true, func(v, b float32) float32 { return v - b }, true}
	times     = op{"multiply", "v * b", true, func(v, b float32) float32 { return v * b }, false}
	larger    = op{"larger of", "max(v, b)", true, func(v, b float32) float32 { return max(v, b) }, true}
	smaller   = op{"smaller of", "min(v, b)", true, func(v, b float32) float32 { return min(v, b) }, true}
)

// lit spells a number so that WGSL reads the same bits.
func lit(k float32) string {
	s := fmt.Sprintf("%g", k)
	if math.Trunc(float64(k)) == float64(k) && math.Abs(float64(k)) < 1e6 {
		s = fmt.Sprintf("%.1f", k)
	}
	return s
}

// maxStorageBuffers is how many storage buffers a stage may bind under WebGPU's default limits.
const maxStorageBuffers = 8

// group is a run of element-wise ops that becomes one kernel.
type group []op

// buffers is how many storage buffers the kernel binds: its input, its result and each operand.
func (g group) buffers() int {
	n := 2
	for _, o := range g {
		if o.operand {
			n++
		}
	}
	return n
}

// split cuts a run where it would bind more buffers than a stage may.
func split(run []op, limit int) []group {
	var out []group
	var g group
	for _, o := range run {
		if next := append(g[:len(g):len(g)], o); next.buffers() > limit && len(g) > 0 {
			out = append(out, g)
			g = group{o}
		} else {
			g = next
		}
	}
	if len(g) > 0 {
		out = append(out, g)
	}
	return out
}

// planned is the policy's view of a run of ops on one shape.
func planned(run []op) []policy.TensorOp { return make([]policy.TensorOp, len(run)) }

// threads is the size of a workgroup of an element-wise kernel.
const threads = 256

// wgsl makes the kernel: binding 0 is the input, 1 the result, then the operands in order. An input of another length
// than the result is read round and round.
func (g group) wgsl(wrap bool) string {
	source := "source[i]"
	if wrap {
		source = "source[i % arrayLength(&source)]"
	}
	code := `@group(0) @binding(0) var<storage, read> source: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> result: array<vec4<f32>>;
`
	body, binding := "", 2
	for _, o := range g {
		if o.operand {
			code += fmt.Sprintf("@group(0) @binding(%d) var<storage, read> operand%d: array<vec4<f32>>;\n", binding, binding)
			body += fmt.Sprintf("	b = operand%d[i];\n", binding)
			binding++
		}
		body += fmt.Sprintf("	v = %s; // %s\n", o.wgsl, o.name)
	}
	declare := ""
	if binding > 2 {
		declare = "	var b: vec4<f32>;\n"
	}
	return code + fmt.Sprintf(`@compute @workgroup_size(%d)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let i = id.y * groups.x * %du + id.x;
	if i >= arrayLength(&result) {
		return;
	}
	var v = %s;
%s%s	result[i] = v;
}
`, threads, threads, source, declare, body)
}

// cpu is the same on one element; operand(j) is the group's j-th operand at that element.
func (g group) cpu(v float32, operand func(j int) float32) float32 {
	j := 0
	for _, o := range g {
		var b float32
		if o.operand {
			b = operand(j)
			j++
		}
		v = o.cpu(v, b)
	}
	return v
}

// exact is whether the CPU's answer must come out bit for bit.
func (g group) exact() bool {
	for _, o := range g {
		if !o.exact {
			return false
		}
	}
	return true
}
