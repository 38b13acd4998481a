//go:build cgo || !darwin

package window

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"headroom/ui/draw"
)

// figureMenu opens what can be done with one figure.
func (v *view) figureMenu(f *figure, at fyne.Position) {
	v.closeOverlays()
	v.tips.hide()
	label := "Enlarge"
	if v.live.enlarged == f.name {
		label = "Show the whole page"
	}
	var items []*fyne.MenuItem
	if f.id != proofsID {
		items = append(items, fyne.NewMenuItem(label, func() { v.live.enlarge(f.name) }), fyne.NewMenuItemSeparator())
	}
	items = append(items,
		fyne.NewMenuItem("Save as PNG", func() { v.save(f.name, f.kept, "png") }),
		fyne.NewMenuItem("Save as SVG", func() { v.save(f.name, f.kept, "svg") }),
		fyne.NewMenuItem("Copy as picture", func() { v.copyPicture(f.name, f.kept) }),
		fyne.NewMenuItem("Copy as SVG text", func() { v.copySVG(f.name, f.kept) }),
		fyne.NewMenuItem("Copy what it says", func() { v.app.Clipboard().SetContent(strings.TrimSpace(f.scene.Title + "\n" + f.scene.Desc)) }),
	)
	if f.name == "map" || f.name == "powermap" {
		items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Change the map's second axis", v.toggleMap))
	}
	if f.name == "fusion" {
		items = append(items, fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem("Decoding or prefill", v.togglePhase), fyne.NewMenuItem("One layer or the whole model", v.toggleWhole))
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), v.canvas(), at)
}

// pagePicture is the whole Live page among the figures that can be saved.
const pagePicture = "page"

// exportMenu opens a list of what can be saved and copied.
func (v *view) exportMenu() {
	at := v.below(v.header.export)
	if !v.header.export.Visible() {
		at = v.below(v.header.menu)
	}
	dir := picturesDir()
	v.open("Save or copy a figure", at, 460, func(query string) []pick {
		var items []pick
		names := []string{pagePicture}
		for _, pl := range v.live.places {
			if !pl.f.kept {
				names = append(names, pl.slot.figure)
			}
		}
		for _, name := range names {
			title := figureTitle(name)
			items = append(items,
				pick{name: title + " as PNG", detail: "to " + shortDir(dir), do: func() { v.save(name, false, "png") }},
				pick{name: title + " as SVG", detail: "to " + shortDir(dir), do: func() { v.save(name, false, "svg") }},
				pick{name: title + " to the clipboard", detail: "as picture", do: func() { v.copyPicture(name, false) }},
			)
		}
		return matching(items, query)
	})
}

func figureTitle(name string) string {
	if t, ok := map[string]string{
		pagePicture: "The Live page", "verdict": "Verdict", "thermal": "Thermal headroom", "power": "Power budget", "memory": "Memory budget",
		"clocks": "Clocks", "ladder": "Precision ladder", "map": "Decision map", "powermap": "Decision map, power", "tiles": "Tiles and memory",
		"fusion": "Fusion", "timeline": "Timeline", proofsFigure: "Proofs",
	}[name]; ok {
		return t
	}
	return name
}

// picturesDir is where pictures are saved: the user's pictures, else the home, else the working directory.
func picturesDir() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return "."
	}
	for _, dir := range []string{os.Getenv("XDG_PICTURES_DIR"), filepath.Join(home, "Pictures")} {
		if info, err := os.Stat(dir); err == nil && dir != "" && info.IsDir() {
			return dir
		}
	}
	return home
}

func shortDir(dir string) string {
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(dir, home) {
		return "~" + strings.TrimPrefix(dir, home)
	}
	return dir
}

// The picture's scale: twice the units, so that it is sharp in a document.
const exportScale = 2

