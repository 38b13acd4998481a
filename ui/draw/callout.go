package draw

import "strconv"

// Callout is a number set on a picture, explained in the words beside it.
type Callout struct {
	X, Y  float64
	Words string
}

// Call sets numbered marks on the scene, in order from 1, and adds their words to its description.
func (s *Scene) Call(marks []Callout) {
	const size = 12
	k := max(s.Zoom, 1)
	for i, m := range marks {
		n := strconv.Itoa(i + 1)
		r := max(size*0.85, TextWidth(n, size, SemiBold)/2+5) * k
		x, y := min(max(m.X, r), max(s.W-r, r)), min(max(m.Y, r), max(s.H-r, r))
		s.Items = append(
			s.Items,
			Item{Kind: Circle, X: x, Y: y, R: r + 2*k, Fill: Card},
			Item{Kind: Circle, X: x, Y: y, R: r, Fill: Text},
			Item{Kind: Label, X: x, Y: middleOf(y, size*k), W: 2 * r, Text: n, Size: size * k, Weight: SemiBold, Anchor: Middle, Fill: Card},
		)
		if m.Words != "" {
			s.Desc += "\n" + n + ": " + m.Words
		}
	}
}
