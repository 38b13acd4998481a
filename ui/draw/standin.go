package draw

// Below leastW by leastH a figure has no room for more than its title.
const (
	leastW = 120
	leastH = 64
)

// standIn is the card that stands where nothing was read yet, or where there is no room for the figure.
func standIn(c Context, w, h float64, title string) (Scene, bool) {
	small := w < leastW || h < leastH
	if !small && !c.waiting() {
		return Scene{}, false
	}
	b := newBoard(max(w, 0), max(h, 0), title, 4)
	b.ground()
	p := pad(w)
	if h >= 28 {
		b.text(p, middleOf(min(20, h/2), body), w-2*p, title, titleStyle)
	}
	b.Desc = "There is no room for it."
	if c.waiting() {
		b.Desc = "Nothing was read yet."
		b.blank(small)
	}
	return b.Scene, true
}

// blank draws the places of a number and of words, to be filled.
func (b *board) blank(small bool) {
	p := pad(b.W)
	if small || b.H < 84 {
		return
	}
	b.box(p, 38, min(72, b.W-2*p), 20, 6, Well)
	if b.H >= 100 {
		b.box(p, b.H-22, (b.W-2*p)*0.6, 8, 4, Well)
	}
}
