package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
	"headroom/ui/frame"
)

// scrape asks the exporter of a Frame for a path.
func scrape(f *frame.Frame, remote bool, change func(*http.Request)) *http.Response {
	var now atomic.Pointer[frame.Frame]
	now.Store(f)
	r := httptest.NewRequest(http.MethodGet, "http://localhost:9464/metrics", nil)
	change(r)
	w := httptest.NewRecorder()
	metricsHandler(&now, remote).ServeHTTP(w, r)
	return w.Result()
}

func frameOf(t *testing.T, name string, at time.Duration) frame.Frame {
	t.Helper()
	s, err := trace.Scenario(name)
	if err != nil {
		t.Fatal(err)
	}
	set, err := s.Settings(findModel)
	if err != nil {
		t.Fatal(err)
	}
	return frame.New(s.SampleAt(at), set)
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestExportGivesTheFrameAsMetrics(t *testing.T) {
	f := frameOf(t, "thin-laptop", 80*time.Second)
	r := scrape(&f, false, func(r *http.Request) { r.Header.Set("Accept", "application/openmetrics-text; version=1.0.0") })
	got := body(t, r)
	if r.StatusCode != http.StatusOK || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/openmetrics-text") || !strings.HasSuffix(got, "# EOF\n") {
		t.Errorf("status %d, type %s, ends %q", r.StatusCode, r.Header.Get("Content-Type"), got[max(0, len(got)-20):])
	}
	for _, want := range []string{
		`headroom_precision{precision="q8"} 1.0`, `headroom_precision{precision="f16"} 0.0`, `headroom_tight 1.0`, `headroom_throttling 1.0`,
		`headroom_temperature_limit_celsius{sensor="hwmon/coretemp/Package id 0"} 110.0`, `headroom_power_limit_watts 45.0`,
		`headroom_clock_max_hertz{device="cpu"} 4.8e+09`, `headroom_sample_timestamp_seconds 1.77246008e+09`,
		fmt.Sprintf("headroom_thermal_headroom_celsius %v\n", f.Budget.Thermal.HeadroomC),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in\n%s", want, got)
		}
	}
}

// What was measured gives the speed that the other faces give, under labels of few values.
func TestExportGivesTheSpeedWithWhatItRestsOn(t *testing.T) {
	measured := budget.GPURates{Read: sensors.Num(2e11), Weights: [4]sensors.Number{sensors.Num(1e10), sensors.Num(2e10), sensors.Num(4e10), sensors.Num(6e10)}}
	for _, c := range []struct {
		name  string
		basis []string
		set   func(f frame.Frame) budget.Measured
	}{
		{"nothing", nil, func(frame.Frame) budget.Measured { return budget.Measured{} }},
		{"RAM", []string{"RAM"}, func(frame.Frame) budget.Measured { return budget.Measured{RAM: sensors.Num(4e10)} }},
		{"products", []string{"f16 weights", "q8 weights"}, func(f frame.Frame) budget.Measured {
			return budget.Measured{GPUs: map[string]budget.GPURates{f.Budget.GPUs[f.Budget.InUse].ID: measured}}
		}},
	} {
		for i, at := range []time.Duration{0, 80 * time.Second} {
			f := frameOf(t, "thin-laptop", at)
			set := f.Settings
			set.Measured = c.set(f)
			f = frame.New(f.Sample, set)
			got := body(t, scrape(&f, false, func(*http.Request) {}))
			if c.basis == nil {
				if strings.Contains(got, "tokens_per_second") {
					t.Errorf("%s measured: there is a speed in\n%s", c.name, got)
				}
				continue
			}
			s := f.Speed()
			for bound, n := range map[string]sensors.Number{"low": s.Low, "high": s.High} {
				want := fmt.Sprintf("headroom_tokens_per_second{basis=%q,bound=%q} %v\n", c.basis[i%len(c.basis)], bound, n.Or(0))
				if !strings.Contains(got, want) {
					t.Errorf("%s measured: there is no %s in\n%s", c.name, want, got)
				}
			}
		}
	}
}

// bareNames are the metrics without a unit: flags, choices and counts.
var bareNames = map[string]bool{
	"info": true, "workload_info": true, "input_assumed": true, "throttling": true, "on_battery": true, "precision": true, "backend": true,
	"zero_copy": true, "tight": true, "fits": true, "tiles": true, "binding_tiles": true, "fusion_ops": true, "fusion_passes": true, "readings": true,
}

// The linter is that of promtool.
func TestExportNamesUnitsAndHelp(t *testing.T) {
	units := regexp.MustCompile(`_(seconds|celsius|watts|bytes|ratio|hertz|tokens_per_second)$`)
	for _, s := range trace.Scenarios() {
		f := frameOf(t, s.Name, s.Length/3)
		set := f.Settings
		set.Measured.RAM = sensors.Num(4e10)
		f = frame.New(f.Sample, set)
		got := body(t, scrape(&f, false, func(*http.Request) {}))
		problems, err := promlint.New(strings.NewReader(got)).Lint()
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: %v, %v", s.Name, problems, err)
		}
		for line := range strings.Lines(got) {
			words := strings.SplitN(strings.TrimSpace(line), " ", 4)
			if words[0] != "#" || words[1] != "HELP" {
				continue
			}
			name := strings.TrimPrefix(words[2], "headroom_")
			if len(words) < 4 || !strings.HasSuffix(words[3], ".") {
				t.Errorf("%s has no help in a sentence: %q", name, line)
			}
			if bareNames[name] == units.MatchString("_"+name) {
				t.Errorf("%s names no unit, or one where it has none", name)
			}
		}
	}
}

