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
	} {
		args := append([]string{"__complete"}, strings.Split(c.line, "|")...)
		status, offered, _ := run(t, args...)
		if status != 0 || !strings.Contains(offered, c.want) {
			t.Errorf("%s offers\n%s", c.line, offered)
		}
		if files := strings.HasSuffix(offered, ":0\n"); files != strings.HasPrefix(c.line, "--ghost") {
			t.Errorf("%s offers files: %v", c.line, files)
		}
	}
}
