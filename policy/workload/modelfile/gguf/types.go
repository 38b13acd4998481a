package gguf

import (
	"fmt"
	"math/bits"
)

// Type is a tensor's element type, by ggml's number for it.
type Type uint32

// The types that other files name. The whole list is in layouts.
const (
	F32  Type = 0
	F16  Type = 1
	BF16 Type = 30
)

// layout is how ggml packs a type: so many bytes for each block of so many weights.
type layout struct {
	name   string
	block  uint64
	nbytes uint64
}

// layouts are ggml's block layouts by type number (ggml/include/ggml.h and ggml/src/ggml-common.h in ggml-org/ggml). Numbers that are not
// here were never released, or were withdrawn before their layout settled (4 and 5).
var layouts = map[Type]layout{
	0:  {"F32", 1, 4},
	1:  {"F16", 1, 2},
	2:  {"Q4_0", 32, 18},
	3:  {"Q4_1", 32, 20},
	6:  {"Q5_0", 32, 22},
	7:  {"Q5_1", 32, 24},
	8:  {"Q8_0", 32, 34},
	9:  {"Q8_1", 32, 36},
	10: {"Q2_K", 256, 84},
	11: {"Q3_K", 256, 110},
	12: {"Q4_K", 256, 144},
	13: {"Q5_K", 256, 176},
	14: {"Q6_K", 256, 210},
	15: {"Q8_K", 256, 292},
	16: {"IQ2_XXS", 256, 66},
	17: {"IQ2_XS", 256, 74},
	18: {"IQ3_XXS", 256, 98},
	19: {"IQ1_S", 256, 50},
	20: {"IQ4_NL", 32, 18},
	21: {"IQ3_S", 256, 110},
	22: {"IQ2_S", 256, 82},
	23: {"IQ4_XS", 256, 136},
	24: {"I8", 1, 1},
	25: {"I16", 1, 2},
	26: {"I32", 1, 4},
	27: {"I64", 1, 8},
	28: {"F64", 1, 8},
	29: {"IQ1_M", 256, 56},
	30: {"BF16", 1, 2},
	31: {"Q4_0_4_4", 32, 18},
	32: {"Q4_0_4_8", 32, 18},
	33: {"Q4_0_8_8", 32, 18},
	34: {"TQ1_0", 256, 54},
	35: {"TQ2_0", 256, 66},
	36: {"IQ4_NL_4_4", 32, 18},
	37: {"IQ4_NL_4_8", 32, 18},
	38: {"IQ4_NL_8_8", 32, 18},
	39: {"MXFP4", 32, 17},
	40: {"NVFP4", 64, 36},
	41: {"Q1_0", 128, 18},
	42: {"Q2_0", 64, 18},
}

// Known reports whether the type's layout is known.
func (t Type) Known() bool { _, ok := layouts[t]; return ok }

// String is ggml's name, or "type 99" for a number without one.
func (t Type) String() string {
	if l, ok := layouts[t]; ok {
		return l.name
	}
	return fmt.Sprintf("type %d", uint32(t))
}

// Bytes is the size of so many weights in rows of the given length. It is an error for rows to end inside a block (ggml
// cannot store them), and for the size to exceed 64 bits. The type must be known.
func (t Type) Bytes(elements, row uint64) (uint64, error) {
	l := layouts[t]
	if row%l.block != 0 {
		return 0, fmt.Errorf("rows of %d do not fill the blocks of %d that %s is stored in", row, l.block, l.name)
	}
	hi, lo := bits.Mul64(elements/l.block, l.nbytes)
	if hi != 0 {
		return 0, fmt.Errorf("%d weights of %s exceed 64 bits of bytes", elements, l.name)
	}
	return lo, nil
}
