package prove

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// The proofs, in the order in which they are run.
const (
	Bandwidth = "bandwidth"
	Fusion    = "fusion"
	Precision = "precision"
	ZeroCopy  = "zero_copy"
	Tiles     = "tiles"
)

// Names are all proofs.
func Names() []string { return []string{Bandwidth, Fusion, Precision, ZeroCopy, Tiles} }

// Result is what was proven on one adapter with one driver.
type Result struct {
	Adapter string    `json:"adapter"`
	Backend string    `json:"backend,omitempty"`
	Driver  string    `json:"driver"`
	Date    time.Time `json:"date"`
	Effort  Effort    `json:"effort,omitempty"`
	Proofs  []Proof   `json:"proofs"`
}

// Find gives the proof of that name.
func (r Result) Find(name string) (Proof, bool) {
	i := slices.IndexFunc(r.Proofs, func(p Proof) bool { return p.Name == name })
	if i < 0 {
		return Proof{}, false
	}
	return r.Proofs[i], true
}

// Verified reports whether every proof agreed with the CPU.
func (r Result) Verified() bool {
	return len(r.Proofs) > 0 && !slices.ContainsFunc(r.Proofs, func(p Proof) bool { return !p.Verified })
}

// Proof is one proof's outcome. In JSON its figures are keys of the object itself, each with its unit at the end.
type Proof struct {
	Name string
	// Verified is whether the adapter's numbers agreed with the CPU's within the stated tolerance.
	Verified bool
	// MaxError is the largest relative difference from the CPU seen; NaN where nothing was compared.
	MaxError float64
	// Error is why the proof could not be finished, Cancelled among others; figures measured before that stay.
	Error string
	// Meaning is one sentence: what this says of the plan.
	Meaning string
	// Figures are measured and predicted numbers by key: fused_ms, bound_x, copy_gb_per_s.
	Figures map[string]float64
}

// Cancelled is the Error of a proof that was under way when the rest was called off.
const Cancelled = "cancelled before it was finished"

// Figure gives a figure and whether it was measured.
func (p Proof) Figure(key string) (float64, bool) {
	v, ok := p.Figures[key]
	return v, ok
}

// set records a figure; what is not finite was not measured.
func (p *Proof) set(key string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	if p.Figures == nil {
		p.Figures = map[string]float64{}
	}
	p.Figures[key] = v
}

// setTiming records a timing's median and spread under a key.
func (p *Proof) setTiming(key string, t Timing) {
	p.set(key+"_ms", t.Median()*1e3)
	p.set(key+spreadKey, t.Spread()*100)
}

// fixed are the keys that are not figures.
var fixed = []string{"name", "verified", "max_error", "error", "meaning"}

// MarshalJSON writes the fixed keys, then the figures in order of their names.
func (p Proof) MarshalJSON() ([]byte, error) {
	out := map[string]any{"name": p.Name, "verified": p.Verified, "max_error": nil}
	if !math.IsNaN(p.MaxError) && !math.IsInf(p.MaxError, 0) {
		out["max_error"] = p.MaxError
	}
	if p.Error != "" {
		out["error"] = p.Error
	}
	if p.Meaning != "" {
		out["meaning"] = p.Meaning
	}
	for k, v := range p.Figures {
		if !slices.Contains(fixed, k) {
			out[k] = v
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes; unknown keys that are not numbers are left out.
func (p *Proof) UnmarshalJSON(b []byte) error {
	var known struct {
		Name     string   `json:"name"`
		Verified bool     `json:"verified"`
		MaxError *float64 `json:"max_error"`
		Error    string   `json:"error"`
		Meaning  string   `json:"meaning"`
	}
	if err := json.Unmarshal(b, &known); err != nil {
		return fmt.Errorf("read a proof: %w", err)
	}
	var all map[string]any
	if err := json.Unmarshal(b, &all); err != nil {
		return fmt.Errorf("read a proof: %w", err)
	}
	*p = Proof{Name: known.Name, Verified: known.Verified, MaxError: math.NaN(), Error: known.Error, Meaning: known.Meaning}
	if known.MaxError != nil {
		p.MaxError = *known.MaxError
	}
	for _, k := range slices.Sorted(maps.Keys(all)) {
		if v, ok := all[k].(float64); ok && !slices.Contains(fixed, k) {
			p.set(k, v)
		}
	}
	return nil
}

// Effort says how long a proof may take and how large its data may be.
type Effort string

// The efforts. Check compares with the CPU and times next to nothing; Quick finishes all proofs in 20 s on a slow adapter.
const (
	Check    Effort = "check"
	Quick    Effort = "quick"
	Standard Effort = "standard"
	Full     Effort = "full"
)

// seconds is the time that the measuring of one proof may take.
func (e Effort) seconds() float64 {
	switch e {
	case Check:
		return 0.1
	case Quick:
		return 1.2
	case Full:
		return 40
	default:
		return 8
	}
}

// maxBytes is the size of one buffer at most.
func (e Effort) maxBytes() uint64 {
	switch e {
	case Check:
		return 4 << 20
	case Quick:
		return 64 << 20
	case Full:
		return 1 << 30
	default:
		return 256 << 20
	}
}

// brief is whether there is no time to try many kernels.
func (e Effort) brief() bool { return e == Quick || e == Check }
