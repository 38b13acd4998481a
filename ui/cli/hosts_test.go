package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"headroom/sensors/budget"
	"headroom/sensors/hostfile"
	"headroom/ui/frame"
)

// eachHost runs a test on every recorded host, laid out in a folder, with the settings that it is replayed with.
func eachHost(t *testing.T, test func(t *testing.T, host hostfile.Host, root string, set budget.Settings, cmd *cobra.Command)) {
	t.Helper()
	files, err := filepath.Glob("../../sensors/hostfile/testdata/hosts/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded hosts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			host, err := hostfile.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			if err := host.WriteTree(root); err != nil {
				t.Fatal(err)
			}
			var c choices
			cmd := &cobra.Command{}
			c.add(cmd)
			if err := cmd.ParseFlags(host.Args); err != nil {
				t.Fatal(err)
			}
			set, err := c.settings(t.Output())
			if err != nil {
				t.Fatal(err)
			}
			test(t, host, root, set, cmd)
		})
	}
}

// Every recorded host gives the answer that it is known to have, through the same code as the commands.
func TestRecordedHosts(t *testing.T) {
	eachHost(t, func(t *testing.T, host hostfile.Host, root string, set budget.Settings, _ *cobra.Command) {
		m := newMachine(root, 0)
		defer m.Close()
		got := decoded(t, frame.New(m.Once(t.Context()), set).Snapshot())
		for key, want := range host.Want {
			if answer := lookUp(got, key); !sameAnswer(answer, want) {
				t.Errorf("%s is %v, not %v", key, answer, want)
			}
		}
	})
}

func decoded(t *testing.T, v any) map[string]any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var o map[string]any
	if err := json.Unmarshal(b, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// lookUp follows a path of keys; nil where it ends early.
func lookUp(o map[string]any, path string) any {
	var v any = o
	for _, key := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}
