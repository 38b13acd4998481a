package workload

// Scratch elements are f32; a mask has f16 elements; a batch's token ids, positions and cache indices are 28 bytes a token.
const (
	scratchBytes = 4
	maskBytes    = 2
	inputBytes   = 28
	// An encoder has token ids, positions and places in the sequence, and no cache to index.
	encoderInputBytes = 12
)

// ComputeBytes is the scratch memory of one pass over a batch as llama.cpp allocates it with flash attention, and the
// buffer that hands the logits out. Scratch is reused from op to op, so the widest moment counts: either the logits, beside
// the hidden state before and after the last norm, or the widest layer beside the attention masks. The widths were derived
// from measured runs (testdata): they meet most of them to the byte and each total within 2 %.
func (m Model) ComputeBytes(o Options) uint64 {
	o = o.filled(m)
	if m.Encoder {
		return add(m.encoderBytes(o), m.OutputBytes(o))
	}
	logits := mul(add(m.Vocab, mul(2, m.Embedding)), scratchBytes)
	var width, full, windowed uint64
	for i := range m.Layers {
		if i > 0 && m.Layers[i] == m.Layers[i-1] {
			continue
		}
		l := &m.Layers[i]
		width = max(width, l.width(m.Embedding))
		switch {
		case !l.Attention:
		case l.Window == 0:
			full = l.cells(o)
		default:
			windowed = max(windowed, l.cells(o))
		}
	}
	layer := add(mul(width, scratchBytes), mul(add(full, windowed), maskBytes), inputBytes)
	batch := o.Batch
	if windowed > 0 {
		batch++
	}
	return add(mul(max(logits, layer), batch), m.OutputBytes(o))
}

// encoderBytes is the scratch memory of an encoder, which has no logits and masks the batch with itself: the widest layer, be it
// at its attention (residual, queries, keys and values, the latter two once more in f16) or at its feed-forward part. It meets
// measured runs of BERT and of Nomic's BERT to the hundredth of a MiB that is printed.
func (m Model) encoderBytes(o Options) uint64 {
	var width uint64
	for i := range m.Layers {
		l := &m.Layers[i]
		inner := l.FeedForward
		if !l.Ungated {
			inner = mul(3, inner)
		}
		width = max(width, mul(11, m.Embedding)/2, add(inner, mul(3, m.Embedding)))
	}
	return mul(add(mul(width, scratchBytes), mul(o.Batch, maskBytes), encoderInputBytes), o.Batch)
}

// OutputBytes is the buffer that hands the logits of each sequence's last token out.
func (m Model) OutputBytes(o Options) uint64 {
	return mul(m.Vocab, scratchBytes, o.filled(m).Sequences)
}

// width is the scratch elements that one token of a batch takes at the layer's widest moment.
func (l *Layer) width(embedding uint64) uint64 {
	return max(l.mixerWidth(embedding), l.feedForwardWidth(embedding))
}

// mixerWidth is that of attention (residual, norm and result beside queries before and after rope, and keys), or of the
// recurrent mixer in its place.
func (l *Layer) mixerWidth(embedding uint64) uint64 {
	if !l.Attention {
		return add(mul(3, embedding), mul(2, l.MixerWidth))
	}
	queries, keys := mul(l.Heads, l.KeyLength), mul(l.KVHeads, l.KeyLength)
	if l.KVRank > 0 {
		queries, keys = mul(l.Heads, l.KVRank), l.KVRank
	}
	return add(mul(3, embedding), mul(2, queries), keys)
}

// feedForwardWidth is that of up, gate and their product beside four rows of the embedding. A mixture holds them for each
// expert in use, and each one's result too where that is wider than the space which up and gate leave.
func (l *Layer) feedForwardWidth(embedding uint64) uint64 {
	inner := max(l.FeedForward, l.SharedFeedForward)
	if l.Experts == 0 {
		return add(mul(3, inner), mul(4, embedding))
	}
	used := mul(l.ExpertsUsed, l.ExpertFeedForward)
	width := add(mul(3, max(inner, used)), mul(4, embedding))
	if embedding > mul(2, l.ExpertFeedForward) {
		width = add(width, mul(l.ExpertsUsed, embedding), embedding)
	}
	return width
}
