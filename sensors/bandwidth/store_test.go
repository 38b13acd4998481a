package bandwidth

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/sensors"
)

func machine(cpu string, threads int, ram float64) sensors.Sample {
	s := sensors.Sample{Host: sensors.Host{CPU: cpu, Threads: threads}}
	s.Memory.Total = sensors.Reading{Value: sensors.Num(ram), Unit: sensors.Bytes, State: sensors.StateOK}
	return s
}

func TestABandwidthIsKeptWithItsDateForItsMachineAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "headroom", "ram.json")
	here := machine("some CPU", 8, 32e9)
	if _, err := Load(path, here); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("nothing is kept: %v", err)
	}
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	r := sensors.Reading{Value: sensors.Num(41e9), Unit: BytesPerSecond, State: sensors.StateOK, Detail: "8 threads over 256 MiB", At: at}
	if err := Save(path, here, r); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path, here)
	if err != nil || got.Value != r.Value || !got.At.Equal(at) || got.Detail != r.Detail || !got.Usable() {
		t.Fatalf("kept is %+v, %v", got, err)
	}
	if _, err := Load(path, machine("some CPU", 8, 31.7e9)); err != nil {
		t.Errorf("with a little less RAM: %v", err)
	}
	for _, other := range []sensors.Sample{machine("another CPU", 8, 32e9), machine("some CPU", 16, 32e9), machine("some CPU", 8, 64e9)} {
		if _, err := Load(path, other); !errors.Is(err, ErrOther) {
			t.Errorf("%+v has it too: %v", other.Host, err)
		}
	}
	missing := sensors.Missing("", "", BytesPerSecond, sensors.StateError, "", "")
	if err := Save(path, here, missing); err != nil {
		t.Fatal(err)
	}
	if got, err := Load(path, here); err != nil || got.Value != r.Value {
		t.Errorf("a failed measurement takes the earlier one away: %+v, %v", got, err)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("%d files lie there", len(files))
	}
}

func TestADamagedBandwidthIsOneError(t *testing.T) {
	here := machine("some CPU", 8, 32e9)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"nothing": "", "words": "fast", "zero": `{"ram_bytes_per_s":0}`, "below": `{"ram_bytes_per_s":-1}`, "absurd": `{"ram_bytes_per_s":1e300}`,
		"long": strings.Repeat(" ", maxKept+1),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Load(path, here); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := Load(dir, here); err == nil {
		t.Error("a folder is read")
	}
}
