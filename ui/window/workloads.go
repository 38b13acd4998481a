//go:build cgo || !darwin

package window

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"headroom/policy/workload"
	"headroom/ui/frame"
)

const maxContext = 1 << 30

// startSettings takes what the caller chose, else what is remembered, else the defaults.
func (v *view) startSettings() {
	v.choice = v.state.Model
	if v.set.Workload.Params == 0 {
		v.set.Workload = workload.Default()
		if v.remembers() {
			if w, ok := v.sized(v.choice); ok {
				v.set.Workload = w
			} else if v.choice.Path != "" {
				v.openLater = v.choice
			}
		}
	} else {
		v.choice = choiceOf(v.set.Workload)
	}
	if v.o.Interval > 0 {
		v.state.IntervalMS = v.o.Interval.Milliseconds()
	}
	if !v.remembers() {
		return
	}
	p, kept := &v.set.Pins, v.state.Pins
	if !p.Any() {
		*p = kept
	}
	if v.set.Limits == nil {
		v.set.Limits = v.state.Limits
	}
	v.set.Device = cmp.Or(v.set.Device, v.state.Device)
}

// choiceOf is how a workload would be chosen again.
func choiceOf(w workload.Workload) modelChoice {
	c := modelChoice{Context: w.Context, KV: w.KVType}
	switch {
	case w.Bare || w.Model == nil:
		c.Params = w.Params
	default:
		c.ID = w.Model.ID
	}
	return c
}

// sized makes the workload of a choice; false where it needs a file to be opened, or names a model that is not offered.
func (v *view) sized(c modelChoice) (workload.Workload, bool) {
	o := workload.Options{Context: c.Context, KV: c.KV}
	switch {
	case c.Params > 0:
		return workload.Bare(c.Params), true
	case c.ID != "":
		for i := range v.o.Models {
			if m := &v.o.Models[i]; m.ID == c.ID {
				o.Context = capContext(o.Context, *m)
				return m.At(o), true
			}
		}
		return workload.Workload{}, false
	case c.Path != "":
		return workload.Workload{}, false
	}
	w := workload.Default()
	if w.Model != nil {
		w = w.Model.At(o)
	}
	return w, true
}

// choose makes a workload the live one.
func (v *view) choose(w workload.Workload, c modelChoice) {
	v.choice = c
	v.set.Workload = w
	if v.remembers() {
		v.state.Model = c
		if c.Path != "" {
			v.state.Recent = latest(c.Path, v.state.Recent)
		}
		v.changedState()
	}
	v.settingsChanged()
	v.header.update()
}

// settingsChanged has the engine decide anew from the last Sample.
func (v *view) settingsChanged() {
	if v.base != nil {
		v.own = ownOf(v.set, *v.base)
	}
	set, own := v.set, v.own
	v.eng.do(func() { v.eng.setSettings(set, own) })
}

// leastBare is the fewest weights that are offered as a bare count: less is a number on the way to a name.
const leastBare = 1_000_000

// chooseModel opens the chooser. A typed count of weights is offered as such, a path as a file to open.
func (v *view) chooseModel() {
	v.open("Search a model, or type 8B, 500M or a file's path", v.below(v.header.model), 460, func(query string) []pick {
		var items []pick
		if looksLikePath(query) && v.o.OpenModel != nil {
			items = append(items, pick{name: "Open " + filepath.Base(query), detail: filepath.Dir(query), do: func() { v.openModel(query) }})
		}
		if v.o.OpenModel != nil {
			items = append(items, matching(v.recent(), query)...)
		}
		now := v.set.Workload.Model
		models := make([]pick, 0, len(v.o.Models))
		for i := range v.o.Models {
			m := &v.o.Models[i]
			models = append(models, pick{
				name: m.Name, detail: frame.Params(m.Params) + " weights", marked: now != nil && now.ID == m.ID && now.Name == m.Name,
				do: func() { v.chooseCatalogue(*m) },
			})
		}
		items = append(items, matching(models, query)...)
		// Models named so come first: who types 70b means a model more often than a bare count.
		if n, err := workload.ParseParams(query); err == nil && n >= leastBare {
			items = append(items, pick{name: frame.Params(n) + " weights", detail: "a bare count, no KV cache", do: func() {
				v.choose(workload.Bare(n), modelChoice{Params: n})
			}})
		}
		if len(items) == 0 {
			items = append(items, pick{name: "No model of that name", detail: "type a count such as 8B", off: true})
		}
		return items
	})
}

