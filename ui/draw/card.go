package draw

import (
	"strings"
	"time"

	"headroom/sensors"
	"headroom/ui/frame"
)

// card is what the four cards have in common.
type card struct {
	title string
	// judgement is in red; short is for where it does not fit.
	judgement, short string
	state            sensors.State
	value, unit      string
	// note stands right of the number: the least and the greatest of the window.
	note, source, tip, reading string
	// less are the source's words where all of them do not fit, the longest first; none takes those of segments.
	less []string
	// gutter is the room right of the chart.
	gutter float64
	// bare is whether there is no course to be shown.
	bare bool
}

// draw lays out a card and returns the place of its chart; its height is 0 where there is no room.
func (k card) draw(b *board, c Context) (strip, bool) {
	b.ground()
	p := pad(b.W)
	b.heading(k.title, k.judgement, k.short, k.state)
	size := float64(big)
	if b.H < 110 {
		size = 20
	}
	base := 34 + size*0.88
	room := b.W - 2*p
	used := b.text(p, base, room, k.value, style{size: size, weight: SemiBold, color: Text})
	used += 5 + b.text(p+used+5, base, room-used-5, k.unit, style{size: lead, color: Muted})
	if g := c.ghost(); g != nil && !k.bare {
		b.ghostName(g, b.W-p, base, room-used-10)
	} else if !b.whole(b.W-p, base, room-used-10, k.note, noteStyle.end()) {
		_, short, _ := strings.Cut(k.note, ": ")
		b.whole(b.W-p, base, room-used-10, short, noteStyle.end())
	}
	foot := b.H - 14
	b.first(p, foot, room, noteStyle, k.sources()...)
	spot := Hotspot{W: b.W, H: b.H, Tip: k.tip}
	if k.reading != "" {
		spot.Action, spot.ID = ShowReading, k.reading
	}
	b.Hotspots = append(b.Hotspots, spot)
	s := strip{x: p, y: base + 11, w: room - k.gutter, now: c.Frame.Sample.Time}
	s.h = foot - 17 - s.y
	if s.h >= tall {
		s.timed = true
		s.h -= 18
	}
	return s, s.h >= 12 && s.w >= 40
}

// sources are the words for the source, the longest first.
func (k card) sources() []string {
	if len(k.less) == 0 {
		return segments(k.source)
	}
	return append([]string{k.source}, k.less...)
}

// rangeNote says the least and the greatest of the window.
func rangeNote(points []frame.Point, now time.Time, f pick, scale float64, decimals int) string {
	lo, hi, any := bounds(points, now.Add(-window), f)
	if !any {
		return ""
	}
	a, z := fixedPoint(lo/scale, decimals), fixedPoint(hi/scale, decimals)
	if a == z {
		return "2 min: steady"
	}
	return "2 min: " + a + " to " + z
}

// sourceLine is what a card says below its chart: the source, or in its place why nothing could be read.
func sourceLine(source, detail, reading string, state sensors.State) string {
	if state != sensors.StateAssumed || reading != "" || detail == "" {
		return source
	}
	why, _, _ := strings.Cut(detail, ": ")
	return why
}

// withDash is a source and what is special of it on one line.
func withDash(source, detail string) string {
	if detail == "" {
		return source
	}
	return source + " · " + detail
}

// withSentence is a text and one more sentence, if there is one.
func withSentence(text, more string) string {
	if more == "" {
		return text
	}
	return text + ". " + more
}

func withDetail(source, detail string) string {
	if detail == "" {
		return source
	}
	return source + "\n" + detail
}

func alertIf(on bool) Role {
	if on {
		return Alert
	}
	return Text
}
