//go:build cgo || !darwin

package window

import "fyne.io/fyne/v2"

// shellLayout lays the header on top, a notice under it, the what-if panel to the right and the page in what is left. On a
// narrow window the panel lies over the page.
type shellLayout struct{ v *view }

const (
	headerHeight = 44
	noticeHeight = 30
	playerHeight = 40
	panelWidth   = 300
	narrowest    = 860 // the page keeps this width beside the panel, else the panel lies over it
)

func (l *shellLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (l *shellLayout) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	v := l.v
	v.fitType(s)
	z := v.look.zoom
	top := headerHeight * z
	v.header.root.Move(fyne.Position{})
	v.header.root.Resize(fyne.NewSize(s.Width, top))
	if v.notices.root.Visible() {
		v.notices.root.Move(fyne.NewPos(0, top))
		v.notices.root.Resize(fyne.NewSize(s.Width, noticeHeight*z))
		top += noticeHeight * z
	}
	if v.settled.root.Visible() {
		v.settled.root.Move(fyne.NewPos(0, top))
		v.settled.root.Resize(fyne.NewSize(s.Width, noticeHeight*z))
		top += noticeHeight * z
	}
	bottom := s.Height
	if v.player.root.Visible() {
		bottom -= playerHeight * z
		v.player.root.Move(fyne.NewPos(0, bottom))
		v.player.root.Resize(fyne.NewSize(s.Width, playerHeight*z))
	}
	page := fyne.NewSize(s.Width, max(bottom-top, 0))
	if v.whatIf.root.Visible() {
		w := panelWidth * z
		v.whatIf.root.Move(fyne.NewPos(s.Width-w, top))
		v.whatIf.root.Resize(fyne.NewSize(w, page.Height))
		if page.Width-w >= narrowest*z {
			page.Width -= w
		}
	}
	v.pages.Move(fyne.NewPos(0, top))
	v.pages.Resize(page)
	v.sendAsk()
}

// onePage gives all the room to the page on show. Hidden ones are laid out when they are turned to.
type onePage struct{ fill }

func (p onePage) Layout(pages []fyne.CanvasObject, s fyne.Size) {
	for _, page := range pages {
		if page.Visible() {
			p.fill.Layout([]fyne.CanvasObject{page}, s)
		}
	}
}
