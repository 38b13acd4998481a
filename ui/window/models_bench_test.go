//go:build cgo || !darwin

package window

import (
	"context"
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"headroom/policy/workload"
	"headroom/sensors/trace"
)

// offered are n models, of which each ten are of the same ten sizes: more of them are more work, and no harder work.
func offered(n int) []workload.Model {
	models := make([]workload.Model, n)
	for i := range models {
		models[i] = llama()
		models[i].ID, models[i].Name = fmt.Sprintf("model-%d", i), fmt.Sprintf("Model %d", i)
		models[i].Params = uint64(i%10*10+1) * 1e9
	}
	return models
}

// BenchmarkModels is how the Models page grows: all models sized anew for another Frame and shown, which happens every other
// second, and one keystroke in the search with one click on a column, which filter and sort them.
func BenchmarkModels(b *testing.B) {
	s, err := trace.Scenario("thin-laptop")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{10, 100, 1000} {
		v := newView(context.Background(), test.NewApp(), Options{Feed: noFeed{}, Models: offered(n)}, defaults())
		v.turnTo(PageModels)
		sample := s.SampleAt(0)
		show := func() {
			sample.Time = sample.Time.Add(time.Minute)
			v.eng.emit(sample)
			for shown, ok := v.eng.turn(); ok; shown, ok = v.eng.turn() {
				v.apply(shown)
			}
		}
		show()
		b.Run(fmt.Sprintf("size/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				show()
			}
		})
		b.Run(fmt.Sprintf("arrange/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				v.models.search.SetText(fmt.Sprint("model ", i%10))
				v.models.sort(i % 3)
			}
		})
	}
}
