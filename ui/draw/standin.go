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
	if c.waiting() {
		b.Desc = "Nothing was read yet."
		if !small {
			b.text(w/2, middleOf(h/2+8, body), w-2*p, "reading the sensors…", noteStyle.middle())
		}
	}
	return b.Scene, true
}
