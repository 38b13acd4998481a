//go:build cgo || !darwin

package window

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// foundLlama is a file that LM Studio keeps.
func foundLlama() Offer {
	return Offer{Offer: frame.Offer{Model: llama(), Format: "Q4_K_M", Weights: 4_900_000_000, Exact: true, From: "LM Studio", Types: "Q4_K in 193 tensors"}, Path: "/models/llama.gguf"}
}

func TestModelsAreSortedFilteredAndSearched(t *testing.T) {
	f := frame.New(script(t, "thin-laptop").SampleAt(0), newSettings())
	models := manyModels()
	rows := modelRows(f, []Offer{foundLlama()}, models)
	if len(rows) != len(models)+1 || rows[0].Path == "" || !rows[0].Chosen {
		t.Fatalf("%d rows, first %+v", len(rows), rows[0])
	}
	for order := byName; order <= bySpeed; order++ {
		for _, down := range []bool{false, true} {
			by := arrange(rows, modelFilter{}, order, down)
			if len(by) != len(rows) || by[0].Path == "" {
				t.Errorf("order %d: %d rows, first %s of the catalogue", order, len(by), by[0].Model.Name)
			}
		}
	}
	if by := arrange(rows, modelFilter{}, byParams, true); by[1].Model.Params != 100e9 {
		t.Errorf("the largest comes first as %d", by[1].Model.Params)
	}
	if up := arrange(rows, modelFilter{}, byNeed, false); up[1].Total > up[2].Total {
		t.Error("the smallest need does not come first")
	}
	fitting := arrange(rows, modelFilter{fitting: true}, byName, false)
	if len(fitting) == 0 || len(fitting) == len(rows) {
		t.Errorf("%d of %d fit", len(fitting), len(rows))
	}
	for _, r := range fitting {
		if !r.Fit.Runs() {
			t.Errorf("%s does not run and is listed", r.Model.Name)
		}
	}
	if here := arrange(rows, modelFilter{here: true}, byName, false); len(here) != 1 || here[0].Path == "" {
		t.Errorf("here are %d", len(here))
	}
	for query, want := range map[string]string{"model 42": "Model 42", "lm studio": llama().Name} {
		if got := arrange(rows, modelFilter{query: query}, byName, false); len(got) != 1 || got[0].Model.Name != want {
			t.Errorf("the search for %q gives %d rows", query, len(got))
		}
	}
}

// TestRowsAreThoseOfTheCommandLine holds the page to Frame.Row and Frame.Best, which size and models print.
func TestRowsAreThoseOfTheCommandLine(t *testing.T) {
	set := newSettings()
	set.Measured.RAM = sensors.Num(40e9)
	f := frame.New(script(t, "thin-laptop").SampleAt(0), set)
	here := foundLlama()
	opt := workload.Options{Context: set.Workload.Context, KV: set.Workload.KVType}
	for _, r := range modelRows(f, []Offer{here}, manyModels()) {
		want := f.Best(r.Model, opt, f.Rates())
		if r.Path != "" {
			want = f.Row(here.Offer, opt, f.Rates())
		}
		if fmt.Sprintf("%+v", r.JSON()) != fmt.Sprintf("%+v", want.JSON()) && r.Verdict() != want.Verdict() {
			t.Errorf("%s: %+v, want %+v", r.Model.Name, r.JSON(), want.JSON())
		}
		if r.Fit.Runs() && !r.Speed.Low.Known() && r.Stream.Bytes == 0 {
			t.Errorf("%s runs from RAM, which was measured, without a speed: %s", r.Model.Name, r.Speed.Basis)
		}
	}
}

func TestModelLinesSayTheFitInWordsBesideTheColour(t *testing.T) {
	f := frame.New(script(t, "thin-laptop").SampleAt(0), newSettings())
	for _, r := range modelRows(f, nil, manyModels()) {
		fit := modelLine(&r, false).cells[byFit].text
		mark := markFits
		switch {
		case !r.Fit.Runs():
			mark = markNone
		case r.Fit == frame.FitTiled:
			mark = markTiled
		}
		if fit != mark+r.FitWords() {
			t.Errorf("%s: %q, want %q after the mark %q", r.Model.Name, fit, r.FitWords(), mark)
		}
	}
}

