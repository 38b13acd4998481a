package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
	"headroom/ui/frame"
)

// recorded writes a minute of a scenario under settings that change half-way, and returns the Frames of that time.
func recorded(t *testing.T) (path string, frames []frame.Frame) {
	t.Helper()
	s, err := trace.Scenario("thin-laptop")
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "laptop.jsonl")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	set := budget.Settings{
		Workload: workload.Default(), Pins: budget.Pins{PowerMW: sensors.Num(20_000)}, Measured: budget.Measured{RAM: sensors.Num(4e10)},
	}
	w, err := trace.Create(path, trace.Header{By: "test", Settings: set})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		sample := s.SampleAt(time.Duration(i+30) * time.Second)
		if i == 30 {
			set = budget.Settings{Workload: workload.Bare(3_000_000_000)}
			if err := w.Settings(sample.Time, set); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Write(sample); err != nil {
			t.Fatal(err)
		}
		frames = append(frames, frame.New(sample, set))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path, frames
}

func lines(t *testing.T, frames []frame.Frame) string {
	t.Helper()
	var b bytes.Buffer
	for _, f := range frames {
		if err := writeJSON(&b, f, ""); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestReplayGivesTheFramesOfTheTimeOfRecording(t *testing.T) {
	path, frames := recorded(t)
	status, out, complaint := run(t, "replay", path, "--json")
	if speed := frames[0].Speed(); !speed.Low.Known() {
		t.Fatalf("no speed was recorded: %s", speed.Basis)
	}
	if status != exitOK || complaint != "" || out != lines(t, frames) {
		t.Errorf("status %d, complained %q; the Frames differ from those of the time: %v", status, complaint, out == lines(t, frames))
	}
}

func TestReplayUnderOtherSettings(t *testing.T) {
	path, frames := recorded(t)
	for i, f := range frames {
		set := f.Settings
		set.Workload = workload.Bare(1_000_000_000)
		set.Pins.ThermalC = sensors.Num(3)
		frames[i] = frame.New(f.Sample, set)
	}
	if _, out, _ := run(t, "replay", path, "--json", "--params", "1B", "--pin", "thermal=3"); out != lines(t, frames) {
		t.Error("flags did not replace what they name, and leave the rest as recorded")
	}
}

func TestReplayAsATable(t *testing.T) {
	path, frames := recorded(t)
	status, out, complaint := run(t, "replay", path, "--csv")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || status != exitOK || complaint != "" {
		t.Fatalf("status %d, complained %q: %v", status, complaint, err)
	}
	if len(rows) != len(frames)+1 || rows[0][3] != "precision" || rows[1][3] != "f16" || rows[50][3] != frames[49].Plan.Precision.String() {
		t.Errorf("%d rows, the first are %q", len(rows), rows[:2])
	}
}

func TestReplaySaysWhatIsAmissAndShowsTheRest(t *testing.T) {
	path, frames := recorded(t)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b[:len(b)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, complaint := run(t, "replay", path, "--json")
	if status != exitOK || out != lines(t, frames[:59]) || !strings.Contains(complaint, "last line is cut off") {
		t.Errorf("status %d, %d lines, complained %q", status, strings.Count(out, "\n"), complaint)
	}
}

func TestReplayAsTextFollowsTheSettingsToTheEndOfTheRecording(t *testing.T) {
	path, frames := recorded(t)
	status, out, _ := run(t, "replay", path, "--speed", "1024")
	if status != exitOK {
		t.Errorf("status %d", status)
	}
	if frames[29].Plan.Precision == frames[30].Plan.Precision {
		t.Fatal("the recorded settings change nothing")
	}
	for _, f := range frames {
		want := f.Sample.Time.Format("15:04:05") + "  " + f.Plan.Precision.String() + " "
		if !strings.Contains(out, want) {
			t.Errorf("no line begins with %q in %q", want, out)
		}
	}
}

func TestReplayRefusesOtherFiles(t *testing.T) {
	letter := filepath.Join(t.TempDir(), "letter.txt")
	if err := os.WriteFile(letter, []byte("dear reader\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
	}{
		{[]string{"replay"}, exitUsage},
		{[]string{"replay", letter, letter}, exitUsage},
		{[]string{"replay", letter, "--json", "--csv"}, exitUsage},
		{[]string{"replay", letter, "--json"}, exitFailed},
		{[]string{"replay", letter + ".gone"}, exitFailed},
		{[]string{"replay", filepath.Dir(letter)}, exitFailed},
		{[]string{"record"}, exitUsage},
		{[]string{"record", "-o", letter, "--for", "1s"}, exitFailed},
		{[]string{"mark"}, exitUsage},
		{[]string{"mark", "an", "event"}, exitFailed},
		{[]string{"mark", "an event", "--file", letter}, exitFailed},
	} {
		status, out, complaint := run(t, c.args...)
		if status != c.status || out != "" || strings.Count(complaint, "\n") != 1 {
			t.Errorf("%q: status %d, printed %q, complained %q; want status %d and one line", c.args, status, out, complaint, c.status)
		}
	}
	if b, _ := os.ReadFile(letter); string(b) != "dear reader\n" {
		t.Errorf("the letter now reads %q", b)
	}
}

func TestRecordOnAFullDiskIsOneClearError(t *testing.T) {
	const device = "/dev/full"
	if _, err := os.Stat(device); err != nil {
		t.Skip("this system has no " + device)
	}
	status, out, complaint := run(t, "record", "--scenario", "apu", "-o", device)
	if status != exitFailed || out != "" || strings.Count(complaint, "\n") != 1 || !strings.Contains(complaint, "no space left on device") {
		t.Errorf("status %d, printed %q, complained %q", status, out, complaint)
	}
}

// few emits some samples of a scenario.
type few struct {
	samples int
	after   func(i int)
}

func (f few) Run(ctx context.Context, emit func(sensors.Sample)) error {
	s, err := trace.Scenario("apu")
	if err != nil {
		return err
	}
	for i := range f.samples {
		emit(s.SampleAt(time.Duration(i) * time.Second))
		f.after(i)
	}
	return nil
}

func TestRecordIsMarkedFromElsewhere(t *testing.T) {
	home, path := t.TempDir(), filepath.Join(t.TempDir(), "r.jsonl")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", "")
	w, err := trace.Create(path, trace.Header{By: "test"})
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	err = record(t.Context(), few{samples: 5, after: func(i int) {
		if i == 2 {
			if err := newMark(t, "fan", "off"); err != nil {
				t.Error(err)
			}
		}
	}}, budget.Settings{}, func() {}, w, path, &said)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), "recorded 5 samples over 4s") {
		t.Errorf("said %q", said.String())
	}
	r, err := trace.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if m := r.Marks(); len(m) != 1 || m[0].Text != "fan off" || m[0].Offset != 2*time.Second {
		t.Errorf("marks are %+v", m)
	}
}

// newMark runs headroom mark in this process.
func newMark(t *testing.T, args ...string) error {
	cmd := newMarkCommand()
	cmd.SetArgs(args)
	cmd.SetOut(t.Output())
	return cmd.ExecuteContext(t.Context())
}

// A picture's timeline shows what a change of the recorded settings changed, as the window does.
func TestShotOfARecordingFollowsItsSettings(t *testing.T) {
	path, frames := recorded(t)
	picture := filepath.Join(filepath.Dir(path), "timeline.svg")
	if status, _, complaint := run(t, "shot", "-o", picture, "--alt", "--view", "timeline", "--replay", path, "--at", "40s"); status != exitOK {
		t.Fatalf("status %d: %s", status, complaint)
	}
	b, err := os.ReadFile(strings.TrimSuffix(picture, ".svg") + ".txt")
	history := frame.NewHistory()
	for _, f := range frames[:41] {
		history.Add(f)
	}
	if want := fmt.Sprintf("%d changes", len(history.Changes())); err != nil || !strings.Contains(string(b), want) {
		t.Errorf("the timeline says %q, want %q (%v)", b, want, err)
	}
}
