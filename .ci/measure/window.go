package main

import (
	"fmt"
	"os"
	"os/exec"
	"time"
)

// program is one whole program with a window.
type program struct {
	name string
	args []string
	// keys are typed once it has settled.
	keys []string
}

// settle is how long a program may start up before it is measured.
const settle = 5 * time.Second

// window measures windows in turn on a display: Headroom's live and held, bare ones, and other monitors that are installed.
func (b *bench) window() error {
	d, err := openDisplay()
	if err != nil {
		return err
	}
	defer d.close()
	os.Setenv("DISPLAY", d.name)
	play := []string{"--scenario", "thin-laptop"}
	programs := map[string]program{
		"bare":   {name: b.bare},
		"image":  {name: b.bare, args: []string{"-images", "1"}},
		"images": {name: b.bare, args: []string{"-images", "10"}},
		"live":   {name: b.binary, args: play},
		"held":   {name: b.binary, args: play, keys: []string{"space"}},
	}
	order := []string{"bare", "live", "image", "images", "held"}
	for _, monitor := range []string{"gnome-system-monitor", "psensor"} {
		path, err := exec.LookPath(monitor)
		if err != nil {
			fmt.Fprintf(os.Stderr, "notice: %s is not installed: its row is left out\n", monitor)
			continue
		}
		programs[monitor] = program{name: path}
		order = append(order, monitor)
	}
	shares, servers, peaks := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
	for range b.rounds {
		for _, name := range order {
			share, server, peak, err := b.watchWindow(d, programs[name])
			if err != nil {
				fmt.Fprintf(os.Stderr, "notice: %s is left out: %v\n", name, err)
				continue
			}
			shares[name], servers[name], peaks[name] = append(shares[name], share), append(servers[name], server), append(peaks[name], peak)
		}
	}
	cost := func(name string) string {
		return fmt.Sprintf("%.2f %% of a core, %.0f MiB", median(shares[name]), median(peaks[name]))
	}
	bare, live, held := median(shares["bare"]), median(shares["live"]), median(shares["held"])
	for _, name := range order {
		if name == "live" || name == "held" || len(shares[name]) == 0 {
			continue
		}
		what, aim := name, none
		switch name {
		case "bare":
			what, aim = "a bare Fyne window", goal("bare + 1.5 points", live <= bare+1.5)
		case "image":
			what = "a Fyne window that changes one plain image"
		case "images":
			what = "a Fyne window that changes ten plain images"
		}
		b.table.add("window at 1 Hz, all of the Live page changing; beside it "+what, cost("live"), cost(name), ratio(live, median(shares[name])), aim)
	}
	// Frames come at 1 Hz, so a percent of a core is 10 ms for each.
	perFrame, perImage := (live-held)*10e6, (median(shares["image"])-bare)*10e6
	b.table.add("CPU for one shown Frame: beyond the held window, and beside it one plain image beyond a bare window", duration(perFrame), duration(perImage), ratio(perFrame, perImage), none)
	shown, err := b.goBench("ui/window", "^BenchmarkShownFrame$", "200x")
	if err != nil {
		return err
	}
	ours := shown["ShownFrame"]
	b.table.add("the part of it that is ours: decided, drawn, painted, taken by the widgets", fmt.Sprintf("%s, %.0f allocations of %.0f KiB", duration(ours["ns/op"]), ours["allocs/op"], ours["B/op"]/1024), none, none, none)
	b.table.add("window held: its own cost, and the display's", fmt.Sprintf("%.2f and %.2f %% of a core", held, median(servers["held"])),
		fmt.Sprintf("bare: %.2f and %.2f %%", bare, median(servers["bare"])), ratio(held, bare), goal("nothing painted", median(servers["held"]) <= median(servers["bare"])+0.05))
	return nil
}

// watchWindow is a program's share of a core, the display's share for it, and the program's peak memory.
func (b *bench) watchWindow(d *display, of program) (share, server, peak float64, err error) {
	p, err := b.begin(of.name, of.args...)
	if err != nil {
		return 0, 0, 0, err
	}
	defer func() {
		if stopped := p.stop(); err == nil {
			err = stopped
		}
		d.cleared() //nolint:errcheck // the next one does not look at the picture
	}()
	time.Sleep(settle)
	for _, key := range of.keys {
		if text, err := exec.Command("xdotool", "search", "--onlyvisible", "--name", "Headroom", "windowfocus", "--sync", "key", key).CombinedOutput(); err != nil {
			return 0, 0, 0, fmt.Errorf("type %s: %w: %s", key, err, text)
		}
		time.Sleep(time.Second)
	}
	before, err := cpuOf(d.server.Process.Pid)
	if err != nil {
		return 0, 0, 0, err
	}
	began := time.Now()
	if share, err = p.share(b.span); err != nil {
		return 0, 0, 0, err
	}
	after, err := cpuOf(d.server.Process.Pid)
	if err != nil {
		return 0, 0, 0, err
	}
	server = 100 * float64(after-before) / float64(time.Since(began))
	peak, err = p.peak()
	return share, server, peak, err
}
