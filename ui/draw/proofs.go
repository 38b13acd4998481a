package draw

import (
	"fmt"
	"math"
	"strings"
)

// ProofState says how far a proof has come.
type ProofState uint8

// The states of a proof.
const (
	// ProofMissing was never run here.
	ProofMissing ProofState = iota
	// ProofWaiting is to be run after others, ProofRunning is being run.
	ProofWaiting
	ProofRunning
	// ProofVerified agreed with the CPU, ProofWrong did not; ProofFailed could not be finished, ProofCancelled was not to be.
	ProofVerified
	ProofWrong
	ProofFailed
	ProofCancelled
)

// words are the state in one or two words.
func (s ProofState) words() string {
	return [...]string{"not proven yet", "waiting", "running", "verified", "wrong", "failed", "cancelled"}[min(s, ProofCancelled)]
}

// ProofBar is one figure of a proof: measured beside what was predicted.
type ProofBar struct {
	Name string
	// Measured and Predicted have one unit; a Predicted of 0 means that nothing predicts it, a Measured that is not a number
	// that it is still to be measured.
	Measured, Predicted float64
	Unit                string
	// Fill is a precision's colour where the bar is of one; None is the colour of curves.
	Fill Role
	// Tip explains both.
	Tip string
}

// Proof is one card of the proofs.
type Proof struct {
	Title, About string
	State        ProofState
	// Step is what is being measured while it runs, Done the share that is over.
	Step string
	Done float64
	Bars []ProofBar
	// Meaning is a sentence: what it says of the plan, or why it failed.
	Meaning string
}

// Proofs draws the proofs as cards: three to a row where there is room, else two or one.
func Proofs(proofs []Proof, w, h float64) Scene {
	b := newBoard(max(w, 0), max(h, 0), "Proofs on this adapter", 32*len(proofs))
	var said []string
	const gap = 10
	across := 1
	switch {
	case w >= 1000:
		across = 3
	case w >= 640:
		across = 2
	}
	rows := (len(proofs) + across - 1) / max(across, 1)
	if rows == 0 {
		return b.Scene
	}
	ch := (h - gap*float64(rows-1)) / float64(rows)
	if ch < leastH || w < leastW {
		return b.Scene
	}
	for i, p := range proofs {
		row, first := i/across, i/across*across
		// A last row with fewer cards shares its width among them.
		n := min(across, len(proofs)-first)
		cw := (w - gap*float64(n-1)) / float64(n)
		b.Place(ProofCard(p, cw, ch), float64(i-first)*(cw+gap), float64(row)*(ch+gap))
		text := p.Title + " " + p.State.words()
		if p.Meaning != "" {
			text += ": " + strings.TrimSuffix(p.Meaning, ".")
		}
		said = append(said, text)
	}
	b.Desc = clean(strings.Join(said, ". ") + ".")
	return b.Scene
}

// ProofCard draws one proof: its state, its bars and the sentence.
func ProofCard(p Proof, w, h float64) Scene {
	b := newBoard(w, h, p.Title, 32)
	b.Desc = clean(p.State.words() + ". " + p.Meaning)
	b.ground()
	if w < leastW || h < leastH {
		return b.Scene
	}
	m := pad(w)
	b.proofHead(p, m)
	y := 38.0
	if p.About != "" && h >= 190 {
		b.text(m, middleOf(y+4, small), w-2*m, p.About, noteStyle)
		y += 22
	}
	meaning := wrapped(clean(p.Meaning), w-2*m, small, 3)
	const lineHeight = 16
	foot := h - 14 - float64(max(len(meaning)-1, 0))*lineHeight
	if len(p.Bars) == 0 && p.State != ProofRunning {
		foot = min(foot, y+10) // nothing stands between
	}
	ink := noteStyle.in(Text)
	if p.State == ProofMissing {
		ink = noteStyle
	}
	for i, line := range meaning {
		b.text(m, foot+float64(i)*lineHeight, w-2*m+0.5, line, ink)
	}
	if len(meaning) > 0 {
		b.spot(m, foot-14, w-2*m, float64(len(meaning))*lineHeight+6, clean(p.Meaning))
		foot -= 18
	}
	if p.State == ProofRunning {
		b.progress(m, y, w-2*m, p)
		y += 34
	}
	b.proofBars(p.Bars, m, y, w-2*m, foot-y)
	return b.Scene
}

// proofHead writes the title and the state; what is wrong or failed is marked.
func (b *board) proofHead(p Proof, m float64) {
	const y = 20
	right := b.W - m
	words := p.State.words()
	switch p.State {
	case ProofWrong, ProofFailed:
		right -= b.alertEnd(right, y, b.W/2, words) + 8
	case ProofVerified:
		s := strong.end()
		b.text(right, middleOf(y, small), b.W/2, words, s)
		x := right - s.width(words) - 14
		b.add(Item{Kind: Poly, Stroke: Text, Width: 1.8, Points: []Point{{x, y}, {x + 3, y + 3.5}, {x + 9, y - 4}}})
		right = x - 8
	default:
		right -= b.text(right, middleOf(y, small), b.W/2, words, noteStyle.end()) + 8
	}
	b.text(m, middleOf(y, body), right-m, p.Title, titleStyle)
}

