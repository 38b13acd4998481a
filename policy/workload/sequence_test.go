package workload_test

import (
	"slices"
	"strings"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
)

// checkSequence: every column is as long as the ops, equal tokens mean equal shapes, and the groups are the passes.
func checkSequence(t *testing.T, s workload.Sequence) {
	t.Helper()
	n := len(s.Ops)
	if len(s.Names) != n || len(s.Shapes) != n || len(s.Bytes) != n || len(s.Elements) != n {
		t.Fatalf("%d ops, %d names, %d shapes, %d byte counts, %d element counts", n, len(s.Names), len(s.Shapes), len(s.Bytes), len(s.Elements))
	}
	words := map[uint64]string{}
	tokens := map[string]uint64{}
	for i, op := range s.Ops {
		if w, seen := words[op.Shape]; seen && w != s.Shapes[i] {
			t.Fatalf("one token for %s and %s", w, s.Shapes[i])
		}
		if tk, seen := tokens[s.Shapes[i]]; seen && tk != op.Shape {
			t.Fatalf("two tokens for %s", s.Shapes[i])
		}
		words[op.Shape], tokens[s.Shapes[i]] = s.Shapes[i], op.Shape
	}
	checkGroups(t, s)
}

func checkGroups(t *testing.T, s workload.Sequence) {
	t.Helper()
	groups, next := 0, 0
	for g := range s.Groups() {
		if g.From != next || g.To <= g.From {
			t.Fatalf("group %d is %d…%d after %d", groups, g.From, g.To, next)
		}
		if g.Why != s.Boundary(g.From) || g.Why == workload.Fused {
			t.Fatalf("group %d begins because of %d", groups, g.Why)
		}
		for i := g.From + 1; i < g.To; i++ {
			if s.Boundary(i) != workload.Fused {
				t.Fatalf("op %d is within group %d but has a boundary before it", i, groups)
			}
		}
		groups, next = groups+1, g.To
	}
	if passes := policy.PlanFusion(s.Ops); next != len(s.Ops) || groups != int(passes) {
		t.Fatalf("%d groups over %d of %d ops, PlanFusion counts %d", groups, next, len(s.Ops), passes)
	}
}

func FuzzGroups(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 1, 2, 2, 4, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := workload.Sequence{Bytes: make([]uint64, len(data)), Elements: make([]uint64, len(data))}
		for _, b := range data {
			s.Ops = append(s.Ops, policy.TensorOp{Kind: policy.TensorOpKind(b & 1), Shape: uint64(b >> 1 & 3)})
		}
		checkGroups(t, s)
		for range s.Groups() {
			break // a reader may stop early
		}
	})
}

func names(s workload.Sequence) string { return strings.Join(s.Names, " ") }

func TestLlamaLayerDecodesInOrder(t *testing.T) {
	w := workload.Default()
	for _, c := range []struct {
		p           policy.Precision
		want        string
		passes      uint32
		whole, runs uint32
	}{
		{policy.F32, "norm scale q·k·v rope q·kᵀ scale mask softmax ·v proj add norm scale up·gate silu mul down add", 16, 32*18 + 4, 32*16 + 4},
		{policy.Q8, "norm scale dequant q·k·v rope q·kᵀ scale mask softmax ·v dequant proj add norm scale dequant up·gate silu mul dequant down add", 20, 32*22 + 5, 32*20 + 5},
	} {
		s := w.Decode[c.p]
		if names(s) != c.want {
			t.Errorf("%v: %s", c.p, names(s))
		}
		if passes := policy.PlanFusion(s.Ops); passes != c.passes || s.Repeats != 32 {
			t.Errorf("%v: %d passes a layer, %d layers", c.p, passes, s.Repeats)
		}
		if s.WholeOps != c.whole || s.WholePasses != c.runs {
			t.Errorf("%v: whole model %d ops in %d passes, want %d in %d", c.p, s.WholeOps, s.WholePasses, c.whole, c.runs)
		}
	}
	if names(w.Decode[policy.F16]) != names(w.Decode[policy.F32]) || names(w.Decode[policy.Q4]) != names(w.Decode[policy.Q8]) {
		t.Error("f16 unpacks weights, or q4 does not")
	}
}

