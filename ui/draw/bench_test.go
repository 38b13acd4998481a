package draw

import (
	"fmt"
	"image"
	"io"
	"slices"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/ui/frame"
)

func BenchmarkLiveScene(b *testing.B) {
	c := nice()["tight"]
	b.ReportAllocs()
	for b.Loop() {
		Live(c, 1280, 800)
	}
}

func BenchmarkLivePaint(b *testing.B) {
	s := Live(nice()["tight"], 1280, 800)
	img := image.NewRGBA(image.Rect(0, 0, 1280, 800))
	b.ReportAllocs()
	for b.Loop() {
		s.Paint(img, Dark, 1)
	}
}

func BenchmarkCardScene(b *testing.B) {
	c := nice()["tight"]
	b.ReportAllocs()
	for b.Loop() {
		ThermalCard(c, 300, 135)
	}
}

func BenchmarkCardPaint(b *testing.B) {
	s := ThermalCard(nice()["tight"], 300, 135)
	img := image.NewRGBA(image.Rect(0, 0, 300, 135))
	b.ReportAllocs()
	for b.Loop() {
		s.Paint(img, Dark, 1)
	}
}

func BenchmarkFigures(b *testing.B) {
	c := nice()["tight"]
	for _, slot := range LiveLayout(1280, 756) {
		b.Run(slot.Figure, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Figures[slot.Figure](c, slot.W, slot.H)
			}
		})
	}
}

// deep is a model of many layers, each with its ops: all alike, which the diagram collapses, or each of another width.
func deep(layers int, alike bool) Context {
	many := *workload.Default().Model
	many.Layers = slices.Repeat(many.Layers[:1], layers)
	for i := range many.Layers {
		if !alike {
			many.Layers[i].FeedForward += uint64(64 * i)
		}
	}
	set := at8k()
	set.Workload = many.At(workload.Options{})
	c := moving(set, desktop)
	c.Whole = true
	return c
}

// BenchmarkPlanOfLayers sizes a model, decides, and draws and paints its diagram.
func BenchmarkPlanOfLayers(b *testing.B) {
	for _, alike := range []bool{true, false} {
		for _, n := range []int{2, 20, 200} {
			c := deep(n, alike)
			img := image.NewRGBA(image.Rect(0, 0, 1248, 140))
			b.Run(fmt.Sprintf("alike=%t/n=%d", alike, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					set := c.Frame.Settings
					set.Workload = set.Workload.Model.At(workload.Options{})
					c.Frame = frame.New(c.Frame.Sample, set)
					clear(img.Pix)
					Fusion(c, 1248, 140).Paint(img, Dark, 1)
				}
			})
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	s := Live(nice()["tight"], 1280, 800)
	for b.Loop() {
		if err := s.SVG(io.Discard, Dark); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLongModelsCollapse(t *testing.T) {
	c := deep(200, true)
	s := Fusion(c, 1248, 140)
	if n := len(s.Items); n > 200 {
		t.Errorf("200 layers take %d items: repeats must collapse", n)
	}
	found := false
	for _, l := range labels(s) {
		found = found || l.text == "× 200"
	}
	if !found {
		t.Error("nothing says that the layer stands 200 times")
	}
}

func TestPassesMatchThePolicy(t *testing.T) {
	for state, c := range hostile() {
		seq := sequenceOf(c)
		if got, want := len(slices.Collect(seq.Groups())), policy.PlanFusion(seq.Ops); got != int(want) {
			t.Errorf("%s: %d passes are drawn, the policy counts %d", state, got, want)
		}
	}
}