func TestTheDetailSaysTheSumAndWhatWouldMakeItFit(t *testing.T) {
	f := frame.New(script(t, "thin-laptop").SampleAt(0), newSettings())
	rows := modelRows(f, []Offer{foundLlama()}, manyModels())
	var short bool
	for i := range rows {
		r := &rows[i]
		d := detailOf(r, false)
		l := r.Ledger()
		for j, want := range []frame.Line{l.Weights, l.KV, l.Compute, l.Need, l.FreeTotal} {
			if !strings.HasSuffix(d.sums[j][1], l.Words(want)) {
				t.Errorf("%s: line %d of the sum is %q, want %s", r.Model.Name, j, d.sums[j][1], want.Text)
			}
		}
		if d.short {
			short = true
			if !strings.HasPrefix(d.change, "Would fit") || d.sums[5][0] != "Missing" {
				t.Errorf("%s: %q, %v", r.Model.Name, d.change, d.sums[5])
			}
		}
		if d.speed == unknownText && !strings.Contains(d.basis, "not") {
			t.Errorf("%s: no speed, because %q", r.Model.Name, d.basis)
		}
	}
	if !short {
		t.Error("every model fits this laptop")
	}
	if d := detailOf(&rows[0], true); !strings.Contains(d.where, "LM Studio") || !strings.Contains(d.where, "/models/llama.gguf") || d.state != "This is what is run" {
		t.Errorf("where it is: %q; %q", d.where, d.state)
	}
}

func TestAModelIsChosenWithAClick(t *testing.T) {
	found := foundLlama()
	b := newBench(t, Options{Models: manyModels(), Here: func(context.Context) []Offer { return []Offer{found} }}, defaults())
	b.findHere()
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('2')
	b.models.search.SetText("model 07")
	b.models.table.list.Select(0)
	b.settle()
	if got := b.last.frame.Settings.Workload.Name; got != "Model 07" {
		t.Errorf("the workload is %q", got)
	}
	if b.state.Model.ID != "model-07" {
		t.Errorf("remembered %+v", b.state.Model)
	}
	b.models.sort(int(byFit))
	b.models.toggleFitting()
	if len(b.models.seen) != 1 || !b.models.chosen(&b.models.seen[0]) || b.models.detail.shown.name != "Model 07" {
		t.Errorf("left: %+v", b.models.seen)
	}

	// The first line is a heading, and no model; the second the file that was found.
	b.models.search.SetText("")
	b.models.table.list.Select(0)
	b.settle()
	if b.state.Model.ID != "model-07" {
		t.Error("a heading was chosen")
	}
	b.models.table.list.Select(1)
	b.settle()
	if b.state.Model.Path != found.Path || !slices.Equal(b.state.Recent, []string{found.Path}) {
		t.Errorf("remembered %+v, recent %v", b.state.Model, b.state.Recent)
	}
	if r := b.models.seen[0]; !b.models.chosen(&r) || r.Path != found.Path {
		t.Errorf("the file that was chosen is not marked: %+v", r)
	}
}

