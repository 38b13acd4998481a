//go:build cgo && !nogui

package window

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// modelRow is one line of the Models page: a model and what this machine would run it at now.
type modelRow struct {
	Model  workload.Model
	Plan   policy.Plan
	Need   uint64 // weights at the precision, KV cache and compute buffers, in bytes
	Budget uint64 // what is free for all of it, in bytes
	Chosen bool
	fit    fit
}

// fit sorts models by how well they run here.
type fit uint8

// The fits, best first.
const (
	fitFinest fit = iota
	fitReduced
	fitTiled
	fitNot
)

// fitOf says how a plan fits: whole at f32 or f16, whole at fewer bits, or not at all, in tiles where there is a GPU.
func fitOf(p policy.Plan) fit {
	switch {
	case p.Fits && p.Precision <= policy.F16:
		return fitFinest
	case p.Fits:
		return fitReduced
	case p.Backend == policy.GPU && p.Tiles > 1:
		return fitTiled
	}
	return fitNot
}

// word is the fit in words: colour is never alone.
func (r modelRow) word() string {
	switch r.fit {
	case fitFinest, fitReduced:
		if r.Plan.Tight {
			return "fits, held down"
		}
		return "fits"
	case fitTiled:
		return fmt.Sprintf("no fit: %d tiles", r.Plan.Tiles)
	}
	return "does not fit"
}

// modelKey is what the rows depend on: while it does not change, neither do they.
type modelKey struct {
	ready       bool
	budget      policy.PowerThermalBudget
	host        policy.HostCapabilities
	free        uint64
	name        string
	params, ctx uint64
	kv          workload.KVType
	shown       int
}

func (e *engine) modelRows(f frame.Frame) []modelRow {
	w := f.Settings.Workload
	key := modelKey{
		ready: true, budget: f.Budget.Inputs.Budget, host: f.Budget.Inputs.Host, free: f.Budget.Memory.Free,
		name: w.Name, params: w.Params, ctx: w.Context, kv: w.KVType, shown: e.moment,
	}
	if key == e.lastRow {
		return nil
	}
	e.lastRow = key
	return modelRows(f, e.models)
}

// modelRows decides for every model as the Frame's Sample and settings would, at the Frame's context and KV type.
func modelRows(f frame.Frame, models []workload.Model) []modelRow {
	now := f.Settings.Workload
	rows := make([]modelRow, 0, len(models))
	for i := range models {
		m := &models[i]
		w := m.At(workload.Options{Context: capContext(now.Context, *m), KV: now.KVType})
		set := f.Settings
		set.Workload = w
		b := budget.From(f.Sample, set)
		p := policy.Decide(b.Inputs)
		rows = append(rows, modelRow{
			Model: *m, Plan: p, Need: saturatingAdd(p.Job, w.OverheadBytes()), Budget: b.Memory.Free,
			Chosen: now.Model != nil && now.Model.ID == m.ID, fit: fitOf(p),
		})
	}
	return rows
}

// capContext is the context in use, cut to what the model was trained for.
func capContext(ctx uint64, m workload.Model) uint64 {
	if m.MaxContext > 0 && ctx > m.MaxContext {
		return m.MaxContext
	}
	return ctx
}

func saturatingAdd(a, b uint64) uint64 {
	if a+b < a {
		return ^uint64(0)
	}
	return a + b
}

// modelOrder names a column to sort by.
type modelOrder uint8

// The orders.
const (
	byName modelOrder = iota
	byParams
	byContext
	byNeed
	byFit
)

// arrange filters and sorts a copy of the rows. Equal rows keep the order of their names.
func arrange(rows []modelRow, query string, fitting bool, order modelOrder, descending bool) []modelRow {
	words := strings.Fields(strings.ToLower(query))
	out := make([]modelRow, 0, len(rows))
	for _, r := range rows {
		if fitting && !r.Plan.Fits || !containsAll(strings.ToLower(r.Model.Name+" "+r.Model.ID+" "+r.Model.Arch+" "+r.Plan.Precision.String()+" "+r.word()), words) {
			continue
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b modelRow) int {
		c := compareModels(a, b, order)
		if descending {
			c = -c
		}
		return cmp.Or(c, strings.Compare(a.Model.Name, b.Model.Name))
	})
	return out
}

func compareModels(a, b modelRow, order modelOrder) int {
	switch order {
	case byParams:
		return cmp.Compare(a.Model.Params, b.Model.Params)
	case byContext:
		return cmp.Compare(a.Model.MaxContext, b.Model.MaxContext)
	case byNeed:
		return cmp.Compare(a.Need, b.Need)
	case byFit:
		return cmp.Or(cmp.Compare(a.fit, b.fit), cmp.Compare(a.Plan.Precision, b.Plan.Precision), cmp.Compare(a.Plan.Tiles, b.Plan.Tiles))
	}
	return strings.Compare(strings.ToLower(a.Model.Name), strings.ToLower(b.Model.Name))
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
