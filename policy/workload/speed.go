package workload

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
