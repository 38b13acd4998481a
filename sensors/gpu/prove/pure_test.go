package prove

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"headroom/policy"
	"headroom/policy/workload"
)

func TestAProofSurvivesJSON(t *testing.T) {
	for _, p := range []Proof{
		{Name: Fusion, Verified: true, MaxError: 1e-7, Meaning: "faster", Figures: map[string]float64{"unary_fused_ms": 1.5, "bound_x": 8}},
		{Name: Tiles, MaxError: math.NaN(), Error: "device lost", Figures: nil},
	} {
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var back Proof
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if math.IsNaN(p.MaxError) && math.IsNaN(back.MaxError) {
			p.MaxError, back.MaxError = 0, 0
		}
		if !reflect.DeepEqual(p, back) {
			t.Errorf("%s came back as %+v", b, back)
		}
	}
}

func TestAFigureNeverReplacesAFixedKey(t *testing.T) {
	p := Proof{Name: Fusion, MaxError: math.NaN(), Figures: map[string]float64{"verified": 1, "name": 2}}
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	if m["verified"] != false || m["name"] != Fusion || m["max_error"] != nil {
		t.Fatalf("got %s", b)
	}
}

func TestOverlapGivesNoVerdict(t *testing.T) {
	slow, fast := newTiming([]float64{5, 6, 7, 8, 9}), newTiming([]float64{3, 1, 2, 2, 4})
	near := newTiming([]float64{4, 5, 6, 7, 8})
	if !fast.FasterThan(slow) || slow.FasterThan(fast) {
		t.Error("a clear difference is not seen")
	}
	if near.FasterThan(slow) || slow.FasterThan(near) {
		t.Error("overlapping times gave a verdict")
	}
	if m := fast.Median(); m != 2 {
		t.Errorf("median %v", m)
	}
	if m := newTiming([]float64{4, 1, 3, 2}).Median(); m != 2.5 {
		t.Errorf("median of an even number %v", m)
	}
	var none Timing
	if none.FasterThan(slow) || !math.IsNaN(none.Median()) {
		t.Error("no measurement is taken for one")
	}
}

func TestHalves(t *testing.T) {
	for _, c := range []struct {
		v float32
		h uint16
	}{
		{0, 0},
		{1, 0x3C00},
		{-2, 0xC000},
		{65504, 0x7BFF},
		{1e9, 0x7BFF},
		{0x1p-24, 1},
		{0x1p-14, 0x0400},
		{1 + 0x1p-11, 0x3C00},
		{1 + 3*0x1p-11, 0x3C02},
		{2048.5, 0x6800},
		{0x1.ff8p-15, 0x03FF},
		{0x1.ffcp-15, 0x0400},
		{0x1.fffp-15, 0x0400},
	} {
		if got := toHalf(c.v); got != c.h {
			t.Errorf("%v became %#04x, want %#04x", c.v, got, c.h)
		}
	}
	for h := range 1 << 16 {
		v := fromHalf(uint16(h))
		if h>>10&0x1F == 31 {
			continue
		}
		if back := toHalf(v); back != uint16(h) {
			t.Fatalf("%#04x is %v, which becomes %#04x", h, v, back)
		}
	}
}

func TestPackedWeightsAreNearTheirOriginals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	w := make([]float32, 3*superblock)
	for i := range w {
		w[i] = float32(rng.NormFloat64())
	}
	// A chunk of zeros has no scale to divide by.
	for i := range chunk {
		w[superblock+at(5, i)] = 0
	}
	for _, c := range []struct {
		p   policy.Precision
		max float64 // of the largest weight, which is below 5
	}{{policy.F32, 0}, {policy.F16, 0x1p-11}, {policy.Q8, 0.51 / 127}, {policy.Q4, 0.51 / 7}} {
		m := pack(w, c.p)
		if got, want := uint64(len(m.words)*4+len(m.scales)*4), bytesFor(c.p, uint64(len(w))); got != want {
			t.Errorf("%v takes %d bytes, said to take %d", c.p, got, want)
		}
		for i, v := range w {
			if diff := math.Abs(float64(m.weight(i) - v)); diff > c.max*5 {
				t.Fatalf("%v: weight %d is %v, stored as %v", c.p, i, v, m.weight(i))
			}
		}
	}
}

func TestEveryWeightOfASuperblockHasOnePlace(t *testing.T) {
	seen := map[int]bool{}
	for lane := range 32 {
		for i := range chunk {
			k := at(lane, i)
			if k < 0 || k >= superblock || seen[k] {
				t.Fatalf("lane %d weight %d lies at %d", lane, i, k)
			}
			seen[k] = true
		}
	}
	nibbles := map[[2]int]bool{}
	for i := range chunk {
		w, s := nibble(i)
		if w < 0 || w > 3 || s < 0 || s > 28 || s%4 != 0 || nibbles[[2]int{w, s}] {
			t.Fatalf("weight %d lies at word %d, bit %d", i, w, s)
		}
		nibbles[[2]int{w, s}] = true
	}
}

