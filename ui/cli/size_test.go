package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"headroom/policy/workload/modelfile/gguf/gguftest"
	"headroom/sensors/hostfile"
	"headroom/ui/frame"
)

// modelRows runs the program and gives the rows it printed as JSON.
func modelRows(t *testing.T, args ...string) []frame.RowJSON {
	t.Helper()
	status, out, complaints := run(t, append(args, "--json")...)
	if status != exitOK {
		t.Fatalf("%v ended with %d: %s", args, status, complaints)
	}
	var got struct{ Models []frame.RowJSON }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v printed no JSON: %v\n%s", args, err, out)
	}
	for _, r := range got.Models {
		if r.TotalBytes != r.WeightsBytes+r.KVBytes+r.ComputeBytes {
			t.Errorf("%s: total %d is not the sum of its parts", r.Name, r.TotalBytes)
		}
	}
	return got.Models
}

func ggufFile(t *testing.T, shape string, q gguftest.Quant) (path string, bytes uint64) {
	t.Helper()
	b, _, bytes := gguftest.Shapes[shape].Build(shape, q)
	return b.Write(t, t.TempDir(), "model.gguf"), bytes
}

// hostTree writes a recorded host's tree.
func hostTree(t *testing.T, name string) string {
	t.Helper()
	h, err := hostfile.Open("../../sensors/hostfile/testdata/hosts/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := h.WriteTree(root); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestSizeOfAFile(t *testing.T) {
	path, bytes := ggufFile(t, "tinyllama-1.1b", gguftest.Q8_0)
	// Longer than the 2048 tokens that it was made for: programs run that, too.
	r := modelRows(t, "size", path, "--context", "32768", "--no-speed")[0]
	if r.Name != "tinyllama-1.1b" || r.Format != "Q8_0" || r.Params != 1_100_048_384 || r.WeightsBytes != bytes || !r.WeightsExact {
		t.Errorf("%+v", r)
	}
	if r.Context == nil || *r.Context != 32768 || r.KVBytes != 704<<20 {
		t.Errorf("context %v takes %d", r.Context, r.KVBytes)
	}
	half := modelRows(t, "size", path, "--context", "32768", "--kv", "q8_0", "--no-speed")[0]
	if half.KVBytes != r.KVBytes*17/32 {
		t.Errorf("a q8_0 cache takes %d of %d", half.KVBytes, r.KVBytes)
	}
	if other := modelRows(t, "size", path, "--format", "q4_k_m", "--no-speed")[0]; other.Format != "Q4_K_M" || other.WeightsExact || other.WeightsBytes >= bytes {
		t.Errorf("in another format: %+v", other)
	}
}

func TestSizeByName(t *testing.T) {
	rows := modelRows(t, "size", "llama3.1:8b", "8.03e9", "mixtral-8x7b", "--format", "Q4_K_M", "--no-speed")
	if len(rows) != 3 || rows[0].Name != "Llama 3.1 8B" || rows[0].Params != 8_030_261_248 || rows[0].KVBytes != 1<<30 {
		t.Fatalf("%+v", rows)
	}
	if b := rows[1]; b.Context != nil || b.KVBytes != 0 || b.MaxContext != nil || b.TotalBytes != b.WeightsBytes {
		t.Errorf("a bare count: %+v", b)
	}
	if m := rows[2]; m.ActiveParams != 12_879_925_248 {
		t.Errorf("%d active weights", m.ActiveParams)
	}
	if all := modelRows(t, "size", "8B", "--format", "all", "--no-speed"); len(all) < 15 || all[0].WeightsBytes < 5*all[len(all)-1].WeightsBytes {
		t.Errorf("%d formats", len(all))
	}
}

// TestSizeOnRecordedHosts fits models to machines with a card, with an APU, and without either.
func TestSizeOnRecordedHosts(t *testing.T) {
	for _, c := range []struct {
		host, model, format, fit string
		tiles                    uint32
	}{
		{"rx7900xtx", "llama-3.1-8b", "Q8_0", "gpu", 1},
		{"vram-short", "llama-3.1-8b", "Q8_0", "gpu_tiled", 3},
		{"vram-short", "llama-3.1-70b", "Q4_K_M", "none", 0},
		{"strix-apu", "llama-3.1-8b", "Q8_0", "gpu", 1},
		{"intel-laptop", "deepseek-v3", "Q4_K_M", "none", 0},
	} {
		r := modelRows(t, "size", c.model, "--format", c.format, "--sysroot", hostTree(t, c.host))[0]
		if r.Fit != c.fit || c.tiles > 0 && r.Tiles != c.tiles {
			t.Errorf("%s on %s: %s in %d tiles, want %s in %d", c.model, c.host, r.Fit, r.Tiles, c.fit, c.tiles)
		}
		if r.TokensPerSecond.Low.Known() || r.TokensPerSecond.Basis == "" {
			t.Errorf("%s on a recorded host runs at %+v; nothing was measured there", c.model, r.TokensPerSecond)
		}
		if (r.Stream != nil) != (c.fit == "gpu_tiled") || r.Stream != nil && (!r.Stream.RateAssumed || r.Stream.Bytes != r.WeightsBytes) {
			t.Errorf("%s on %s streams %+v", c.model, c.host, r.Stream)
		}
		if (c.fit == "gpu") != (r.Change == "") {
			t.Errorf("%s on %s: %q would make it fit", c.model, c.host, r.Change)
		}
	}
}

func TestSizeOnAScenario(t *testing.T) {
	for at, format := range map[string]string{"0s": "Q8_0", "90s": "Q4_K_M"} {
		rows := modelRows(t, "size", "llama-3.1-8b", "--scenario", "vram-squeeze", "--at", at)
		if r := rows[0]; r.Fit != "gpu" || r.Format != format || r.TokensPerSecond.Low.Known() {
			t.Errorf("at %s: %s in %s at %+v, want %s on the card and no speed", at, r.Fit, r.Format, r.TokensPerSecond, format)
		}
	}
	if status, _, said := run(t, "models", "--scenario", "apu", "--sysroot", t.TempDir()); status != exitUsage || !strings.Contains(said, "exclude each other") {
		t.Errorf("two machines: status %d, %q", status, said)
	}
}

// A bare count of weights says nothing of a cache: the table must not call it empty.
func TestSizeOfABareCountHasNoCache(t *testing.T) {
	_, out, _ := run(t, "size", "8B", "--no-speed", "--sysroot", hostTree(t, "rx7900xtx"))
	if !regexp.MustCompile(`Q8_0 +7\.9 +— +— +7\.9 GiB`).MatchString(out) {
		t.Errorf("printed\n%s", out)
	}
}

func TestPinnedMemoryMovesTheFit(t *testing.T) {
	root := hostTree(t, "rx7900xtx")
	for pin, want := range map[string]string{"20GiB": "gpu", "4GiB": "gpu_tiled"} {
		if r := modelRows(t, "size", "llama-3.1-8b", "--format", "Q8_0", "--sysroot", root, "--pin", "vram="+pin)[0]; r.Fit != want {
			t.Errorf("with %s: %s, want %s", pin, r.Fit, want)
		}
	}
}

func TestModels(t *testing.T) {
	dir := t.TempDir()
	b, _, bytes := gguftest.Shapes["tinyllama-1.1b"].Build("TinyLlama here", gguftest.Q4_0)
	b.Write(t, dir, "tiny.gguf")
	if err := os.WriteFile(filepath.Join(dir, "broken.gguf"), []byte("GGUF and nothing that makes sense"), 0o600); err != nil {
		t.Fatal(err)
	}
	root := hostTree(t, "intel-laptop")
	all := modelRows(t, "models", "--folder", dir, "--sysroot", root)
	if len(all) < 41 || all[0].Name != "TinyLlama here" || all[0].WeightsBytes != bytes || all[0].From == nil || *all[0].From != dir {
		t.Fatalf("%d models, the first %+v", len(all), all[0])
	}
	fitting := modelRows(t, "models", "--fits", "--sysroot", root)
	if len(fitting) == 0 || len(fitting) >= len(all) {
		t.Errorf("%d of %d models fit", len(fitting), len(all))
	}
	for _, r := range fitting {
		if r.Fit != "gpu" && r.Fit != "cpu" {
			t.Errorf("%s is listed as fitting and is %s", r.Name, r.Fit)
		}
	}
	status, _, complaints := run(t, "models", "--folder", dir, "--sysroot", root)
	if status != exitOK || !strings.Contains(complaints, "1 files that were found are no language models") {
		t.Errorf("a broken file: %d, %q", status, complaints)
	}
}

// TestSizeTextAddsUp adds up the figures that size and models print.
func TestSizeTextAddsUp(t *testing.T) {
	root := hostTree(t, "rx7900xtx")
	number := regexp.MustCompile(`(\d[\d ]*\.\d|\d[\d ]*) (GiB|MiB)`)
	_, text, _ := run(t, "size", "llama-3.1-8b", "--sysroot", root)
	figure := func(label string) float64 {
		for _, line := range strings.Split(text, "\n") {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), label+" "); ok {
				m := number.FindStringSubmatch(rest)
				if m == nil {
					break
				}
				v, err := strconv.ParseFloat(strings.ReplaceAll(m[1], " ", ""), 64)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
		}
		t.Fatalf("no %q in\n%s", label, text)
		return 0
	}
	sum := figure("weights") + figure("+ KV cache") + figure("+ compute buffers")
	if d := sum - figure("= needed"); d > 0.01 || d < -0.01 {
		t.Errorf("the parts make %.1f in\n%s", sum, text)
	}
	if d := figure("free now") - figure("= needed") - figure("left"); d > 0.01 || d < -0.01 {
		t.Errorf("free less needed is not what is left in\n%s", text)
	}
	_, text, _ = run(t, "models", "--sysroot", root)
	rows := 0
	for _, line := range strings.Split(text, "\n") {
		cells := regexp.MustCompile(` {2,}`).Split(strings.TrimSpace(line), -1)
		if len(cells) < 7 || cells[0] == "MODEL" {
			continue
		}
		var v [4]float64
		for i := range v {
			figure := strings.NewReplacer(" ", "", "GiB", "", "MiB", "").Replace(cells[2+i])
			var err error
			if v[i], err = strconv.ParseFloat(figure, 64); err != nil {
				t.Fatalf("%q in %q: %v", figure, line, err)
			}
		}
		if d := v[0] + v[1] + v[2] - v[3]; d > 0.01 || d < -0.01 {
			t.Errorf("%q does not add up", line)
		}
		rows++
	}
	if rows < 40 {
		t.Errorf("%d rows in\n%s", rows, text)
	}
}

