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

// storage is the workgroup memory in bytes: two blocks of each matrix, one that is worked on and one that is filled.
func (b blocking) storage() int { return 2 * 4 * b.K * (b.M + b.N + 2*pad) }

func (b blocking) String() string { return fmt.Sprintf("%dx%dx%d-%dx%d", b.M, b.N, b.K, b.TM, b.TN) }

// sound reports whether the kernel can be made.
func (b blocking) sound() bool {
	return b.TM > 0 && b.TN > 0 && b.K > 0 && b.TM%4 == 0 && b.TN%4 == 0 && b.K%4 == 0 && b.M%b.TM == 0 && b.N%b.TN == 0 &&
		b.TM <= 16 && b.TN <= 16 && b.K <= 64 && b.M <= 256 && b.N <= 256 &&
		b.M%4 == 0 && b.N%4 == 0
}

// blockings are those that are tried, likely ones first.
func blockings(e Effort) []blocking {
	all := []blocking{
		{32, 32, 16, 4, 4},
		{64, 64, 16, 8, 4},
		{128, 128, 16, 8, 8},
		{128, 128, 8, 16, 8},
		{128, 128, 8, 8, 8},
		{256, 64, 8, 16, 8},
		{64, 256, 8, 16, 8},
		{128, 128, 8, 8, 16},
		{64, 128, 8, 8, 8},
		{128, 64, 8, 8, 8},
		{64, 128, 8, 16, 8},
		{256, 128, 8, 16, 8},
	}
	if e.brief() {
		return all[:2]
	}
	return all
}

// product is the size of result[m][n] = Σ a[m][k]·w[n][k]: both matrices lie with their terms side by side, as weights do in a
// model's file.
type product struct{ m, n, k int }

func (p product) flops() float64 { return 2 * float64(p.m) * float64(p.n) * float64(p.k) }

// groups is the workgroups of a product of whole blocks.
func (b blocking) groups(p product) int { return p.m / b.M * (p.n / b.N) }

// matMulWGSL makes the kernel for products of n columns and k terms: n a whole number of blocks, k an even one.
//
// A block of each matrix is held in workgroup memory with the terms as rows, so that a thread reads four values at once. While
// it is worked on, the next block is on its way from memory to registers and then to a second place. The terms are constant
// indices: the engine guards every index that it cannot see through, which here would cost as much as the arithmetic.
//
// Where copiers is above 0, so many workgroups move the next piece of weights from staging memory that the host has filled to
// the place where the next product wants it, while the others multiply: within one dispatch nothing has to wait for anything.
func matMulWGSL(b blocking, n, k, copiers int) string {
	g := matMul{blocking: b, k: k, tx: b.N / b.TN, ty: b.M / b.TM, am: (b.M + pad) / 4, wn: (b.N + pad) / 4}
	g.printf(`@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> result: array<vec4<f32>>;
`)
	if copiers > 0 {
		g.printf(`@group(0) @binding(3) var<storage, read> staged: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> next: array<vec4<f32>>;
`)
	}
	for i := range 2 {
		g.printf("var<workgroup> blockA%d: array<array<vec4<f32>, %d>, %d>;\nvar<workgroup> blockW%[1]d: array<array<vec4<f32>, %[4]d>, %[3]d>;\n", i, g.am, b.K, g.wn)
	}
	g.printf(`@compute @workgroup_size(%d)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let group = id.y * groups.x + id.x;
`, b.threads())
	if copiers > 0 {
		g.printf(`	if group < %du {
		let step = %du;
		let length = arrayLength(&staged);
		var i = group * %du + t;
		for (; i + 3u * step < length; i = i + 4u * step) {
			let c0 = staged[i];
			let c1 = staged[i + step];
			let c2 = staged[i + 2u * step];
			let c3 = staged[i + 3u * step];
			next[i] = c0;
			next[i + step] = c1;
			next[i + 2u * step] = c2;
			next[i + 3u * step] = c3;
		}
		for (; i < length; i = i + step) {
			next[i] = staged[i];
		}
		return;
	}
`, copiers, copiers*b.threads(), b.threads())
	}
	g.printf(`	let m0 = (group - %[1]du) / %[2]du * %[3]du;
	let n0 = (group - %[1]du) %% %[2]du * %[4]du;
`, copiers, n/b.N, b.M, b.N)
	// Threads that run side by side make a patch of 8 by 4, not a line: together they read least from workgroup memory.
	if g.tx%8 == 0 && g.ty%4 == 0 {
		g.printf("	let x = t / 32u %% %du * 8u + t %% 8u;\n	let y = t / %du * 4u + t / 8u %% 4u;\n", g.tx/8, 4*g.tx)
	} else {
		g.printf("	let x = t %% %du;\n	let y = t / %[1]du;\n", g.tx)
	}

	for i := range b.TM {
		for j := range b.TN / 4 {
			g.printf("	var c%d_%d = vec4<f32>(0.0);\n", i, j)
		}
	}
	g.declare()
	g.load("	", "0u")
	g.store(0)
	g.printf("	workgroupBarrier();\n	for (var k = 0u; k < %du; k = k + %du) {\n", k/4, b.K/2)
	for half := range 2 {
		// The last block has none after it: the first is read once more, and left.
		g.printf("		{\n			let ahead = select(0u, k + %du, k + %[1]du < %du);\n", (half+1)*b.K/4, k/4)
		g.load("			", "ahead")
		g.printf("		}\n")
		g.multiply(half)
		g.store(1 - half)
		g.printf("		workgroupBarrier();\n")
	}
	g.printf("	}\n")
	for p := range b.TM / 4 {
		for c := range 4 {
			for q := range b.TN / 4 {
				g.printf("	{\n		let total = c%d_%d;\n		result[(m0 + (y + %du) * 4u + %du) * %du + n0 / 4u + x + %du] = total;\n	}\n", p*4+c, q, p*g.ty, c, n/4, q*g.tx)
			}
		}
	}
	g.printf("}\n")
	return g.text.String()
}

