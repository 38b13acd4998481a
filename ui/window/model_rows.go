//go:build cgo && !nogui

package window

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// modelRow is one line of the Models page: a model, the policy's plan for it, and the file of it that fits this machine.
type modelRow struct {
	frame.Row
	Plan   policy.Plan
	Chosen bool
	// Path is where a found file lies; empty for the catalogue's.
	Path string
}

// modelKey is what the rows depend on beside the sensors' noise.
type modelKey struct {
	known  bool
	choice modelChoice
	pins   budget.Pins
	device policy.ComputeBackend
	here   int
	moment int
}

// modelsPace is how often the rows follow the sensors alone: a hundred models take a while to size.
const modelsPace = 2 * time.Second

func (e *engine) modelRows(f frame.Frame) []modelRow {
	key := modelKey{true, choiceOf(f.Settings.Workload), f.Settings.Pins, f.Budget.Device, len(e.here), e.moment}
	age := f.Sample.Time.Sub(e.modelsAt)
	if key == e.modelKey && age >= 0 && age < modelsPace {
		return nil
	}
	e.modelKey, e.modelsAt = key, f.Sample.Time
	var rates frame.Rates
	if e.rates != nil {
		rates = e.rates(f)
	}
	return modelRows(f, e.here, e.models, rates)
}

// modelRows sizes the found models and the catalogue's for the Frame's machine, at its context and type of KV cache.
func modelRows(f frame.Frame, here []Offer, models []workload.Model, rates frame.Rates) []modelRow {
	now := f.Settings.Workload
	rows := make([]modelRow, 0, len(here)+len(models))
	add := func(m *workload.Model, path string, row func(workload.Options) frame.Row) {
		opt := workload.Options{Context: capContext(now.Context, *m), KV: now.KVType}
		set := f.Settings
		set.Workload = m.At(opt)
		rows = append(rows, modelRow{
			Row: row(opt), Plan: frame.New(f.Sample, set).Plan, Path: path,
			Chosen: now.Model != nil && now.Model.Name == m.Name && now.Params == m.Params,
		})
	}
	for i := range here {
		o := &here[i]
		add(&o.Model, o.Path, func(opt workload.Options) frame.Row { return f.Row(o.Offer, opt, rates) })
	}
	for i := range models {
		m := &models[i]
		add(m, "", func(opt workload.Options) frame.Row { return f.Best(*m, opt, rates) })
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

// left is what stays free beside the model, negative where it is missing.
func (r modelRow) left() float64 { return float64(r.Free) - float64(r.Total) }

// modelOrder names what the rows are sorted by.
type modelOrder uint8

// The orders, as the columns stand.
const (
	byName modelOrder = iota
	byParams
	byPlan
	byFormat
	byNeed
	byLeft
	byContext
	bySpeed
	byFit
)

// arrange filters and sorts a copy of the rows. Equal rows keep the order of their names.
func arrange(rows []modelRow, query string, fitting bool, order modelOrder, descending bool) []modelRow {
	words := strings.Fields(strings.ToLower(query))
	out := make([]modelRow, 0, len(rows))
	for _, r := range rows {
		m := r.Model
		text := strings.ToLower(strings.Join([]string{m.Name, m.ID, m.Arch, m.Note, r.Format, r.Plan.Precision.String(), r.FitWords()}, " "))
		if (!fitting || r.Fit.Runs()) && containsAll(text, words) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b modelRow) int {
		c := compareModels(a, b, order)
		if descending {
			c = -c
		}
		return cmp.Or(c, strings.Compare(strings.ToLower(a.Model.Name), strings.ToLower(b.Model.Name)))
	})
	return out
}

func compareModels(a, b modelRow, order modelOrder) int {
	switch order {
	case byParams:
		return cmp.Compare(a.Model.Params, b.Model.Params)
	case byPlan:
		return cmp.Or(compareBool(b.Plan.Fits, a.Plan.Fits), cmp.Compare(a.Plan.Precision, b.Plan.Precision), cmp.Compare(a.Plan.Tiles, b.Plan.Tiles))
	case byFormat:
		return cmp.Compare(bits(b), bits(a))
	case byNeed:
		return cmp.Compare(a.Total, b.Total)
	case byLeft:
		return cmp.Compare(b.left(), a.left())
	case byContext:
		return cmp.Compare(b.Row.MaxContext, a.Row.MaxContext)
	case bySpeed:
		return cmp.Compare(b.Speed.High.Or(0), a.Speed.High.Or(0))
	case byFit:
		return cmp.Or(cmp.Compare(a.Fit, b.Fit), cmp.Compare(a.Tiles, b.Tiles))
	}
	return strings.Compare(strings.ToLower(a.Model.Name), strings.ToLower(b.Model.Name))
}

// bits are the bits that a weight takes in the row's file.
func bits(r modelRow) float64 { return float64(r.Weights) / float64(max(r.Model.Params, 1)) }

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
