package prove

import "headroom/policy"

// tiling is how a product is streamed through a memory budget: the weights' rows in pieces of Rows, of which two are held.
type tiling struct {
	// Planned is the policy's count: the weights over the budget.
	Planned uint32
	Rows    int
	Pieces  int
}

// planTiles cuts n rows of weights of rowBytes each so that two pieces fit the memory budget, which is what is left for
// weights, and each fits the largest buffer that can be bound. Rows of a piece are a multiple of step. It is not possible where
// the budget does not hold two steps.
func planTiles(n, step int, rowBytes, budget, largest uint64) (t tiling, ok bool) {
	t.Planned = policy.NewHeterogeneousDispatcher(policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: budget}).GPUTiles(uint64(n) * rowBytes)
	t.Rows = int(min(budget/2/rowBytes, largest/rowBytes, uint64(n))) / step * step
	if t.Rows == 0 {
		return t, false
	}
	t.Pieces = (n + t.Rows - 1) / t.Rows
	// Pieces of one size, so that the last is no remnant.
	t.Rows = ((n+t.Pieces-1)/t.Pieces + step - 1) / step * step
	return t, true
}