// progress draws how far the running proof has come.
func (b *board) progress(x, y, w float64, p Proof) {
	done := min(max(p.Done, 0), 1)
	b.text(x, middleOf(y+6, small), w-40, p.Step, noteStyle)
	b.text(x+w, middleOf(y+6, small), 40, fmt.Sprintf("%.0f %%", math.Floor(done*100)), noteStyle.end())
	b.box(x, y+16, w, 4, 2, Well)
	b.box(x, y+16, w*done, 4, 2, Curve)
}

// The bars' rows: words above the bar, which is a thin one where there is little room.
const (
	barThick = 10
	barRow   = 44
	barFull  = 24 // from this row's height on bars have their thickness
	barThin  = 3
	barLeast = 17
)

// proofBars draws as many bars as fit: the measured one solid, the predicted one as a line across with its number.
func (b *board) proofBars(bars []ProofBar, x, y, w, h float64) {
	if len(bars) == 0 || h < barLeast || w < 60 {
		return
	}
	n := len(bars)
	row := min(h/float64(n), barRow)
	if row < barLeast {
		n = max(int(h/barLeast), 1)
		row = min(h/float64(n), barRow)
	}
	thick := float64(barThick)
	if row < barFull {
		thick = barThin
	}
	for _, bar := range bars[:min(n, len(bars))] {
		b.proofBar(bar, sameUnit(bars, bar.Unit), x, y, w, thick)
		b.spot(x-4, y-2, w+8, row-2, clean(bar.Tip))
		y += row
	}
}

// sameUnit is the largest number in a unit: bars of one unit share a scale.
func sameUnit(bars []ProofBar, unit string) float64 {
	most := 0.0
	for _, o := range bars {
		if o.Unit == unit && !math.IsNaN(o.Measured) {
			most = max(most, o.Measured, o.Predicted)
		}
	}
	return most
}

func (b *board) proofBar(bar ProofBar, most, x, y, w, thick float64) {
	top := y + 13 - min((barThick-thick)/4, 1)
	if math.IsNaN(bar.Measured) {
		b.text(x+w, middleOf(y+5, small), 20, unknown, noteStyle.end())
		b.text(x, middleOf(y+5, small), w-30, bar.Name, noteStyle)
		b.box(x, top, w, thick, 2, Well)
		return
	}
	// Measured first, in bold: what was predicted is no whole that it is a part of.
	if bar.Predicted > 0 {
		predicted := "predicted " + withUnit(bar.Predicted, bar.Unit)
		value := withUnit(bar.Measured, bar.Unit) + " · "
		right := x + w
		if strong.width(value)+noteStyle.width(predicted)+noteStyle.width(bar.Name)+12 > w {
			predicted = "mark " + withUnit(bar.Predicted, bar.Unit)
		}
		right -= b.text(right, middleOf(y+5, small), w*0.5, predicted, noteStyle.end())
		right -= b.text(right, middleOf(y+5, small), w*0.5, value, strong.end())
		b.text(x, middleOf(y+5, small), right-x-10, bar.Name, noteStyle)
	} else {
		used := b.text(x+w, middleOf(y+5, small), w*0.75, withUnit(bar.Measured, bar.Unit), strong.end())
		b.text(x, middleOf(y+5, small), w-used-10, bar.Name, noteStyle)
	}
	b.box(x, top, w, thick, 2, Well)
	if most <= 0 {
		return
	}
	// A tenth is left beyond the longest, so that a mark at its end is seen.
	to := func(v float64) float64 { return w * 0.92 * min(max(v/most, 0), 1) }
	fill, rim := bar.Fill, Rim
	if fill == None {
		fill = Curve
	}
	if bar.Fill == None || thick < barThick {
		rim = None
	}
	b.add(Item{Kind: Rect, X: x, Y: top, W: max(to(bar.Measured), 2), H: thick, R: min(thick/2, 2), Fill: fill, Stroke: rim, Width: 1})
	if bar.Predicted > 0 {
		at := x + to(bar.Predicted)
		b.add(Item{Kind: Line, X: at, Y: top - min(thick/3, 2), H: thick + 2*min(thick/3, 2), Stroke: Text, Width: 2})
	}
}

// withUnit writes a number with three digits and its unit.
func withUnit(v float64, unit string) string {
	text := fmt.Sprintf("%.3g", v)
	if v >= 1000 {
		text = fmt.Sprintf("%.0f", v)
	}
	if unit == "×" || unit == "" {
		return text + unit
	}
	return text + " " + unit
}

// wrapped breaks a text into lines of at most a width; the last of limit ends in … where there was more.
func wrapped(text string, width, size float64, limit int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		next := word
		if line != "" {
			next = line + " " + word
		}
		if line != "" && TextWidth(next, size, Regular) > width {
			lines = append(lines, line)
			next = word
		}
		line = next
	}
	if line != "" {
		lines = append(lines, line)
	}
	if len(lines) > limit {
		lines[limit-1] = cut(lines[limit-1]+" "+lines[limit]+" …", width, size, Regular)
		lines = lines[:limit]
	}
	return lines
}
