package frame_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// What a reader adds up from the shown figures comes out, for any machine and workload.
func TestShownTotalsAreTheSumsOfTheShownParts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		h := host{now: 50, limit: 100, ram: 1 + 60*r.Float64(), kind: []string{"", "discrete", "integrated"}[r.IntN(3)], vram: 1 + 30*r.Float64(), gtt: 40 * r.Float64()}
		h.vramUsed, h.gttUsed = h.vram*r.Float64(), h.gtt*r.Float64()
		w := job(uint64(r.Float64()*3e10), 3*r.Float64(), 0.7*r.Float64())
		f := frame.New(h.sample(), budget.Settings{Workload: w})
		l := f.Ledger()
		parts := 0.0
		for _, p := range l.Free {
			parts += shown(t, p)
		}
		for _, sum := range []struct {
			name     string
			got, add float64
		}{
			{"free", shown(t, l.FreeTotal), parts},
			{"budget", shown(t, l.Budget), max(shown(t, l.FreeTotal)-shown(t, l.KV)-shown(t, l.Compute), 0)},
			{"used", shown(t, l.Used), shown(t, l.Weights) + shown(t, l.KV) + shown(t, l.Compute)},
			{"left", shown(t, l.Left), max(shown(t, l.FreeTotal)-shown(t, l.Used), 0)},
		} {
			if d := sum.got - sum.add; d > 1e-6 || d < -1e-6 {
				t.Fatalf("%s: %v is shown, its parts give %v\n%+v", sum.name, sum.got, sum.add, l)
			}
		}
		for p := policy.F32; p <= policy.Q4; p++ {
			rung := l.Rungs[p]
			if need, budget := shown(t, rung.Need), shown(t, l.Budget); need != budget && (need < budget) == f.Plan.Rungs[p].Fits {
				if d := shown(t, rung.Margin) - max(need-budget, budget-need); d > 1e-6 || d < -1e-6 {
					t.Fatalf("%v: the margin %s is not between %s and %s", p, rung.Margin.Text, rung.Need.Text, l.Budget.Text)
				}
			}
			if words := f.RungWords()[p]; strings.Contains(words, " 0.0 ") || strings.Contains(words, " 0 ") {
				t.Fatalf("a margin of nothing: %q", words)
			}
		}
	}
}

func shown(t *testing.T, l frame.Line) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.ReplaceAll(strings.ReplaceAll(l.Text, " ", ""), "−", "-"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestMemoryWords(t *testing.T) {
	llama := job(8_030_000_000, 1, 0.26)
	capped := apu
	capped.ram = 12
	for _, c := range []struct {
		name string
		host host
		work workload.Workload
		want string
	}{
		{"APU", apu, llama, "VRAM 2.8 + GTT 18.9 − KV cache 1.0 − compute buffers 0.3"},
		{"capped", capped, llama, "VRAM 2.8 + GTT 18.9 − capped by available RAM 9.7 − KV cache 1.0 − compute buffers 0.3"},
		{"bare", desktop, workload.Bare(8e9), "VRAM 22.5"},
		{"small figures are in MiB", host{ram: 0.5}, job(10_000_000, 0.01, 0.02), "RAM 512 − KV cache 10 − compute buffers 20"},
	} {
		equal(t, c.name, frame.New(c.host.sample(), budget.Settings{Workload: c.work}).MemoryWords(), c.want)
	}
	equal(t, "memory that was not read", frame.New(sensors.Sample{}, budget.Settings{Workload: llama}).MemoryWords(), "")
}

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		in   uint64
		want string
	}{
		{0, "0 B"},
		{1023, "1023 B"},
		{1024, "1 KiB"},
		{64 << 20, "64 MiB"},
		{107_374_181, "102 MiB"},
		{107_374_183, "0.1 GiB"},
		{8_030_000_000, "7.5 GiB"},
		{16_060_522_496, "15.0 GiB"},
		{192_265_486_336, "179.1 GiB"},
		{12_345_678 * gib, "12 345 678.0 GiB"},
		{1<<64 - 1, "17 179 869 184.0 GiB"},
	} {
		equal(t, strconv.FormatUint(c.in, 10), frame.Bytes(c.in), c.want)
	}
}

func TestParams(t *testing.T) {
	for n, want := range map[uint64]string{
		8_030_261_248: "8.03 B", 70_600_000_000: "70.6 B", 405_000_000_000: "405 B", 999_700_000: "1.00 B", 568_000_000: "568 M",
		8_000_000_000: "8 B", 12: "12", 125_100_000_000: "125 B", 1_000_000_000_000: "1 T",
	} {
		equal(t, want, frame.Params(n), want)
	}
}
