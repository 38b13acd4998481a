package prove

import "headroom/policy"

// pretended is how many times the weights are as large as the memory budget that is pretended.
const pretended = 3

// tiling is how a product is streamed through a memory budget: the weights' rows in pieces, of which two are held.
type tiling struct {
	// Planned is the policy's count: the weights over the budget.
	Planned uint32
	// Bounds are the rows at which pieces begin, and the end.
	Bounds []int
}

func (t tiling) pieces() int { return len(t.Bounds) - 1 }

// rows is the rows of a piece.
func (t tiling) rows(i int) int { return t.Bounds[i+1] - t.Bounds[i] }

// most is the rows of the largest piece.
func (t tiling) most() int {
	most := 0
	for i := range t.pieces() {
		most = max(most, t.rows(i))
	}
	return most
}

// planTiles cuts n rows of weights of rowBytes each so that two pieces fit the memory budget, which is what is left for
// weights, and each fits the largest buffer that can be bound. Rows of a piece, and n, are multiples of step. Pieces are about
// equal, extra ones more than need be; with ramp two small ones come first, whose way to the adapter nothing hides. It is
// not possible where the budget does not hold two steps.
func planTiles(n, step int, rowBytes, budget, largest uint64, extra int, ramp bool) (t tiling, ok bool) {
	t.Planned = policy.NewHeterogeneousDispatcher(policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: budget}).GPUTiles(uint64(n) * rowBytes)
	most := int(min(budget/2/rowBytes, largest/rowBytes, uint64(n))) / step
	if most == 0 {
		return t, false
	}
	left := n / step
	t.Bounds = []int{0}
	take := func(steps int) {
		t.Bounds = append(t.Bounds, t.Bounds[len(t.Bounds)-1]+steps*step)
		left -= steps
	}
	for part := 4; ramp && part > 1 && most >= 8 && left > 2*most; part /= 2 {
		take(most / part)
	}
	for pieces := (left+most-1)/most + extra; left > 0; pieces-- {
		take((left + pieces - 1) / max(pieces, 1))
	}
	return t, true
}

// streamed is the size of the product that is streamed: as large as the effort allows, the adapter can do as a whole well
// inside the watchdog, at the rate of its best kernel, and its memory holds in pieces; 0 of memory is unknown.
func streamed(e Effort, b blocking, rate float64, memory uint64) (m, n, k int) {
	switch e {
	case Check, Quick:
		m, n, k = 128, 1536, 1024 // equal pieces, so that one kernel serves them all
	case Full:
		m, n, k = 8192, 32768, 8192
	default:
		m, n, k = 8192, 8192, 4096
	}
	whole := func(m int) int { return (m + b.M - 1) / b.M * b.M }
	// Activations, result, two pieces and what they pass through: the weights count as 2/3 of themselves.
	large := func() bool {
		p := product{whole(m), n, k}
		return memory > 0 && uint64(p.m)*uint64(n+k)*4+uint64(n)*uint64(k)*4*2/pretended > memory
	}
	for (product{whole(m), n, k}).flops() > rate*longest/4 || large() {
		switch {
		case m > b.M:
			m /= 2
		case k > 512:
			k /= 2
		case n > 16*b.N:
			n /= 2
		default:
			return whole(m), n, k
		}
	}
	return whole(m), n, k
}