func TestASearchedModelIsChosenWithoutAPointer(t *testing.T) {
	b := newBench(t, Options{Models: manyModels()}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('2')
	b.press('/')
	b.models.search.SetText("no such model")
	b.models.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if b.canvas().Focused() != b.models.search {
		t.Error("Enter leaves a search that found nothing")
	}
	b.models.search.SetText("model 07")
	b.models.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.settle()
	if got := b.last.frame.Settings.Workload.Name; got != "Model 07" {
		t.Errorf("the workload is %q", got)
	}
}

func TestTheLineUnderThePointerIsShownInDetail(t *testing.T) {
	b := newBench(t, Options{Models: manyModels()}, defaults())
	cool, hot := coolAndHot(t)
	b.sample(cool)
	b.press('2')
	b.models.table.list.OnHighlighted(3)
	want := b.models.seen[3].Model.Name
	if got := b.models.detail.shown.name; got != want {
		t.Errorf("%q is shown, want %q", got, want)
	}
	b.models.sort(int(byNeed))
	hot.Time = cool.Time.Add(time.Minute)
	b.sample(hot)
	if got := b.models.detail.shown.name; got != want {
		t.Errorf("after another Frame %q is shown, want %q still", got, want)
	}
}

func TestSpeedsAppearWhenMemoryIsMeasured(t *testing.T) {
	answer := sensors.Reading{Value: sensors.Num(40e9), State: sensors.StateOK, Detail: "2 threads over 256 MiB"}
	o := Options{Models: manyModels(), MeasureRAM: func(context.Context, sensors.Sample) sensors.Reading { return answer }}
	b := newBench(t, o, defaults())
	b.press('y')
	cool, _ := coolAndHot(t)
	b.sample(cool)
	if h := b.last.frame.Verdict().Headline(); strings.Contains(h, "tokens") {
		t.Errorf("nothing was measured: %q", h)
	}
	b.press('y')
	h := b.last.frame.Verdict().Headline()
	if !strings.Contains(h, " tokens/s · ") || !strings.Contains(b.said(), h) {
		t.Errorf("measured, and the headline is %q", h)
	}
	if got := b.notices.top().text; !strings.Contains(got, "40.0 GB/s") || !strings.Contains(got, answer.Detail) {
		t.Errorf("told %q", got)
	}
	answer = sensors.Missing("", "memory", "B/s", sensors.StateNotOffered, "", "not measured: 12 bytes of free memory are too little to read from")
	b.press('y')
	if top := b.notices.top(); !top.fault || !strings.Contains(top.text, "too little") {
		t.Errorf("told %+v", top)
	}
	if !b.set.Measured.RAM.Known() {
		t.Error("a failure took away what was measured before")
	}

	played := newBench(t, Options{Origin: "scenario thin-laptop", MeasureRAM: o.MeasureRAM}, defaults())
	played.sample(cool)
	played.press('y')
	if played.set.Measured.RAM.Known() || played.models.measure.Visible() {
		t.Error("this machine's RAM was measured for another one")
	}
}

func TestTheDetailSaysWhyTheLivePageHasAnotherSum(t *testing.T) {
	f := frame.New(script(t, "thin-laptop").SampleAt(0), newSettings())
	rows := modelRows(f, []Offer{foundLlama()}, nil)
	l := f.Ledger()
	if d := detailOf(&rows[0], true); !strings.Contains(d.basis, l.Words(l.Used)) || strings.Contains(detailOf(&rows[0], false).basis, "Live page") {
		t.Errorf("Live shows %s; the detail says %q", l.Words(l.Used), d.basis)
	}
}

func TestRAMMeasuredInAnEarlierRunGivesSpeedsWithItsDate(t *testing.T) {
	asked := 0
	before := sensors.Reading{Value: sensors.Num(40e9), State: sensors.StateOK, Detail: "8 threads", At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)}
	o := Options{
		Models: manyModels(), MeasureRAM: func(context.Context, sensors.Sample) sensors.Reading { return before },
		KeptRAM: func(sensors.Sample) sensors.Reading { asked++; return before },
	}
	b := newBench(t, o, defaults())
	cool, hot := coolAndHot(t)
	b.sample(cool)
	b.sample(hot)
	b.press('2')
	if asked != 1 || b.last.frame.Settings.Measured.RAM != before.Value {
		t.Errorf("asked %d times; RAM is read at %v", asked, b.last.frame.Settings.Measured.RAM)
	}
	if tip := b.models.measure.tip; !strings.Contains(tip, "1 Mar 2026") || !strings.Contains(b.models.measure.label, "40") {
		t.Errorf("the key says %q: %q", b.models.measure.label, tip)
	}
	none := newBench(t, Options{MeasureRAM: o.MeasureRAM, KeptRAM: func(sensors.Sample) sensors.Reading { return sensors.Reading{} }}, defaults())
	none.sample(cool)
	if none.set.Measured.RAM.Known() {
		t.Error("nothing was kept, and RAM has a speed")
	}
	played := newBench(t, Options{Origin: "scenario thin-laptop", KeptRAM: o.KeptRAM}, defaults())
	played.sample(cool)
	if played.set.Measured.RAM.Known() {
		t.Error("this machine's RAM speeds another one up")
	}
}

func TestProofsAreLookedUpOnceForTheSameAdapters(t *testing.T) {
	var asked int
	cool, hot := coolAndHot(t)
	f := frame.New(cool, newSettings())
	id := f.Budget.GPUs[f.Budget.InUse].ID
	b := newBench(t, Options{Proven: func(sensors.Sample) map[string]budget.GPURates {
		asked++
		return map[string]budget.GPURates{id: {Read: sensors.Num(60e9)}}
	}}, defaults())
	b.sample(cool)
	b.sample(hot)
	if asked != 1 || !strings.Contains(b.last.frame.Verdict().Headline(), "tokens/s") {
		t.Errorf("asked %d times; %q", asked, b.last.frame.Verdict().Headline())
	}
	hot.Adapters = append([]sensors.Adapter(nil), hot.Adapters...)
	hot.Adapters[0].Driver += " newer"
	b.sample(hot)
	if asked != 2 {
		t.Errorf("asked %d times after another driver came", asked)
	}
}

