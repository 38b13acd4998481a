package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A recorded host's file shows what its tree shows, and leaves nothing behind.
func TestARecordedHostIsReadFromItsFile(t *testing.T) {
	tree := hotLaptop(t)
	if err := os.WriteFile(filepath.Join(tree, "gpu.json"), []byte(`{"adapters":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "host.json")
	if status, _, complaint := run(t, "doctor", "--sysroot", tree, "--params", "8B", "-o", file); status != exitOK {
		t.Fatalf("status %d: %s", status, complaint)
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	for _, args := range []string{"snapshot --json --params 8B", "size 8B --no-speed --json", "watch --json --interval 50ms --for 50ms", "heat --dry-run"} {
		var outs []string
		for _, from := range []string{tree, file} {
			cmd := exec.CommandContext(t.Context(), binary, append(strings.Fields(args), "--sysroot", from)...)
			cmd.Env = []string{"HOME=" + temp, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + temp}
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s --sysroot %s: %v", args, from, err)
			}
			outs = append(outs, planOf(string(out)))
		}
		if outs[0] != outs[1] {
			t.Errorf("%s: the tree gives\n%s\nits recording\n%s", args, outs[0], outs[1])
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
	_, _, complaint := run(t, "snapshot", "--sysroot", file)
	if !strings.Contains(complaint, "was recorded with --params 8B") || strings.Count(complaint, "\n") != 1 {
		t.Errorf("of the flags it was recorded with, it says %q", complaint)
	}
}

// planOf is the plan of the first JSON object, or the whole text where there is none.
func planOf(out string) string {
	var s struct{ Plan json.RawMessage }
	if json.NewDecoder(strings.NewReader(out)).Decode(&s) == nil && s.Plan != nil {
		return string(s.Plan)
	}
	return out
}

func TestHostileHostsAreOneError(t *testing.T) {
	dir := t.TempDir()
	many := map[string]string{}
	for i := range 20_001 {
		many["sys/"+strings.Repeat("a", i%7)+string(rune('a'+i%26))+jsonOf(i)] = ""
	}
	for name, c := range map[string]struct{ text, want string }{
		"text":    {"dear reader", "read the recorded host"},
		"none":    {`{"files":{}}`, "it holds no files"},
		"outside": {`{"files":{"../../etc/passwd":"x"}}`, "leaves its folder"},
		"clash":   {`{"files":{"a":"x","a/b":"y"}}`, "lay out the recorded host"},
		"nul":     {`{"files":{"a\u0000b":"x"}}`, "lay out the recorded host"},
		"many":    {`{"files":` + jsonOf(many) + `}`, "20000 at most"},
	} {
		file := filepath.Join(dir, name+".json")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		status, out, complaint := run(t, "snapshot", "--sysroot", file)
		if status != exitUsage || out != "" || strings.Count(complaint, "\n") != 1 || !strings.Contains(complaint, c.want) {
			t.Errorf("%s: status %d, printed %q, complained %q; want %q", name, status, out, complaint, c.want)
		}
	}
}

func jsonOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
