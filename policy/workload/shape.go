package workload

import "strconv"

// shape is three dimensions, outermost first. Unused ones are 1 and lead.
type shape [3]uint64

// shapeOf keeps the dimensions that are not 1 in their order: one token's row and a row are the same shape.
func shapeOf(dims ...uint64) shape {
	s := shape{1, 1, 1}
	at := len(s)
	for i := len(dims) - 1; i >= 0 && at > 0; i-- {
		if dims[i] != 1 {
			at--
			s[at] = dims[i]
		}
	}
	return s
}

// elements is the product of the dimensions.
func (s shape) elements() uint64 { return mul(s[0], s[1], s[2]) }

// String is the dimensions as people write them: "4096", "32×8192".
func (s shape) String() string {
	b := make([]byte, 0, 24)
	for i, d := range s {
		if d == 1 && len(b) == 0 && i < len(s)-1 {
			continue
		}
		if len(b) > 0 {
			b = append(b, "×"...)
		}
		b = strconv.AppendUint(b, d, 10)
	}
	return string(b)
}

// A packed token holds 21 bits a dimension; a numbered one has the bit above them.
const (
	dimBits  = 21
	numbered = 1 << 63
)

// packed puts the dimensions into one token where they fit.
func (s shape) packed() (token uint64, fits bool) {
	for _, d := range s {
		if d >= 1<<dimBits {
			return 0, false
		}
		token = token<<dimBits | d
	}
	return token, true
}
