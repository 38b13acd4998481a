package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What was measured of RAM once is what size, models and snapshot make their speeds from, until it is measured anew.
func TestSizeTakesTheSpeedOfRAMThatWasKept(t *testing.T) {
	home := t.TempDir()
	says := func(args string) string {
		t.Helper()
		var out bytes.Buffer
		cmd := exec.CommandContext(t.Context(), binary, strings.Fields(args)...)
		cmd.Stdout, cmd.Env = &out, []string{"HOME=" + home, "XDG_CACHE_HOME=" + home, "PATH=" + os.Getenv("PATH")}
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		return out.String()
	}
	const size = "size --format Q4_K_M llama-3.2-1b"
	if first := says(size); !strings.Contains(first, "RAM, measured at ") {
		t.Skip("no speed of RAM could be measured here:\n", first)
	}
	path := filepath.Join(home, "headroom", "ram.json")
	kept := map[string]any{}
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &kept)
	}
	if err != nil {
		t.Fatal(err)
	}
	kept["ram_bytes_per_s"] = 9.87e12
	if b, err = json.Marshal(kept); err == nil {
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{size, "snapshot --json --model llama-3.2-1b"} {
		if text := says(args); !strings.Contains(text, "RAM, measured at 9870.0 GB/s") {
			t.Errorf("%s does not take the speed that was kept:\n%s", args, text)
		}
	}
	if text := says(size + " --no-speed"); strings.Contains(text, "RAM, measured") {
		t.Errorf("--no-speed gives a speed:\n%s", text)
	}
	if text := says(size + " --fresh"); strings.Contains(text, "9870") || !strings.Contains(text, "RAM, measured at ") {
		t.Errorf("--fresh measures nothing anew:\n%s", text)
	}
	if text := says(size); strings.Contains(text, "9870") {
		t.Errorf("what --fresh measured is not kept:\n%s", text)
	}
}