func TestShapesAndBytes(t *testing.T) {
	w := workload.Default()
	for _, c := range []struct {
		phase *[4]workload.Sequence
		op    string
		shape string
		bytes uint64
	}{
		{&w.Decode, "norm", "4096", 2 * 4096 * 4},
		{&w.Decode, "dequant", "4096×6144", 4096 * 6144 * 4},
		{&w.Decode, "q·k·v", "6144", (4096 + 6144) * 4},
		{&w.Decode, "rope", "5120", 2 * 5120 * 4},
		{&w.Decode, "q·kᵀ", "32×8192", 4096*4 + 8192*2048 + 32*8192*4},
		{&w.Decode, "mask", "32×8192", 3 * 32 * 8192 * 4},
		{&w.Decode, "up·gate", "28672", (4096 + 28672) * 4},
		{&w.Decode, "down", "4096", (14336 + 4096) * 4},
		{&w.Prefill, "norm", "512×4096", 512 * 2 * 4096 * 4},
		{&w.Prefill, "dequant", "4096×6144", 4096 * 6144 * 4},
		{&w.Prefill, "softmax", "512×32×8192", 512 * 2 * 32 * 8192 * 4},
	} {
		s := c.phase[policy.Q4]
		i := slices.Index(s.Names, c.op)
		if i < 0 || s.Shapes[i] != c.shape || s.Bytes[i] != c.bytes {
			t.Errorf("%s: want %s, %d bytes; sequence %v %v %v", c.op, c.shape, c.bytes, s.Names, s.Shapes, s.Bytes)
		}
	}
}

// What a fused pass saves is each intermediate's write and read.
func TestGroupBytes(t *testing.T) {
	s := workload.Default().Decode[policy.F16]
	for g := range s.Groups() {
		if s.Names[g.From] != "silu" {
			continue
		}
		if g.To-g.From != 2 || g.Bytes != 3*14336*4 {
			t.Errorf("silu and mul: ops %d…%d move %d bytes, want gate and up in and one product out", g.From, g.To, g.Bytes)
		}
		return
	}
	t.Error("no pass begins with silu")
}

func TestBoundariesSayWhy(t *testing.T) {
	s := workload.Default().Decode[policy.Q8]
	for _, c := range []struct {
		before, op string
		want       workload.Boundary
	}{
		{"norm", "scale", workload.AfterBarrier},
		{"scale", "dequant", workload.OtherShape},
		{"dequant", "q·k·v", workload.IsBarrier},
		{"scale", "mask", workload.Fused},
		{"mask", "softmax", workload.IsBarrier},
		{"silu", "mul", workload.Fused},
	} {
		found := false
		for i := 1; i < len(s.Ops); i++ {
			if s.Names[i-1] != c.before || s.Names[i] != c.op {
				continue
			}
			found = true
			if got := s.Boundary(i); got != c.want {
				t.Errorf("%s | %s: %d, want %d", c.before, c.op, got, c.want)
			}
		}
		if !found {
			t.Errorf("no %s before %s", c.before, c.op)
		}
	}
	if s.Boundary(0) != workload.Start {
		t.Error("the first op has a reason other than being first")
	}
}

// The whole model's counts are those of its layers' ops laid end to end.
func TestWholeModelCountsEveryLayer(t *testing.T) {
	m := specs["gemma-3-4b"].model("gemma")
	m.Layers[3].Ungated = true // a third kind of layer
	for _, p := range []policy.Precision{policy.F16, policy.Q4} {
		var all []policy.TensorOp
		for _, l := range m.Layers {
			one := m
			one.Layers = []workload.Layer{l}
			all = append(all, one.At(workload.Options{}).Decode[p].Ops...)
		}
		ends := m
		ends.Layers = m.Layers[:1]
		s := ends.At(workload.Options{}).Decode[p]
		ops := uint32(len(all)) + s.WholeOps - uint32(len(s.Ops))
		passes := policy.PlanFusion(all) + s.WholePasses - policy.PlanFusion(s.Ops)

		whole := m.At(workload.Options{}).Decode[p]
		if whole.WholeOps != ops || whole.WholePasses != passes {
			t.Errorf("%v: %d ops in %d passes, end to end %d in %d", p, whole.WholeOps, whole.WholePasses, ops, passes)
		}
		if whole.Repeats != 28 {
			t.Errorf("%v: the most frequent layer repeats %d times, want the 28 windowed ones", p, whole.Repeats)
		}
	}
}

