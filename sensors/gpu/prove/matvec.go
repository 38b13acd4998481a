package prove

import (
	"fmt"
	"strings"

	"headroom/policy"
)

// shape is how a matrix-vector kernel is spread: so many threads work on so many rows at once.
type shape struct {
	Threads int `json:"threads"`
	Rows    int `json:"rows"`
}

// shapes are those that are tried for an adapter, likely ones first.
func shapes(e Effort) []shape {
	all := []shape{{128, 1}, {128, 4}, {64, 2}, {128, 2}, {64, 4}, {256, 4}, {256, 2}, {32, 4}, {128, 8}}
	if e == Quick {
		return all[:2]
	}
	return all
}

// columnsFor is the width of the matrix that is timed.
func columnsFor(e Effort) int {
	switch e {
	case Quick:
		return 4096
	case Full:
		return 32768
	default:
		return 8192
	}
}

// matVecWGSL makes the kernel for a format: result[r] = Σ weight[r][k]·x[k] with columns k, a whole number of superblocks.
//
// Quantised weights become floats by their bits: with n shifted to the top of the mantissa, the bits of 1.0 around it make
// 1 + n/16 (or 1 + n/256), which the sum takes as it is; what that adds is a multiple of the sum of x, taken off once a
// chunk. A conversion from integer to float costs several times as much on most adapters.
func matVecWGSL(p policy.Precision, s shape, columns int) string {
	var b strings.Builder
	vectors := map[policy.Precision]int{policy.F32: 1, policy.F16: 2, policy.Q8: 4, policy.Q4: 8}[p] // vec4 of x for 16 bytes
	fmt.Fprintf(&b, `@group(0) @binding(0) var<storage, read> weights: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;
`)
	if quantised(p) {
		b.WriteString("@group(0) @binding(3) var<storage, read> scales: array<u32>;\n")
	}
	fmt.Fprintf(&b, "var<workgroup> sums: array<f32, %d>;\n", s.Threads*s.Rows)
	b.WriteString(unpackWGSL(p))
	quads := columns / (4 * vectors) // 16-byte pieces of a row
	fmt.Fprintf(&b, `@compute @workgroup_size(%d)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let row = (group.y * groups.x + group.x) * %du;
`, s.Threads, s.Rows)
	for r := range s.Rows {
		fmt.Fprintf(&b, "	var sum%d = 0.0;\n", r)
	}
	fmt.Fprintf(&b, "	for (var q = t; q < %du; q = q + %du) {\n", quads, s.Threads)
	for r := range s.Rows {
		fmt.Fprintf(&b, "		let w%d = weights[(row + %du) * %du + q];\n", r, r, quads)
	}
	b.WriteString(loadX(p))
	for r := range s.Rows {
		switch p {
		case policy.F32:
			fmt.Fprintf(&b, "		sum%d = sum%[1]d + dot(bitcast<vec4<f32>>(w%[1]d), x0);\n", r)
		case policy.F16:
			fmt.Fprintf(&b, "		sum%d = sum%[1]d + dot(halves(w%[1]d.x, w%[1]d.y), x0) + dot(halves(w%[1]d.z, w%[1]d.w), x1);\n", r)
		case policy.Q8:
			fmt.Fprintf(&b, `		let raw%d = dot(bytes(w%[1]d.x), x0) + dot(bytes(w%[1]d.y), x1) + dot(bytes(w%[1]d.z), x2) + dot(bytes(w%[1]d.w), x3);
		sum%[1]d = sum%[1]d + scale((row + %[1]du) * %[2]du + (q >> 1u)) * (256.0 * raw%[1]d - 384.0 * all);
`, r, columns/chunk)
		case policy.Q4:
			fmt.Fprintf(&b, `		let upper%d = dot(high(w%[1]d.x), x1) + dot(high(w%[1]d.y), x3) + dot(high(w%[1]d.z), x5) + dot(high(w%[1]d.w), x7);
		let lower%[1]d = dot(low(w%[1]d.x), x0) + dot(low(w%[1]d.y), x2) + dot(low(w%[1]d.z), x4) + dot(low(w%[1]d.w), x6);
		sum%[1]d = sum%[1]d + scale((row + %[1]du) * %[2]du + q) * (16.0 * upper%[1]d - 24.0 * odd + 256.0 * lower%[1]d - 264.0 * even);
`, r, columns/chunk)
		}
	}
	b.WriteString("	}\n")
	for r := range s.Rows {
		fmt.Fprintf(&b, "	sums[%du + t] = sum%d;\n", r*s.Threads, r)
	}
	for half := s.Threads / 2; half > 0; half /= 2 {
		fmt.Fprintf(&b, "	workgroupBarrier();\n	if t < %du {\n", half)
		for r := range s.Rows {
			o := r * s.Threads
			fmt.Fprintf(&b, "		sums[%du + t] = sums[%[1]du + t] + sums[%du + t];\n", o, o+half)
		}
		b.WriteString("	}\n")
	}
	b.WriteString("	if t == 0u {\n")
	for r := range s.Rows {
		fmt.Fprintf(&b, "		result[row + %du] = sums[%d];\n", r, r*s.Threads)
	}
	b.WriteString("	}\n}\n")
	return b.String()
}

