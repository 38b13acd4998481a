//go:build cgo || !darwin

package window

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headroom/sensors"
)

func TestRecallTakesWhatWasKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "headroom", "window.json")
	base := defaults()
	now := base
	now.Width, now.Page, now.Theme, now.IntervalMS = 1500, PageSensors, themeLight, 500
	now.Pins.ThermalC = sensors.Num(3)
	now.Limits = map[string]float64{"hwmon/coretemp/Package id 0": 96.8}
	now.Model = modelChoice{ID: "llama-3-1-8b", Context: 32768, KV: "q8_0"}
	if err := keep(path, base, now); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode of the settings file is %v, %v; want 0600", info.Mode(), err)
	}
	got, err := recall(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.Width != 1500 || got.Page != PageSensors || got.Theme != themeLight || got.IntervalMS != 500 ||
		got.Pins.ThermalC.Or(0) != 3 || got.Limits["hwmon/coretemp/Package id 0"] != 96.8 || got.Model != now.Model {
		t.Errorf("recalled %+v, want what was kept", got)
	}
}

func TestRecallOfHostileFiles(t *testing.T) {
	for name, content := range map[string]string{
		"empty":          "",
		"not JSON":       "\x00\xff{{{",
		"an array":       "[1,2,3]",
		"wrong types":    `{"width":"wide"}`,
		"cut short":      `{"width":1280,"pag`,
		"too large":      `{"page":"` + strings.Repeat("x", maxSettingsBytes) + `"}`,
		"deeply nested":  strings.Repeat("[", 20_000),
		"a wild version": `{"version":-3,"page":"sensors"}`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "window.json")
			write(t, path, content)
			got, err := recall(path)
			if err == nil {
				t.Error("nothing is said of an unreadable file")
			}
			if got.Width != defaultWidth || got.Page != PageLive {
				t.Errorf("got %+v, want the defaults", got)
			}
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Error("the unreadable file stands where the next run would read it again")
			}
			if b, _ := os.ReadFile(path + ".unreadable"); string(b) != content {
				t.Error("the unreadable file was not kept aside")
			}
		})
	}
}

func TestSettingsOfANewerVersionAreKeptAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	const newer = `{"version":99,"page":{"left":"live","right":"sensors"},"interval_ms":2}`
	write(t, path, newer)
	got, err := recall(path)
	if err == nil || !strings.Contains(err.Error(), "newer") || !strings.Contains(err.Error(), "window.json.newer") {
		t.Errorf("said %v, want that a newer version wrote the file, and where it is kept", err)
	}
	if got.Page != PageLive || got.IntervalMS != defaults().IntervalMS {
		t.Errorf("got %+v, want the defaults", got)
	}
	if b, _ := os.ReadFile(path + ".newer"); string(b) != newer {
		t.Error("the newer version's settings were not kept aside")
	}
	now := got
	now.Page = PageSensors
	if err := keep(path, got, now); err != nil {
		t.Fatal(err)
	}
	if got, err = recall(path); err != nil || got.Page != PageSensors {
		t.Errorf("this version's own settings came back as %+v, %v", got, err)
	}
	// A newer version that opens meanwhile keeps its own.
	write(t, path, newer)
	base := now
	if now.Page = PageModels; !errors.Is(keep(path, base, now), errNewer) {
		t.Error("nothing is said of settings that are not kept")
	}
	if b, _ := os.ReadFile(path); string(b) != newer {
		t.Errorf("the newer version's settings were written over: %s", b)
	}
}

func TestSettingsWithoutAVersionAreTheFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	write(t, path, `{"page":"`+PageSensors+`"}`)
	if got, err := recall(path); err != nil || got.Page != PageSensors {
		t.Errorf("recalled %+v, %v; want the page that was kept", got, err)
	}
}

func TestRecallClampsWildValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	write(t, path, `{"width":1e9,"height":-5,"page":"../../etc","theme":"pink","interval_ms":1,"hold_ms":-1,
		"pins":{"thermal_c":1e300,"power_mw":-4,"vram_bytes":8589934592},"limits":{"a":-1,"b":95},"model":{"kv":"f64","context":18446744073709551615}}`)
	got, err := recall(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.Width != defaultWidth || got.Height != defaultHeight || got.Page != PageLive || got.Theme != "" ||
		got.IntervalMS != minInterval.Milliseconds() || got.HoldMS != defaultHold.Milliseconds() || got.Model.KV != "" || got.Model.Context != maxContext {
		t.Errorf("wild values came through: %+v", got)
	}
	if got.Pins.ThermalC.Known() || got.Pins.PowerMW.Known() || got.Pins.VRAMBytes.Or(0) != 8589934592 {
		t.Errorf("pins %+v, want the one that is possible", got.Pins)
	}
	if len(got.Limits) != 1 || got.Limits["b"] != 95 {
		t.Errorf("limits %v, want b alone", got.Limits)
	}
}

func TestTwoWindowsKeepEachOthersChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	write(t, path, `{"from_a_later_version":{"x":1}}`)
	base, err := recall(path)
	if err != nil {
		t.Fatal(err)
	}
	a, b := base, base
	a.Page, b.Theme = PageSensors, themeDark
	if err := errors.Join(keep(path, base, a), keep(path, base, b)); err != nil {
		t.Fatal(err)
	}
	got, err := recall(path)
	if err != nil || got.Page != PageSensors || got.Theme != themeDark {
		t.Errorf("after two windows: %+v, %v; want the page of one and the theme of the other", got, err)
	}
	raw, _ := os.ReadFile(path)
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(raw, &fields) != nil || fields["from_a_later_version"] == nil {
		t.Errorf("a field of a later version was lost: %s", raw)
	}
}

func TestAReadOnlyHomeIsToldOnce(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	write(t, blocked, "")
	var told []error
	k := &keeper{path: filepath.Join(blocked, "headroom", "window.json"), base: defaults(), failed: func(err error) { told = append(told, err) }}
	for _, page := range []string{PageModels, PageSensors} {
		k.now = defaults()
		k.now.Page = page
		k.write()
	}
	if len(told) != 1 {
		t.Errorf("told %v, want one failure", told)
	}
}

func TestTheKeeperWritesWhatIsOutstandingWhenItCloses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	k := newKeeper(path, defaults(), nil)
	s := defaults()
	s.Page = PageModels
	k.set(s)
	k.close()
	if got, err := recall(path); err != nil || got.Page != PageModels {
		t.Errorf("recalled %+v, %v; want the last page", got, err)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	if len(left) > 0 {
		t.Errorf("left behind %v", left)
	}
}

func FuzzRecall(f *testing.F) {
	f.Add([]byte(`{"width":1280,"limits":{"a":1},"pins":{"thermal_c":null}}`))
	f.Add([]byte("[]"))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "window.json")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		r, _ := recall(path)
		if !(r.Width >= minWidth && r.Height >= minHeight && r.Width <= 16384 && r.Height <= 16384) || r.IntervalMS < 100 || len(r.Limits) > maxPinnedLimits {
			t.Errorf("unusable settings %+v", r)
		}
		if err := keep(path, defaults(), r); err != nil {
			t.Errorf("what was recalled cannot be kept: %v", err)
		}
	})
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