func TestSizeRefuses(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.gguf")
	if err := os.WriteFile(bad, []byte("GGUF\x03\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\x7f\x00\x00\x00\x00\x00\x00\x00\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip("this system makes no links: ", err)
	}
	for args, want := range map[string]string{
		"size":                               "needs a model",
		"size " + loop:                       "symbolic links",
		"size lama-3.1-8b":                   "llama-3.1-8b",
		"size " + bad:                        "more than any model has",
		"size " + dir:                        "more than any model has",
		"size /no/such/file.gguf":            "no such file",
		"size 8B --format Q9":                "Q4_K_M",
		"size 8B --context 0":                "no number of tokens",
		"size 8B --context 99999999999999":   "more tokens than any model",
		"size 8B --kv q2":                    "f16, q8_0 or q4_0",
		"size 0":                             "the catalogue has none",
		"models surplus":                     "unexpected argument",
		"models --folder /no/such/folder":    "no such file",
		"size llama-3.1-8b --sysroot /no/it": "give a folder that exists",
	} {
		status, out, complaints := run(t, strings.Fields(args)...)
		if status != exitUsage || out != "" || strings.Count(complaints, "\n") != 1 || !strings.Contains(complaints, want) {
			t.Errorf("%s: status %d, output %q, complaint %q; want %q in one line", args, status, out, complaints, want)
		}
	}
}
