package cli

import (
	"strings"
	"testing"
)

// A shell offers what a flag takes, and files only where a file may stand.
func TestShellsOfferTheValuesOfFlags(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"--scenario|", "apu\n"},
		{"watch|--scenario|", "thin-laptop\n"},
		{"--ghost|", "thin-laptop\n"},
		{"shot|--view|", "ladder\n"},
		{"shot|--theme|", "light\n"},
		{"snapshot|--kv|", "q8_0\n"},
		{"doctor|--pin|", "power=\n"},
		{"snapshot|--model|", "llama-3.1-8b\n"},
		{"prove|--only|", "zero_copy\n"},
		{"prove|--api|", "vulkan\n"},
	} {
		args := append([]string{"__complete"}, strings.Split(c.line, "|")...)
		status, offered, _ := run(t, args...)
		if status != 0 || !strings.Contains(offered, c.want) {
			t.Errorf("%s offers\n%s", c.line, offered)
		}
		if files := strings.HasSuffix(offered, ":0\n"); files != (strings.Contains(c.line, "--ghost") || strings.Contains(c.line, "--model")) {
			t.Errorf("%s offers files: %v", c.line, files)
		}
	}
}
