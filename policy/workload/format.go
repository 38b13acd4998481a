package workload

import (
	"math"
	"slices"
	"strings"

	"headroom/policy"
)

// Format is a weight format that people download, with the bits that a weight takes on average over a whole file: scales,
// and the tensors that are kept finer, included.
type Format struct {
	Name          string
	BitsPerWeight float64
}

// formats are the finest first. Measured on Llama 3.1 8B, from llama.cpp's tools/quantize/README.md, except:
//   - F32: its definition. BF16: as wide as F16.
//   - Q4_0 and Q3_K_M, which that table lacks: llama-bench prints 4.33 and 3.74 GiB for the same model; the figures are those
//     of llama.cpp's recipes for them (Q4_0 with a Q6_K output matrix; Q3_K with Q4_K, Q5_K and Q6_K parts) to four digits.
//   - MXFP4: gpt-oss-120b, of which llama-bench prints 59.02 GiB for 116.83e9 weights.
var formats = []Format{
	{"F32", 32},
	{"F16", 16.0005},
	{"BF16", 16.0005},
	{"Q8_0", 8.5008},
	{"Q6_K", 6.5633},
	{"Q5_K_M", 5.7036},
	{"Q5_K_S", 5.5704},
	{"Q4_K_M", 4.8944},
	{"IQ4_NL", 4.6818},
	{"Q4_K_S", 4.6672},
	{"Q4_0", 4.6358},
	{"IQ4_XS", 4.4597},
	{"MXFP4", 4.3394},
	{"Q3_K_L", 4.2979},
	{"Q3_K_M", 3.9960},
	{"IQ3_M", 3.7628},
	{"IQ3_S", 3.6606},
	{"Q3_K_S", 3.6429},
	{"Q2_K", 3.1593},
	{"IQ2_M", 2.9294},
}

// vocabulary is the bits of a format's two largest matrices by llama.cpp's recipes: the embedding, and the output, which is
// finer. Where a model's output is its embedding, that one is as fine.
type vocabulary struct{ embedding, output float64 }

// Bits of the types that stand in such matrices.
const (
	q2k, q3k, iq3s, iq4xs, q4, q5k, q6k = 2.625, 3.4375, 3.4375, 4.25, 4.5, 5.5, 6.5625
)

var vocabularies = map[string]vocabulary{
	"Q6_K": {q6k, q6k}, "Q5_K_M": {q5k, q6k}, "Q5_K_S": {q5k, q6k}, "Q4_K_M": {q4, q6k}, "IQ4_NL": {q4, q6k}, "Q4_K_S": {q4, q6k},
	"Q4_0": {q4, q6k}, "IQ4_XS": {iq4xs, q6k}, "Q3_K_L": {q3k, q6k}, "Q3_K_M": {q3k, q6k}, "IQ3_M": {iq3s, q6k}, "IQ3_S": {iq3s, q6k},
	"Q3_K_S": {q3k, q6k}, "Q2_K": {q2k, q6k}, "IQ2_M": {iq3s, q5k},
}

// narrow is the bits of what stands in for a type where a matrix's rows are no multiple of the 256 weights of its blocks.
func narrow(bits float64) float64 {
	switch {
	case bits > 6:
		return 8.5
	case bits > 5:
		return 6
	case bits > 4.3:
		return 5.5
	default:
		return 4.5
	}
}

// The weights of Llama 3.1 8B, which the averages were measured on, and of either of its two large matrices.
const measuredParams, measuredMatrix = 8_030_261_248, 128_256 * 4096

// Formats are the known weight formats, the finest first.
func Formats() []Format { return slices.Clone(formats) }

// FormatNamed finds a format by its name, in any case.
func FormatNamed(name string) (Format, bool) {
	i := slices.IndexFunc(formats, func(f Format) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// FormatOf is the format in which weights of the precision are most often downloaded.
func FormatOf(p policy.Precision) Format {
	name := [...]string{policy.F32: "F32", policy.F16: "F16", policy.Q8: "Q8_0", policy.Q4: "Q4_K_M"}[min(p, policy.Q4)]
	f, _ := FormatNamed(name)
	return f
}

// Of is what the model takes in the format, by its architecture. MXFP4 packs the experts of a mixture alone: what else there is stays in Q8_0, and
// the biases of the experts in f32, so that the average hangs on how much of a model its experts are.
func (f Format) Of(m Model) uint64 {
	var experts, biases uint64
	for i := range m.Layers {
		l := &m.Layers[i]
		if l.Experts == 0 {
			continue
		}
		one := mul(l.inner(), m.Embedding, l.ExpertFeedForward)
		experts = add(experts, mul(l.Experts, one))
		biases = add(biases, mul(l.Experts, l.matrices(m.Embedding, l.ExpertFeedForward)-one))
	}
	if f.Name != "MXFP4" || experts == 0 || add(experts, biases) > m.Params {
		return f.byMatrices(m)
	}
	return add(mul(experts/block, 17), mul(biases, 4), mul((m.Params-experts-biases)/block, 34))
}

// byMatrices counts the embedding and the output in their own types, and the rest at what the measured average leaves for it:
// small models are their vocabulary for a good part, and a model whose output is its embedding has one such matrix, not two.
func (f Format) byMatrices(m Model) uint64 {
	v, ok := vocabularies[f.Name]
	matrix := float64(m.Vocab) * float64(m.Embedding)
	two := 2.0
	if m.TiedEmbeddings {
		two = 1
	}
	if !ok || matrix == 0 || two*matrix >= float64(m.Params) {
		return f.Bytes(m.Params)
	}
	rest := (f.BitsPerWeight*measuredParams - (v.embedding+v.output)*measuredMatrix) / (measuredParams - 2*measuredMatrix)
	if m.Embedding%256 != 0 {
		v.embedding, v.output = narrow(v.embedding), narrow(v.output)
		// Types in blocks of 32 need no other.
		if f.Name != "Q4_0" && f.Name != "IQ4_NL" {
			rest = narrow(rest)
		}
	}
	bits := matrix*v.output + (float64(m.Params)-two*matrix)*rest
	if !m.TiedEmbeddings {
		bits += matrix * v.embedding
	}
	return (Format{BitsPerWeight: bits / float64(m.Params)}).Bytes(m.Params)
}

// Bytes is what that many weights take in the format, rounded up and saturated at the largest uint64.
func (f Format) Bytes(params uint64) uint64 {
	n := math.Ceil(float64(params) * f.BitsPerWeight / 8)
	if n >= 1<<64 {
		return math.MaxUint64
	}
	return uint64(n)
}
