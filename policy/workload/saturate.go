package workload

import (
	"math"
	"math/bits"
)

// mul saturates at the largest uint64: the counts may come from a crafted file, and a wrapped product would call a job of
// astronomic size small.
func mul(factors ...uint64) uint64 {
	product := uint64(1)
	for _, f := range factors {
		hi, lo := bits.Mul64(product, f)
		if hi != 0 {
			lo = math.MaxUint64
		}
		product = lo
	}
	return product
}

// add saturates as mul does.
func add(terms ...uint64) uint64 {
	var sum uint64
	for _, t := range terms {
		if sum > math.MaxUint64-t {
			return math.MaxUint64
		}
		sum += t
	}
	return sum
}

// pad rounds n up to a multiple of to.
func pad(n, to uint64) uint64 {
	if rest := n % to; rest > 0 {
		return add(n, to-rest)
	}
	return n
}
