package frame

import (
	"fmt"
	"strings"

	"headroom/policy"
)

// Verdict is the whole answer in plain words.
type Verdict struct {
	// Headline is one sentence: "Runs at q8 on the GPU · 9 to 12 tokens/s · 8.8 of 21.7 GiB", without the speed where nothing
	// was measured that bounds it, or "Nothing fits: q4 in 9 tiles on the GPU".
	// Before and After are the text around Precision, which faces may colour; where the free memory is unknown, Before is
	// the whole sentence.
	Before, Precision, After string
	// Because says what holds it back: "Held back by heat: 3.2 °C of headroom is under 5 °C, so f32 and f16 are off."
	Because string
	// Change says what would change it: "1.8 °C more gives f16."; it names an assumed input and the value that would flip it.
	Change string
	// Assumed are the inputs that rest on an assumption, each in a few words; empty when none does.
	Assumed []string
	// Pinned are the inputs that the user holds.
	Pinned []string
}

// Headline is the sentence in one piece.
func (v Verdict) Headline() string { return v.Before + v.Precision + v.After }

// Verdict puts the Frame's plan into words.
func (f Frame) Verdict() Verdict {
	v := Verdict{Because: f.holdsBack(), Change: f.change(), Assumed: f.assumedWords(), Pinned: f.pinnedWords()}
	l := f.Ledger()
	where := " on the " + strings.ToUpper(f.Plan.Backend.String())
	switch {
	case !f.MemoryKnown():
		v.Before = "Cannot say what runs: the free memory is unknown"
	case f.Plan.Fits:
		v.Before, v.Precision = "Runs at ", f.Plan.Precision.String()
		if s := f.Speed(); s.Low.Known() {
			where += " · " + s.Words()
		}
		v.After = fmt.Sprintf("%s · %s of %s %s", where, l.Used.Text, l.FreeTotal.Text, l.Unit)
	default:
		v.Before, v.Precision = "Nothing fits: ", f.Plan.Precision.String()
		v.After = where
		if f.Plan.Tiles > 1 {
			v.After = " in " + Count(uint64(f.Plan.Tiles)) + " tiles" + where
		}
	}
	return v
}

// holdsBack says what keeps the plan from a finer precision.
func (f Frame) holdsBack() string {
	r := f.Plan.Reasons[policy.DecidePrecision]
	if !f.MemoryKnown() {
		return sentence(f.precisionWords(r))
	}
	switch r.Kind {
	case policy.PrecisionFinest:
		l := f.Ledger()
		return fmt.Sprintf("Nothing holds it back: f32 fits with %s to spare.", l.Words(l.Left))
	case policy.PrecisionHeldByHeat:
		return "Held back by heat: " + f.heatHolds() + ", so f32 and f16 are off."
	case policy.PrecisionHeldByPower:
		return "Held back by power: " + f.powerHolds() + ", so f32 and f16 are off."
	case policy.PrecisionHeldByBoth:
		return "Held back by heat and power: " + f.heatHolds() + " and " + f.powerHolds() + ", so f32 and f16 are off."
	}
	by := "Held back by memory"
	if r.Kind == policy.PrecisionFinerTooBig && !f.Plan.Rungs[r.Other].Allowed {
		// It would be off even if it fitted.
		if f.Plan.TightHeat {
			return by + " and heat: " + f.precisionWords(r) + "; " + f.heatHolds() + "."
		}
		return by + " and power: " + f.precisionWords(r) + "; " + f.powerHolds() + "."
	}
	return by + ": " + f.precisionWords(r) + "."
}

// sentence begins with a capital, unless with a precision's name, and ends with a full stop.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	for p := policy.F32; p <= policy.Q4; p++ {
		if strings.HasPrefix(s, p.String()+" ") {
			return s + "."
		}
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
