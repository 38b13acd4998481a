package draw

import (
	"strings"
	"testing"
	"time"
)

func TestTimelineShowsEventsWithTheirWords(t *testing.T) {
	c := nice()["roomy"]
	now := c.Frame.Sample.Time
	const w, h = 1200, 74
	plain := Timeline(c, w, h)
	c.Marks = []Mark{
		{At: now.Add(-20 * time.Minute), Text: "long ago"},
		{At: now.Add(-6 * time.Minute), Text: "fan off"},
		{At: now.Add(-4 * time.Minute)},
		{At: now.Add(-2 * time.Second), Text: "game started"},
	}
	s := Timeline(c, w, h)
	said := func(text string) bool {
		for _, it := range s.Items {
			if it.Kind == Label && it.Text == text {
				return true
			}
		}
		return false
	}
	for text, want := range map[string]bool{"fan off": true, "game started": true, "long ago": false} {
		if said(text) != want {
			t.Errorf("the timeline shows %q: %v, want %v", text, !want, want)
		}
	}
	tips := 0
	for _, h := range s.Hotspots[len(plain.Hotspots):] {
		if strings.Contains(h.Tip, " marked") {
			tips++
		}
	}
	if tips != 3 {
		t.Errorf("%d events can be pointed at, want 3", tips)
	}
	type edges struct{ from, to float64 }
	var under []edges
	for _, it := range s.Items {
		if it.Kind != Label || it.Y < h-24 {
			continue
		}
		n := TextWidth(it.Text, it.Size, it.Weight)
		from := map[Anchor]float64{Start: it.X, Middle: it.X - n/2, End: it.X - n}[it.Anchor]
		for _, u := range under {
			if from < u.to && from+n > u.from {
				t.Errorf("%q stands on other words", it.Text)
			}
		}
		under = append(under, edges{from, from + n})
		if from < 0 || from+n > w {
			t.Errorf("%q leaves the card", it.Text)
		}
	}
}