// render makes a figure's file on the engine's goroutine, from the Frame that it shows, in the size that it has on screen.
func (e *engine) render(name string, kept bool, format string) ([]byte, error) {
	if !e.sampled {
		return nil, errors.New("nothing was read yet")
	}
	w, h := 640.0, 400.0
	for _, sl := range e.ask.slots {
		if sl.figure == name && sl.kept == kept {
			w, h = sl.w, sl.h
		}
	}
	var scene draw.Scene
	if name == pagePicture {
		scene = draw.Live(e.context(e.present(), false), defaultWidth, defaultHeight)
	} else if s, ok := e.scene(name, e.present(), kept && e.kept != nil, w, h); ok {
		scene = s
	} else {
		return nil, fmt.Errorf("no figure is named %q", name)
	}
	var b bytes.Buffer
	var err error
	if format == "svg" {
		err = scene.SVG(&b, e.ask.theme)
	} else {
		err = scene.PNG(&b, e.ask.theme, exportScale)
	}
	return b.Bytes(), err
}

// rendered renders a figure beside Fyne's goroutine and hands the result to then, back on it.
func (v *view) rendered(name string, kept bool, format string, then func([]byte) error) {
	v.eng.do(func() {
		b, err := v.eng.render(name, kept, format)
		later(func() {
			if v.closed.Load() {
				return
			}
			if err == nil {
				err = then(b)
			}
			if err != nil {
				v.notices.fault("export", "Export: "+err.Error())
			}
		})
	})
}

// save writes a figure to the user's pictures under a name of its own; no file is overwritten.
func (v *view) save(name string, kept bool, format string) {
	v.rendered(name, kept, format, func(b []byte) error {
		path, err := saveNew(picturesDir(), "headroom-"+name, format, time.Now(), b)
		if err == nil {
			v.notices.add(notice{key: "export", text: "Saved " + shortDir(path), label: "Copy path", do: func() { v.app.Clipboard().SetContent(path) }})
		}
		return err
	})
}

// saveNew writes b to a new file named after the time, and returns its path.
func saveNew(dir, stem, format string, at time.Time, b []byte) (string, error) {
	stem = filepath.Join(dir, stem+"-"+at.Format("20060102-150405"))
	for n := 1; n < 100; n++ {
		path := stem + "." + format
		if n > 1 {
			path = fmt.Sprintf("%s-%d.%s", stem, n, format)
		}
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		if err := replaceFile(path, b, 0o644); err != nil {
			return "", fmt.Errorf("write %s: %w", path, err)
		}
		return path, nil
	}
	return "", fmt.Errorf("write %s.%s: too many of that name", stem, format)
}

func (v *view) copySVG(name string, kept bool) {
	v.rendered(name, kept, "svg", func(b []byte) error {
		v.app.Clipboard().SetContent(string(b))
		v.notices.tell("export", figureTitle(name)+" is on the clipboard as SVG text.")
		return nil
	})
}

// copyPicture puts a PNG on the clipboard. Fyne's own clipboard holds text alone, so a helper of the desktop does it.
func (v *view) copyPicture(name string, kept bool) {
	v.rendered(name, kept, "png", func(b []byte) error {
		cmd, err := clipboardCommand(os.Getenv, exec.LookPath)
		if err != nil {
			return err
		}
		v.beside(func() {
			c := exec.CommandContext(v.ctx, cmd[0], cmd[1:]...)
			c.Stdin = bytes.NewReader(b)
			err := c.Run()
			later(func() {
				if v.closed.Load() {
					return
				}
				if err != nil {
					v.notices.fault("export", fmt.Sprintf("Copy with %s: %v", cmd[0], err))
					return
				}
				v.notices.tell("export", figureTitle(name)+" is on the clipboard as a picture.")
			})
		})
		return nil
	})
}

// clipboardCommand is the command that takes a PNG on its standard input to the clipboard.
func clipboardCommand(getenv func(string) string, look func(string) (string, error)) ([]string, error) {
	candidates := [][]string{{"xclip", "-selection", "clipboard", "-t", "image/png", "-i"}}
	if getenv("WAYLAND_DISPLAY") != "" {
		candidates = append([][]string{{"wl-copy", "--type", "image/png"}}, candidates...)
	}
	for _, c := range candidates {
		if path, err := look(c[0]); err == nil {
			return append([]string{path}, c[1:]...), nil
		}
	}
	return nil, errors.New("a picture needs wl-copy (wl-clipboard) or xclip to reach the clipboard: install one, or save the picture instead")
}
