package draw

// The style of what stands below the timeline, and how far below the line its baseline lies.
var underStyle = noteStyle.at(10.5)

const underLine = 13

// under writes the times below the timeline, each where no event's words stand.
func (b *board) under(marks []Mark, l line) {
	taken := eventPlaces(marks, l)
	for _, at := range []struct {
		x, width float64
		text     string
		s        style
	}{
		{l.x, l.w / 2, "−10 min", underStyle},
		{l.x + l.w/2, l.w / 3, "−5 min", underStyle.middle()},
		{l.x + l.w, l.w / 2, "now", underStyle.end()},
	} {
		w := at.s.width(at.text)
		from := at.x
		switch at.s.anchor {
		case Middle:
			from -= w / 2
		case End:
			from -= w
		}
		if !crosses(taken, from-8, from+w+8) {
			b.text(at.x, l.y+l.thick+underLine, at.width, at.text, at.s)
		}
	}
}

// eventPlace is where an event's words stand: from and to are their edges; an event without room for words has none.
type eventPlace struct {
	mark     *Mark
	x        float64
	from, to float64
}

// eventPlaces gives the events on the line, oldest first, with the places of their words: the newest takes what it needs.
func eventPlaces(marks []Mark, l line) []eventPlace {
	var out []eventPlace
	free := l.x + l.w
	for i := len(marks) - 1; i >= 0; i-- {
		m := &marks[i]
		if !l.shows(m.At) {
			continue
		}
		p := eventPlace{mark: m, x: l.toX(m.At)}
		const most, gap = 220, 10
		if n := min(underStyle.width(clean(m.Text)), most); n > 0 {
			p.from = max(min(p.x, free-n), l.x)
			p.to = p.from + n
			// Words stand at their tick, or end at the line's end; those of an older event end before them.
			if p.to > free || p.from > p.x || p.x-p.from > n {
				p.from, p.to = 0, 0
			} else {
				free = p.from - gap
			}
		}
		out = append(out, p)
	}
	return out
}

func crosses(places []eventPlace, from, to float64) bool {
	for _, p := range places {
		if p.to > from && p.from < to {
			return true
		}
	}
	return false
}

// events sets a tick below the line at each event, with its words where they have room and in the tooltip.
func (b *board) events(marks []Mark, l line) {
	bottom := l.y + l.thick
	for _, p := range eventPlaces(marks, l) {
		b.add(Item{Kind: Poly, Fill: Text, Closed: true, Points: []Point{{p.x, bottom - 1}, {p.x - 3.5, bottom + 5}, {p.x + 3.5, bottom + 5}}})
		if p.to > p.from {
			b.text(p.from, bottom+underLine+2, p.to-p.from+0.5, clean(p.mark.Text), underStyle.in(Text))
		}
		tip := p.mark.At.Format("15:04:05") + " marked"
		if p.mark.Text != "" {
			tip += ": " + clean(p.mark.Text)
		}
		b.spot(p.x-6, bottom-2, 12, 20, tip)
	}
}