// chooseCatalogue makes an offered model the live one, at the context and KV type in use.
func (v *view) chooseCatalogue(m workload.Model) {
	c := modelChoice{ID: m.ID, Context: capContext(v.choice.Context, m), KV: v.choice.KV}
	v.choose(m.At(workload.Options{Context: c.Context, KV: c.KV}), c)
}

// chooseRow makes a model of the Models page the live one; one found on this machine is remembered by its file.
func (v *view) chooseRow(r modelRow) {
	m := r.Model
	c := modelChoice{ID: m.ID, Context: capContext(v.choice.Context, m), KV: v.choice.KV}
	if r.Path != "" {
		c.ID, c.Path = "", r.Path
	}
	v.choose(m.At(workload.Options{Context: c.Context, KV: c.KV}), c)
}

// findHere looks for the models on this machine, and sizes the files that were last used, beside Fyne's goroutine.
func (v *view) findHere() {
	recent := v.state.Recent
	v.beside(func() {
		var opened []Offer
		for _, path := range recent {
			if v.o.OpenModel == nil || v.ctx.Err() != nil {
				break
			}
			// One that has gone, or cannot be read any more, says so when it is chosen.
			if o, err := openSafely(v.o.OpenModel, path); err == nil {
				opened = append(opened, o)
			}
		}
		var found []Offer
		if v.o.Here != nil {
			found = v.o.Here(v.ctx)
		}
		later(func() {
			if v.closed.Load() {
				return
			}
			v.found = found
			for _, o := range slices.Backward(opened) {
				v.opened = withOffer(o, v.opened)
			}
			v.listHere()
		})
	})
}

// withOffer puts a model file before the others, in place of the same one.
func withOffer(o Offer, others []Offer) []Offer {
	kept := slices.DeleteFunc(slices.Clone(others), func(old Offer) bool { return old.Path == o.Path })
	kept = append([]Offer{o}, kept...)
	return kept[:min(len(kept), maxRecent)]
}

// listHere gives the Models page what is on this machine: the files that were opened by hand, and what was found besides.
func (v *view) listHere() {
	here := slices.Clone(v.opened)
	for _, o := range v.found {
		if i := slices.IndexFunc(here, func(h Offer) bool { return h.Path == o.Path }); i >= 0 {
			here[i] = o
			continue
		}
		here = append(here, o)
	}
	v.eng.do(func() { v.eng.here, v.eng.modelKey, v.eng.dirty = here, modelKey{}, true })
}

