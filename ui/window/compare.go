//go:build cgo && !nogui

package window

import (
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
	c.diff.set(join(differences(s.kept, s.frame)...))
}

func (c *compareHead) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (c *compareHead) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	z := theme.TextSize() / 13
	half := (s.Width + 10*z) / 2
	h := s.Height - 6*z
	c.left.Move(fyne.NewPos(4*z, 0))
	c.left.Resize(fyne.NewSize(half-8*z, h))
	name := textWidth("Now · 00:00:00", c.right.textSize(), true) + 12*z
	c.right.Move(fyne.NewPos(half+4*z, 0))
	c.right.Resize(fyne.NewSize(name, h))
	end := c.end.MinSize().Width
	c.diff.Move(fyne.NewPos(half+4*z+name, 0))
	c.diff.Resize(fyne.NewSize(max(s.Width-half-name-end-16*z, 0), h))
	c.end.Move(fyne.NewPos(s.Width-end, (h-controlHeight())/2))
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
	arrow("workload", a.Settings.Workload.Name, b.Settings.Workload.Name)
	arrow("heat", frame.Celsius(a.Budget.Thermal.HeadroomC), frame.Celsius(b.Budget.Thermal.HeadroomC))
	arrow("power", frame.Watts(a.Budget.Power.BudgetMW), frame.Watts(b.Budget.Power.BudgetMW))
	arrow("memory", frame.Bytes(a.Budget.Memory.Budget), frame.Bytes(b.Budget.Memory.Budget))
	if len(d) == 0 {
		d = append(d, "both are the same")
	}
	return d
}

func fitsWords(d frame.Decided) string {
	if d.Fits {
		return d.Precision.String()
	}
	return d.Precision.String() + " (no fit)"
}
