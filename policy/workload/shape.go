package workload

import "strconv"

// shape is up to three dimensions, outermost first. Unused ones are 0 and lead.
type shape [3]uint64

// shapeOf keeps the dimensions above 1, and at least the last one: one token's row and a row are the same shape.
func shapeOf(dims ...uint64) shape {
	var s shape
	n := len(s)
	for i := len(dims) - 1; i >= 0 && n > 0; i-- {
		if dims[i] != 1 || n == len(s) {
			n--
			s[n] = dims[i]
		}
	}
	return s
}

// elements is the product of the dimensions.
func (s shape) elements() uint64 { return mul(max(s[0], 1), max(s[1], 1), s[2]) }

// String is the dimensions as people write them: "4096", "32×8192".
func (s shape) String() string {
	b := make([]byte, 0, 24)
	for i, d := range s {
		if d == 0 && i < len(s)-1 {
			continue
		}
		if len(b) > 0 {
			b = append(b, "×"...)
		}
		b = strconv.AppendUint(b, d, 10)
	}
	return string(b)
}

const (
	dimBits  = 21
	numbered = 1 << 63
)

// packed puts the dimensions into 63 bits, 21 each, where they fit: then bit 63 is clear.
func (s shape) packed() (token uint64, fits bool) {
	for _, d := range s {
		if d >= 1<<dimBits {
			return 0, false
		}
		token = token<<dimBits | d
	}
	return token, true
}