func TestExportLeavesOutWhatIsUnknown(t *testing.T) {
	f := frame.New(sensors.Sample{Time: time.Unix(1, 0)}, budget.Settings{Workload: workload.Default()})
	got := body(t, scrape(&f, false, func(*http.Request) {}))
	for _, absent := range []string{"temperature_celsius", "memory_total", "throttling", "battery_ratio", "headroom_memory_budget_bytes", "fits", "clock"} {
		if strings.Contains(got, "headroom_"+strings.TrimPrefix(absent, "headroom_")+" ") || strings.Contains(got, "headroom_"+absent+"{") {
			t.Errorf("an unknown %s has a metric", absent)
		}
	}
	if !strings.Contains(got, `headroom_input_assumed{input="thermal"} 1`) {
		t.Errorf("an assumed input is not told:\n%s", got)
	}
}

func TestExportBoundsItsLabels(t *testing.T) {
	s := sensors.Sample{Time: time.Unix(1, 0)}
	for i := range 3000 {
		id := fmt.Sprintf("hwmon/%s\xff%d", strings.Repeat("x", 500), i)
		s.Temperatures = append(s.Temperatures, sensors.Temperature{Value: sensors.Reading{ID: id, Value: sensors.Num(50), State: sensors.StateOK}})
	}
	f := frame.New(s, budget.Settings{Workload: workload.Default()})
	r := scrape(&f, false, func(*http.Request) {})
	got := body(t, r)
	if n := strings.Count(got, "headroom_temperature_celsius{"); r.StatusCode != http.StatusOK || n != maxSeries {
		t.Errorf("status %d, %d series of 3000 sensors, want %d", r.StatusCode, n, maxSeries)
	}
	for _, line := range strings.Split(got, "\n") {
		if len(line) > 1000 {
			t.Fatalf("a line of %d bytes", len(line))
		}
	}
}

func TestExportAnswersOnlyWhatItShould(t *testing.T) {
	f := frameOf(t, "apu", 0)
	for _, c := range []struct {
		name   string
		frame  *frame.Frame
		remote bool
		change func(*http.Request)
		status int
	}{
		{"a scrape", &f, false, func(*http.Request) {}, http.StatusOK},
		{"another way of writing this machine", &f, false, func(r *http.Request) { r.Host = "[::1]:9464" }, http.StatusOK},
		{"a write", &f, false, func(r *http.Request) { r.Method = http.MethodPost }, http.StatusMethodNotAllowed},
		{"the address alone, before the first sample", nil, false, func(r *http.Request) { r.URL.Path = "/" }, http.StatusOK},
		{"the address alone, by a name that points here", &f, false, func(r *http.Request) { r.URL.Path, r.Host = "/", "evil.example" }, http.StatusForbidden},
		{"a write to the address alone", &f, false, func(r *http.Request) { r.URL.Path, r.Method = "/", http.MethodPost }, http.StatusMethodNotAllowed},
		{"another path", &f, false, func(r *http.Request) { r.URL.Path = "/debug/pprof" }, http.StatusNotFound},
		{"a name that points here", &f, false, func(r *http.Request) { r.Host = "evil.example:9464" }, http.StatusForbidden},
		{"a name, where other machines may ask", &f, true, func(r *http.Request) { r.Host = "laptop.example:9464" }, http.StatusOK},
		{"a scrape before the first sample", nil, false, func(*http.Request) {}, http.StatusServiceUnavailable},
	} {
		if got := scrape(c.frame, c.remote, c.change).StatusCode; got != c.status {
			t.Errorf("%s: status %d, want %d", c.name, got, c.status)
		}
	}
}

func TestExportSaysWhereItsMetricsAre(t *testing.T) {
	r := scrape(nil, false, func(r *http.Request) { r.URL.Path = "/" })
	if got := body(t, r); !strings.Contains(got, "Headroom") || !strings.Contains(got, "/metrics") || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("the address alone answers %s, %q", r.Header.Get("Content-Type"), got)
	}
}

func TestExportListensToThisMachineUnlessAsked(t *testing.T) {
	for _, c := range []struct {
		address string
		remote  bool
		ok      bool
	}{
		{"127.0.0.1:9464", false, true},
		{"[::1]:9464", false, true},
		{"localhost:0", false, true},
		{":9464", false, false},
		{"0.0.0.0:9464", false, false},
		{"192.168.1.5:9464", false, false},
		{"laptop.example:9464", false, false},
		{"0.0.0.0:9464", true, true},
		{"9464", true, false},
	} {
		if err := reachable(c.address, c.remote); (err == nil) != c.ok {
			t.Errorf("listen at %s, remote %v: %v", c.address, c.remote, err)
		}
	}
}
