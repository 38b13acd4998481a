//go:build cgo || !darwin

package window

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// modelRow is one line of the Models page: a model in the format of its file, or in the finest that fits this machine.
type modelRow struct {
	frame.Row
	Chosen bool
	// Path is where a found file lies; empty for the catalogue's.
	Path string
	// Live says, of what is run, why the Live page has another sum for it; empty where it has not.
	Live string
	// key is the name that it is sorted by, text what a search looks through, both in small letters.
	key, text string
}

// liveWords compare a row of what is run with the Live page, which counts the policy's bare bytes.
func liveWords(r *modelRow, f frame.Frame) string {
	l, own := f.Ledger(), r.Ledger()
	if r.Fit == frame.FitUnknown || !f.MemoryKnown() || l.Words(l.Used) == own.Words(own.Need) {
		return ""
	}
	than := "more"
	if l.Used.Exact > own.Need.Exact {
		than = "less"
	}
	return fmt.Sprintf("The Live page shows %s: it counts bare weights at %v, a file in %s takes %s.", l.Words(l.Used), f.Plan.Precision, r.Format, than)
}

// modelKey is what the rows depend on beside the sensors' noise.
type modelKey struct {
	known  bool
	choice modelChoice
	pins   budget.Pins
	device policy.ComputeBackend
	rates  frame.Rates
	here   int
	moment int
}

// modelsPace is how often the rows follow the sensors alone: many models take a while to size.
const modelsPace = 2 * time.Second

func (e *engine) modelRows(f frame.Frame) []modelRow {
	key := modelKey{true, choiceOf(f.Settings.Workload), f.Settings.Pins, f.Budget.Device, f.Rates(), len(e.here), e.moment}
	age := f.Sample.Time.Sub(e.modelsAt)
	if key == e.modelKey && age >= 0 && age < modelsPace {
		// Should no other Sample come, because the picture is held, these rows still catch up with the other pages.
		if age > 0 && e.modelsLate == nil {
			e.modelsLate = time.AfterFunc(modelsPace, func() {
				e.do(func() { e.modelKey, e.dirty = modelKey{}, true })
			})
		}
		return nil
	}
	if e.modelsLate != nil {
		e.modelsLate.Stop()
		e.modelsLate = nil
	}
	e.modelKey, e.modelsAt = key, f.Sample.Time
	return modelRows(f, e.here, e.models)
}

// modelRows sizes the found models and the catalogue's for the Frame's machine, at its context and type of KV cache.
func modelRows(f frame.Frame, here []Offer, models []workload.Model) []modelRow {
	now, rates := f.Settings.Workload, f.Rates()
	rows := make([]modelRow, 0, len(here)+len(models))
	add := func(o *frame.Offer, path string) {
		m := &o.Model
		opt := workload.Options{Context: capContext(now.Context, *m), KV: now.KVType}
		r := modelRow{Path: path, Chosen: now.Model != nil && now.Model.Name == m.Name && now.Params == m.Params}
		if o.Format != "" {
			r.Row = f.Row(*o, opt, rates)
		} else {
			r.Row = f.Best(*m, opt, rates)
			r.From = o.From
		}
		if r.Chosen {
			r.Live = liveWords(&r, f)
		}
		r.key, r.text = strings.ToLower(m.Name), r.searched()
		rows = append(rows, r)
	}
	for i := range here {
		add(&here[i].Offer, here[i].Path)
	}
	for i := range models {
		add(&frame.Offer{Model: models[i]}, "")
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

// modelOrder names what the rows are sorted by.
type modelOrder uint8

// The orders, as the columns stand.
const (
	byName modelOrder = iota
	byParams
	byFormat
	byNeed
	byFit
	byContext
	bySpeed
)

// modelFilter says which rows are left in the list.
type modelFilter struct {
	query string
	// fitting leaves what runs, here what is on this machine already.
	fitting, here bool
}

// arrange filters and sorts a copy of the rows: what is on this machine first, each part in the order asked for. Equal rows
// keep the order of their names.
func arrange(rows []modelRow, only modelFilter, order modelOrder, descending bool) []modelRow {
	words := strings.Fields(strings.ToLower(only.query))
	left := make([]*modelRow, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		if only.fitting && !r.Fit.Runs() || only.here && r.Path == "" || len(words) > 0 && !containsAll(r.text, words) {
			continue
		}
		left = append(left, r)
	}
	slices.SortStableFunc(left, func(a, b *modelRow) int {
		c := compareModels(a, b, order)
		if descending {
			c = -c
		}
		return cmp.Or(compareBool(b.Path != "", a.Path != ""), c, strings.Compare(a.key, b.key))
	})
	out := make([]modelRow, len(left))
	for i, r := range left {
		out[i] = *r
	}
	return out
}

// searched is what a search looks through.
func (r *modelRow) searched() string {
	m := r.Model
	return strings.ToLower(strings.Join([]string{m.Name, m.ID, m.Arch, m.Note, r.Format, r.From, r.FitWords()}, " "))
}

func compareModels(a, b *modelRow, order modelOrder) int {
	switch order {
	case byParams:
		return cmp.Compare(a.Model.Params, b.Model.Params)
	case byFormat:
		return cmp.Compare(bits(b), bits(a))
	case byNeed:
		return cmp.Compare(a.Total, b.Total)
	case byFit:
		return cmp.Or(cmp.Compare(a.Fit, b.Fit), cmp.Compare(a.Tiles, b.Tiles))
	case byContext:
		return cmp.Compare(b.Row.MaxContext, a.Row.MaxContext)
	case bySpeed:
		return cmp.Compare(b.Speed.High.Or(0), a.Speed.High.Or(0))
	}
	return strings.Compare(a.key, b.key)
}

// bits are the bits that a weight takes in the row's file.
func bits(r *modelRow) float64 { return float64(r.Weights) / float64(max(r.Model.Params, 1)) }

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
