package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headroom/sensors"
)

// The binary of these tests has no WebGPU: what is asked of an adapter is refused, what is asked of files is answered.
func TestProveRefusesInOneLine(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"prove --only everything", exitUsage, `"everything" is no proof: there are bandwidth, fusion`},
		{"prove --api directx", exitUsage, `"directx" is no API: there are vulkan, metal`},
		{"prove --quick --full", exitUsage, "exclude each other"},
		{"prove surplus", exitUsage, `unexpected argument "surplus"`},
		{"prove --compare one.json", exitUsage, "--compare takes two files"},
		{"prove --compare none.json none.json", exitUsage, "none.json"},
		{"prove --compare " + broken + " " + broken, exitUsage, "broken.json"},
		{"prove --quick", exitFailed, "this build has no WebGPU"},
	} {
		status, out, complaint := run(t, strings.Fields(c.args)...)
		if status != c.status || out != "" || !strings.Contains(complaint, c.want) || strings.Count(complaint, "\n") != 1 {
			t.Errorf("%s: status %d, %q, %q; want %d with %q", c.args, status, out, complaint, c.status, c.want)
		}
	}
}

func TestProveComparesTwoResults(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.json": `{"adapter":"Card","driver":"1","date":"2026-01-02T00:00:00Z","proofs":[{"name":"bandwidth","verified":true,"max_error":0,"copy_ms":10,"copy_spread_percent":1}]}`,
		"b.json": `{"adapter":"Card","driver":"2","date":"2026-02-03T00:00:00Z","proofs":[{"name":"bandwidth","verified":true,"max_error":0,"copy_ms":20,"copy_spread_percent":1}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	status, out, complaint := run(t, "prove", "--compare", filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json"))
	if status != exitOK || complaint != "" {
		t.Fatalf("status %d, %q", status, complaint)
	}
	for _, want := range []string{"A  Card, 1, 2026-01-02", "B  Card, 2, 2026-02-03", "copy_ms", "2.000"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.Contains(out, "within the spread") {
		t.Errorf("a clear difference is taken for noise:\n%s", out)
	}
}

func TestAnAdapterIsChosenByNumberAddressOrName(t *testing.T) {
	list := []sensors.Adapter{
		{Name: "NVIDIA GeForce RTX 4090", Backend: "vulkan", PCI: "0000:01:00.0"},
		{Name: "Intel Iris Xe", Backend: "vulkan", PCI: "0000:00:02.0"},
		{Name: "Intel Iris Xe", Backend: "d3d12"},
	}
	for _, c := range []struct{ adapter, api, want string }{
		{"", "", "vulkan 0000:01:00.0"},
		{"2", "", "vulkan 0000:00:02.0"},
		{"0000:00:02.0", "", "vulkan 0000:00:02.0"},
		{"iris", "", "vulkan 0000:00:02.0"},
		{"iris", "d3d12", "d3d12 "},
		{"radeon", "", ""},
		{"", "metal", ""},
	} {
		got, err := (&proving{adapter: c.adapter, api: c.api}).choose(list)
		switch {
		case c.want == "" && (err == nil || !strings.Contains(err.Error(), "there is 1 NVIDIA GeForce RTX 4090 (vulkan)")):
			t.Errorf("%+v: got %v, %v", c, got, err)
		case c.want != "" && (err != nil || got.Backend+" "+got.PCI != c.want):
			t.Errorf("%+v: got %v, %v", c, got, err)
		}
	}
}
