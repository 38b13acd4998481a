//go:build cgo || !darwin

package window

import (
	"context"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"headroom/sensors"
	"headroom/sensors/trace"
)

// BenchmarkShownFrame is one Frame of the Live page at 1280×800: decided, folded, drawn and painted beside Fyne's
// goroutine, then taken by the widgets. What the graphics driver does with it comes on top.
func BenchmarkShownFrame(b *testing.B) {
	benchmarkPage(b, PageLive)
}

// BenchmarkShownSensors and BenchmarkShownModels are the same for the pages with lists.
func BenchmarkShownSensors(b *testing.B) { benchmarkPage(b, PageSensors) }
func BenchmarkShownModels(b *testing.B)  { benchmarkPage(b, PageModels) }

func benchmarkPage(b *testing.B, page string) {
	s, err := trace.Scenario("thin-laptop")
	if err != nil {
		b.Fatal(err)
	}
	var samples []sensors.Sample
	for d := time.Duration(0); d < 240*time.Second; d += time.Second {
		samples = append(samples, s.SampleAt(d))
	}
	v := newView(context.Background(), test.NewApp(), Options{Feed: noFeed{}, Models: manyModels()}, defaults())
	v.turnTo(page)
	show := func(i int) {
		sample := samples[i%len(samples)]
		sample.Time = samples[0].Time.Add(time.Duration(i) * time.Second)
		v.eng.emit(sample)
		for {
			shown, ok := v.eng.turn()
			if !ok {
				return
			}
			v.apply(shown)
		}
	}
	for i := range samples {
		show(i)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		show(len(samples) + i)
	}
}