func quantised(p policy.Precision) bool { return p == policy.Q8 || p == policy.Q4 }

// loadX reads the vec4 of x that 16 bytes of weights meet, and their sums where a format needs them.
func loadX(p policy.Precision) string {
	switch p {
	case policy.F32:
		return "		let x0 = x[q];\n"
	case policy.F16:
		return "		let x0 = x[2u * q];\n		let x1 = x[2u * q + 1u];\n"
	case policy.Q8:
		// A chunk is two pieces: the first holds j from 0 to 3, the second from 4 to 7.
		return `		let lane = q >> 1u;
		let at = (lane >> 5u) * 256u + (q & 1u) * 128u + (lane & 31u);
		let x0 = x[at];
		let x1 = x[at + 32u];
		let x2 = x[at + 64u];
		let x3 = x[at + 96u];
		let four = x0 + x1 + x2 + x3;
		let all = four.x + four.y + four.z + four.w;
`
	default:
		s := "		let at = (q >> 5u) * 256u + (q & 31u);\n"
		for j := range 8 {
			s += fmt.Sprintf("		let x%d = x[at + %du];\n", j, j*32)
		}
		return s + `		let evens = x0 + x2 + x4 + x6;
		let odds = x1 + x3 + x5 + x7;
		let even = evens.x + evens.y + evens.z + evens.w;
		let odd = odds.x + odds.y + odds.z + odds.w;
`
	}
}

func unpackWGSL(p policy.Precision) string {
	const scale = `fn scale(i: u32) -> f32 {
	let pair = unpack2x16float(scales[i >> 1u]);
	return select(pair.x, pair.y, (i & 1u) == 1u);
}
`
	const spread = "vec4<u32>(w << 15u, w << 7u, w >> 1u, w >> 9u)"
	switch p {
	case policy.F16:
		return "fn halves(a: u32, b: u32) -> vec4<f32> {\n	return vec4<f32>(unpack2x16float(a), unpack2x16float(b));\n}\n"
	case policy.Q8:
		return scale + "fn bytes(w: u32) -> vec4<f32> {\n	return bitcast<vec4<f32>>((" + spread + " & vec4<u32>(0x007F8000u)) | vec4<u32>(0x3F800000u));\n}\n"
	case policy.Q4:
		return scale + "fn high(w: u32) -> vec4<f32> {\n	return bitcast<vec4<f32>>((" + spread + " & vec4<u32>(0x00780000u)) | vec4<u32>(0x3F800000u));\n}\n" +
			"fn low(w: u32) -> vec4<f32> {\n	return bitcast<vec4<f32>>((" + spread + " & vec4<u32>(0x00078000u)) | vec4<u32>(0x3F800000u));\n}\n"
	default:
		return ""
	}
}
