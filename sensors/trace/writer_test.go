package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// recorderFile asks the test binary to record into that file until it is killed.
const recorderFile = "HEADROOM_TEST_RECORDER"

func TestMain(m *testing.M) {
	if path := os.Getenv(recorderFile); path != "" {
		recordUntilKilled(path)
	}
	os.Exit(m.Run())
}

// recordUntilKilled writes samples as fast as it can, and says on stdout after each how many it has written.
func recordUntilKilled(path string) {
	w, err := Create(path, Header{By: "test"})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s, err := Scenario("apu")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for i := 0; ; i++ {
		if err := w.Write(s.SampleAt(time.Duration(i) * 100 * time.Millisecond)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Stdout.Write([]byte{'.'})
	}
}

func TestKillLosesAtMostTheLastLine(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 20
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := Scenario("apu")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	random := rand.New(rand.NewPCG(9, 200))
	for n := range kills {
		path := filepath.Join(t.TempDir(), "killed.jsonl")
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), recorderFile+"="+path, "XDG_CACHE_HOME="+t.TempDir())
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Killing in the midst of the dots hits the recorder at any point of its work.
		dots, err := io.CopyN(io.Discard, out, 1+random.Int64N(400))
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		more, err := io.Copy(io.Discard, out)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		r, err := Open(path)
		if err != nil {
			t.Fatalf("kill %d: %v", n, err)
		}
		for _, p := range r.Problems() {
			if p.Kind != CutOff {
				t.Fatalf("kill %d: %v", n, p)
			}
		}
		got := contents(t, r)
		// A sample may be written whose dot was not.
		if n := int64(len(got)); n != dots+more && n != dots+more+1 {
			t.Fatalf("kill: %d samples can be read, %d were written", len(got), dots+more)
		}
		for i, g := range got {
			if i == len(want) {
				want = append(want, text(t, scenario.SampleAt(time.Duration(i)*100*time.Millisecond)))
			}
			if g != want[i] {
				t.Fatalf("kill %d: sample %d differs", n, i)
			}
		}
		r.Close()
	}
}

func TestKilledRecordingIsContinued(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), "r.jsonl")
	first, second := small(10), small(20)[10:]
	whole := record(t, first)
	if err := os.WriteFile(path, whole[:len(whole)-9], 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := Create(path, Header{By: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range second {
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, want := contents(t, r), texts(t, slices.Concat(first[:9], second)); !slices.Equal(got, want) {
		t.Errorf("%d samples of a continued recording, want %d", len(got), len(want))
	}
	if p := r.Problems(); len(p) != 1 || p[0].Kind != Damaged || p[0].Count != 1 {
		t.Errorf("problems are %v, want the one line that was cut off", p)
	}
}

func TestOtherFilesAreNotWrittenTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "letter.txt")
	if err := os.WriteFile(path, []byte("dear reader\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, Header{}); err == nil {
		t.Error("a letter was taken for a recording")
	}
	if err := MarkFile(path, time.Now(), "x"); err == nil {
		t.Error("a letter was marked")
	}
	if b, _ := os.ReadFile(path); string(b) != "dear reader\n" {
		t.Errorf("the letter now reads %q", b)
	}
}

// fullDisk takes some bytes, then a part of a line, then nothing.
type fullDisk struct {
	bytes.Buffer
	room int
}

func (d *fullDisk) Write(b []byte) (int, error) {
	if len(b) <= d.room {
		d.room -= len(b)
		return d.Buffer.Write(b)
	}
	n, _ := d.Buffer.Write(b[:d.room])
	d.room = 0
	return n, syscall.ENOSPC
}

func TestFullDiskIsOneClearErrorAndKeepsWhatWasWritten(t *testing.T) {
	samples := small(60)
	disk := &fullDisk{room: 5000}
	w, err := NewWriter(disk, Header{By: "test"})
	if err != nil {
		t.Fatal(err)
	}
	var first error
	written := 0
	for _, s := range samples {
		switch err := w.Write(s); {
		case err == nil:
			written++
		case first == nil:
			first = err
		case !errors.Is(err, first):
			t.Fatalf("a second error, %v, after %v", err, first)
		}
	}
	if !errors.Is(first, syscall.ENOSPC) || !strings.Contains(first.Error(), fmt.Sprintf("after %d samples", written)) {
		t.Errorf("error is %v after %d samples", first, written)
	}
	if got := contents(t, reopen(t, disk.Bytes())); !slices.Equal(got, texts(t, samples[:written])) {
		t.Errorf("%d samples can be read, %d were written", len(got), written)
	}
}

func TestFullDeviceIsOneClearError(t *testing.T) {
	const device = "/dev/full"
	if _, err := os.Stat(device); err != nil {
		t.Skip("this system has no " + device)
	}
	if _, err := Create(device, Header{}); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), device) {
		t.Errorf("error is %v", err)
	}
}

func TestRunningRecordingIsFoundAndMarked(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), "r.jsonl")
	if running, err := Running(); err != nil || len(running) != 0 {
		t.Fatalf("before it begins, %v is running (%v)", running, err)
	}
	w, err := Create(path, Header{By: "test"})
	if err != nil {
		t.Fatal(err)
	}
	samples := small(4)
	for i, s := range samples {
		if i == 2 {
			running, err := Running()
			if err != nil || !slices.Equal(running, []string{path}) {
				t.Fatalf("%v is running (%v), want %s", running, err, path)
			}
			if err := MarkFile(running[0], s.Time, "fan off"); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if running, err := Running(); err != nil || len(running) != 0 {
		t.Errorf("after its end, %v is running (%v)", running, err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if m := r.Marks(); len(m) != 1 || m[0].Text != "fan off" || m[0].Offset != time.Second {
		t.Errorf("marks are %+v", m)
	}
	if !slices.Equal(contents(t, r), texts(t, samples)) {
		t.Error("the mark disturbed the samples")
	}
}

func TestAnnouncementOfAKilledProgramDoesNotLast(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	a := announce("/recordings/gone.jsonl")
	old := time.Now().Add(-2 * announcedFor)
	if err := os.Chtimes(a.file, old, old); err != nil {
		t.Fatal(err)
	}
	if running, err := Running(); err != nil || len(running) != 0 {
		t.Errorf("%v is still running (%v)", running, err)
	}
	for _, text := range []string{"", "relative.jsonl", "/recordings/\x00.jsonl"} {
		if err := os.WriteFile(announce("/recordings/gone.jsonl").file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if running, err := Running(); err != nil || len(running) != 0 {
			t.Errorf("damaged to %q, the announcement leads to %q (%v)", text, running, err)
		}
	}
}

func TestRingSavesTheLastTenMinutes(t *testing.T) {
	ring := NewRing()
	path := filepath.Join(t.TempDir(), "just-now.jsonl")
	if err := ring.Save(path, Header{By: "test"}); err == nil {
		t.Error("an empty ring was saved")
	}
	samples := samplesOf(t, "apu", 1500, time.Second)
	for _, s := range samples {
		if err := ring.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := ring.Save(path, Header{By: "test"}); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got := contents(t, r)
	if len(got) < 601 || len(got) > 601+60 {
		t.Errorf("the ring kept %d samples of one second, want ten minutes and at most a minute more", len(got))
	}
	if !slices.Equal(got, texts(t, samples[len(samples)-len(got):])) {
		t.Error("the ring's samples are not the last ones")
	}
	if p := r.Problems(); len(p) != 0 {
		t.Errorf("problems in a saved ring: %v", p)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("the folder holds %d files beside the recording", len(left)-1)
	}
}