func TestGroupsNeverBindMoreThanAStageMay(t *testing.T) {
	for _, c := range chains() {
		var ops int
		for _, g := range split(c.ops, maxStorageBuffers) {
			if g.buffers() > maxStorageBuffers {
				t.Errorf("%s: a kernel binds %d buffers", c.name, g.buffers())
			}
			if n := strings.Count(g.wgsl(false), "@binding"); n != g.buffers() {
				t.Errorf("%s: the kernel declares %d buffers, %d are bound", c.name, n, g.buffers())
			}
			ops += len(g)
		}
		if ops != len(c.ops) {
			t.Errorf("%s: %d of %d ops are left", c.name, ops, len(c.ops))
		}
	}
}

func FuzzRunsAreThePlannedPasses(f *testing.F) {
	f.Add([]byte{0, 0, 1, 2, 2, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		ops := make([]policy.TensorOp, len(b))
		for i, v := range b {
			ops[i] = policy.TensorOp{Kind: policy.TensorOpKind(v & 1), Shape: uint64(v >> 1 & 3)}
		}
		got := runs(ops)
		if len(got) != int(policy.PlanFusion(ops)) {
			t.Fatalf("%d passes, planned %d", len(got), policy.PlanFusion(ops))
		}
		next := 0
		for _, r := range got {
			if r[0] != next || r[1] <= r[0] {
				t.Fatalf("passes %v leave ops out", got)
			}
			next = r[1]
		}
		if next != len(ops) {
			t.Fatalf("passes %v leave ops out", got)
		}
	})
}

func TestChainsOnTheCPU(t *testing.T) {
	// By hand: 3 → ·0.5 = 1.5 → +1.25 = 2.75 → max −1 → abs → min 2.5 = 2.5 → −2.5 → +0.75 = −1.75 → ·2 = −3.5
	if got := group(chains()[0].ops).cpu(3, nil); got != -3.5 {
		t.Errorf("unary chain of 3 is %v", got)
	}
	operand := func(j int) float32 { return float32(j) }
	// 1 + 0 = 1; larger of 1 and 1; − 2 = −1; smaller of −1 and 3; + 4 = 3; − 5 = −2
	if got := group(chains()[1].ops).cpu(1, operand); got != -2 {
		t.Errorf("binary chain of 1 is %v", got)
	}
}

func TestTilesFitTheirBudget(t *testing.T) {
	for _, c := range []struct {
		n, step     int
		row, budget uint64
		extra       int
		ramp, ok    bool
	}{
		{2048, 64, 4096, 2048 * 4096 / 3, 0, false, true},
		{2048, 64, 4096, 2048 * 4096 / 3, 2, false, true},
		{32768, 128, 32768, 1 << 30 / 3, 1, true, true},
		{128, 64, 4096, 1 << 30, 0, true, true},
		{2048, 64, 4096, 64 * 4096, 0, false, false},
		{2048, 64, 4096, 0, 0, false, false},
		{64, 128, 4096, 1 << 30, 0, false, false},
	} {
		got, ok := planTiles(c.n, c.step, c.row, c.budget, 1<<31, c.extra, c.ramp)
		if ok != c.ok {
			t.Errorf("%+v: possible: %t", c, ok)
			continue
		}
		if !ok {
			continue
		}
		if uint64(2*got.most())*c.row > c.budget || got.Bounds[0] != 0 || got.Bounds[got.pieces()] != c.n {
			t.Errorf("%+v: %+v", c, got)
		}
		for i := range got.pieces() {
			if got.rows(i) <= 0 || got.rows(i)%c.step != 0 {
				t.Errorf("%+v: piece %d has %d rows", c, i, got.rows(i))
			}
		}
		if c.ramp && got.pieces() > 3 && got.rows(0) >= got.rows(got.pieces()-1) {
			t.Errorf("%+v: the first piece is not small: %v", c, got.Bounds)
		}
		if want := uint32((uint64(c.n)*c.row + c.budget - 1) / c.budget); got.Planned != want {
			t.Errorf("%+v: planned %d, want %d", c, got.Planned, want)
		}
	}
}

func TestAStreamedProductFitsTheMemory(t *testing.T) {
	for _, memory := range []uint64{0, 16 << 20, 100 << 20, 1 << 30, 80 << 30} {
		for _, e := range []Effort{Quick, Standard, Full} {
			for _, b := range blockings(e) {
				m, n, k := streamed(e, b, 50e12, memory)
				if memory == 0 {
					continue
				}
				weights := uint64(n) * uint64(k) * 4
				tiling, ok := planTiles(n, b.N, uint64(k)*4, weights/pretended, 1<<31, 0, false)
				if !ok {
					t.Errorf("%v, %s, %d bytes: %d×%d×%d is not to be cut", b, e, memory, m, n, k)
					continue
				}
				held := uint64(m)*uint64(n+k)*4 + 4*uint64(tiling.most())*uint64(k)*4
				if m%b.M != 0 || held > memory {
					t.Errorf("%v, %s, %d bytes: %d×%d×%d takes %d", b, e, memory, m, n, k, held)
				}
			}
		}
	}
}

