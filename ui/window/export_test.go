//go:build cgo || !darwin

package window

import (
	"bufio"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFiguresAreSavedUnderNewNames(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_PICTURES_DIR", "")
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.save("ladder", false, "png")
	b.settle()
	if !strings.Contains(b.notices.top().text, "nothing was read yet") {
		t.Errorf("before the first sample: %q", b.notices.top().text)
	}
	b.sample(cool)
	for range 2 {
		b.save("ladder", false, "png")
		b.save(pagePicture, false, "svg")
		b.settle()
	}
	pngs, _ := filepath.Glob(filepath.Join(home, "headroom-ladder-*.png"))
	svgs, _ := filepath.Glob(filepath.Join(home, "headroom-page-*.svg"))
	if len(pngs) != 2 || len(svgs) != 2 {
		t.Fatalf("saved %v and %v", pngs, svgs)
	}
	f, err := os.Open(pngs[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if img, _, err := image.Decode(bufio.NewReader(f)); err != nil || img.Bounds().Dx() < 400 {
		t.Errorf("the picture: %v", err)
	}
	b.copySVG("map", false)
	b.settle()
	if got := b.app.Clipboard().Content(); !strings.Contains(got, "<svg") {
		t.Errorf("the clipboard holds %.40q", got)
	}
}
