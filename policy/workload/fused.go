package workload

import (
	"strconv"
	"strings"
)

// Avoided is the bytes that fusing ops first to last (element-wise, of one shape) into one pass saves: each result between
// two of them is neither written nor read again. It is 0 where the shape is unknown.
func (s *Sequence) Avoided(first, last int) uint64 {
	if first < 0 || last >= len(s.Shapes) || first >= last {
		return 0
	}
	elements := uint64(1)
	for _, dim := range strings.Split(s.Shapes[first], "×") {
		n, err := strconv.ParseUint(dim, 10, 64)
		if err != nil {
			return 0
		}
		elements = mul(elements, n)
	}
	return mul(2, elements, activation, uint64(last-first))
}
