package workload

import "sort"

// LargestContext is the longest context, up to the model's own, whose cache and buffers fit in free bytes beside weights
// bytes; 0 where not even one block of 256 tokens does. Context in o is not looked at. A model that does not say its longest
// context is tried up to a million tokens.
func (m Model) LargestContext(free, weights uint64, o Options) uint64 {
	if weights > free {
		return 0
	}
	longest := m.MaxContext
	if longest == 0 {
		longest = 1 << 20
	}
	fits := func(context uint64) bool {
		o.Context = context
		return add(m.KVBytes(o), m.ComputeBytes(o)) <= free-weights
	}
	if fits(longest) {
		return longest
	}
	// Caches grow by whole blocks: find the first block that no longer fits.
	blocks := sort.Search(int(min(longest/cellPad, 1<<30)), func(i int) bool { return !fits(uint64(i+1) * cellPad) })
	return uint64(blocks) * cellPad
}
