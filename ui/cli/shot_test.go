package cli

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// The program takes every view in every theme and format twice, for two users in two time zones: the bytes are the same.
func TestShotGivesTheSameBytes(t *testing.T) {
	list := []string{"defaults: {scenario: apu, alt: true}", "pictures:"}
	for _, view := range views() {
		for _, theme := range []string{"dark", "light"} {
			for _, ext := range []string{"png", "svg"} {
				list = append(list, fmt.Sprintf("- {output: %s-%s.%s, view: %s, theme: %s, at: 150s}", view, theme, ext, view, theme))
			}
		}
	}
	list = append(list,
		"- {output: clear.png, view: window, transparent: true, scale: 1.5, at: 20s}",
		"- {output: long.svg, view: models, size: 900x2000, params: 70B, at: 20s}",
		"- {output: moves.gif, view: window, from: 0s, to: 4s}")
	var dirs [2]string
	for i := range dirs {
		dirs[i] = t.TempDir()
		config := filepath.Join(dirs[i], "home", ".config", "headroom")
		if err := os.MkdirAll(config, 0o700); err != nil {
			t.Fatal(err)
		}
		// What the second user likes: none of it may be seen.
		if i == 1 {
			writeText(t, filepath.Join(config, "window.json"), `{"theme": "light", "what_if": true, "page": "sensors", "type": 2, "settled": true}`)
			writeText(t, filepath.Join(config, "models.json"), `{"models": [{"id": "llama-3.1-8b", "name": "Mine", "source": "me", "config": {}}]}`)
		}
		writeText(t, filepath.Join(dirs[i], "pictures.yaml"), strings.Join(list, "\n"))
		cmd := exec.CommandContext(t.Context(), binary, "shot", "--manifest", "pictures.yaml")
		cmd.Dir = dirs[i]
		cmd.Env = []string{"HOME=" + filepath.Join(dirs[i], "home"), "TZ=" + []string{"Asia/Tokyo", "America/Lima"}[i], "LANG=" + []string{"C", "de_DE.UTF-8"}[i]}
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%v: %s", err, out)
		}
	}
	files, err := os.ReadDir(dirs[0])
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for _, f := range files {
		if f.IsDir() || strings.HasSuffix(f.Name(), ".yaml") {
			continue
		}
		a, _ := os.ReadFile(filepath.Join(dirs[0], f.Name()))
		b, _ := os.ReadFile(filepath.Join(dirs[1], f.Name()))
		if !bytes.Equal(a, b) || len(a) == 0 {
			t.Errorf("%s: two pictures of one moment differ", f.Name())
		}
		if strings.HasSuffix(f.Name(), ".svg") {
			wellFormed(t, f.Name(), a)
		}
		taken++
	}
	// Each picture, and its words beside it: one for the PNG and the SVG of a name.
	if want := len(views())*2*3 + 2*3; taken != want {
		t.Errorf("%d files were written, want %d", taken, want)
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// wellFormed reads an SVG to its end: text in it is real, and it has a title and a description.
func wellFormed(t *testing.T, name string, doc []byte) {
	t.Helper()
	count := map[string]int{}
	for d := xml.NewDecoder(bytes.NewReader(doc)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
	if count["title"] != 1 || count["desc"] != 1 || count["text"] == 0 {
		t.Errorf("%s has %d titles, %d descriptions and %d texts", name, count["title"], count["desc"], count["text"])
	}
}

func TestShotTakesEachViewInItsSize(t *testing.T) {
	dir := t.TempDir()
	for _, view := range views() {
		path := filepath.Join(dir, view+".png")
		w, h := 400, 300
		if slices.Contains(windowViews, view) {
			w, h = 900, 600
		}
		size := fmt.Sprintf("%dx%d", w, h)
		if status, said := take(t, "-o", path, "--scenario", "thin-laptop", "--at", "90s", "--view", view, "--size", size, "--scale", "1.5", "--theme", "light"); status != 0 {
			t.Fatalf("%s: exit %d: %s", view, status, said)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.DecodeConfig(f)
		f.Close()
		if err != nil || img.Width != w*3/2 || img.Height != h*3/2 {
			t.Errorf("%s: %d × %d (%v), want %d × %d", view, img.Width, img.Height, err, w*3/2, h*3/2)
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
	wellFormed(t, path, doc)
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
		"small window":     {[]string{"-o", dir + "/a.png", "--view", "models", "--size", "899x600", "--scenario", "apu"}, "less than the window's least, 900x600"},
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
	if left, _ := filepath.Glob(filepath.Join(dir, ".headroom-*")); len(left) > 0 {
		t.Errorf("files are left over: %v", left)
	}
}

func TestShotTakesAManifest(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "pictures.yaml")
	text := `
defaults: {scenario: apu, theme: light}
pictures:
  - {output: new/folder/a.png, view: ladder, at: 150s}
  - {output: b.svg, view: map, theme: dark, callout: ["10,20=one", "30,40=two"], alt: true}
  - {output: c.gif, view: thermal, from: 0s, to: 4s, speed: 2}
`
	if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, said := take(t, "--manifest", list); status != 0 {
		t.Fatalf("exit %d: %s", status, said)
	}
	for name, head := range map[string]string{"new/folder/a.png": "\x89PNG", "b.svg": "<svg", "b.txt": "Decision map", "c.gif": "GIF89a"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.HasPrefix(got, []byte(head)) {
			t.Errorf("%s begins with %.10q (%v), want %q", name, got, err, head)
		}
	}
	alone := filepath.Join(dir, "alone.png")
	take(t, "-o", alone, "--view", "ladder", "--at", "150s", "--scenario", "apu", "--theme", "light")
	a, _ := os.ReadFile(filepath.Join(dir, "new", "folder", "a.png"))
	b, _ := os.ReadFile(alone)
	if !bytes.Equal(a, b) {
		t.Error("a picture of a manifest differs from the same one taken by flags")
	}
}

func TestShotRefusesAManifestClearly(t *testing.T) {
	dir := t.TempDir()
	for name, k := range map[string]struct{ text, want string }{
		"empty":        {"", "lists 0 pictures"},
		"no pictures":  {"defaults: {theme: dark}", "lists 0 pictures"},
		"unknown part": {"pics: []", `line 1: "pics" is no part of a manifest`},
		"no list":      {"pictures: {output: a.png}", "line 1: pictures is a list"},
		"no picture":   {"pictures:\n- a.png", "line 2: a picture is described by flags"},
		"said twice":   {"pictures:\n- {output: a.png, output: b.png}", "line 2"},
		"no YAML":      {"pictures:\n  - output: a.png\n   view: x", "line"},
		"itself again": {"pictures: &a [*a]", "line 1"},
		"elsewhere":    {"pictures: [{output: /tmp/a.png, scenario: apu}]", "outside the manifest's folder"},
		"above":        {"pictures: [{output: ../a.png, scenario: apu}]", "outside the manifest's folder"},
		"too large":    {"pictures: [{output: a.png, size: 16000x16000, scale: 8, scenario: apu}]", "million pixels"},
		"too many":     {"pictures: [" + strings.Repeat("{output: a.png},", 1001) + "]", "lists 1001 pictures, want 1 to 1000"},
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

// A scenario ends where it began: without --at a picture says what snapshot says, with the history of the whole round.
func TestShotOfAScenarioSaysWhatSnapshotSays(t *testing.T) {
	dir := t.TempDir()
	for _, script := range trace.Scenarios() {
		name := script.Name
		if status, said := take(t, "-o", filepath.Join(dir, "a.svg"), "--scenario", name, "--view", "verdict", "--alt"); status != 0 {
			t.Fatalf("%s: exit %d: %s", name, status, said)
		}
		said, _ := os.ReadFile(filepath.Join(dir, "a.txt"))
		_, snapshot, _ := run(t, "snapshot", "--scenario", name)
		picture, _, _ := strings.Cut(string(said), "\n")
		if first, _, _ := strings.Cut(snapshot, "\n"); picture != first {
			t.Errorf("%s: the picture says %q, snapshot %q", name, picture, first)
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
