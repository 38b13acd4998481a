package cli

import (
	"fmt"
	"strings"

	"headroom/policy/workload"
	"headroom/ui/frame"
)

// rowText is one model on one page: the verdict, then the sum behind it, then the rest.
func rowText(f frame.Frame, r frame.Row) string {
	var b strings.Builder
	fmt.Fprintln(&b, modelWords(r))
	fmt.Fprintln(&b, r.Verdict()+".")
	if change := r.Change(); change != "" {
		fmt.Fprintln(&b, change)
	}
	l := r.Ledger()
	rows := [][]string{{"weights", l.Weights.Text + " " + l.Unit, formatWords(r)}}
	if r.Context > 0 {
		cache := frame.Count(r.Context) + " tokens in " + string(r.KVType)
		if r.Model.Encoder {
			cache = "none: it gives embeddings, and keeps nothing"
		}
		rows = append(rows,
			[]string{"+ KV cache", l.KV.Text + " " + l.Unit, cache},
			[]string{"+ compute buffers", l.Compute.Text + " " + l.Unit, "a batch of " + frame.Count(min(workload.DefaultBatch, r.Context)) + " tokens"})
	}
	rows = append(rows, []string{"= needed", l.Need.Text + " " + l.Unit})
	if r.Fit != frame.FitUnknown {
		rows = append(rows, []string{"free now", l.FreeTotal.Text + " " + l.Unit, f.Budget.Memory.Source})
		if l.Short.Exact > 0 {
			rows = append(rows, []string{"missing", l.Words(l.Short)})
		} else {
			rows = append(rows, []string{"left", l.Words(l.Left)})
		}
	}
	section(&b, "Memory", rows)
	rows = nil
	if r.Context > 0 {
		rows = append(rows, []string{"largest context", contextWords(r)})
	}
	if r.Fit != frame.FitNone {
		rows = append(rows, []string{"tiles", frame.Count(uint64(r.Tiles))})
	}
	if r.Stream.Bytes > 0 {
		rows = append(rows, []string{"streams", r.Stream.Words()})
	}
	if r.Types != "" {
		rows = append(rows, []string{"stored as", r.Types})
	}
	rows = append(rows, []string{"speed", joined(r.Speed.Words(), r.Speed.Basis)})
	if r.Model.Source != "" {
		rows = append(rows, []string{"source", r.Model.Source})
	}
	if note := noteWords(r); note != "" {
		rows = append(rows, []string{"note", note})
	}
	section(&b, "Here", rows)
	return b.String()
}

// modelWords is what the model is: "Llama 3.1 8B · 8.03 B weights · Q4_K_M".
func modelWords(r frame.Row) string {
	weights := frame.Params(r.Model.Params) + " weights"
	if a := r.Model.ActiveParams; a > 0 && a < r.Model.Params {
		weights += ", " + frame.Params(a) + " of them active"
	}
	if r.Context == 0 {
		return joined(weights, r.Format)
	}
	return joined(r.Model.Name, weights, r.Format)
}

// formatWords is how large a weight is on average, and whether that was counted.
func formatWords(r frame.Row) string {
	if r.Model.Params == 0 {
		return r.Format
	}
	bits := fmt.Sprintf("%s, %.2f bits a weight", r.Format, float64(r.Weights)*8/float64(r.Model.Params))
	if r.Exact {
		return bits + ", counted"
	}
	return bits + ", as files of it usually are"
}

func contextWords(r frame.Row) string {
	if r.MaxContext == 0 {
		return "none"
	}
	words := frame.Count(r.MaxContext) + " tokens"
	if r.MaxContext == r.Model.MaxContext {
		words += ", the model's own"
	}
	return words
}

// noteWords is what a user should know of the model besides.
func noteWords(r frame.Row) string {
	var notes []string
	if r.Missing > 0 {
		notes = append(notes, frame.Bytes(r.Missing)+" of its weights are missing: the download is not complete")
	}
	if r.Model.MaxContext > 0 && r.Context > r.Model.MaxContext {
		notes = append(notes, fmt.Sprintf("the context is longer than the %s tokens that it was made for", frame.Count(r.Model.MaxContext)))
	}
	if r.Model.Note != "" {
		notes = append(notes, r.Model.Note)
	}
	return strings.Join(notes, "; ")
}

// freeWords is what the rows were compared with.
func freeWords(f frame.Frame) string {
	if !f.MemoryKnown() {
		return "The free memory is unknown."
	}
	m := f.Budget.Memory
	return fmt.Sprintf("Free now for the %s: %s (%s).", strings.ToUpper(f.Budget.Device.String()), frame.Bytes(m.Free), m.Source)
}
