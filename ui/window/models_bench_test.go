//go:build cgo && !nogui

package window

import (
	"fmt"
	"testing"

	"headroom/policy/workload"
	"headroom/ui/frame"
)

// offered are n models of different sizes.
func offered(n int) []workload.Model {
	models := make([]workload.Model, n)
	for i := range models {
		models[i] = llama()
		models[i].ID, models[i].Name = fmt.Sprintf("model-%d", i), fmt.Sprintf("Model %d", i)
		models[i].Params = uint64(i%100+1) * 1e9
	}
	return models
}

// BenchmarkSizeModels sizes all models for the Models page, beside Fyne's goroutine.
func BenchmarkSizeModels(b *testing.B) {
	s, err := scenarioFrame()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{10, 100, 1000} {
		models := offered(n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				modelRows(s, nil, models, frame.Rates{})
			}
		})
	}
}

// BenchmarkArrangeModels is a keystroke in the search field, or a click on a column: the page filters, sorts and words all
// its rows anew.
func BenchmarkArrangeModels(b *testing.B) {
	f, err := scenarioFrame()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{10, 100, 1000} {
		p := newTestView().models
		p.show(modelRows(f, nil, offered(n), frame.Rates{}))
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p.search.Text = fmt.Sprint("mod ", i%10)
				p.sort(int(byNeed) + i%3)
			}
		})
	}
}
