package prove

import (
	"fmt"
	"slices"
	"strings"

	"headroom/policy"
)

// formats are the precisions in which weights are stored, finest first.
var formats = []policy.Precision{policy.F32, policy.F16, policy.Q8, policy.Q4}

// shape is how a matrix-vector kernel is spread. A workgroup's threads form gangs of so many lanes, each of which works on so
// many rows at once and reads so many pieces of each row before it works on any. Gangs side by side read the same part of
// the vector at about the same time, so that it is fetched from afar once for all.
type shape struct {
	Threads int `json:"threads"`
	Lanes   int `json:"lanes"`
	Rows    int `json:"rows"`
	Ahead   int `json:"ahead"`
}

// sound reports whether the kernel can be made for rows of so many pieces of 16 bytes.
func (s shape) sound(pieces int) bool {
	return s.Threads >= 1 && s.Threads <= 256 && s.Threads&(s.Threads-1) == 0 && s.Lanes >= 1 && s.Lanes <= s.Threads && s.Lanes&(s.Lanes-1) == 0 &&
		s.Rows >= 1 && s.Rows <= 8 && s.Ahead >= 1 && s.Ahead <= 8 && pieces%(s.Lanes*s.Ahead) == 0
}

// rowsAtOnce is the rows of a workgroup.
func (s shape) rowsAtOnce() int { return s.Threads / s.Lanes * s.Rows }

func (s shape) String() string {
	return fmt.Sprintf("%dx%d-%dx%d", s.Threads, s.Lanes, s.Rows, s.Ahead)
}

// pieces is the 16 bytes of a row of columns weights.
func pieces(p policy.Precision, columns int) int { return int(wordsFor(p, uint64(columns))) / 4 }

// shapes are those that are tried for an adapter, likely ones first.
func shapes(e Effort, pieces int) []shape {
	all := []shape{
		{64, 64, 1, 1},
		{64, 32, 4, 1},
		{256, 32, 4, 1},
		{256, 256, 2, 2},
		{256, 32, 4, 2},
		{256, 256, 4, 2},
		{256, 32, 2, 2},
		{256, 256, 2, 4},
		{256, 32, 2, 4},
		{128, 32, 4, 2},
		{256, 64, 4, 1},
		{256, 64, 4, 2},
		{256, 64, 2, 2},
		{256, 256, 1, 2},
		{128, 32, 4, 1},
		{256, 32, 8, 1},
		{128, 128, 4, 2},
		{256, 128, 4, 2},
		{256, 32, 1, 4},
		{256, 64, 2, 4},
		{128, 32, 2, 4},
		{256, 256, 1, 4},
		{64, 32, 4, 2},
		{128, 128, 2, 4},
		{256, 128, 2, 4},
		{256, 32, 1, 8},
	}
	if e == Quick {
		all = all[:2]
	}
	return slices.DeleteFunc(all, func(s shape) bool { return !s.sound(pieces) })
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
	fmt.Fprintf(&b, `@group(0) @binding(0) var<storage, read> weights: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;
`)
	if quantised(p) {
		b.WriteString("@group(0) @binding(3) var<storage, read> scales: array<u32>;\n")
	}
	fmt.Fprintf(&b, "var<workgroup> sums: array<f32, %d>;\n", s.Threads*s.Rows)
	b.WriteString(unpackWGSL(p))
	quads := pieces(p, columns)
	fmt.Fprintf(&b, `@compute @workgroup_size(%d)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let lane = t %% %du;
	let row = ((group.y * groups.x + group.x) * %du + t / %[2]du) * %[4]du;
`, s.Threads, s.Lanes, s.Threads/s.Lanes, s.Rows)
	for r := range s.Rows {
		fmt.Fprintf(&b, "	var sum%d = vec4<f32>(0.0);\n", r)
	}
	// The count is constant, so that the driver can read ahead too.
	fmt.Fprintf(&b, "	for (var turn = 0u; turn < %du; turn = turn + 1u) {\n		let first = turn * %du + lane;\n", quads/(s.Lanes*s.Ahead), s.Lanes*s.Ahead)
	for i := range s.Ahead {
		for r := range s.Rows {
			fmt.Fprintf(&b, "		let w%d_%d = weights[(row + %du) * %du + first + %du];\n", i, r, r, quads, i*s.Lanes)
		}
	}
	for i := range s.Ahead {
		fmt.Fprintf(&b, "		{\n			let q = first + %du;\n", i*s.Lanes)
		b.WriteString(loadX(p))
		for r := range s.Rows {
			b.WriteString(accumulate(p, fmt.Sprintf("w%d_%d", i, r), r, columns))
		}
		b.WriteString("		}\n")
	}
	b.WriteString("	}\n")
	for r := range s.Rows {
		fmt.Fprintf(&b, "	sums[%du + t] = sum%d.x + sum%[2]d.y + sum%[2]d.z + sum%[2]d.w;\n", r*s.Threads, r)
	}
	for half := s.Lanes / 2; half > 0; half /= 2 {
		fmt.Fprintf(&b, "	workgroupBarrier();\n	if lane < %du {\n", half)
		for r := range s.Rows {
			o := r * s.Threads
			fmt.Fprintf(&b, "		sums[%du + t] = sums[%[1]du + t] + sums[%du + t];\n", o, o+half)
		}
		b.WriteString("	}\n")
	}
	b.WriteString("	if lane == 0u {\n")
	for r := range s.Rows {
		fmt.Fprintf(&b, "		result[row + %du] = sums[%du + t];\n", r, r*s.Threads)
	}
	b.WriteString("	}\n}\n")
	return b.String()
}

