package cli

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
)

// take runs headroom shot and returns its exit status and what it complained of.
func take(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out, complaints bytes.Buffer
	status := Main(append([]string{"shot"}, args...), strings.NewReader(""), &out, &complaints)
	if out.Len() > 0 {
		t.Errorf("shot printed %q", out.String())
	}
	return status, complaints.String()
}

func TestShotGivesTheSameBytes(t *testing.T) {
	dir := t.TempDir()
	for _, ext := range []string{".png", ".svg"} {
		var files [2][]byte
		for i := range files {
			path := filepath.Join(dir, "a"+ext)
			if status, said := take(t, "-o", path, "--scenario", "apu", "--at", "2m30s"); status != 0 {
				t.Fatalf("exit %d: %s", status, said)
			}
			files[i], _ = os.ReadFile(path)
		}
		if !bytes.Equal(files[0], files[1]) || len(files[0]) == 0 {
			t.Errorf("%s: two pictures of one moment differ", ext)
		}
	}
}

func TestShotTakesEachViewInItsSize(t *testing.T) {
	dir := t.TempDir()
	for _, view := range views() {
		path := filepath.Join(dir, view+".png")
		if status, said := take(t, "-o", path, "--scenario", "thin-laptop", "--at", "90s", "--view", view, "--size", "400x300", "--scale", "1.5", "--theme", "light"); status != 0 {
			t.Fatalf("%s: exit %d: %s", view, status, said)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.DecodeConfig(f)
		f.Close()
		if err != nil || img.Width != 600 || img.Height != 450 {
			t.Errorf("%s: %d × %d (%v), want 600 × 450", view, img.Width, img.Height, err)
		}
	}
}

func TestShotSVGIsWellFormedAndSaysWhatItShows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svg")
	if status, said := take(t, "-o", path, "--scenario", "vram-squeeze", "--at", "90s", "--alt"); status != 0 {
		t.Fatalf("exit %d: %s", status, said)
	}
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	alt, err := os.ReadFile(strings.TrimSuffix(path, ".svg") + ".txt")
	if err != nil || !strings.Contains(string(alt), "Runs at") {
		t.Errorf("the text beside the picture is %q (%v)", alt, err)
	}
}

func TestShotOfARecordingShowsItsModel(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	script, err := trace.Scenario("apu")
	if err != nil {
		t.Fatal(err)
	}
	w, err := trace.Create(path, trace.Header{Settings: budget.Settings{Workload: workload.Bare(3_210_000_000)}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if err := w.Write(script.SampleAt(time.Duration(i) * time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "a.svg")
	if status, said := take(t, "-o", out, "--replay", path, "--at", "10s"); status != 0 {
		t.Fatalf("exit %d: %s", status, said)
	}
	doc, _ := os.ReadFile(out)
	for _, want := range []string{"3.21 B weights", "recording a.jsonl"} {
		if !bytes.Contains(doc, []byte(want)) {
			t.Errorf("the picture does not say %q", want)
		}
	}
	if status, said := take(t, "-o", out, "--replay", path, "--at", "1h"); status != exitUsage || !strings.Contains(said, "after the end") {
		t.Errorf("a moment after the end: exit %d, %q", status, said)
	}
}

func TestShotRefusesClearly(t *testing.T) {
	dir := t.TempDir()
	for name, k := range map[string]struct {
		args []string
		want string
	}{
		"no file":          {[]string{"--scenario", "apu"}, "-o is missing"},
		"other format":     {[]string{"-o", "a.gif"}, "neither in .png nor in .svg"},
		"unknown view":     {[]string{"-o", dir + "/a.png", "--view", "x"}, "is no view"},
		"odd size":         {[]string{"-o", dir + "/a.png", "--size", "12"}, "is no size"},
		"huge":             {[]string{"-o", dir + "/a.png", "--size", "16000x16000", "--scale", "8", "--scenario", "apu"}, "million pixels"},
		"unknown scenario": {[]string{"-o", dir + "/a.png", "--scenario", "x"}, "none of that name"},
		"moment of now":    {[]string{"-o", dir + "/a.png", "--at", "3s"}, "--at is a moment"},
		"two sources":      {[]string{"-o", dir + "/a.png", "--replay", "x", "--scenario", "apu"}, "excludes"},
	} {
		status, said := take(t, k.args...)
		if status != exitUsage || !strings.Contains(said, k.want) {
			t.Errorf("%s: exit %d, %q; want %d and %q", name, status, said, exitUsage, k.want)
		}
	}
	if status, said := take(t, "-o", filepath.Join(dir, "none", "a.png"), "--scenario", "apu"); status != exitFailed || strings.Count(said, "\n") != 1 {
		t.Errorf("a folder that is not there: exit %d, %q; want 1 and one line", status, said)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".shot-*")); len(left) > 0 {
		t.Errorf("files are left over: %v", left)
	}
}
