package workload

// The options that are taken where none are given.
const (
	DefaultContext = 8192
	DefaultBatch   = 512
)

// filled gives the options that were left out their defaults.
func (o Options) filled(m Model) Options {
	if o.Context == 0 {
		o.Context = DefaultContext
		if m.MaxContext > 0 {
			o.Context = min(o.Context, m.MaxContext)
		}
	}
	if o.KV == "" {
		o.KV = KVF16
	}
	o.Sequences = max(o.Sequences, 1)
	if o.Batch == 0 {
		o.Batch = DefaultBatch
	}
	o.Batch = min(o.Batch, pad(o.Context, cellPad))
	return o
}

// At sizes the model under the options and lays its layer out as ops.
func (m Model) At(o Options) Workload {
	o = o.filled(m)
	w := m.Size(o)
	kinds := m.layerKinds()
	w.Decode = m.phase(kinds, 1, o)
	w.Prefill = m.phase(kinds, o.Batch, o)
	return w
}

// Size is At without the op sequences, for tables of many models. Weights that the model does not state are counted from its
// architecture.
func (m Model) Size(o Options) Workload {
	o = o.filled(m)
	total, active := m.Params, m.ActiveParams
	if total == 0 || active == 0 {
		counted, read := m.Count()
		if total == 0 {
			total = counted
		}
		if active == 0 {
			active = min(read, total)
		}
	}
	return Workload{
		Name:          m.Name,
		Params:        total,
		ActiveParams:  active,
		Context:       o.Context,
		KVBytes:       m.KVBytes(o),
		ComputeBytes:  m.ComputeBytes(o),
		KVType:        o.KV,
		LargestTensor: m.largest(),
		Layers:        len(m.Layers),
		Model:         &m,
	}
}
