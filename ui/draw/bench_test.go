package draw

import (
	"image"
	"io"
	"slices"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
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

// deep is a model of 200 layers, each with its ops.
func deep() Context {
	m := workload.Default().Model
	many := *m
	many.Layers = slices.Repeat(m.Layers[:1], 200)
	set := at8k()
	set.Workload = many.At(workload.Options{})
	c := moving(set, desktop)
	c.Whole = true
	return c
}

func BenchmarkFusionOf200Layers(b *testing.B) {
	c := deep()
	b.ReportAllocs()
	for b.Loop() {
		Fusion(c, 1248, 140)
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
	c := deep()
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