// accumulate adds the products of one piece of weights, w, to row r's sum. Sums are kept by component: a dot product would
// add them up each time.
func accumulate(p policy.Precision, w string, r, columns int) string {
	switch p {
	case policy.F32:
		return fmt.Sprintf("			sum%d = fma(bitcast<vec4<f32>>(%s), x0, sum%[1]d);\n", r, w)
	case policy.F16:
		return fmt.Sprintf("			sum%d = fma(halves(%[2]s.z, %[2]s.w), x1, fma(halves(%[2]s.x, %[2]s.y), x0, sum%[1]d));\n", r, w)
	case policy.Q8:
		return fmt.Sprintf(`			let raw%d = fma(bytes(%[2]s.w), x3, fma(bytes(%[2]s.z), x2, fma(bytes(%[2]s.y), x1, bytes(%[2]s.x) * x0)));
			sum%[1]d = fma(vec4<f32>(scale((row + %[1]du) * %[3]du + (q >> 1u))), fma(vec4<f32>(256.0), raw%[1]d, all), sum%[1]d);
`, r, w, columns/chunk)
	default:
		return fmt.Sprintf(`			let upper%d = fma(high(%[2]s.w), x7, fma(high(%[2]s.z), x5, fma(high(%[2]s.y), x3, high(%[2]s.x) * x1)));
			let lower%[1]d = fma(low(%[2]s.w), x6, fma(low(%[2]s.z), x4, fma(low(%[2]s.y), x2, low(%[2]s.x) * x0)));
			sum%[1]d = fma(vec4<f32>(scale((row + %[1]du) * %[3]du + q)), fma(vec4<f32>(16.0), upper%[1]d, fma(vec4<f32>(256.0), lower%[1]d, all)), sum%[1]d);
`, r, w, columns/chunk)
	}
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
		return `		let block = q >> 1u;
		let at = (block >> 5u) * 256u + (q & 1u) * 128u + (block & 31u);
		let x0 = x[at];
		let x1 = x[at + 32u];
		let x2 = x[at + 64u];
		let x3 = x[at + 96u];
		let all = (x0 + x1 + x2 + x3) * -384.0;
`
	default:
		s := "		let at = (q >> 5u) * 256u + (q & 31u);\n"
		for j := range 8 {
			s += fmt.Sprintf("		let x%d = x[at + %du];\n", j, j*32)
		}
		return s + "		let all = (x1 + x3 + x5 + x7) * -24.0 + (x0 + x2 + x4 + x6) * -264.0;\n"
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
