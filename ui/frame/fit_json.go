package frame

import "headroom/sensors"

// RowJSON is a Row as JSON: the contract of size and models. Unknown is null.
type RowJSON struct {
	Name         string  `json:"name"`
	Format       string  `json:"format"`
	Params       uint64  `json:"params"`
	ActiveParams uint64  `json:"active_params"`
	Context      *uint64 `json:"context"`
	KVType       *string `json:"kv_type"`
	// WeightsBytes + KVBytes + ComputeBytes is TotalBytes.
	WeightsBytes uint64 `json:"weights_bytes"`
	// WeightsExact is whether the weights were counted in a file; MissingBytes is what that file lacks of them.
	WeightsExact    bool      `json:"weights_exact"`
	BitsPerWeight   *float64  `json:"bits_per_weight"`
	MissingBytes    uint64    `json:"missing_bytes"`
	KVBytes         uint64    `json:"kv_bytes"`
	ComputeBytes    uint64    `json:"compute_bytes"`
	TotalBytes      uint64    `json:"total_bytes"`
	FreeBytes       *uint64   `json:"free_bytes"`
	Fit             string    `json:"fit"`
	Tiles           uint32    `json:"tiles"`
	Stream          *FlowJSON `json:"stream"`
	MaxContext      *uint64   `json:"max_context"`
	TokensPerSecond SpeedJSON `json:"tokens_per_second"`
	Verdict         string    `json:"verdict"`
	Change          string    `json:"change"`
	Source          string    `json:"source"`
	// From is the program or folder that keeps the model here; null where it is not here.
	From *string `json:"from"`
	Note string  `json:"note"`
}

// FlowJSON is what streams for each token; null where nothing does.
type FlowJSON struct {
	Bytes       uint64  `json:"bytes_per_token"`
	Seconds     float64 `json:"seconds_per_token"`
	RateAssumed bool    `json:"rate_assumed"`
}

// SpeedJSON is a range in tokens a second; null with the reason in basis where nothing was measured.
type SpeedJSON struct {
	Low   sensors.Number `json:"low"`
	High  sensors.Number `json:"high"`
	Basis string         `json:"basis"`
}

// JSON is the row as the JSON contract has it.
func (r Row) JSON() RowJSON {
	m := r.Model
	j := RowJSON{
		Name: m.Name, Format: r.Format, Params: m.Params, ActiveParams: m.ActiveParams,
		WeightsBytes: r.Weights, WeightsExact: r.Exact, MissingBytes: r.Missing,
		KVBytes: r.KVBytes, ComputeBytes: r.ComputeBytes, TotalBytes: r.Total,
		Fit: r.Fit.String(), Tiles: r.Tiles,
		TokensPerSecond: SpeedJSON(r.Speed), Verdict: r.Verdict(), Change: r.Change(), Source: m.Source, From: text(r.From), Note: m.Note,
	}
	if j.ActiveParams == 0 {
		j.ActiveParams = m.Params
	}
	if m.Params > 0 {
		j.BitsPerWeight = ptr(float64(r.Weights) * 8 / float64(m.Params))
	}
	if !r.bare() {
		j.Context, j.KVType = ptr(r.Context), ptr(string(r.KVType))
	}
	if r.Fit != FitUnknown {
		j.FreeBytes = ptr(r.Free)
	}
	if r.MaxContext > 0 {
		j.MaxContext = ptr(r.MaxContext)
	}
	if r.Stream.Bytes > 0 {
		j.Stream = &FlowJSON{Bytes: r.Stream.Bytes, Seconds: r.Stream.Seconds(), RateAssumed: r.Stream.Assumed}
	}
	return j
}