func TestNobodyWatchesAnIconifiedWindow(t *testing.T) {
	var told []bool
	o := Options{Watched: func(yes bool) { told = append(told, yes) }}
	b := newBench(t, o, defaults())
	for _, hidden := range []bool{true, false} {
		b.hidden = hidden
		b.tellWatched()
	}
	if !slices.Equal(told, []bool{false, true}) {
		t.Errorf("told %v", told)
	}
	o.FramesFile = t.TempDir() + "/frames.jsonl"
	told = nil
	b = newBench(t, o, defaults())
	b.hidden = true
	if b.tellWatched(); len(told) != 0 {
		t.Errorf("told %v, though frames are written for somebody to read", told)
	}
}

func TestRecentFilesAreOfferedLatestFirst(t *testing.T) {
	b := newBench(t, Options{OpenModel: func(path string) (Offer, error) {
		if strings.Contains(path, "broken") {
			return Offer{}, errors.New("it is broken")
		}
		return fileOf(llama()), nil
	}}, defaults())
	for i := range maxRecent + 2 {
		b.openModel(fmt.Sprintf("/models/%d.gguf", i))
	}
	b.openModel("/models/5.gguf")
	b.openModel("/models/broken.gguf")
	if r := b.state.Recent; len(r) != maxRecent || r[0] != "/models/5.gguf" || slices.Index(r, "/models/9.gguf") != 1 {
		t.Errorf("recent are %v", r)
	}
	if items := b.recent(); items[0].name != "5.gguf" || !items[0].marked {
		t.Errorf("offered first: %+v", items[0])
	}
}

func TestALongPathIsBrokenAfterAFolder(t *testing.T) {
	newBench(t, Options{}, defaults())
	path := "/home/somebody/.cache/huggingface/hub/models--someone--a-model-of-a-long-name/snapshots/0123456789abcdef"
	lines := wrap("Of Hugging Face, "+path+". Stored as BF16.", 200, 12, 20)
	if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != strings.ReplaceAll("Of Hugging Face, "+path+". Stored as BF16.", " ", "") {
		t.Errorf("wrapped, it reads %q", got)
	}
	for _, l := range lines {
		if w := textWidth(l, 12, false); w > 200 {
			t.Errorf("%q is %v wide", l, w)
		}
	}
	if got := wrap("wide", -1, 12, 20); strings.Join(got, "") != "wide" {
		t.Errorf("without room it reads %q", got)
	}
}

// A heading says in full what its column holds, also with the arrow of the column that the lines are sorted by, at the size of
// type that each size of window has.
func TestHeadingsAreNotClipped(t *testing.T) {
	for _, size := range []fyne.Size{{Width: 1280, Height: 800}, {Width: 1920, Height: 1080}} {
		b := newBench(t, Options{}, defaults())
		b.win.Resize(size)
		b.turnTo(PageModels)
		b.sample(script(t, "apu").SampleAt(0))
		for column := range modelColumns {
			b.models.sort(column)
			for _, head := range b.models.table.heads {
				for _, o := range test.WidgetRenderer(head).Objects() {
					if text, ok := o.(*canvas.Text); ok && strings.Contains(text.Text, "…") {
						t.Errorf("at %v: a heading says %q", size, text.Text)
					}
				}
			}
		}
	}
}

// The kept size of type comes into force while the window is first laid out, and nobody refreshes the headings for it.
func TestHeadingsTakeTheSizeOfTypeThatTheyAreLaidOutFor(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	b.turnTo(PageModels)
	b.sample(script(t, "apu").SampleAt(0))
	head := b.models.table.heads[0]
	text := test.WidgetRenderer(head).Objects()[2].(*canvas.Text)
	before := text.TextSize
	b.look.zoom *= 2
	head.Resize(head.MinSize())
	if text.TextSize < 2*before-1 || text.TextSize > 2*before+1 {
		t.Errorf("with twice the size of type a heading goes from %v to %v", before, text.TextSize)
	}
}

// In the smallest window with the largest type a model still has its name, and no word of its sum lies under a figure.
func TestModelsAreNamedInTheSmallestWindow(t *testing.T) {
	state := defaults()
	state.Type, state.Page = mostType, PageModels
	b := newBench(t, Options{Models: []workload.Model{llama()}}, state)
	b.win.Resize(fyne.NewSize(minWidth, minHeight))
	b.sample(script(t, "apu").SampleAt(0))
	if spans := b.models.table.spans(b.models.table.Size().Width); spans[0].width < 60 {
		t.Errorf("names have a width of %g", spans[0].width)
	}
	for _, l := range b.models.detail.sums {
		figure := textWidth(l.value.text, l.value.textSize(), l.value.bold)
		if l.name.Position().X+l.name.Size().Width > l.value.Position().X+l.value.Size().Width-figure {
			t.Errorf("%q lies under %q", l.name.text, l.value.text)
		}
	}
}
