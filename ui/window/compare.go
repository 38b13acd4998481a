//go:build cgo || !darwin

package window

import (
	"cmp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/ui/draw"
	"headroom/ui/frame"
)

// compareHead names the two sides of a comparison and what differs between them.
type compareHead struct {
	v                 *view
	root              *fyne.Container
	left, right, diff *words
	end               *button
}

func newCompareHead(v *view) *compareHead {
	c := &compareHead{
		v: v, left: newWords(draw.Text, 1, true, 1), right: newWords(draw.Text, 1, true, 1), diff: newWords(draw.Muted, 0.96, false, 1),
	}
	c.end = newButton("End comparison", v.toggleCompare, v.tips, v).setTip("Show the present Frame alone again (X)")
	c.root = container.New(c, c.left, c.right, c.diff, c.end)
	return c
}

func (c *compareHead) update() {
	s := c.v.last
	c.left.set("Kept · " + clock(s.keptAt))
	c.right.set("Now · " + clock(s.frame.Sample.Time))
	c.diff.set("What differs: " + join(differences(s.kept, s.frame)...))
}

func (c *compareHead) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (c *compareHead) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	z := theme.TextSize() / 13
	half := (s.Width + 10*z) / 2
	line := c.left.MinSize().Height
	end := c.end.MinSize().Width
	for _, side := range []struct {
		w    *words
		x, y float32
		room float32
	}{{c.left, 4 * z, 2 * z, half - 12*z}, {c.right, half + 4*z, 2 * z, half - end - 24*z}, {c.diff, 4 * z, line + 4*z, s.Width - end - 24*z}} {
		side.w.Move(fyne.NewPos(side.x, side.y))
		side.w.Resize(fyne.NewSize(max(side.room, 0), line))
	}
	c.end.Move(fyne.NewPos(s.Width-end, (s.Height-8*z-controlHeight())/2))
	c.end.Resize(fyne.NewSize(end, controlHeight()))
}

// differences says in words what sets two Frames apart, the decision first.
func differences(a, b frame.Frame) []string {
	var d []string
	arrow := func(name, from, to string) {
		if from != to {
			d = append(d, strings.TrimSpace(name+" "+from)+" → "+to)
		}
	}
	p, q := a.Decided(), b.Decided()
	arrow("", fitsWords(p), fitsWords(q))
	arrow("backend", p.Backend.String(), q.Backend.String())
	arrow("tiles", frame.Count(uint64(p.Tiles)), frame.Count(uint64(q.Tiles)))
	arrow("passes", frame.Count(uint64(a.Plan.Passes)), frame.Count(uint64(b.Plan.Passes)))
	arrow("workload", workloadName(a), workloadName(b))
	arrow("heat", frame.Celsius(a.Budget.Thermal.HeadroomC), frame.Celsius(b.Budget.Thermal.HeadroomC))
	arrow("power", frame.Watts(a.Budget.Power.BudgetMW), frame.Watts(b.Budget.Power.BudgetMW))
	arrow("memory", frame.Bytes(a.Budget.Memory.Budget), frame.Bytes(b.Budget.Memory.Budget))
	if len(d) == 0 {
		d = append(d, "nothing")
	}
	return d
}

func workloadName(f frame.Frame) string {
	w := f.Settings.Workload
	return cmp.Or(w.Name, frame.Params(w.Params)+" weights")
}

func fitsWords(d frame.Decided) string {
	if d.Fits {
		return d.Precision.String()
	}
	return d.Precision.String() + " (no fit)"
}
