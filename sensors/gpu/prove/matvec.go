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
	// Early is whether the next turn's pieces are asked for before this turn's are worked on.
	Early bool `json:"early,omitempty"`
}

// sound reports whether the kernel can be made for rows of so many pieces.
func (s shape) sound(pieces int) bool {
	return s.Threads >= 1 && s.Threads <= 256 && s.Threads&(s.Threads-1) == 0 && s.Lanes >= 1 && s.Lanes <= s.Threads && s.Lanes&(s.Lanes-1) == 0 &&
		s.Rows >= 1 && s.Rows <= 8 && s.Ahead >= 1 && s.Ahead <= 8 && pieces%(s.Lanes*s.Ahead) == 0
}

// rowsAtOnce is the rows of a workgroup.
func (s shape) rowsAtOnce() int { return s.Threads / s.Lanes * s.Rows }

func (s shape) String() string {
	return fmt.Sprintf("%dx%d-%dx%d", s.Threads, s.Lanes, s.Rows, s.Ahead)
}

// unit is the weights that a thread takes at once, and the vec4 that they lie in. Those of a q8 chunk are two, apart.
func unit(p policy.Precision) (weights, quads int) {
	switch p {
	case policy.F32:
		return 4, 1
	case policy.F16:
		return 8, 1
	case policy.Q8:
		return chunk, 2
	default:
		return chunk, 1
	}
}

// pieces is the units of a row of columns weights.
func pieces(p policy.Precision, columns int) int {
	weights, _ := unit(p)
	return columns / weights
}

// shapes are those that are tried for an adapter, likely ones first.
func shapes(e Effort, pieces int) []shape {
	all := []shape{
		{64, 64, 1, 1, false},
		{64, 32, 4, 1, true},
		{64, 64, 4, 2, false},
		{256, 256, 2, 4, false},
		{256, 64, 8, 2, false},
		{128, 128, 8, 1, false},
		{256, 256, 1, 2, false},
		{256, 256, 2, 2, false},
		{64, 64, 8, 1, false},
		{32, 32, 4, 2, false},
		{256, 128, 4, 2, false},
		{256, 32, 4, 1, true},
		{128, 128, 2, 4, false},
		{64, 32, 4, 2, false},
		{256, 256, 1, 4, false},
		{128, 128, 4, 2, false},
		{128, 128, 4, 1, true},
		{64, 64, 4, 4, false},
		{256, 256, 2, 1, true},
		{64, 64, 2, 4, false},
		{256, 64, 4, 1, true},
	}
	if e.brief() {
		all = all[:2]
	}
	return slices.DeleteFunc(all, func(s shape) bool { return !s.sound(pieces) })
}

// columnsFor is the width of the matrix that is timed.
func columnsFor(e Effort) int {
	switch e {
	case Check, Quick:
		return 4096
	case Full:
		return 32768
	default:
		return 8192
	}
}

