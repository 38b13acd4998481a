package workload

// Count adds up the weights of the architecture: all of them, and those that one token reads (all but the experts that its
// router leaves out).
func (m Model) Count() (total, active uint64) {
	matrix := mul(m.Vocab, m.Embedding)
	total = add(matrix, m.norm(m.Embedding), m.ExtraParams)
	if !m.TiedEmbeddings {
		total = add(total, matrix)
	}
	active = total
	for i := range m.Layers {
		l := &m.Layers[i]
		dense := add(mul(l.norms(), m.norm(m.Embedding)), l.mixer(m), l.dense(m.Embedding), l.ExtraParams)
		expert := l.matrices(m.Embedding, l.ExpertFeedForward)
		total = add(total, dense, mul(l.Experts, expert))
		active = add(active, dense, mul(min(l.ExpertsUsed, l.Experts), expert))
	}
	return total, active
}

// norm is the weights of one norm over n elements.
func (m Model) norm(n uint64) uint64 {
	if m.NormBias {
		return mul(2, n)
	}
	return n
}

// norms is the layer's norms over the embedding: one before each of its parts, one more after each with PostNorm.
func (l *Layer) norms() uint64 {
	n := uint64(1)
	if l.hasFeedForward() && !l.Parallel {
		n++
	}
	if l.PostNorm {
		n *= 2
	}
	return n
}

func (l *Layer) hasFeedForward() bool {
	return l.FeedForward > 0 || l.Experts > 0 || l.SharedFeedForward > 0
}

// mixer is the weights of attention, and of what stands in its place or beside it.
func (l *Layer) mixer(m Model) uint64 {
	n := l.MixerParams
	if !l.Attention {
		return n
	}
	e := m.Embedding
	queries, values := mul(l.Heads, l.KeyLength), mul(l.Heads, l.ValueLength)
	n = add(n, mul(values, e))
	if l.OutputBias {
		n = add(n, e)
	}
	if l.Sinks {
		n = add(n, l.Heads)
	}
	if l.AttentionGate {
		n = add(n, mul(e, values))
	}
	if l.KVRank > 0 {
		return add(n, l.latent(m, queries, values))
	}
	var keyRows, valueRows uint64
	if !l.SharesKV {
		keyRows, valueRows = mul(l.KVHeads, l.KeyLength), mul(l.KVHeads, l.ValueLength)
	}
	if l.KeyIsValue {
		valueRows = 0
	}
	rows := add(queries, keyRows, valueRows)
	n = add(n, mul(e, rows))
	if l.QKVBias {
		n = add(n, rows)
	}
	switch l.QKNorm {
	case QKNormHead:
		n = add(n, m.norm(l.KeyLength))
		if !l.SharesKV {
			n = add(n, m.norm(l.KeyLength))
		}
	case QKNormFull:
		n = add(n, m.norm(queries), m.norm(keyRows))
	}
	return n
}

// latent is the weights of compressed queries, keys and values: the way down, a norm, the way up.
func (l *Layer) latent(m Model, queries, values uint64) uint64 {
	rope := min(l.RopeLength, l.KVRank, l.KeyLength)
	kv := l.KVRank - rope
	up := add(mul(l.Heads, l.KeyLength-rope), values)
	n := add(mul(m.Embedding, l.KVRank), m.norm(kv), mul(kv, up))
	if l.QueryRank == 0 {
		return add(n, mul(m.Embedding, queries))
	}
	return add(n, mul(m.Embedding, l.QueryRank), m.norm(l.QueryRank), mul(l.QueryRank, queries))
}

// dense is the weights of the feed-forward part that every token reads: the dense part, shared experts, the router.
func (l *Layer) dense(e uint64) uint64 {
	var n uint64
	if l.FeedForward > 0 {
		n = add(n, l.matrices(e, l.FeedForward))
	}
	if l.SharedFeedForward > 0 {
		n = add(n, l.matrices(e, l.SharedFeedForward))
	}
	if l.SharedGate {
		n = add(n, e)
	}
	n = add(n, mul(e, l.Experts))
	if l.RouterBias {
		n = add(n, l.Experts)
	}
	return n
}

// matrices is the weights of one feed-forward block of the width: up, down and, unless ungated, gate.
func (l *Layer) matrices(e, width uint64) uint64 {
	n := mul(l.inner(), e, width)
	if l.FeedForwardBias {
		n = add(n, mul(l.inner()-1, width), e)
	}
	return n
}

func (l *Layer) inner() uint64 {
	if l.Ungated {
		return 2
	}
	return 3
}

// largest is the elements of the largest single tensor; a layer's experts are stacked into one, as GGUF stores them.
func (m Model) largest() uint64 {
	if m.LargestTensor > 0 {
		return m.LargestTensor
	}
	n := mul(m.Vocab, m.Embedding)
	for i := range m.Layers {
		l := &m.Layers[i]
		n = max(n, mul(m.Embedding, max(l.FeedForward, l.SharedFeedForward, mul(l.Heads, l.KeyLength))),
			mul(m.Embedding, l.ExpertFeedForward, l.Experts))
	}
	return n
}
