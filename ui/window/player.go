//go:build cgo || !darwin

package window

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/sensors"
	"headroom/sensors/trace"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// playerBar steers a recording or a scenario: it stands under the page when the feed is a player.
type playerBar struct {
	v      *view
	player *trace.Player
	root   *fyne.Container
	play   *button
	back   *button
	on     *button
	next   *button
	slider *quietSlider
	place  *words
	speed  *button
	// giveUp ends the search for the next change; nil while there is none.
	giveUp func()
}

// newPlayerBar makes the bar, hidden where there is nothing to steer.
func newPlayerBar(v *view) *playerBar {
	b := &playerBar{v: v, place: newWords(draw.Muted, 0.96, false, 1)}
	b.player, _ = v.o.Feed.(*trace.Player)
	b.play = newButton("Pause", v.hold, v.tips, v).setTip("Play or pause (Space)")
	b.back = newButton("‹", func() { v.step(-1) }, v.tips, v).setTip("One sample back (,)")
	b.on = newButton("›", func() { v.step(1) }, v.tips, v).setTip("One sample on (.)")
	b.next = newButton("Next change", v.nextDecision, v.tips, v).setTip("Go to the next sample that is decided otherwise (N)")
	b.slider = newQuietSlider(v, 0, 1, 1, b.seek)
	b.speed = newButton("1×", v.chooseSpeed, v.tips, v).setTip("How fast it plays")
	b.root = container.New(b, b.play, b.back, b.on, b.next, b.slider, b.place, b.speed)
	b.root.Hidden = b.player == nil
	return b
}

func (b *playerBar) seek(seconds float64) {
	if err := b.player.Seek(time.Duration(seconds * float64(time.Second))); err != nil {
		b.v.notices.fault("player", "Seek: "+err.Error())
	}
}

func (b *playerBar) update() {
	if b.player == nil {
		return
	}
	p := b.player.Position()
	b.play.set(map[bool]string{true: "Pause", false: "Play"}[p.Playing], "", false)
	if most := p.Length.Seconds(); most != b.slider.Max && most > 0 {
		b.slider.Max = most
		b.slider.Refresh()
	}
	b.slider.show(p.Offset.Seconds())
	b.place.set(spanText(p.Offset) + " of " + spanText(p.Length))
	b.speed.set(speedText(p.Speed), "", false)
}

func speedText(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) + "×" }

// spanText writes a place in a recording as minutes and seconds, with hours where there are any.
func spanText(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// hold plays or pauses what is played; the live picture it holds, while the sensors are still read.
func (v *view) hold() {
	p := v.player.player
	if p == nil {
		v.setPaused(!v.last.paused)
		return
	}
	if pos := p.Position(); pos.Playing && !pos.Ended {
		p.Pause()
	} else {
		p.Play()
	}
	v.player.update()
}

func (v *view) step(n int) {
	if v.player.player != nil {
		v.player.player.Step(n)
		v.player.update()
	}
}

// tellEvery is how often the way that a search has come is told.
const tellEvery = 300 * time.Millisecond

// nextDecision looks for the next change of decision beside Fyne's goroutine, for it may have to read a whole day; asked
// again, it gives up.
func (v *view) nextDecision() {
	p := v.player.player
	if p == nil {
		return
	}
	if v.player.giveUp != nil {
		v.player.giveUp()
		return
	}
	ctx, giveUp := context.WithCancel(v.ctx)
	v.player.giveUp = giveUp
	set, own, recorded := v.set, v.own, v.o.Recorded
	decide := func(i int, s sensors.Sample) any {
		set := set
		if recorded != nil {
			if base, err := recorded(i); err == nil {
				set = own.over(set, *base)
			}
		}
		return frame.New(s, set).Decided()
	}
	told := time.Now()
	v.beside(func() {
		err := p.NextDecision(ctx, decide, func(share float64) {
			if time.Since(told) < tellEvery {
				return
			}
			told = time.Now()
			later(func() { v.lookedThrough(share) })
		})
		giveUp()
		later(func() {
			if v.closed.Load() {
				return
			}
			v.player.giveUp = nil
			switch {
			case errors.Is(err, trace.ErrNoChange):
				v.notices.tell("player", "The decision stays the same to the end.")
			case err == nil || errors.Is(err, context.Canceled):
				v.notices.remove("player")
			default:
				v.notices.fault("player", "Next change: "+err.Error())
			}
			v.player.update()
		})
	})
}

// lookedThrough tells how much of what lies ahead was looked through for a change.
func (v *view) lookedThrough(share float64) {
	if v.closed.Load() || v.player.giveUp == nil {
		return
	}
	v.notices.add(notice{
		key: "player", text: fmt.Sprintf("Looking for the next change of decision: %.0f %% of what is ahead was the same.", 100*share),
		label: "Cancel", stays: true, do: v.player.giveUp,
	})
}

func (v *view) chooseSpeed() {
	p := v.player.player
	if p == nil {
		return
	}
	v.open("How fast it plays", v.app.Driver().AbsolutePositionForObject(v.player.speed).AddXY(-180, -360*v.look.zoom), 240, func(query string) []pick {
		var items []pick
		for _, x := range []float64{0.25, 0.5, 1, 2, 5, 10, 30, 100, 1000} {
			items = append(items, pick{name: speedText(x), marked: x == p.Position().Speed, do: func() {
				p.SetSpeed(x)
				v.player.update()
			}})
		}
		return matching(items, query)
	})
}

func (b *playerBar) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (b *playerBar) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	z := theme.TextSize() / 13
	control, gap := controlHeight(), 6*z
	top := (s.Height - control) / 2
	x, right := 16*z, s.Width-16*z
	put := func(o fyne.CanvasObject, w float32) {
		o.Move(fyne.NewPos(x, top))
		o.Resize(fyne.NewSize(w, control))
		x += w + gap
	}
	put(b.play, 62*z)
	put(b.back, b.back.MinSize().Width)
	put(b.on, b.on.MinSize().Width)
	put(b.next, b.next.MinSize().Width)
	speed, place := 62*z, textWidth("0:00:00 of 0:00:00", b.place.textSize(), false)
	b.speed.Move(fyne.NewPos(right-speed, top))
	b.speed.Resize(fyne.NewSize(speed, control))
	b.place.Move(fyne.NewPos(right-speed-gap-place, top))
	b.place.Resize(fyne.NewSize(place, control))
	b.slider.Move(fyne.NewPos(x, top))
	b.slider.Resize(fyne.NewSize(max(right-speed-place-3*gap-x, 40), control))
}
