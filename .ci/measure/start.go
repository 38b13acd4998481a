package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// start measures the time to the first picture of a window, Headroom's and a bare one's in turn, first with a home that no
// run has been in yet, and then with one that has.
func (b *bench) start() error {
	d, err := openDisplay()
	if err != nil {
		return err
	}
	defer d.close()
	os.Setenv("DISPLAY", d.name)
	var bare, first, second usages
	var figures []float64
	rounds := 3 * b.rounds
	for i := range rounds {
		for _, into := range []*usages{&bare, &first, &second} {
			// The bare window has a home of its own: what its driver keeps there would help the first start.
			b.home = filepath.Join(d.dir, fmt.Sprintf("home%d", i))
			if into == &bare {
				b.home = filepath.Join(d.dir, fmt.Sprintf("bare%d", i))
			}
			if err := os.MkdirAll(b.home, 0o755); err != nil {
				return err
			}
			name, args := b.bare, []string(nil)
			frames := filepath.Join(b.home, fmt.Sprintf("frames%d", len(into.wall)))
			if into != &bare {
				name, args = b.binary, []string{"--frames", frames}
			}
			at, shown, err := b.firstPicture(d, name, args, frames)
			if err != nil {
				return err
			}
			into.add(at)
			if into != &bare {
				figures = append(figures, float64(shown))
			}
			os.Remove(frames)
		}
	}
	fresh, again, empty := median(first.wall), median(second.wall), median(bare.wall)
	b.table.add("window to its first picture, in a new home", first.text(), "bare Fyne window, in another: "+bare.text(), ratio(fresh, empty), goal("≤ 700 ms", fresh <= 700e6))
	b.table.add("the same, second start", second.text(), "first start: "+duration(fresh), ratio(again, fresh), goal("faster than the first", again < fresh))
	b.table.add("window to the first Frame shown", duration(median(figures)), none, none, none)
	return nil
}

// firstPicture starts a program and gives the wall and processor time to its first picture, and the time to the first line
// of its file of frames.
func (b *bench) firstPicture(d *display, name string, args []string, frames string) (at usage, shown time.Duration, err error) {
	if err := d.cleared(); err != nil {
		return at, 0, err
	}
	p, err := b.begin(name, args...)
	if err != nil {
		return at, 0, err
	}
	defer p.stop() //nolint:errcheck // what was asked is known
	if at.wall, err = d.firstPaint(p); err != nil {
		return at, 0, err
	}
	if at.cpu, err = p.cpu(); err != nil || args == nil {
		return at, 0, err
	}
	for time.Since(p.began) < 30*time.Second {
		if info, err := os.Stat(frames); err == nil && info.Size() > 0 {
			return at, time.Since(p.began), nil
		}
		time.Sleep(time.Millisecond)
	}
	return at, 0, fmt.Errorf("%s shows no Frame in 30 s: %s", name, p.err.Bytes())
}