// matMul writes the parts of the kernel.
type matMul struct {
	blocking
	k int
	// tx and ty are the threads of a workgroup each way; am and wn the vec4 of a row in workgroup memory.
	tx, ty, am, wn int
	text           strings.Builder
}

func (g *matMul) printf(format string, args ...any) { fmt.Fprintf(&g.text, format, args...) }

// share writes what each thread does for its share of both blocks' pieces, of four rows by four terms each: do is told which
// of its pieces it is, whether it belongs to a's block, and its rows and terms in WGSL.
func (g *matMul) share(indent string, do func(l int, ofA bool, rows, terms string)) {
	all, ofA := (g.M+g.N)*g.K/16, g.M*g.K/16
	one := func(l int, inA bool, at string) {
		do(l, inA, fmt.Sprintf("(%s) / %du", at, g.K/4), fmt.Sprintf("(%s) %% %du", at, g.K/4))
	}
	for l := range (all + g.threads() - 1) / g.threads() {
		first := l * g.threads()
		at := fmt.Sprintf("t + %du", first)
		switch {
		case first+g.threads() <= ofA:
			g.printf("%s{\n", indent)
			one(l, true, at)
		case first < ofA:
			g.printf("%sif %s < %du {\n", indent, at, ofA)
			one(l, true, at)
			g.printf("%s} else if %s < %du {\n", indent, at, all)
			one(l, false, fmt.Sprintf("%s - %du", at, ofA))
		default:
			g.printf("%sif %s < %du {\n", indent, at, all)
			one(l, false, fmt.Sprintf("%s - %du", at, ofA))
		}
		g.printf("%s}\n", indent)
	}
}

// declare makes the registers that load fills.
func (g *matMul) declare() {
	for l := range ((g.M+g.N)*g.K/16 + g.threads() - 1) / g.threads() {
		for i := range 4 {
			g.printf("	var r%d_%d: vec4<f32>;\n", l, i)
		}
	}
}

// load reads the thread's share of both blocks at term 4·at.
func (g *matMul) load(indent, at string) {
	g.share(indent, func(l int, ofA bool, rows, terms string) {
		name, origin := "a", "m0"
		if !ofA {
			name, origin = "w", "n0"
		}
		g.printf("%s	let base = (%s + %s * 4u) * %du + %s + %s;\n", indent, origin, rows, g.k/4, at, terms)
		for i := range 4 {
			g.printf("%s	r%d_%d = %s[base + %du];\n", indent, l, i, name, i*g.k/4)
		}
	})
}

// store puts that share into workgroup memory, turned over: terms as rows.
func (g *matMul) store(place int) {
	g.share("		", func(l int, ofA bool, rows, terms string) {
		block := "blockA"
		if !ofA {
			block = "blockW"
		}
		g.printf("			let column = %s;\n			let term = %s * 4u;\n", rows, terms)
		for c, component := range []string{"x", "y", "z", "w"} {
			g.printf("			%s%d[term + %du][column] = vec4<f32>(r%d_0.%[5]s, r%[4]d_1.%[5]s, r%[4]d_2.%[5]s, r%[4]d_3.%[5]s);\n", block, place, c, l, component)
		}
	})
}

// multiply adds a block's products to the thread's results.
func (g *matMul) multiply(place int) {
	for k := range g.K {
		g.printf("		{\n")
		for p := range g.TM / 4 {
			g.printf("			let u%d = blockA%d[%d][y + %du];\n", p, place, k, p*g.ty)
		}
		for q := range g.TN / 4 {
			g.printf("			let v%d = blockW%d[%d][x + %du];\n", q, place, k, q*g.tx)
		}
		for p := range g.TM / 4 {
			for c, component := range []string{"x", "y", "z", "w"} {
				for q := range g.TN / 4 {
					g.printf("			c%d_%d = fma(vec4<f32>(u%d.%s), v%d, c%[1]d_%[2]d);\n", p*4+c, q, p, component, q)
				}
			}
		}
		g.printf("		}\n")
	}
}
