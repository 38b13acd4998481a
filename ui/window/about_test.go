//go:build cgo || !darwin

package window

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

func TestAboutSaysWhatAReportOfAFaultNeeds(t *testing.T) {
	b := newBench(t, Options{Version: "1.2.3 (abc123) go9.9 linux/amd64"}, defaults())
	b.keeper = newKeeper("/somewhere/window.json", defaults(), nil)
	t.Cleanup(b.keeper.close)
	b.showAbout()
	var sheet []string
	for o := range objects(b.canvas()) {
		if w, ok := o.(*words); ok {
			sheet = append(sheet, w.text)
		}
	}
	text := strings.Join(sheet, "\n")
	for _, want := range []string{"1.2.3 (abc123) go9.9 linux/amd64", "/somewhere/window.json", "Apache-2.0"} {
		if !strings.Contains(text, want) {
			t.Errorf("the sheet lacks %q:\n%s", want, text)
		}
	}
	// Enter takes what has the focus: the key that copies the version.
	b.canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got := b.app.Clipboard().Content(); got != "headroom 1.2.3 (abc123) go9.9 linux/amd64" {
		t.Errorf("copied %q", got)
	}
	if len(b.canvas().Overlays().List()) != 0 {
		t.Error("the sheet stays open after its one key")
	}
}

func TestAboutSaysThatNothingIsKept(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	if b.keeper != nil {
		t.Fatal("the bench keeps settings")
	}
	if got := b.keptWhere(); !strings.Contains(got, "not kept") {
		t.Errorf("says %q", got)
	}
}
