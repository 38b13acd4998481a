package draw

import (
	"strings"

	"headroom/ui/frame"
)

// Slot is the place of a figure on a page.
type Slot struct {
	Figure     string
	X, Y, W, H float64
}

// LiveLayout places the figures of the Live page on w by h units, without scrolling from 900×516 up. Below that the
// figures keep their least sizes and the page is larger than asked for.
func LiveLayout(w, h float64) []Slot {
	margin, gap, top := 16.0, 12.0, 4.0
	if w < 1100 || h < 640 {
		margin, gap = 12, 8
	}
	w = max(w, 860)
	in := w - 2*margin
	// The rows' least heights, what they gain from more room, and the most they use.
	rows := []band{{88, 0.2, 112}, {116, 1.2, 230}, {200, 1.7, 1e9}, {112, 0.8, 300}, {74, 0.1, 96}}
	both := h < 88+116+200+112+74+margin+top+4*gap
	if both {
		rows = []band{{84, 0.2, 100}, {104, 1, 160}, {178, 2, 1e9}, {104, 1, 160}}
	}
	heights := share(rows, h-margin-top-gap*float64(len(rows)-1))
	slots := make([]Slot, 0, 10)
	y := top
	row := func(i int, names []string, parts []float64) {
		total := 0.0
		for _, p := range parts {
			total += p
		}
		x := margin
		free := in - gap*float64(len(parts)-1)
		for j, name := range names {
			n := free * parts[j] / total
			slots = append(slots, Slot{name, x, y, n, heights[i]})
			x += n + gap
		}
		y += heights[i] + gap
	}
	row(0, []string{"verdict"}, []float64{1})
	row(1, []string{"thermal", "power", "memory", "clocks"}, []float64{1, 1, 1, 1})
	row(2, []string{"ladder", "map", "tiles"}, []float64{30, 35, 35})
	if both {
		row(3, []string{"fusion", "timeline"}, []float64{55, 45})
		return slots
	}
	row(3, []string{"fusion"}, []float64{1})
	row(4, []string{"timeline"}, []float64{1})
	return slots
}

// band is a row's least height, its share of what is left over, and its greatest height.
type band struct{ least, grow, most float64 }

// share gives each row its least height and spreads the rest, none past its most while another can take it.
func share(rows []band, room float64) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = r.least
		room -= r.least
	}
	for range rows {
		grow := 0.0
		for i, r := range rows {
			if out[i] < r.most {
				grow += r.grow
			}
		}
		if room <= 0.01 || grow == 0 {
			break
		}
		given := 0.0
		for i, r := range rows {
			if out[i] < r.most {
				n := min(room*r.grow/grow, r.most-out[i])
				out[i] += n
				given += n
			}
		}
		room -= given
	}
	return out
}

// headHeight is the height of the page's head in a picture; in the window its own bar stands there.
const headHeight = 44

// Live is the whole Live page as one picture. From 1600×1000 units up everything grows with the page.
func Live(c Context, w, h float64) Scene {
	zoom := max(min(w/1600, h/1000), 1)
	w, h = w/zoom, h/zoom
	page := Scene{W: w, H: h, Title: "Headroom", Items: make([]Item, 0, 640)}
	page.Place(head(c, w, headHeight), 0, 0)
	var desc strings.Builder
	for i, s := range LiveLayout(w, h-headHeight) {
		figure := Figures[s.Figure](c, s.W, s.H)
		page.Place(figure, s.X, s.Y+headHeight)
		if i == 0 {
			page.Title = "Headroom: " + figure.Title
		} else {
			desc.WriteString("\n" + figure.Title + ": ")
		}
		desc.WriteString(figure.Desc)
	}
	page.Desc = desc.String()
	page.Enlarge(zoom)
	return page
}

// head names the program, the model and where the numbers come from.
func head(c Context, w, h float64) Scene {
	b := newBoard(w, h, "Headroom", 8)
	x, y := 16.0, h/2+4
	x += b.text(x, middleOf(y, 16), w, "Headroom", style{size: 16, weight: SemiBold, color: Text}) + 20
	name, rest := "", ""
	if c.Frame.Settings.Workload.Params > 0 {
		name, rest = workloadWords(c.Frame)
	}
	x += b.text(x, middleOf(y, lead), w*0.4, name, style{size: lead, weight: SemiBold, color: Text}) + 10
	from := "live"
	if c.Origin != "" {
		from = c.Origin
	}
	if !c.waiting() {
		from += " · " + c.Frame.Sample.Time.Format("15:04:05")
	}
	n := b.text(w-16, middleOf(y, body), w*0.4, from, style{size: body, color: Muted, anchor: End})
	b.text(x, middleOf(y, body), w-16-n-16-x, rest, style{size: body, color: Muted})
	return b.Scene
}

// workloadWords are the workload's name, and its size and context in short.
func workloadWords(f frame.Frame) (name, rest string) {
	w := f.Settings.Workload
	name, rest = w.Name, frame.Params(w.Params)+" weights"
	if name == "" {
		name = frame.Params(w.Params) + " weights"
		rest = "a bare count: nothing beside them"
	}
	if w.ActiveParams > 0 && w.ActiveParams < w.Params {
		rest += ", " + frame.Params(w.ActiveParams) + " a token"
	}
	if w.Context > 0 {
		rest += " · context " + frame.Count(w.Context) + " · KV " + string(w.KVType)
	}
	return name, rest
}

// Enlarge multiplies every length.
func (s *Scene) Enlarge(k float64) {
	if k == 1 {
		return
	}
	s.W, s.H, s.Zoom = s.W*k, s.H*k, k
	for i := range s.Items {
		it := &s.Items[i]
		it.X, it.Y, it.W, it.H = it.X*k, it.Y*k, it.W*k, it.H*k
		it.R, it.Width, it.Dash, it.Size = it.R*k, it.Width*k, it.Dash*k, it.Size*k
		for j := range it.Points {
			it.Points[j] = Point{it.Points[j].X * k, it.Points[j].Y * k}
		}
	}
	for i := range s.Hotspots {
		h := &s.Hotspots[i]
		h.X, h.Y, h.W, h.H = h.X*k, h.Y*k, h.W*k, h.H*k
	}
}
