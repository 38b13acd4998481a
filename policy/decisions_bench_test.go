package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"headroom/policy"
)

// plainPrecision and plainTiles are the specification's words in Go: the baselines of SelectPrecision and GPUTiles.
func plainPrecision(params uint64, b policy.PowerThermalBudget) policy.Precision {
	candidates := []policy.Precision{policy.F32, policy.F16, policy.Q8, policy.Q4}
	if b.ThermalHeadroomC < 5 || b.PowerBudgetMW < 15_000 {
		candidates = candidates[2:]
	}
	for _, p := range candidates {
		need := float64(params) * p.BytesPerWeight()
		if need < math.MaxUint64 && uint64(need) <= b.VRAMBudgetBytes {
			return p
		}
	}
	return policy.Q4
}

func plainTiles(h policy.HostCapabilities, total uint64) uint32 {
	if !h.GPUAvailable || h.VRAMAvailable == 0 {
		return 1
	}
	tiles := total / h.VRAMAvailable
	if total%h.VRAMAvailable != 0 {
		tiles++
	}
	return uint32(min(max(tiles, 1), math.MaxUint32))
}

// job is one question to the policy.
type job struct {
	params uint64
	budget policy.PowerThermalBudget
	bytes  uint64
}

// jobPatterns are the kinds of sequence of jobs that differ in how well a processor guesses them.
var jobPatterns = []struct {
	name string
	job  func(i int, r *rand.Rand) job
}{
	{"mixed", func(_ int, r *rand.Rand) job {
		return job{
			params: r.Uint64N(100e9), bytes: r.Uint64N(200e9),
			budget: policy.PowerThermalBudget{VRAMBudgetBytes: r.Uint64N(100e9), PowerBudgetMW: r.Uint32N(60_000), ThermalHeadroomC: 20 * r.Float32()},
		}
	}},
	{"uniform", func(int, *rand.Rand) job { return job{8e9, roomy, 35e9} }},
	{"alternating", func(i int, _ *rand.Rand) job {
		if i%2 == 0 {
			return job{8e9, roomy, 35e9}
		}
		return job{70e9, policy.PowerThermalBudget{VRAMBudgetBytes: 8e9, PowerBudgetMW: 12_000, ThermalHeadroomC: 3}, 1e9}
	}},
}

var roomy = policy.PowerThermalBudget{VRAMBudgetBytes: 20e9, PowerBudgetMW: 40_000, ThermalHeadroomC: 30}

// BenchmarkDecisions asks SelectPrecision and GPUTiles and the plain words of the specification in turn, job after job, and
// reports each one's median in ns a job, and how many times as fast the policy's is.
func BenchmarkDecisions(b *testing.B) {
	host := policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: 22_500_000_000}
	d := policy.NewHeterogeneousDispatcher(host)
	for _, f := range []struct {
		name        string
		plain, fast func([]job)
	}{
		{"SelectPrecision", func(jobs []job) {
			for i := range jobs {
				kept.precision = plainPrecision(jobs[i].params, jobs[i].budget)
			}
		}, func(jobs []job) {
			for i := range jobs {
				kept.precision = policy.SelectPrecision(jobs[i].params, jobs[i].budget)
			}
		}},
		{"GPUTiles", func(jobs []job) {
			for i := range jobs {
				kept.count = plainTiles(host, jobs[i].bytes)
			}
		}, func(jobs []job) {
			for i := range jobs {
				kept.count = d.GPUTiles(jobs[i].bytes)
			}
		}},
	} {
		for _, p := range jobPatterns {
			for _, n := range []int{64, 1024, 1 << 20} {
				b.Run(fmt.Sprintf("%s/%s/n=%d", f.name, p.name, n), func(b *testing.B) {
					r := rand.New(rand.NewPCG(1, 2))
					jobs := make([]job, n)
					for i := range jobs {
						jobs[i] = p.job(i, r)
					}
					duel(b, jobs, f.plain, f.fast)
				})
			}
		}
	}
}

// The baselines answer as the policy does, or they would be no measure of it.
func TestBenchmarkedAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	host := policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: 22_500_000_000}
	d := policy.NewHeterogeneousDispatcher(host)
	for _, p := range jobPatterns {
		for i := range 2000 {
			j := p.job(i, r)
			if got, want := policy.SelectPrecision(j.params, j.budget), plainPrecision(j.params, j.budget); got != want {
				t.Errorf("%+v: %v, the plain words give %v", j, got, want)
			}
			if got, want := d.GPUTiles(j.bytes), plainTiles(host, j.bytes); got != want {
				t.Errorf("%+v: %d tiles, the plain words give %d", j, got, want)
			}
		}
	}
}