// matVecWGSL makes the kernel for a format: result[r] = Σ weight[r][k]·x[k] with columns k, a whole number of superblocks.
//
// Quantised weights become floats two at a time: n in the last bits of a half whose other bits are those of 1024 is the half
// 1024 + n, which the sum takes as it is; what that adds is a multiple of the sum of x, taken off once a chunk. A
// conversion from integer to float costs several times as much on most adapters.
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
	weights, quads := unit(p)
	rowQuads := columns / weights * quads
	fmt.Fprintf(&b, `@compute @workgroup_size(%d)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let lane = t %% %du;
	let row = ((group.y * groups.x + group.x) * %du + t / %[2]du) * %[4]du;
`, s.Threads, s.Lanes, s.Threads/s.Lanes, s.Rows)
	for r := range s.Rows {
		fmt.Fprintf(&b, "	var sum%d = vec4<f32>(0.0);\n", r)
	}
	turns := pieces(p, columns) / (s.Lanes * s.Ahead)
	read := func(indent, declare, first string) {
		for i := range s.Ahead {
			for r := range s.Rows {
				at := fmt.Sprintf("(row + %du) * %du + %s + %du", r, rowQuads, first, i*s.Lanes)
				if quads == 2 {
					// Chunks of a superblock lie as first halves, then second halves.
					fmt.Fprintf(&b, "%s%sv%d_%d = weights[(row + %[4]du) * %du + (%s + %du) / 32u * 64u + (%[6]s + %[7]du) %% 32u + 32u];\n", indent, declare, i, r, rowQuads, first, i*s.Lanes)
					at = fmt.Sprintf("(row + %du) * %du + (%s + %du) / 32u * 64u + (%[3]s + %[4]du) %% 32u", r, rowQuads, first, i*s.Lanes)
				}
				fmt.Fprintf(&b, "%s%sw%d_%d = weights[%s];\n", indent, declare, i, r, at)
				if p == policy.Q4 {
					fmt.Fprintf(&b, "%s%ss%d_%d = scales[((row + %[4]du) * %du + %s + %du) >> 1u];\n", indent, declare, i, r, columns/chunk, first, i*s.Lanes)
				}
			}
		}
	}
	if s.Early {
		read("	", "var ahead_", "lane")
	}
	// The count is constant, so that the driver can unroll.
	fmt.Fprintf(&b, "	for (var turn = 0u; turn < %du; turn = turn + 1u) {\n		let first = turn * %du + lane;\n", turns, s.Lanes*s.Ahead)
	if s.Early {
		for i := range s.Ahead {
			for r := range s.Rows {
				fmt.Fprintf(&b, "		let w%d_%d = ahead_w%[1]d_%[2]d;\n", i, r)
				if quads == 2 {
					fmt.Fprintf(&b, "		let v%d_%d = ahead_v%[1]d_%[2]d;\n", i, r)
				}
				if p == policy.Q4 {
					fmt.Fprintf(&b, "		let s%d_%d = ahead_s%[1]d_%[2]d;\n", i, r)
				}
			}
		}
		// After the last turn the first is read once more, and left.
		fmt.Fprintf(&b, "		let next = select(lane, first + %du, turn < %du);\n", s.Lanes*s.Ahead, turns-1)
		read("		", "ahead_", "next")
	} else {
		read("		", "let ", "first")
	}
	for i := range s.Ahead {
		fmt.Fprintf(&b, "		{\n			let q = first + %du;\n", i*s.Lanes)
		b.WriteString(loadX(p))
		for r := range s.Rows {
			b.WriteString(accumulate(p, fmt.Sprintf("%d_%d", i, r), r, columns))
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

func quantised(p policy.Precision) bool { return p == policy.Q8 || p == policy.Q4 }

// accumulate adds the products of one piece of weights, w and for q8 v too, to row r's sum. Sums are kept by component: a dot
// product would add them up each time. A q4 scale was read with its weights, as a wait for it here would show; a q8 scale
// is read here, as its weights are twice the bytes and hide the wait, and registers are scarcer.
func accumulate(p policy.Precision, piece string, r, columns int) string {
	w := "w" + piece
	switch p {
	case policy.F32:
		return fmt.Sprintf("			sum%d = fma(bitcast<vec4<f32>>(%s), x0, sum%[1]d);\n", r, w)
	case policy.F16:
		return fmt.Sprintf("			sum%d = fma(halves(%[2]s.z, %[2]s.w), x1, fma(halves(%[2]s.x, %[2]s.y), x0, sum%[1]d));\n", r, w)
	case policy.Q8:
		return fmt.Sprintf(`			let raw%d = fma(bytes(%[2]s.w), x3, fma(bytes(%[2]s.z), x2, fma(bytes(%[2]s.y), x1, fma(bytes(%[2]s.x), x0,
				fma(bytes(%[3]s.w), x7, fma(bytes(%[3]s.z), x6, fma(bytes(%[3]s.y), x5, fma(bytes(%[3]s.x), x4, all))))))));
			sum%[1]d = fma(vec4<f32>(scale((row + %[1]du) * %[4]du + q)), raw%[1]d, sum%[1]d);
`, r, w, "v"+piece, columns/chunk)
	default:
		return fmt.Sprintf(`			let lower%d = fma(low(%[2]s.w), x6, fma(low(%[2]s.z), x4, fma(low(%[2]s.y), x2, fma(low(%[2]s.x), x0, even))));
			let upper%[1]d = fma(high(%[2]s.w), x7, fma(high(%[2]s.z), x5, fma(high(%[2]s.y), x3, fma(high(%[2]s.x), x1, odd))));
			sum%[1]d = fma(vec4<f32>(scale(%[3]s, q)), fma(vec4<f32>(0.0625), upper%[1]d, lower%[1]d), sum%[1]d);
`, r, w, "s"+piece)
	}
}

// loadX reads the vec4 of x that 16 bytes of weights meet, and their sums where a format needs them.
func loadX(p policy.Precision) string {
	switch p {
	case policy.F32:
		return "		let x0 = x[q];\n"
	case policy.F16:
		return "		let x0 = x[2u * q];\n		let x1 = x[2u * q + 1u];\n"
	}
	s := "			let at = (q >> 5u) * 256u + (q & 31u);\n"
	for j := range 8 {
		s += fmt.Sprintf("			let x%d = x[at + %du];\n", j, j*32)
	}
	if p == policy.Q8 {
		return s + "			let all = (x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7) * -1152.0;\n"
	}
	return s + "			let even = (x0 + x2 + x4 + x6) * -1032.0;\n			let odd = (x1 + x3 + x5 + x7) * -1152.0;\n"
}

func unpackWGSL(p policy.Precision) string {
	// both makes floats of the two halves of a word whose bits are small integers in the place of a half's last.
	const both = `fn both(w: u32) -> vec2<f32> {
	return unpack2x16float(w | 0x64006400u);
}
`
	switch p {
	case policy.F16:
		return "fn halves(a: u32, b: u32) -> vec4<f32> {\n	return vec4<f32>(unpack2x16float(a), unpack2x16float(b));\n}\n"
	case policy.Q8:
		return both + `fn scale(i: u32) -> f32 {
	let pair = unpack2x16float(scales[i >> 1u]);
	return select(pair.x, pair.y, (i & 1u) == 1u);
}
fn bytes(w: u32) -> vec4<f32> {
	return vec4<f32>(both(w & 0x00FF00FFu), both((w >> 8u) & 0x00FF00FFu)).xzyw;
}
`
	case policy.Q4:
		// The scale of chunk q is one of two in its word: a row has an even number of chunks. The upper nibbles stay where
		// they are, and count sixteen times as much.
		return both + `fn scale(pair: u32, q: u32) -> f32 {
	return unpack2x16float(pair >> ((q & 1u) * 16u)).x;
}
fn low(w: u32) -> vec4<f32> {
	return vec4<f32>(both(w & 0x000F000Fu), both((w >> 8u) & 0x000F000Fu)).xzyw;
}
fn high(w: u32) -> vec4<f32> {
	return vec4<f32>(both(w & 0x00F000F0u), both((w >> 8u) & 0x00F000F0u)).xzyw;
}
`
	default:
		return ""
	}
}
