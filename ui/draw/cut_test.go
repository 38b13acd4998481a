package draw

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestNoWordIsCutOnTheLivePage looks at the states that people meet, on the smallest window with and without a notice, beside the
// panel of pins, and on larger ones, and two side by side.
func TestNoWordIsCutOnTheLivePage(t *testing.T) {
	states := maps.Clone(nice())
	for name, c := range hostile() {
		if strings.HasPrefix(name, "scenario ") {
			states[name] = c
		}
	}
	for name, c := range states {
		for _, size := range [][2]float64{{900, 556}, {900, 526}, {860, 700}, {980, 756}, {1000, 600}, {1280, 756}, {1920, 1036}} {
			for _, s := range append(LiveLayout(size[0], size[1]), compared(max(size[0], 1200))...) {
				for _, it := range Figures[s.Figure](c, s.W, s.H).Items {
					if it.Kind == Label && strings.HasSuffix(it.Text, "…") && it.Text != "Reading the sensors…" {
						t.Errorf("%s, %s on a page of %v×%v: %q is cut", name, s.Figure, size[0], size[1], it.Text)
					}
				}
			}
		}
	}
}

// compared are the places of one side's figures where two Frames stand side by side.
func compared(w float64) []Slot {
	half := (w - 42) / 2
	return []Slot{
		{"verdict", 0, 0, half, 96},
		{"thermal", 0, 0, (half - 20) / 3, 110},
		{"power", 0, 0, (half - 20) / 3, 110},
		{"memory", 0, 0, (half - 20) / 3, 110},
		{"ladder", 0, 0, (half - 10) / 2, 190},
		{"tiles", 0, 0, (half - 10) / 2, 190},
		{"map", 0, 0, half, 170},
	}
}

func says(s Scene, text string) bool {
	return slices.ContainsFunc(s.Items, func(it Item) bool { return it.Kind == Label && it.Text == text })
}

func TestTheLinesThatMatterAreNamedAtEverySize(t *testing.T) {
	for _, size := range [][2]float64{{900, 526}, {900, 556}, {860, 700}, {1280, 756}, {1920, 1036}} {
		for _, s := range LiveLayout(size[0], size[1]) {
			switch s.Figure {
			case "memory":
				for _, state := range []string{"roomy", "tight", "assumed"} {
					c := nice()[state]
					if p := c.Frame.Plan.Precision.String(); !says(MemoryCard(c, s.W, s.H), p) {
						t.Errorf("%s on a page of %v×%v: nothing names what %s needs", state, size[0], size[1], p)
					}
				}
			case "clocks":
				if !says(ClocksCard(nice()["tight"], s.W, s.H), "GPU") {
					t.Errorf("on a page of %v×%v nothing names the GPU's line", size[0], size[1])
				}
			}
		}
	}
}

func TestWordsOfLevelsKeepApartAndWithinTheirChart(t *testing.T) {
	for _, at := range [][]float64{{1, 1, 1}, {0, 0.5, 1}, {99, 100, 98}, {0, 100, 50}, {50, 51, 52}} {
		b := newBoard(300, 100, "", 8)
		s := strip{x: 10, y: 20, w: 200, h: 60, lo: 0, hi: 100}
		var ls []level
		for _, v := range at {
			ls = append(ls, level{at: v, label: "word"})
		}
		b.levels(s, ls)
		var base []float64
		for _, it := range b.Items {
			if it.Kind == Label {
				base = append(base, it.Y)
			}
		}
		slices.Sort(base)
		if len(base) != len(at) || base[0] < s.y || base[len(base)-1] > s.y+s.h+4 {
			t.Errorf("levels at %v have words at %v", at, base)
		}
		for i := 1; i < len(base); i++ {
			if base[i]-base[i-1] < levelGap-1e-9 {
				t.Errorf("levels at %v have words at %v: they touch", at, base)
			}
		}
	}
}
