package draw

import (
	"math"
	"strings"
	"testing"
	"time"

	"headroom/policy"
	"headroom/sensors"
	"headroom/ui/frame"
)

// under is the role of the topmost filled rectangle at a place.
func under(s Scene, x, y float64) Role {
	found := None
	for _, it := range s.Items {
		if it.Kind == Rect && it.Fill != None && x > it.X && x < it.X+it.W && y > it.Y && y < it.Y+it.H {
			found = it.Fill
		}
	}
	return found
}

func TestMapShowsWhatThePolicySelects(t *testing.T) {
	power := moving(at8k(), host{temp: 60, crit: 100, limitW: 20, drawW: 14, ram: 24 * gib, gpu: "integrated", vram: gib, vramUsed: 1})
	for state, c := range map[string]Context{"tight": nice()["tight"], "nofit": nice()["nofit"], "power": power} {
		s := HeatMap(c, 640, 400)
		// Names and the dot lie over the regions: leave them out.
		bare := s
		bare.Items = nil
		var m plane
		for _, it := range s.Items {
			if it.Kind == Rect && it.Hatch == Stripe && it.Fill == Well {
				m = plane{x: it.X, y: it.Y, w: it.W, h: it.H}
			}
			if it.Kind == Rect && it.H > 18 {
				bare.Items = append(bare.Items, it)
			}
		}
		params := c.Frame.Settings.Workload.Params
		m.most = mapMost(c.Frame.Plan.Rungs, float64(c.Frame.Budget.Memory.Budget))
		split := math.NaN()
		for _, it := range s.Items {
			if it.Kind == Line && it.Dash == 4 {
				split = it.Y
			}
		}
		for i := range 60 {
			// Between the thresholds, which lie on whole parts of the width.
			share := (float64(i) + 0.3) / 60
			for _, hot := range []bool{false, true} {
				x, y, headroom := m.x+m.w*share, (m.y+split)/2, float32(20)
				if hot {
					y, headroom = (split+m.y+m.h)/2, 2
				}
				b := policy.PowerThermalBudget{
					VRAMBudgetBytes: uint64(m.most * share), ThermalHeadroomC: headroom,
					PowerBudgetMW: c.Frame.Budget.Inputs.Budget.PowerBudgetMW,
				}
				p := policy.SelectPrecision(params, b)
				want := fillOf(p)
				if float64(params)*p.BytesPerWeight() > float64(b.VRAMBudgetBytes) {
					want = Well
				}
				if got := under(bare, x, y); got != want {
					t.Errorf("%s: at %d bytes and %v °C the map shows role %d, the policy gives %v (role %d)", state, b.VRAMBudgetBytes, headroom, got, p, want)
				}
			}
		}
	}
}

func TestTilesAreExactAndOfOneArea(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 7, 9, 12, 27, 60, 97, 200} {
		g := gridOf(n, 180, 170)
		cells := 0
		for i := range g.rows {
			row := g.row(i)
			if row < 1 {
				t.Errorf("%d tiles: row %d is empty", n, i)
			}
			cells += row
		}
		if cells != n {
			t.Errorf("%d tiles are drawn as %d", n, cells)
		}
	}
	for _, tiles := range []uint64{1, 9, 9999, 1 << 20, math.MaxUint32} {
		per := aggregate(tiles, 180, 170)
		if cells := (tiles + per - 1) / per; cells > 20*20 || cells == 0 {
			t.Errorf("%d tiles at %d a square are %d squares", tiles, per, cells)
		}
		if per > 1 && tiles <= 100 {
			t.Errorf("%d tiles are put together although they are few", tiles)
		}
	}
}

func TestMemoryBarsAddUp(t *testing.T) {
	for _, state := range []string{"roomy", "tight", "assumed"} {
		s := Tiles(nice()[state], 460, 240)
		// The bars of weights, KV, compute and what is left: each begins where the one before ended.
		var bars []Item
		for _, it := range s.Items {
			if it.Kind == Rect && it.X > 220 && it.H >= 6 && it.H <= 9 && it.Fill != Well {
				bars = append(bars, it)
			}
		}
		if len(bars) != 4 {
			t.Fatalf("%s: %d bars, want 4", state, len(bars))
		}
		for i := 1; i < len(bars); i++ {
			if end := bars[i-1].X + bars[i-1].W; math.Abs(bars[i].X-end) > 2 {
				t.Errorf("%s: bar %d begins at %.1f, the one before ends at %.1f", state, i, bars[i].X, end)
			}
		}
	}
}

// The mark under the budget's words touches none of them, down to the tail of the g.
func TestTheBudgetsMarkStandsClearOfItsWords(t *testing.T) {
	for _, state := range []string{"roomy", "tight", "nofit"} {
		for _, size := range [][2]float64{{300, 170}, {420, 240}, {620, 330}} {
			items, marks := Ladder(nice()[state], size[0], size[1]).Items, 0
			for i, it := range items {
				if it.Kind != Label || !strings.HasPrefix(it.Text, "budget ") || i+1 == len(items) || items[i+1].Kind != Poly {
					continue
				}
				marks++
				height, baseline := TextHeight(it.Size, it.Weight)
				bottom, top := it.Y+height-baseline, math.Inf(1)
				for _, p := range items[i+1].Points {
					top = min(top, p.Y)
				}
				if top < bottom+1 {
					t.Errorf("%s at %v: the mark begins at %.1f, its words end at %.1f", state, size, top, bottom)
				}
			}
			if marks != 1 {
				t.Errorf("%s at %v: %d marks of the budget", state, size, marks)
			}
		}
	}
}

