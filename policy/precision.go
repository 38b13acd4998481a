package policy

import "math"

// Precision is the numeric format that weights are stored in, finest first.
type Precision uint8

// The precisions, in the order in which SelectPrecision tries them.
const (
	F32 Precision = iota
	F16
	Q8
	Q4
)

// BytesPerWeight is the nominal size of one weight: 4, 2, 1 and 0.5 bytes. Real formats add scales; see policy/workload.
func (p Precision) BytesPerWeight() float64 {
	switch p {
	case F32:
		return 4
	case F16:
		return 2
	case Q8:
		return 1
	default:
		return 0.5
	}
}

// String gives the snapshot's spelling.
func (p Precision) String() string {
	switch p {
	case F32:
		return "f32"
	case F16:
		return "f16"
	case Q8:
		return "q8"
	default:
		return "q4"
	}
}

// TightHeadroomC and TightPowerMW bound the tight envelope: below either, f32 and f16 are off.
const (
	TightHeadroomC = 5
	TightPowerMW   = 15_000
)

// PowerThermalBudget is what the machine can spare for a job.
type PowerThermalBudget struct {
	// VRAMBudgetBytes is the memory for weights.
	VRAMBudgetBytes uint64
	// PowerBudgetMW is the power left under the limit, in milliwatts.
	PowerBudgetMW uint32
	// ThermalHeadroomC is limit minus temperature in °C; it may be negative, and NaN is not below the threshold.
	ThermalHeadroomC float32
}

// tight reports which inputs put the budget into the tight envelope.
func (b PowerThermalBudget) tight() (heat, power bool) {
	return b.ThermalHeadroomC < TightHeadroomC, b.PowerBudgetMW < TightPowerMW
}

// weightBytes is float64(params) × bytes per weight, truncated and saturated.
func weightBytes(params uint64, p Precision) uint64 {
	return truncated(float64(params) * p.BytesPerWeight())
}

// truncated saturates at the largest uint64. Go leaves the conversion of a float out of range undefined, so the bound is
// checked first.
func truncated(bytes float64) uint64 {
	if bytes >= 1<<64 {
		return math.MaxUint64
	}
	return uint64(bytes)
}

// SelectPrecision takes the finest precision whose nominal bytes fit the memory budget: of f32, f16, q8 and q4, or of q8
// and q4 only when the envelope is tight. It returns Q4 when none fits; the caller then tiles or offloads.
func SelectPrecision(paramCount uint64, budget PowerThermalBudget) Precision {
	p, need := F32, float64(paramCount)*F32.BytesPerWeight()
	if heat, power := budget.tight(); heat || power {
		p, need = Q8, float64(paramCount)*Q8.BytesPerWeight()
	}
	// Each precision takes half of the one before, and a half is exact.
	for ; p < Q4; p, need = p+1, need/2 {
		if truncated(need) <= budget.VRAMBudgetBytes {
			return p
		}
	}
	return Q4
}
