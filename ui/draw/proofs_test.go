package draw

import (
	"math"
	"strings"
	"testing"
)

// someProofs are in each state that a proof can be in.
func someProofs() []Proof {
	return []Proof{
		{
			Title: "Bandwidth and overhead", About: "How fast memory moves, and what a dispatch costs", State: ProofVerified,
			Meaning: "this adapter copies 3840 GB/s and the CPU 41.2; a dispatch costs 2.1 µs, a submission 14 µs",
			Bars: []ProofBar{
				{Name: "GPU copies", Measured: 3840, Unit: "GB/s", Tip: "a"},
				{Name: "CPU copies", Measured: 41.2, Unit: "GB/s", Tip: "b"},
				{Name: "dispatch", Measured: 2.1, Unit: "µs", Tip: "c"},
				{Name: "submission", Measured: 14, Unit: "µs", Tip: "d"},
			},
		},
		{
			Title: "Fusion", State: ProofWrong, Meaning: "The adapter's numbers differ from the CPU's by 0.25.",
			Bars: []ProofBar{{Name: "a chain of 8 ops", Measured: 6, Predicted: 8, Unit: "×"}},
		},
		{Title: "Precision", About: "Decoding with weights of each precision", State: ProofRunning, Step: "q4: measuring", Done: 0.43},
		{Title: "Weights to the GPU", State: ProofFailed, Meaning: "the device was lost: the driver ended what took too long, and gave no more than this sentence, which is longer than three lines of a card on a small window may hold, and longer still"},
		{Title: "Tiles", State: ProofWaiting},
	}
}

func TestProofsShowEachStateWithMarkAndWord(t *testing.T) {
	s := Proofs(someProofs(), 1248, 660)
	red := 0
	words := map[string]bool{}
	for _, it := range s.Items {
		if it.Kind == Label {
			words[it.Text] = true
		}
		if it.Kind == Poly && it.Fill == Alert {
			red++
		}
	}
	for _, want := range []string{"verified", "wrong", "failed", "waiting", "running", "43 %", "predicted 8×", "3840 GB/s"} {
		if !words[want] {
			t.Errorf("nothing says %q", want)
		}
	}
	if red != 2 {
		t.Errorf("%d red marks, want those of the wrong and of the failed proof", red)
	}
	if !strings.Contains(s.Desc, "Fusion wrong: The adapter's numbers differ") || !strings.Contains(s.Desc, "Tiles waiting.") {
		t.Errorf("the description says %q", s.Desc)
	}
}

func TestASmallCardStillShowsAllOfItsBars(t *testing.T) {
	p := someProofs()[0]
	s := ProofCard(p, 428, 154) // on a window of 900×600
	for _, bar := range p.Bars {
		if !says(s, bar.Name) || !says(s, withUnit(bar.Measured, bar.Unit)) {
			t.Errorf("nothing says %q", bar.Name)
		}
	}
}

func TestBarsOfOneUnitShareAScale(t *testing.T) {
	s := ProofCard(someProofs()[0], 400, 300)
	var long []float64
	for _, it := range s.Items {
		if it.Kind == Rect && it.Fill == Curve && it.H == barThick {
			long = append(long, it.W)
		}
	}
	if len(long) != 4 {
		t.Fatalf("%d bars, want 4", len(long))
	}
	if got := long[0] / long[3]; math.Abs(got-1) > 0.01 {
		t.Errorf("the longest bar of each unit differ in length: %v", long)
	}
	if got := long[2] / long[3]; math.Abs(got-2.1/14) > 0.01 {
		t.Errorf("2.1 µs is %.3f of 14 µs long", got)
	}
}

func TestProofsStayWithinTheirRoom(t *testing.T) {
	for _, size := range [][2]float64{{1888, 960}, {1248, 660}, {868, 460}, {500, 900}, {200, 200}, {90, 30}, {0, 0}} {
		s := Proofs(someProofs(), size[0], size[1])
		for _, it := range s.Items {
			from, to := it.X, it.X+it.W
			if it.Kind == Label {
				n := TextWidth(it.Text, it.Size, it.Weight)
				from = map[Anchor]float64{Start: it.X, Middle: it.X - n/2, End: it.X - n}[it.Anchor]
				to = from + n
			}
			if from < -0.5 || to > size[0]+0.5 || it.Y < -0.5 || it.Y > size[1]+0.5 {
				t.Errorf("%v: %+v leaves the picture", size, it)
				break
			}
		}
	}
	if s := Proofs(nil, 300, 200); len(s.Items) != 0 {
		t.Error("no proofs are drawn as something")
	}
}

func TestPicturesOfProofs(t *testing.T) {
	compare(t, "proofs-dark", Proofs(someProofs(), 1248, 660), Dark)
	compare(t, "proofs-light", Proofs(someProofs(), 868, 520), Light)
}
