package prove

import (
	"fmt"
	"strings"
)

// blocking is how a matrix product is cut: a workgroup makes M × N of the result over steps of K, each thread TM × TN.
type blocking struct {
	M  int `json:"m"`
	N  int `json:"n"`
	K  int `json:"k"`
	TM int `json:"tm"`
	TN int `json:"tn"`
}

func (b blocking) threads() int { return b.M / b.TM * (b.N / b.TN) }

// pad keeps the rows of a block in workgroup memory from lying on the same banks.
const pad = 4

// storage is the workgroup memory in bytes.
func (b blocking) storage() int { return 4 * b.K * (b.M + b.N + 2*pad) }

func (b blocking) String() string { return fmt.Sprintf("%dx%dx%d-%dx%d", b.M, b.N, b.K, b.TM, b.TN) }

// sound reports whether the kernel can be made.
func (b blocking) sound() bool {
	return b.TM > 0 && b.TN > 0 && b.K > 0 && b.TM%4 == 0 && b.TN%4 == 0 && b.K%4 == 0 && b.M%b.TM == 0 && b.N%b.TN == 0 &&
		b.TM <= 16 && b.TN <= 16 && b.K <= 64 && b.M <= 256 && b.N <= 256 &&
		b.M*b.K/4%b.threads() == 0 && b.N*b.K/4%b.threads() == 0
}

// blockings are those that are tried, likely ones first.
func blockings(e Effort) []blocking {
	all := []blocking{{64, 64, 16, 4, 4}, {32, 32, 16, 4, 4}, {128, 128, 16, 8, 8}, {128, 128, 8, 8, 8}, {128, 64, 16, 8, 8}, {64, 64, 16, 8, 8}, {128, 128, 32, 8, 8}}
	if e == Quick {
		return all[:2]
	}
	return all
}

// matMulWGSL makes result[m][n] = Σ a[m][k]·w[n][k] for a result of n columns and k terms, both whole numbers of blocks: both
// matrices lie with their terms side by side, as weights do in a model's file.
//
// A block of each is held in workgroup memory with the terms as rows, so that a thread reads four values at once; the next
// block is on its way from memory while this one is worked on.
func matMulWGSL(b blocking, n, k int) string {
	var s strings.Builder
	threads, tx, ty := b.threads(), b.N/b.TN, b.M/b.TM
	am, wn := (b.M+pad)/4, (b.N+pad)/4 // vec4 of a row in workgroup memory
	loadsA, loadsW := b.M*b.K/4/threads, b.N*b.K/4/threads
	fmt.Fprintf(&s, `@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> result: array<vec4<f32>>;
var<workgroup> blockA: array<vec4<f32>, %d>;
var<workgroup> blockW: array<vec4<f32>, %d>;
@compute @workgroup_size(%d)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group: vec3<u32>) {
	let x = t %% %du;
	let y = t / %du;
	let m0 = group.y * %du;
	let n0 = group.x * %du;
`, b.K*am, b.K*wn, threads, tx, tx, b.M, b.N)
	for i := range b.TM {
		for j := range b.TN / 4 {
			fmt.Fprintf(&s, "	var c%d_%d = vec4<f32>(0.0);\n", i, j)
		}
	}
	load := func(indent, declare, at string) {
		for l := range loadsA {
			fmt.Fprintf(&s, "%s%sa%d = a[(m0 + (t + %du) / %du) * %du + %s + (t + %[4]du) %% %[5]du];\n", indent, declare, l, l*threads, b.K/4, k/4, at)
		}
		for l := range loadsW {
			fmt.Fprintf(&s, "%s%sw%d = w[(n0 + (t + %du) / %du) * %du + %s + (t + %[4]du) %% %[5]du];\n", indent, declare, l, l*threads, b.K/4, k/4, at)
		}
	}
	load("	", "var ", "0u")
	fmt.Fprintf(&s, "	for (var k = %du; k <= %du; k = k + %du) {\n", b.K/4, k/4, b.K/4)
	store := func(name, block string, loads, stride int) {
		for l := range loads {
			fmt.Fprintf(&s, "		{\n			let row = (t + %du) / %du;\n			let q = (t + %[1]du) %% %[2]du * 4u;\n", l*threads, b.K/4)
			for c, component := range []string{"x", "y", "z", "w"} {
				fmt.Fprintf(&s, "			%s[(q + %du) * %du + row / 4u][row %% 4u] = %s%d.%s;\n", block, c, stride, name, l, component)
			}
			s.WriteString("		}\n")
		}
	}
	store("a", "blockA", loadsA, am)
	store("w", "blockW", loadsW, wn)
	fmt.Fprintf(&s, "		workgroupBarrier();\n		if k < %du {\n", k/4)
	load("			", "", "k")
	s.WriteString("		}\n")
	for kk := range b.K {
		s.WriteString("		{\n")
		for p := range b.TM / 4 {
			fmt.Fprintf(&s, "			let u%d = blockA[%du + y];\n", p, kk*am+p*ty)
		}
		for q := range b.TN / 4 {
			fmt.Fprintf(&s, "			let v%d = blockW[%du + x];\n", q, kk*wn+q*tx)
		}
		for p := range b.TM / 4 {
			for c, component := range []string{"x", "y", "z", "w"} {
				for q := range b.TN / 4 {
					fmt.Fprintf(&s, "			c%d_%d = fma(vec4<f32>(u%d.%s), v%d, c%[1]d_%[2]d);\n", p*4+c, q, p, component, q)
				}
			}
		}
		s.WriteString("		}\n")
	}
	s.WriteString("		workgroupBarrier();\n	}\n")
	for p := range b.TM / 4 {
		for c := range 4 {
			for q := range b.TN / 4 {
				fmt.Fprintf(&s, "	{\n		let total = c%d_%d;\n		result[(m0 + (y + %du) * 4u + %du) * %du + n0 / 4u + x + %du] = total;\n	}\n", p*4+c, q, p*ty, c, n/4, q*tx)
			}
		}
	}
	s.WriteString("}\n")
	return s.String()
}