func TestKernelShapesAreSound(t *testing.T) {
	for _, e := range []Effort{Quick, Standard, Full} {
		for _, b := range blockings(e) {
			if !b.sound() || b.threads() > 256 {
				t.Errorf("%v cannot be made", b)
			}
			if columns := columnsFor(e); columns%superblock != 0 {
				t.Errorf("%d columns are no whole superblocks", columns)
			}
		}
	}
	for _, f := range formats {
		if len(shapes(Quick, pieces(f, columnsFor(Quick)))) == 0 {
			t.Errorf("no kernel for %v", f)
		}
	}
	for _, b := range []blocking{{}, {M: 64, N: 64, K: 16, TM: 5, TN: 4}, {M: 1 << 20, N: 64, K: 16, TM: 4, TN: 4}, {M: 64, N: 64, K: 16, TM: -4, TN: 4}} {
		if b.sound() {
			t.Errorf("%v is taken for sound", b)
		}
	}
}

func TestProofsAreKeptForAdapterAndDriver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "proofs")
	if _, err := Load(dir, "Card", "1"); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("nothing kept: %v", err)
	}
	r := Result{Adapter: "Card", Driver: "1", Date: time.Unix(1000, 0).UTC(), Proofs: []Proof{
		{Name: Fusion, Verified: true, Figures: map[string]float64{"unary_fused_ms": 1}},
		{Name: Precision, Verified: true, Figures: map[string]float64{"f16_ms": 2}},
	}}
	if err := Save(dir, r, map[string]string{Tiles: "{}"}); err != nil {
		t.Fatal(err)
	}
	// A later run proves one again, fails at another, and never ran the rest.
	later := Result{Adapter: "Card", Driver: "1", Date: time.Unix(2000, 0).UTC(), Proofs: []Proof{
		{Name: Fusion, Verified: true, Figures: map[string]float64{"unary_fused_ms": 3}},
		{Name: Precision, Error: "device lost"},
	}}
	if err := Save(dir, later, nil); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir, "Card", "1")
	if err != nil {
		t.Fatal(err)
	}
	fusion, _ := got.Find(Fusion)
	precision, _ := got.Find(Precision)
	if fusion.Figures["unary_fused_ms"] != 3 || precision.Figures["f16_ms"] != 2 || got.Tuning[Tiles] != "{}" || !got.Date.Equal(later.Date) {
		t.Errorf("kept %+v", got)
	}
	if _, err := Load(dir, "Card", "2"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another driver's proofs: %v", err)
	}
	info, err := os.Stat(Path(dir, "Card", "1"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("kept as %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(Path(dir, "Card", "1"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir, "Card", "1"); err == nil {
		t.Error("a damaged file is read")
	}
	if err := Save(dir, r, nil); err != nil {
		t.Errorf("a damaged file is in the way: %v", err)
	}
}

func TestCompareTellsClearChangesFromNoise(t *testing.T) {
	a := Result{Proofs: []Proof{{Name: Bandwidth, Figures: map[string]float64{"copy_ms": 10, "copy_spread_percent": 2, "copy_gb_per_s": 100, "cpu_threads": 4}}}}
	b := Result{Proofs: []Proof{{Name: Bandwidth, Figures: map[string]float64{"copy_ms": 10.3, "copy_spread_percent": 2, "copy_gb_per_s": 150, "new_key": 1}}}}
	got := Compare(a, b)
	want := []Change{{Bandwidth, "copy_gb_per_s", 100, 150, true}, {Bandwidth, "copy_ms", 10, 10.3, false}}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v", got)
	}
}

func TestTokensPerSecondLieBetweenTheirBounds(t *testing.T) {
	w := workload.Workload{Params: 8e9, ActiveParams: 8e9, KVBytes: 1e9}
	w.Decode[policy.F16].WholePasses = 1000
	r := Result{Proofs: []Proof{
		{Name: Precision, Verified: true, Figures: map[string]float64{"f16_weights_per_s": 8e11, "f16_spread_percent": 0}},
		{Name: Bandwidth, Verified: true, Figures: map[string]float64{"copy_gb_per_s": 1000, "dispatch_us": 10, "pass_us": 50}},
	}}
	got := TokensPerSecond(r, w)
	// 10 ms of weights; besides, 1 ms of KV cache and 10 ms of passes.
	if f16 := got[policy.F16]; math.Abs(f16.High-100) > 1e-9 || math.Abs(f16.Low-1/0.021) > 1e-9 {
		t.Errorf("got %+v", f16)
	}
	if got[policy.Q4].Known() {
		t.Error("what was not measured is known")
	}
	if TokensPerSecond(Result{Proofs: r.Proofs[:1]}, w)[policy.F16].Known() {
		t.Error("a speed is known without what lies beside the weights")
	}
	r.Proofs[0].Verified = false
	if TokensPerSecond(r, w)[policy.F16].Known() {
		t.Error("wrong kernels give a speed")
	}
}