func TestOpsOfOtherArchitectures(t *testing.T) {
	gated := specs["qwen3-0.6b"].model("")
	for i := range gated.Layers {
		gated.Layers[i].AttentionGate = true
	}
	recurrent := alike(workload.Model{Embedding: 1024, Vocab: 1000}, 4, workload.Layer{MixerParams: 1, MixerWidth: 2048, StateBytes: 1 << 20})
	for _, c := range []struct {
		name string
		m    workload.Model
		want string
	}{
		{"latent attention, shared experts", deepseekV3(), "norm scale dequant q·kv down norm scale dequant q up rope dequant k absorb q·kᵀ scale mask softmax ·v dequant v up dequant proj add " +
			"norm scale router bias softmax top k dequant up·gate silu mul dequant down weigh sum dequant up·gate silu mul dequant down add add"},
		{"norms on heads and after", specs["gemma-3-1b"].model(""), "norm scale dequant q·k·v norm scale rope q·kᵀ scale mask softmax ·v dequant proj norm scale add " +
			"norm scale dequant up·gate gelu mul dequant down norm scale add"},
		{"a gate on attention", gated, "norm scale dequant q·k·v norm scale rope q·kᵀ scale mask softmax ·v sigmoid gate dequant proj add " +
			"norm scale dequant up·gate silu mul dequant down add"},
		{"a recurrent layer without a feed-forward part", recurrent, "norm scale dequant in conv silu scan gate dequant out add"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := c.m.At(workload.Options{})
			if got := names(w.Decode[policy.Q4]); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			for _, s := range slices.Concat(w.Decode[:], w.Prefill[:]) {
				checkSequence(t, s)
				for i, op := range s.Ops {
					if s.Names[i] == "dequant" && (op.Kind != policy.Elementwise || i+1 == len(s.Ops) || s.Ops[i+1].Kind != policy.Barrier) {
						t.Errorf("op %d unpacks weights but no product follows", i)
					}
				}
			}
		})
	}
}

// A window bounds what attention looks at; a context too long for a packed token still has a token of its own.
func TestScoresFollowTheContext(t *testing.T) {
	scores := func(m workload.Model, context uint64) string {
		s := m.At(workload.Options{Context: context}).Decode[policy.F16]
		checkSequence(t, s)
		return s.Shapes[slices.Index(s.Names, "q·kᵀ")]
	}
	if got := scores(specs["gemma-3-4b"].model(""), 8192); got != "8×1024" {
		t.Errorf("windowed scores %s, want 8×1024", got)
	}
	if got := scores(specs["gemma-3-4b"].model(""), 512); got != "8×512" {
		t.Errorf("scores of a context within the window %s, want 8×512", got)
	}
	if got := scores(specs["llama-3.1-8b"].model(""), 10_000_000); got != "32×10000000" {
		t.Errorf("scores of ten million tokens %s", got)
	}
}

func TestBareCountDrawsALlamaLikeLayer(t *testing.T) {
	w := workload.Bare(8_030_261_248)
	if !w.Bare || w.Context != 0 || w.KVBytes != 0 || w.ComputeBytes != 0 || w.LargestTensor != 0 || w.Model != nil || w.Params != 8_030_261_248 {
		t.Errorf("a bare count claims more than its weights: %+v", w)
	}
	like := workload.Default()
	if got, want := w.Decode[policy.Q8], like.Decode[policy.Q8]; !slices.Equal(got.Shapes, want.Shapes) || got.WholeOps != want.WholeOps {
		t.Errorf("8.03e9 weights look like %v, want Llama 3.1 8B's layer", got.Shapes)
	}
	for _, n := range []uint64{0, 1, 500e6, 70.6e9, workload.MaxParams} {
		w := workload.Bare(n)
		if w.Params != n || w.Layers < 1 || len(w.Decode[policy.F16].Ops) != 18 {
			t.Errorf("bare %d: %d layers of %d ops", n, w.Layers, len(w.Decode[policy.F16].Ops))
		}
	}
}

func BenchmarkAt(b *testing.B) {
	for _, m := range []workload.Model{specs["llama-3.1-8b"].model(""), deepseekV3()} {
		b.Run(m.Arch, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.At(workload.Options{})
			}
		})
	}
}

func BenchmarkSize(b *testing.B) {
	m := deepseekV3()
	b.ReportAllocs()
	for b.Loop() {
		m.Size(workload.Options{})
	}
}
