package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestShotDrawsAGhostBehindTheCharts(t *testing.T) {
	recording, _ := recorded(t)
	dir := filepath.Dir(recording)
	shot := func(file string, args ...string) string {
		t.Helper()
		path := filepath.Join(dir, file)
		if status, _, complaint := run(t, append([]string{"shot", "-o", path, "--scenario", "thin-laptop", "--at", "80s"}, args...)...); status != exitOK || complaint != "" {
			t.Fatalf("%q: status %d: %s", args, status, complaint)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	plain := shot("plain.svg")
	if strings.Contains(plain, "ghost") {
		t.Error("a picture without a ghost names one")
	}
	for name, from := range map[string]string{"apu": "apu", "laptop": recording} {
		svg := shot("one.svg", "--ghost", from)
		if svg != shot("two.svg", "--ghost", from) {
			t.Errorf("two pictures with the ghost %s differ", name)
		}
		if strings.Count(svg, "ghost: "+name) != 4 {
			t.Errorf("the four charts do not name the ghost %s", name)
		}
	}
	manifest := filepath.Join(dir, "pictures.yaml")
	text := "pictures:\n- {output: listed.svg, scenario: thin-laptop, at: 80s, ghost: laptop.jsonl}\n"
	if err := os.WriteFile(manifest, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, complaint := run(t, "shot", "--manifest", manifest); status != exitOK {
		t.Fatalf("status %d: %s", status, complaint)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "listed.svg")); string(b) != shot("two.svg", "--ghost", recording) {
		t.Error("the picture of a manifest differs from that of the same flags")
	}
}

func TestAGhostThatCannotBeReadIsOneError(t *testing.T) {
	recording, _ := recorded(t)
	letter := filepath.Join(t.TempDir(), "letter.txt")
	if err := os.WriteFile(letter, bytes.Repeat([]byte("{\"d\":["), 300_000), 0o600); err != nil {
		t.Fatal(err)
	}
	picture := filepath.Join(t.TempDir(), "x.png")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"shot", "-o", picture, "--scenario", "apu", "--ghost", letter}, "not a recording of Headroom"},
		{[]string{"shot", "-o", picture, "--scenario", "apu", "--ghost", "no-such"}, "headroom scenarios lists them"},
		{[]string{"shot", "-o", picture, "--scenario", "apu", "--ghost", filepath.Dir(letter)}, "not a regular file"},
		{[]string{"shot", "-o", picture, "--ghost", "apu"}, "give --scenario or --replay"},
		{[]string{"--ghost", "no-such"}, "headroom scenarios lists them"},
		{[]string{"--ghost", ""}, "it is empty"},
		{[]string{"replay", recording, "--json", "--ghost", "apu"}, "neither --json nor --csv"},
		{[]string{"replay", recording, "--ghost", letter}, "not a recording of Headroom"},
	} {
		status, out, complaint := run(t, c.args...)
		if status != exitUsage || out != "" || strings.Count(complaint, "\n") != 1 || !strings.Contains(complaint, c.want) {
			t.Errorf("%q: status %d, printed %q, complained %q; want %q", c.args, status, out, complaint, c.want)
		}
	}
}

// Where there is no window the text goes on without the ghost, and says so.
func TestAGhostIsLeftAsideInText(t *testing.T) {
	recording, frames := recorded(t)
	status, out, complaint := run(t, "replay", recording, "--speed", "1024", "--ghost", "apu")
	if status != exitOK || strings.Count(complaint, "\n") != 2 || !strings.Contains(complaint, "--ghost is drawn in the window") {
		t.Errorf("status %d, complained %q", status, complaint)
	}
	if last := frames[len(frames)-1].Sample.Time.Format(time.TimeOnly); !strings.Contains(out, last) {
		t.Errorf("the text ends before %s: %q", last, out)
	}
}
