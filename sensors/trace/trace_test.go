package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
)

// samplesOf are n samples of a scenario.
func samplesOf(t testing.TB, name string, n int, every time.Duration) []sensors.Sample {
	t.Helper()
	s, err := Scenario(name)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]sensors.Sample, n)
	for i := range list {
		list[i] = s.SampleAt(time.Duration(i) * every)
	}
	return list
}

// record writes samples as a recording.
func record(t testing.TB, samples []sensors.Sample) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{By: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

// reopen opens a recording that must open.
func reopen(t testing.TB, b []byte) *Recording {
	t.Helper()
	r, err := newRecording(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// contents are all samples that can be read, as JSON, by their time.
func contents(t testing.TB, r *Recording) []string {
	t.Helper()
	var list []string
	for i := range r.Len() {
		s, _, err := r.At(i)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, text(t, s))
	}
	return list
}

// inOrder are the samples from first to end as Each gives them, as JSON.
func inOrder(t testing.TB, r *Recording, first, end int) []string {
	t.Helper()
	var list []string
	err := r.Each(first, end, func(i int, s sensors.Sample) bool {
		if want := first + len(list); i != want {
			t.Fatalf("sample %d came where %d was due", i, want)
		}
		list = append(list, text(t, s))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func text(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func texts(t testing.TB, samples []sensors.Sample) []string {
	t.Helper()
	list := make([]string, len(samples))
	for i, s := range samples {
		list[i] = text(t, s)
	}
	return list
}

func TestRecordingGivesBackEverySample(t *testing.T) {
	rates := []time.Duration{100 * time.Millisecond, time.Second, 45 * time.Second}
	for i, s := range Scenarios() {
		every := rates[i%len(rates)] // each scenario at one rate: what differs between them is the scenario
		t.Run(fmt.Sprintf("%s every %s", s.Name, every), func(t *testing.T) {
			samples := samplesOf(t, s.Name, 150, every)
			r := reopen(t, record(t, samples))
			want := texts(t, samples)
			if got := contents(t, r); !slices.Equal(got, want) {
				t.Fatalf("%d samples came back of %d, or not the same", len(got), len(want))
			}
			if got := inOrder(t, r, 20, 130); !slices.Equal(got, want[20:130]) {
				t.Fatalf("read in order, %d samples came back of %d, or not the same", len(got), 110)
			}
			if p := r.Problems(); len(p) != 0 {
				t.Errorf("problems in a whole recording: %v", p)
			}
			if got, want := r.Length(), 149*every; got != want {
				t.Errorf("length is %s, want %s", got, want)
			}
		})
	}
}

func TestRecordingKeepsZonesAndTheTimesOfOldReadings(t *testing.T) {
	samples := small(5)
	probed := samples[0].Time.Add(-time.Hour)
	zone := time.FixedZone("", -9*3600-30*60)
	var want []string
	for i := range samples {
		s := &samples[i]
		s.Time = s.Time.In(zone).Add(time.Duration(i) * 1234567)
		s.AdaptersState.At = probed
		// A reading of the round itself is written with the round's time.
		s.Temperatures[0].Value.At = s.Time
		want = append(want, text(t, *s))
		s.Temperatures[0].Value.At = s.Time.UTC().Add(-time.Duration(i) * 3 * time.Millisecond)
	}
	if got := contents(t, reopen(t, record(t, samples))); !slices.Equal(got, want) {
		t.Errorf("samples with zones and differing times came back as %s, want %s", got, want)
	}
}

func TestRecordingIsSmall(t *testing.T) {
	samples := samplesOf(t, "thin-laptop", 1000, 100*time.Millisecond)
	plain := 0
	for _, s := range texts(t, samples) {
		plain += len(s) + 1
	}
	if got := len(record(t, samples)); got*10 > plain {
		t.Errorf("100 s at 10 Hz take %d bytes, more than a tenth of the %d of plain samples", got, plain)
	}
}

func TestIndexFindsTheSampleAtOrBefore(t *testing.T) {
	r := reopen(t, record(t, small(2000)))
	for _, c := range []struct {
		offset time.Duration
		want   int
	}{
		{-time.Second, 0},
		{0, 0},
		{999 * time.Millisecond, 0},
		{time.Second, 1},
		{123450 * time.Millisecond, 123},
		{1999 * time.Second, 1999},
		{time.Hour, 1999},
	} {
		if got, err := r.Index(c.offset); err != nil || got != c.want {
			t.Errorf("sample at %s is %d (%v), want %d", c.offset, got, err, c.want)
		}
	}
}

// small is a machine of few readings.
func small(n int) []sensors.Sample {
	list := make([]sensors.Sample, n)
	for i := range list {
		at := time.Date(2026, 3, 2, 14, 0, i, 0, time.UTC)
		list[i] = sensors.Sample{Time: at, Temperatures: []sensors.Temperature{{
			Chip:  "coretemp",
			Value: sensors.Reading{ID: "t", Value: sensors.Num(float64(50 + i)), State: sensors.StateOK, At: at},
		}}}
	}
	return list
}

func TestEveryTruncationOpensAndLosesAtMostTheLastLine(t *testing.T) {
	samples := small(35)
	whole := record(t, samples)
	want := texts(t, samples)
	for cut := 1; cut <= len(whole); cut++ {
		r, err := newRecording(bytes.NewReader(whole[:cut]), int64(cut))
		if err != nil {
			t.Fatalf("cut at byte %d: %v", cut, err)
		}
		// The header is a line too. A line is whole with its closing brace, with or without the end of line.
		lines := max(0, bytes.Count(whole[:cut], []byte("\n"))-1)
		if got := r.Len(); got != lines && (got != lines+1 || whole[cut-1] != '}') {
			t.Fatalf("cut at byte %d: %d samples of %d whole lines", cut, got, lines)
		}
		if n := r.Len(); n > 0 {
			if s, _, err := r.At(n - 1); err != nil || text(t, s) != want[n-1] {
				t.Fatalf("cut at byte %d: the last sample differs (%v)", cut, err)
			}
		}
		if whole[cut-1] != '\n' {
			continue
		}
		if got := contents(t, r); !slices.Equal(got, want[:len(got)]) {
			t.Fatalf("cut at byte %d: samples differ", cut)
		}
	}
}

func TestDamagedLinesAreReportedAndTheRestIsUsed(t *testing.T) {
	samples := small(70)
	whole := record(t, samples)
	want := texts(t, samples)
	lines := bytes.SplitAfter(whole, []byte("\n"))
	key := func(i int) bool { return bytes.HasPrefix(lines[i], []byte(`{"k":`)) }
	damage := map[string]func([]byte) []byte{
		"a digit flipped": func(l []byte) []byte { l[len(l)/2] ^= 1; return l },
		"zeros":           func(l []byte) []byte { return append(make([]byte, len(l)-1), '\n') },
		"half a line":     func(l []byte) []byte { return append(l[:len(l)/2], '\n') },
		"garbage":         func([]byte) []byte { return []byte("\xff\xfe}{\n") },
		"two lines glued": func(l []byte) []byte { return append(l[:len(l)-1], l...) },
	}
	for name, f := range damage {
		for i := 1; i < len(lines)-1; i++ {
			var b bytes.Buffer
			for j, l := range lines {
				if j == i {
					l = f(bytes.Clone(l))
				}
				b.Write(l)
			}
			r := reopen(t, b.Bytes())
			lost := 1
			for j := i + 1; key(i) && j < len(lines)-1 && !key(j); j++ {
				lost++
			}
			got := contents(t, r)
			rest := slices.Concat(want[:i-1], want[i-1+lost:])
			if !slices.Equal(got, rest) {
				t.Fatalf("%s in line %d: %d samples left, want the other %d", name, i+1, len(got), len(rest))
			}
			p := r.Problems()
			if len(p) == 0 || p[0].Kind != Damaged || p[0].Count != 1 || !slices.Equal(p[0].Lines, []int{i + 1}) {
				t.Fatalf("%s in line %d: problems are %v", name, i+1, p)
			}
			if lost > 1 && (len(p) < 2 || p[1].Kind != Orphaned || p[1].Count != lost-1) {
				t.Fatalf("%s in key line %d: problems are %v, want %d orphans", name, i+1, p, lost-1)
			}
		}
	}
}

func TestWhatIsAmissIsReportedAndTheRestIsUsed(t *testing.T) {
	samples := samplesOf(t, "apu", 60, time.Second)
	whole := string(record(t, samples))
	header, rest, _ := strings.Cut(whole, "\n")
	gap := slices.Clone(samples)
	for i := 30; i < len(gap); i++ {
		gap[i].Time = gap[i].Time.Add(8 * time.Hour)
	}
	back := slices.Clone(samples)
	for i := 30; i < len(back); i++ {
		back[i].Time = back[i].Time.Add(-2 * time.Minute)
	}
	for _, c := range []struct {
		name, file, say string
		samples         int
		length          time.Duration
	}{
		{"nothing", whole, "", 60, 59 * time.Second},
		{"a newer version", `{"schema":"headroom.trace/7","settings":["new"]}` + "\n" + rest, `newer version ("headroom.trace/7"`, 60, 59 * time.Second},
		{"kinds to come", whole + `{"weather":"fine"}` + "\n" + `{"weather":"foul"}` + "\n", "2 lines of unknown kinds", 60, 59 * time.Second},
		{"no header", rest, "", 60, 59 * time.Second},
		{"a night", string(record(t, gap)), "1 pause without samples, the longest 8h0m1s", 60, 59 * time.Second},
		{"a clock put back", string(record(t, back)), "the clock went back 1 time, at most by 1m59s", 60, 59 * time.Second},
		{"an endless line", header + "\n" + strings.Repeat("x", 3<<20) + "\n" + rest, "1 damaged line", 60, 59 * time.Second},
		{"blank lines and returns", strings.ReplaceAll(whole, "\n", "\r\n\r\n"), "", 60, 59 * time.Second},
		{"a missing end", whole[:len(whole)-4], "the last line is cut off", 59, 58 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := reopen(t, []byte(c.file))
			if r.Len() != c.samples || r.Length() != c.length {
				t.Errorf("%d samples over %s, want %d over %s", r.Len(), r.Length(), c.samples, c.length)
			}
			if got := fmt.Sprint(r.Problems()); !strings.Contains(got, c.say) || c.say == "" && got != "[]" {
				t.Errorf("problems are %s, want %q", got, c.say)
			}
			contents(t, r)
		})
	}
}

func TestWhatIsNoRecordingIsRefused(t *testing.T) {
	for name, b := range map[string]string{
		"text": "hello\nworld\n", "other JSON": `{"schema":"other/1"}` + "\n", "zeros": string(make([]byte, 4<<20)), "a lone brace": "{",
	} {
		if r, err := newRecording(strings.NewReader(b), int64(len(b))); err == nil && name != "a lone brace" {
			t.Errorf("%s opened as a recording of %d samples", name, r.Len())
		}
	}
}

// endless is a file without a line's end, as large as a disk.
type endless struct{ read int64 }

func (e *endless) ReadAt(p []byte, _ int64) (int, error) {
	clear(p)
	e.read += int64(len(p))
	return len(p), nil
}

func TestLargeFileThatIsNoRecordingIsRefusedByItsStart(t *testing.T) {
	file := &endless{}
	if _, err := newRecording(file, 1<<40); !errors.Is(err, errNotTrace) {
		t.Fatal(err)
	}
	if file.read > 2*giveUpAfter+2*maxLine {
		t.Errorf("%d bytes were read", file.read)
	}
}

func TestSampleWrittenByAnotherProgramIsRead(t *testing.T) {
	s := samplesOf(t, "apu", 1, time.Second)[0]
	var spaced bytes.Buffer
	if err := json.Indent(&spaced, []byte(text(t, s)), "", ""); err != nil {
		t.Fatal(err)
	}
	line := strings.ReplaceAll(spaced.String(), "\n", " ")
	file := `{"schema": "headroom.trace/1"}` + "\n" + `{"k": 1, "s": ` + line + "}\n" + `{ "d": [1, 1000000000] }` + "\n"
	r := reopen(t, []byte(file))
	if r.Len() != 2 || len(r.Problems()) != 0 {
		t.Fatalf("%d samples, problems %v", r.Len(), r.Problems())
	}
	later, offset, err := r.At(1)
	if err != nil || offset != time.Second || !later.Time.Equal(s.Time.Add(time.Second)) {
		t.Errorf("second sample is at %s, %s (%v)", offset, later.Time, err)
	}
}

func TestSettingsComeBackAsTheyWere(t *testing.T) {
	first := budget.Settings{
		Workload: workload.Default(), Device: "cpu", Runtime: 2 * time.Hour,
		Pins: budget.Pins{ThermalC: sensors.Num(7.5)}, Limits: map[string]float64{"hwmon/k10temp/Tctl": 100},
	}
	second := budget.Settings{Workload: workload.Bare(3_000_000_000)}
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{By: "test", Settings: first})
	if err != nil {
		t.Fatal(err)
	}
	samples := samplesOf(t, "apu", 20, time.Second)
	for i, s := range samples {
		if i == 10 {
			if err := w.Settings(s.Time, second); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	r := reopen(t, out.Bytes())
	for i := range samples {
		want := first
		if i >= 10 {
			want = second
		}
		got, err := r.SettingsAt(i)
		if err != nil {
			t.Fatal(err)
		}
		if text(t, got) != text(t, want) || text(t, got.Workload.Model) != text(t, want.Workload.Model) || text(t, got.Workload.Decode) != text(t, want.Workload.Decode) {
			t.Fatalf("settings at sample %d are %s, want %s", i, text(t, got), text(t, want))
		}
	}
}

func TestMarksComeBackShortAndInPlace(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{By: "test"})
	if err != nil {
		t.Fatal(err)
	}
	samples := samplesOf(t, "apu", 10, time.Second)
	for i, s := range samples {
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
		if i == 4 {
			if err := w.Mark(s.Time, "  load\n starts "+strings.Repeat("é", 300)); err != nil {
				t.Fatal(err)
			}
		}
	}
	marks := reopen(t, out.Bytes()).Marks()
	if len(marks) != 1 || marks[0].Offset != 4*time.Second || !strings.HasPrefix(marks[0].Text, "load starts éé") || len(marks[0].Text) > maxMarkText {
		t.Errorf("marks are %+v", marks)
	}
}
