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
	return o
}

// At sizes the model under the options.
func (m Model) At(o Options) Workload {
	o = o.filled(m)
	return Workload{
		Name:          m.Name,
		Params:        m.Params,
		ActiveParams:  m.ActiveParams,
		Context:       o.Context,
		KVBytes:       m.KVBytes(o),
		ComputeBytes:  m.ComputeBytes(o),
		KVType:        o.KV,
		LargestTensor: m.LargestTensor,
		Layers:        len(m.Layers),
		Model:         &m,
	}
}