func TestNothingFitsNeverLooksLikeFits(t *testing.T) {
	fits, not := Verdict(nice()["tight"], 1248, 92), Verdict(nice()["nofit"], 1248, 92)
	marks := func(s Scene) (red, hatched, mark int) {
		for _, it := range s.Items {
			if it.Fill == Alert {
				red++
			}
			if it.Hatch != None {
				hatched++
			}
			if it.Kind == Poly {
				mark++
			}
		}
		return red, hatched, mark
	}
	if red, hatched, mark := marks(fits); red+hatched+mark != 0 {
		t.Errorf("a verdict that fits has %d red, %d hatched and %d marks", red, hatched, mark)
	}
	if red, hatched, mark := marks(not); red == 0 || hatched == 0 || mark == 0 {
		t.Errorf("a verdict that nothing fits has %d red, %d hatched and %d marks, want each", red, hatched, mark)
	}
}

func TestAssumptionsAndPinsStandInTheVerdict(t *testing.T) {
	for _, size := range [][2]float64{{1248, 92}, {876, 84}, {700, 90}} {
		for state, want := range map[string]string{"assumed": "assumed", "pinned": "pinned", "none": "assumed"} {
			found := false
			for _, l := range labels(Verdict(nice()[state], size[0], size[1])) {
				found = found || strings.Contains(l.text, want)
			}
			if !found {
				t.Errorf("%s at %v: nothing says %q", state, size, want)
			}
		}
	}
}

func TestTimelineLeadsToEachChange(t *testing.T) {
	c := hostile()["many changes"]
	seen := map[int]bool{}
	for _, h := range Timeline(c, 1248, 80).Hotspots {
		if h.Action != ShowChange {
			continue
		}
		if got := c.History.Changes()[h.Index]; !strings.Contains(h.Tip, clean(got.Cause)) {
			t.Errorf("hotspot %d says %q, the cause is %q", h.Index, h.Tip, got.Cause)
		}
		seen[h.Index] = true
	}
	if len(seen) != len(c.History.Changes()) {
		t.Errorf("%d of %d changes can be reached", len(seen), len(c.History.Changes()))
	}
}

func TestFusionExplainsEachOpAndBoundary(t *testing.T) {
	c := nice()["tight"]
	s := Fusion(c, 1248, 132)
	seq := sequenceOf(c)
	ops, boundaries := 0, 0
	for _, h := range s.Hotspots {
		switch {
		case strings.Contains(h.Tip, " | "):
			boundaries++
		case strings.Contains(h.Tip, "over "):
			ops++
		}
	}
	passes := int(policy.PlanFusion(seq.Ops))
	if ops != len(seq.Ops) || boundaries != passes-1 {
		t.Errorf("%d ops and %d boundaries are explained, want %d and %d", ops, boundaries, len(seq.Ops), passes-1)
	}
}

func TestChartsDoNotRescaleEverySecond(t *testing.T) {
	h := frame.NewHistory()
	scales, last := 0, [2]float64{}
	noise := uint32(1)
	for i := range 600 {
		k := laptop
		noise = noise*1664525 + 1013904223
		k.temp = 70 + 12*math.Sin(float64(i)/90) + float64(noise>>24)/128
		f := frame.New(k.sample(noon.Add(time.Duration(i)*time.Second)), at8k())
		h.Add(f)
		c := Context{Frame: f, History: h}
		lo, hi := windowBounds(c, func(p *frame.Point) sensors.Number { return p.HeadroomC }, f.Budget.Thermal.HeadroomC)
		lo, hi = steady(min(lo, 0), max(hi, 10))
		if now := [2]float64{lo, hi}; now != last {
			scales, last = scales+1, now
		}
	}
	if scales > 12 {
		t.Errorf("the scale changed %d times in ten minutes of noise", scales)
	}
}

func TestNumbersKeepTheirWidth(t *testing.T) {
	for _, weight := range []Weight{Regular, SemiBold} {
		want := TextWidth("0.0", 26, weight)
		for _, s := range []string{"1.1", "4.7", "8.8", "9.3"} {
			if got := TextWidth(s, 26, weight); got != want {
				t.Errorf("%s is %.2f wide, 0.0 is %.2f", s, got, want)
			}
		}
	}
}

func TestFontHasTheSignsInUse(t *testing.T) {
	for _, r := range "·°−×≥≤→…—ᵀ÷" {
		for _, f := range typefaces() {
			if i, err := f.font.GlyphIndex(nil, r); err != nil || i == 0 {
				t.Errorf("the font has no %q", r)
			}
		}
	}
}
