package workload

import (
	"math"
	"math/bits"
)

// mul and add saturate at the largest uint64: the counts may come from a crafted file, and a wrapped product would call a
// job of astronomic size small.
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

func add(terms ...uint64) uint64 {
	var sum uint64
	for _, t := range terms {
		s, carry := bits.Add64(sum, t, 0)
		if carry != 0 {
			s = math.MaxUint64
		}
		sum = s
	}
	return sum
}

// pad rounds n up to a multiple of to.
func pad(n, to uint64) uint64 {
	rest := n % to
	if rest == 0 {
		return n
	}
	return add(n, to-rest)
}
