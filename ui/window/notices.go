//go:build cgo || !darwin

package window

import (
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/ui/draw"
)

// noticeBar is one line under the header for what went wrong, is under way or is done: in place, one at a time. The newest is
// shown; the others wait behind it. What went wrong stays until it is put away or its cause is gone, what is done goes by itself.
type noticeBar struct {
	v       *view
	root    *fyne.Container
	ground  *ground
	mark    *words
	text    *words
	more    *words
	act     *button
	close   *button
	notices []notice
	told    int // counts notices
}

// notice is one line; a fault carries the red mark, news does not.
type notice struct {
	key, text, label string
	fault            bool
	// stays is news that stands until its cause is gone: what is under way.
	stays bool
	do    func()
	id    int
}

// newsStays is how long news is shown: long enough to read it twice.
const newsStays = 12 * time.Second

func newNoticeBar(v *view) *noticeBar {
	n := &noticeBar{
		v: v, ground: newGround(draw.Well, draw.None), mark: newWords(draw.Alert, 0.9, true, 1),
		text: newWords(draw.Text, 0.96, false, 1), more: newWords(draw.Muted, 0.96, false, 1),
	}
	n.mark.set("▲")
	n.act = newButton("", n.do, v.tips, v)
	n.close = newButton("×", n.dismiss, v.tips, v).setTip("Put this notice away")
	n.close.plain = true
	n.root = container.New(n, n.ground, n.mark, n.text, n.more, n.act, n.close)
	n.root.Hide()
	return n
}

// fault tells what went wrong, tell what is done, underWay what is being done; each replaces an earlier one of the same key.
func (n *noticeBar) fault(key, text string)    { n.add(notice{key: key, text: text, fault: true}) }
func (n *noticeBar) tell(key, text string)     { n.add(notice{key: key, text: text}) }
func (n *noticeBar) underWay(key, text string) { n.add(notice{key: key, text: text, stays: true}) }

func (n *noticeBar) add(x notice) {
	for i, old := range n.notices {
		if old.key == x.key {
			if old.text == x.text {
				return
			}
			n.notices = slices.Delete(n.notices, i, i+1)
			break
		}
	}
	n.told++
	x.id = n.told
	n.notices = append(n.notices, x)
	n.update()
	if !x.fault && !x.stays {
		n.v.after(newsStays, func() { n.expire(x.id) })
	}
}

// expire takes news away after its time.
func (n *noticeBar) expire(id int) {
	if n.v.closed.Load() {
		return
	}
	before := len(n.notices)
	n.notices = slices.DeleteFunc(n.notices, func(x notice) bool { return x.id == id })
	if len(n.notices) != before {
		n.update()
	}
}

// remove takes a notice away when its cause is gone.
func (n *noticeBar) remove(key string) {
	before := len(n.notices)
	n.notices = slices.DeleteFunc(n.notices, func(x notice) bool { return x.key == key })
	if len(n.notices) != before {
		n.update()
	}
}

func (n *noticeBar) dismiss() {
	if len(n.notices) > 0 {
		n.notices = n.notices[:len(n.notices)-1]
		n.update()
	}
}

func (n *noticeBar) do() {
	if top := n.top(); top.do != nil {
		top.do()
	}
}

func (n *noticeBar) top() notice {
	if len(n.notices) == 0 {
		return notice{}
	}
	return n.notices[len(n.notices)-1]
}

func (n *noticeBar) update() {
	top := n.top()
	n.text.set(top.text)
	n.mark.Hidden = !top.fault
	n.more.set("")
	if len(n.notices) > 1 {
		n.more.set(fmt.Sprintf("%d more", len(n.notices)-1))
	}
	n.act.set(top.label, "", false)
	if show := top.label != ""; show != n.act.Visible() {
		n.act.Hidden = !show
	}
	if show := len(n.notices) > 0; show != n.root.Visible() {
		n.root.Hidden = !show
		n.v.shell.Refresh()
	}
	n.Layout(nil, n.root.Size())
	n.root.Refresh()
}

func (n *noticeBar) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (n *noticeBar) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	z := theme.TextSize() / 13
	margin, h := 16*z, s.Height-4*z
	n.ground.Move(fyne.NewPos(margin, 0))
	n.ground.Resize(fyne.NewSize(max(s.Width-2*margin, 0), h))
	right := s.Width - margin - 4*z
	put := func(o fyne.CanvasObject, w float32) {
		right -= w
		o.Move(fyne.NewPos(right, 2*z))
		o.Resize(fyne.NewSize(w, h-4*z))
		right -= 6 * z
	}
	put(n.close, n.close.MinSize().Width)
	if n.act.Visible() {
		put(n.act, n.act.MinSize().Width)
	}
	if n.more.text != "" {
		put(n.more, n.more.MinSize().Width)
	}
	left := margin + 10*z
	n.mark.Move(fyne.NewPos(left, 0))
	n.mark.Resize(fyne.NewSize(14*z, h))
	if n.mark.Visible() {
		left += 20 * z
	}
	n.text.Move(fyne.NewPos(left, 0))
	n.text.Resize(fyne.NewSize(max(right-left, 0), h))
}
