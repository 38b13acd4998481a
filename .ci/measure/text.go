package main

import (
	"fmt"
	"time"
)

// watch measures headroom watch at 1 Hz.
func (b *bench) watch() error {
	var shares, peaks []float64
	for range b.rounds {
		p, err := b.begin(b.binary, "watch", "--json")
		if err != nil {
			return err
		}
		time.Sleep(settle)
		share, err := p.share(b.span)
		if err != nil {
			return err
		}
		peak, err := p.peak()
		if err != nil {
			return err
		}
		if err := p.stop(); err != nil {
			return err
		}
		shares, peaks = append(shares, share), append(peaks, peak)
	}
	share, peak := median(shares), median(peaks)
	b.table.add("headroom watch at 1 Hz, once started", fmt.Sprintf("%.2f %% of a core, %.0f MiB", share, peak), none, none, goal("≤ 0.3 %, 45 MiB", share <= 0.3 && peak <= 45))
	return nil
}

// snapshot measures whole runs of headroom snapshot in turn: with the probe of this machine's adapters, and with the list
// that such a run keeps.
func (b *bench) snapshot() error {
	// The first run of all lists the adapters whichever it is.
	first, err := b.begin(b.binary, "snapshot")
	if err != nil {
		return err
	}
	if _, err := first.wait(); err != nil {
		return err
	}
	var probed, known usages
	for range 5 * b.rounds {
		for into, args := range map[*usages][]string{&probed: {"snapshot", "--fresh"}, &known: {"snapshot"}} {
			p, err := b.begin(b.binary, args...)
			if err != nil {
				return err
			}
			u, err := p.wait()
			if err != nil {
				return err
			}
			into.add(u)
		}
	}
	b.table.add("snapshot, the adapters probed", probed.text(), none, none, goal("≤ 500 ms", median(probed.wall) <= 500e6))
	b.table.add("snapshot, the adapters known", known.text(), "probed: "+duration(median(probed.wall)), ratio(median(known.wall), median(probed.wall)), goal("≤ 100 ms", median(known.wall) <= 100e6))
	return nil
}

// usages are several runs.
type usages struct{ wall, cpu []float64 }

func (u *usages) add(one usage) {
	u.wall, u.cpu = append(u.wall, float64(one.wall)), append(u.cpu, float64(one.cpu))
}

func (u *usages) text() string {
	return fmt.Sprintf("%s, %s of CPU", duration(median(u.wall)), duration(median(u.cpu)))
}
