package workload

import "headroom/policy"

// Range is a figure with its bounds.
type Range struct{ Low, High float64 }

// ReadParams is the weights that one token reads: the active ones, without the embedding matrix where it is not the output
// matrix too, for a token looks up one row of it.
func (w Workload) ReadParams() uint64 {
	if w.Model == nil || w.Model.TiedEmbeddings {
		return w.ActiveParams
	}
	lookup := mul(w.Model.Vocab, w.Model.Embedding)
	return w.ActiveParams - min(lookup, w.ActiveParams)
}

// TokensPerSecond bounds how fast one sequence can be written by the bytes that each token reads: the weights, and the cache
// so far, which is empty at first (High) and full at last (Low). weights and cache are bytes, bandwidth is bytes a second.
// It is a ceiling, for arithmetic and overhead come on top. Without weights or bandwidth there is no bound: ok is false.
func TokensPerSecond(weights, cache uint64, bandwidth Range) (r Range, ok bool) {
	if weights == 0 || !(bandwidth.Low > 0) || !(bandwidth.High >= bandwidth.Low) {
		return Range{}, false
	}
	return Range{
		Low:  bandwidth.Low / (float64(weights) + float64(cache)),
		High: bandwidth.High / float64(weights),
	}, true
}

// Products is how fast weights are multiplied by a vector at one precision, as measured.
type Products struct {
	// Weights is weights a second.
	Weights Range
	// Cache is how fast the KV cache is read, in bytes a second, Pass what one pass of the plan (a dispatch) costs beside its
	// work, in seconds; 0 leaves either out.
	Cache, Pass float64
}

// DecodeSpeed bounds the tokens a second of one sequence by measured products: at most as fast as the weights of a token
// are multiplied, at least as slow as with the whole cache read and each pass paid besides. Without weights or products ok
// is false.
func (w Workload) DecodeSpeed(p policy.Precision, m Products) (r Range, ok bool) {
	if w.ActiveParams == 0 {
		w.ActiveParams = w.Params
	}
	read := float64(w.ReadParams())
	if read == 0 || !(m.Weights.Low > 0) || !(m.Weights.High >= m.Weights.Low) {
		return Range{}, false
	}
	slowest := read / m.Weights.Low
	if m.Cache > 0 {
		slowest += float64(w.KVBytes) / m.Cache
	}
	if m.Pass > 0 {
		slowest += float64(w.Decode[p].WholePasses) * m.Pass
	}
	return Range{Low: 1 / slowest, High: m.Weights.High / read}, true
}
