package prove

import (
	"math"

	"headroom/policy"
)

// Weights are stored for a kernel in lanes: a superblock of 1024 weights of a row lies as 32 chunks of 32, and chunk l
// holds the weights at j·128 + 4·l + c (j from 0 to 7, c from 0 to 3). So neighbouring threads read neighbouring chunks and
// neighbouring vec4 of the vector. A chunk of q8 or q4 is a block with one scale, an f16.
const (
	superblock = 1024
	chunk      = 32
)

// at is where weight i of a chunk lies within its superblock: i = 4·j + c.
func at(lane, i int) int { return i/4*128 + lane*4 + i%4 }

// packed is a matrix's weights in one format.
type packed struct {
	format policy.Precision
	words  []uint32
	// scales hold two f16 a word, one for each chunk; empty for f32 and f16.
	scales []uint32
}

// bytesFor is what n weights take in a format, scales included.
func bytesFor(p policy.Precision, n uint64) uint64 {
	switch p {
	case policy.F32:
		return n * 4
	case policy.F16:
		return n * 2
	case policy.Q8:
		return n + n/chunk*2
	default:
		return n/2 + n/chunk*2
	}
}

// wordsFor is the words of n weights, without scales.
func wordsFor(p policy.Precision, n uint64) uint64 {
	return uint64(float64(n) * p.BytesPerWeight() / 4)
}

// pack stores weights, a whole number of superblocks, in a format.
func pack(w []float32, p policy.Precision) packed {
	out := packed{format: p, words: make([]uint32, wordsFor(p, uint64(len(w))))}
	switch p {
	case policy.F32:
		for i, v := range w {
			out.words[i] = math.Float32bits(v)
		}
		return out
	case policy.F16:
		for i, v := range w {
			out.words[i/2] |= uint32(toHalf(v)) << (i % 2 * 16)
		}
		return out
	}
	chunks := len(w) / chunk
	out.scales = make([]uint32, (chunks+1)/2)
	for c := range chunks {
		base, lane := c/32*superblock, c%32
		var largest float32
		for i := range chunk {
			largest = max(largest, float32(math.Abs(float64(w[base+at(lane, i)]))))
		}
		steps := float32(127)
		if p == policy.Q4 {
			steps = 7
		}
		half := toHalf(largest / steps)
		scale := fromHalf(half)
		out.scales[c/2] |= uint32(half) << (c % 2 * 16)
		for i := range chunk {
			var q float64
			if scale > 0 {
				q = math.RoundToEven(float64(w[base+at(lane, i)] / scale))
			}
			out.put(c, i, int(min(max(q, -float64(steps)-1), float64(steps))))
		}
	}
	return out
}

// put stores weight i of chunk c as a step from the middle.
func (p *packed) put(c, i, q int) {
	if p.format == policy.Q8 {
		p.words[byteWord(c, i)] |= uint32(uint8(q+128)) << (i % 4 * 8)
		return
	}
	word, shift := nibble(i)
	p.words[c*4+word] |= uint32(q+8) << shift
}

// byteWord is the word of weight i = 4·j + c of a q8 chunk: a superblock's chunks lie as first halves (j below 4), then second
// halves, so that threads side by side read side by side.
func byteWord(c, i int) int {
	j := i / 4
	return c/32*256 + j/4*128 + c%32*4 + j%4
}

// nibble is where weight i = 4·j + c of a q4 chunk lies: word j/2, the pair of nibbles c, its upper one for odd j.
func nibble(i int) (word, shift int) {
	j, c := i/4, i%4
	return j / 2, c*8 + j%2*4
}

// weight is the stored value of weight i, counted as in the unpacked row-major matrix.
func (p *packed) weight(i int) float32 {
	switch p.format {
	case policy.F32:
		return math.Float32frombits(p.words[i])
	case policy.F16:
		return fromHalf(uint16(p.words[i/2] >> (i % 2 * 16)))
	}
	within := i % superblock
	lane := within % 128 / 4
	c := i/superblock*32 + lane
	k := within/128*4 + within%4
	scale := fromHalf(uint16(p.scales[c/2] >> (c % 2 * 16)))
	if p.format == policy.Q8 {
		return scale * float32(int(p.words[byteWord(c, k)]>>(k%4*8)&0xFF)-128)
	}
	word, shift := nibble(k)
	return scale * float32(int(p.words[c*4+word]>>shift&0xF)-8)
}

// toHalf rounds to the nearest IEEE 754 half, ties to even; too large a value becomes the largest.
func toHalf(v float32) uint16 {
	bits := math.Float32bits(v)
	sign := uint16(bits >> 16 & 0x8000)
	switch a := math.Abs(float64(v)); {
	case math.IsNaN(a):
		return sign | 0x7E00
	case a >= 65520:
		return sign | 0x7BFF
	case a < 0x1p-14:
		return sign | uint16(math.RoundToEven(a*0x1p24))
	}
	exp := int(bits>>23&0xFF) - 127 + 15
	mantissa := bits & 0x7FFFFF
	half := uint32(exp)<<10 | mantissa>>13
	if rest := mantissa & 0x1FFF; rest > 0x1000 || rest == 0x1000 && half&1 == 1 {
		half++
	}
	return sign | uint16(half)
}

// fromHalf is a half's value.
func fromHalf(h uint16) float32 {
	exp, mantissa := int(h>>10&0x1F), float64(h&0x3FF)
	var v float64
	switch exp {
	case 0:
		v = math.Ldexp(mantissa, -24)
	case 31:
		v = math.Inf(1)
		if mantissa != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1024+mantissa, exp-25)
	}
	if h&0x8000 != 0 {
		v = -v
	}
	return float32(v)
}
