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
		sample := script.SampleAt(time.Duration(i) * time.Second)
		if err := w.Write(sample); err != nil {
			t.Fatal(err)
		}
		if i == 5 {
			if err := w.Mark(sample.Time, "fan off"); err != nil {
				t.Fatal(err)
			}
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
	for _, want := range []string{"3.21 B weights", "recording a.jsonl", "fan off"} {
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
		"other format":     {[]string{"-o", "a.jpg"}, "does not end in .png, .svg or .gif"},
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

func TestShotTakesAManifest(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "pictures.yaml")
	text := `
defaults: {scenario: apu, theme: light}
pictures:
  - {output: a.png, view: ladder, at: 150s}
  - {output: b.svg, view: map, theme: dark, callout: ["10,20=one", "30,40=two"], alt: true}
  - {output: c.gif, view: thermal, from: 0s, to: 4s}
`
	if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, said := take(t, "--manifest", list); status != 0 {
		t.Fatalf("exit %d: %s", status, said)
	}
	for name, head := range map[string]string{"a.png": "\x89PNG", "b.svg": "<svg", "b.txt": "Decision map", "c.gif": "GIF89a"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.HasPrefix(got, []byte(head)) {
			t.Errorf("%s begins with %.10q (%v), want %q", name, got, err, head)
		}
	}
	alone := filepath.Join(dir, "alone.png")
	take(t, "-o", alone, "--view", "ladder", "--at", "150s", "--scenario", "apu", "--theme", "light")
	a, _ := os.ReadFile(filepath.Join(dir, "a.png"))
	b, _ := os.ReadFile(alone)
	if !bytes.Equal(a, b) {
		t.Error("a picture of a manifest differs from the same one taken by flags")
	}
}

func TestShotRefusesAManifestClearly(t *testing.T) {
	dir := t.TempDir()
	for name, k := range map[string]struct{ text, want string }{
		"empty":        {"", "EOF"},
		"no pictures":  {"defaults: {theme: dark}", "lists 0 pictures"},
		"unknown part": {"pics: []", "field pics not found"},
		"unknown flag": {"pictures: [{outputs: a.png}]", `no flag "outputs"`},
		"bad value":    {"pictures: [{output: a.png, size: big}]", "is no size"},
		"a map":        {"pictures: [{output: {a: b}}]", "a text or a list of texts"},
		"itself":       {"pictures: [{manifest: a.yaml}]", `no flag "manifest"`},
	} {
		list := filepath.Join(dir, "pictures.yaml")
		if err := os.WriteFile(list, []byte(k.text), 0o600); err != nil {
			t.Fatal(err)
		}
		status, said := take(t, "--manifest", list)
		if status != exitUsage || !strings.Contains(said, k.want) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: exit %d, %q; want %d and one line with %q", name, status, said, exitUsage, k.want)
		}
	}
}

func TestShotOfASpanRefusesClearly(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a.gif")
	for name, k := range map[string]struct {
		args []string
		want string
	}{
		"this machine": {nil, "give --scenario or --replay"},
		"one moment":   {[]string{"--scenario", "apu", "--at", "3s"}, "--at is one moment"},
		"backwards":    {[]string{"--scenario", "apu", "--from", "9s", "--to", "3s"}, "lies before"},
		"too many":     {[]string{"--scenario", "apu", "--to", "10h"}, "at most"},
	} {
		if status, said := take(t, append([]string{"-o", out}, k.args...)...); status != exitUsage || !strings.Contains(said, k.want) {
			t.Errorf("%s: exit %d, %q; want %d and %q", name, status, said, exitUsage, k.want)
		}
	}
}