func looksLikePath(s string) bool {
	lower := strings.ToLower(s)
	return strings.ContainsAny(s, `/\`) || strings.HasSuffix(lower, ".gguf") || strings.HasSuffix(lower, ".safetensors") || strings.HasSuffix(lower, ".json")
}

// chooseContext offers context lengths up to what the model was trained for; any can be typed.
func (v *view) chooseContext() {
	w := v.set.Workload
	if w.Bare || w.Model == nil {
		return
	}
	most := cmp.Or(w.Model.MaxContext, maxContext)
	v.open("Tokens, such as 8192 or 32k", v.below(v.header.context), 360, func(query string) []pick {
		var items []pick
		if n, err := parseTokens(query); err == nil {
			it := pick{name: frame.Count(n) + " tokens", detail: contextDetail(w, n), do: func() { v.setContext(n) }}
			if n > most {
				it.off, it.detail, it.do = true, "trained for "+frame.Count(most), nil
			}
			return []pick{it}
		}
		if query != "" {
			return []pick{{name: "Type a number of tokens", detail: "1 to " + frame.Count(most), off: true}}
		}
		for n := uint64(2048); n <= most && n <= 1<<20; n *= 2 {
			items = append(items, pick{
				name: frame.Count(n) + " tokens", detail: contextDetail(w, n), marked: n == w.Context, do: func() { v.setContext(n) },
			})
		}
		return items
	})
}

func contextDetail(w workload.Workload, n uint64) string {
	return "KV cache " + frame.Bytes(w.Model.KVBytes(workload.Options{Context: n, KV: w.KVType}))
}

func (v *view) setContext(n uint64) {
	w := v.set.Workload
	if w.Model == nil {
		return
	}
	c := v.choice
	c.Context = n
	v.resize(c)
}

// resize sizes the present model anew.
func (v *view) resize(c modelChoice) {
	was := v.set.Workload
	w := was.Model.At(workload.Options{Context: c.Context, KV: c.KV})
	w.Name = was.Name
	v.choose(w, c)
}

func (v *view) chooseKV() {
	w := v.set.Workload
	if w.Bare || w.Model == nil {
		return
	}
	v.open("Type of the KV cache", v.below(v.header.kv), 280, func(query string) []pick {
		var items []pick
		for _, t := range []workload.KVType{workload.KVF16, workload.KVQ80, workload.KVQ40} {
			items = append(items, pick{
				name: string(t), detail: frame.Bytes(w.Model.KVBytes(workload.Options{Context: w.Context, KV: t})), marked: t == w.KVType,
				do: func() {
					c := v.choice
					c.KV, c.Context = t, w.Context
					v.resize(c)
				},
			})
		}
		return matching(items, query)
	})
}

// chooseInterval offers how often the sensors are read.
func (v *view) chooseInterval() {
	if v.o.SetInterval == nil || v.o.Origin != "" {
		return
	}
	v.open("How often the sensors are read", v.below(v.header.state), 240, func(query string) []pick {
		var items []pick
		for _, d := range []time.Duration{100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second} {
			items = append(items, pick{name: "every " + paceText(d), marked: d == v.interval(), do: func() { v.setInterval(d) }})
		}
		return matching(items, query)
	})
}

// below is the place under a control for its picker.
func (v *view) below(b *button) fyne.Position {
	return v.app.Driver().AbsolutePositionForObject(b).AddXY(0, b.Size().Height+4)
}

// openModel sizes a model file beside Fyne's goroutine, makes it the live workload, and gives it a row of its own on the Models
// page.
func (v *view) openModel(path string) {
	path = wholePath(path)
	if v.o.OpenModel == nil {
		v.notices.fault("model", "This build cannot open model files.")
		return
	}
	v.notices.underWay("model", "Reading "+filepath.Base(path)+" …")
	context, kv := v.choice.Context, v.choice.KV
	v.beside(func() {
		o, err := openSafely(v.o.OpenModel, path)
		later(func() {
			if v.closed.Load() {
				return
			}
			if err != nil {
				v.notices.fault("model", err.Error())
				return
			}
			v.notices.remove("model")
			v.opened = withOffer(o, v.opened)
			v.listHere()
			v.models.wanted = path
			c := modelChoice{Path: path, Context: capContext(context, o.Model), KV: kv}
			v.choose(o.Model.At(workload.Options{Context: c.Context, KV: kv}), c)
		})
	})
}

// wholePath is a typed path as it is found again from another folder.
func wholePath(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// openSafely keeps a fault in reading a hostile file from ending the window.
func openSafely(open func(string) (Offer, error), path string) (o Offer, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("read model file %s: %v", path, r)
		}
	}()
	o, err = open(path)
	if err == nil && o.Model.Params == 0 {
		err = fmt.Errorf("read model file %s: it holds no weights", path)
	}
	o.Path = path
	return o, err
}

// dropped takes the first of the files dropped on the window.
func (v *view) dropped(_ fyne.Position, uris []fyne.URI) {
	if len(uris) == 0 {
		return
	}
	if uris[0].Scheme() != "file" {
		v.notices.fault("model", "Only files of this machine can be opened, not "+uris[0].Scheme()+" addresses.")
		return
	}
	v.openModel(uris[0].Path())
}

var errTokens = errors.New("type a number of tokens")

// parseTokens reads "8192", "8 192", "32k" or "1M"; k is 1024, as context lengths are said.
func parseTokens(s string) (uint64, error) {
	s = strings.ToLower(strings.NewReplacer(" ", "", " ", "", ",", "", "_", "").Replace(strings.TrimSpace(s)))
	scale := 1.0
	switch {
	case strings.HasSuffix(s, "k"):
		s, scale = strings.TrimSuffix(s, "k"), 1<<10
	case strings.HasSuffix(s, "m"):
		s, scale = strings.TrimSuffix(s, "m"), 1<<20
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || !(n*scale >= 1 && n*scale <= maxContext) {
		return 0, errTokens
	}
	return uint64(n * scale), nil
}
