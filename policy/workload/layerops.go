package workload

import "strings"

// layerSteps are the ops of one layer in order, for that many tokens at once at the context.
func (m *Model) layerSteps(l *Layer, tokens uint64, o Options) []step {
	s := &steps{list: make([]step, 0, 40), tokens: tokens}
	e := m.Embedding
	s.norm(e)
	if l.Attention {
		s.attention(l, e, o)
	}
	if l.MixerParams > 0 || !l.Attention {
		s.recurrent(l, e)
	}
	if l.PostNorm {
		s.norm(e)
	}
	s.elementwise("add", 2, e)
	if !l.hasFeedForward() {
		return s.list
	}
	if !l.Parallel {
		s.norm(e)
	}
	act := "silu"
	if strings.HasPrefix(m.Arch, "gemma") {
		act = "gelu"
	}
	if l.FeedForward > 0 {
		s.block(l, e, l.FeedForward, 1, 1, act)
	}
	if l.Experts > 0 {
		s.experts(l, e, act)
	}
	if l.SharedFeedForward > 0 {
		s.block(l, e, l.SharedFeedForward, 1, 1, act)
		if l.SharedGate {
			s.elementwise("gate", 2, e)
		}
		s.elementwise("add", 2, e)
	}
	if l.PostNorm {
		s.norm(e)
	}
	s.elementwise("add", 2, e)
	return s.list
}

// norm is the reduction and the multiplication by its scale.
func (s *steps) norm(dims ...uint64) {
	s.reduce("norm", dims...)
	s.elementwise("scale", 1, dims...)
}

func (s *steps) attention(l *Layer, e uint64, o Options) {
	queries, values := mul(l.Heads, l.KeyLength), mul(l.Heads, l.ValueLength)
	if l.KVRank > 0 {
		s.latentProjections(l, e)
	} else {
		s.projections(l, e)
	}

	// Latent attention compares with and sums up compressed rows, which all heads share.
	in, out := queries, values
	if l.KVRank > 0 {
		in = mul(l.Heads, l.KVRank)
		out = mul(l.Heads, l.KVRank-min(l.RopeLength, l.KVRank))
	}
	seen := o.Context
	if l.Window > 0 {
		seen = min(seen, add(l.Window, s.tokens-1))
	}
	keyRow, valueRow := l.cacheRows(o.KV)
	if l.KVRank > 0 {
		valueRow = keyRow
	}
	scores := s.rows([]uint64{l.Heads, seen})
	s.barrier("q·kᵀ", scores, add(mul(in, s.tokens, activation), mul(keyRow, seen), mul(scores.elements(), activation)))
	s.elementwise("scale", 1, l.Heads, seen)
	s.elementwise("mask", 2, l.Heads, seen)
	s.reduce("softmax", l.Heads, seen)
	result := s.rows([]uint64{out})
	s.barrier("·v", result, add(mul(scores.elements(), activation), mul(valueRow, seen), mul(result.elements(), activation)))

	if l.KVRank > 0 {
		s.product("v up", matrices{l.Heads, out / max(l.Heads, 1), l.ValueLength}, out, values)
	}
	if l.AttentionGate {
		s.elementwise("sigmoid", 1, values)
		s.elementwise("gate", 2, values)
	}
	s.product("proj", matrices{1, values, e}, values, e)
	if l.OutputBias {
		s.elementwise("bias", 1, e)
	}
}

// projections make queries, keys and values in one product, and turn queries and keys by their position.
func (s *steps) projections(l *Layer, e uint64) {
	queries := mul(l.Heads, l.KeyLength)
	turned, all := queries, queries
	if !l.SharesKV {
		turned = add(queries, mul(l.KVHeads, l.KeyLength))
		all = add(turned, mul(l.KVHeads, l.ValueLength))
	}
	wide := all
	if l.AttentionGate {
		wide = add(all, mul(l.Heads, l.ValueLength))
	}
	name := "q·k·v"
	if l.SharesKV {
		name = "q"
	}
	s.product(name, matrices{1, e, wide}, e, wide)
	if l.QKVBias {
		s.elementwise("bias", 1, all)
	}
	if l.QKNorm != "" {
		s.norm(turned)
	}
	s.elementwise("rope", 1, turned)
}

// latentProjections make compressed rows of queries, keys and values, and bring the queries to the width of the compressed
// keys, so that keys and values never need to be unpacked.
func (s *steps) latentProjections(l *Layer, e uint64) {
	queries, in := mul(l.Heads, l.KeyLength), e
	rope := min(l.RopeLength, l.KVRank, l.KeyLength)
	if l.QueryRank > 0 {
		down := add(l.QueryRank, l.KVRank)
		s.product("q·kv down", matrices{1, e, down}, e, down)
		s.norm(add(l.QueryRank, l.KVRank-rope))
		in = l.QueryRank
	} else {
		s.product("kv down", matrices{1, e, l.KVRank}, e, l.KVRank)
		s.norm(l.KVRank - rope)
	}
	s.product("q up", matrices{1, in, queries}, in, queries)
	s.elementwise("rope", 1, add(l.Heads, 1), rope)
	absorbed := matrices{l.Heads, l.KeyLength - rope, l.KVRank - rope}
	s.product("k absorb", absorbed, mul(absorbed.count, absorbed.in), absorbed.count, absorbed.out)
}

// recurrent is a mixer without a KV cache: a projection in, a short convolution, a scan over the state, a gate, a
// projection out. Kinds differ in detail; their barriers do not.
func (s *steps) recurrent(l *Layer, e uint64) {
	width := l.MixerWidth
	if width == 0 {
		width = e
	}
	s.product("in", matrices{1, e, mul(2, width)}, e, mul(2, width))
	s.reduce("conv", width)
	s.elementwise("silu", 1, width)
	s.barrier("scan", s.rows([]uint64{width}), add(mul(2, width, s.tokens, activation), mul(2, l.StateBytes)))
	s.elementwise("gate", 2, width)
	s.product("out", matrices{1, width, e}, width, e)
}

// block is one feed-forward block: up and gate in one product, their activation and product, down. Each token passes
// through that many experts' blocks, of stored ones that the batch takes together; both are 1 outside a mixture.
func (s *steps) block(l *Layer, e, width, experts, stored uint64, act string) {
	name, up := "up·gate", mul(2, width)
	if l.Ungated {
		name, up = "up", width
	}
	s.product(name, matrices{stored, e, up}, e, experts, up)
	if l.FeedForwardBias {
		s.elementwise("bias", 1, experts, up)
	}
	s.elementwise(act, 1, experts, width)
	if !l.Ungated {
		s.elementwise("mul", 2, experts, width)
	}
	s.product("down", matrices{stored, width, e}, mul(experts, width), experts, e)
	if l.FeedForwardBias {
		s.elementwise("bias", 1, experts, e)
	}
}

// experts is a mixture: the router picks, the picked blocks run, their results are weighed and summed.
func (s *steps) experts(l *Layer, e uint64, act string) {
	used := min(max(l.ExpertsUsed, 1), l.Experts)
	s.floatProduct("router", e, l.Experts)
	if l.RouterBias {
		s.elementwise("bias", 1, l.Experts)
	}
	s.reduce("softmax", l.Experts)
	s.barrier("top k", s.rows([]uint64{used}), mul(add(l.Experts, used), s.tokens, activation))
	s.block(l, e, l.ExpertFeedForward, used, min(mul(used, s.tokens), l.Experts), act)
	s.elementwise("weigh", 1, used, e)
	s.barrier("sum", s.rows([]uint64{e}), mul(add(used, 1), e, s.tokens, activation))
}
