package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// onTerminal runs the program on a terminal of some columns and gives what it printed there.
func onTerminal(t *testing.T, columns uint16, args ...string) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminal can be made here: ", err)
	}
	defer master.Close()
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("the terminal cannot be opened: ", err)
	}
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Stdout, cmd.Env = terminal, []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	err = cmd.Start()
	terminal.Close()
	if err != nil {
		t.Fatal(err)
	}
	// Reading ends with an error where the last one who could write has closed the terminal.
	text, _ := io.ReadAll(master)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// On a narrow terminal the table of models fits its lines, and still says what each takes, where it fits and how much context
// it can have.
func TestModelsFitANarrowTerminal(t *testing.T) {
	root := hostTree(t, "vram-short")
	wide := onTerminal(t, 200, "models", "--sysroot", root)
	if _, piped, _ := run(t, "models", "--sysroot", root); piped != wide {
		t.Error("a wide terminal and a pipe are told different things")
	}
	for _, columns := range []int{110, 100, 80, 66} {
		text := onTerminal(t, uint16(columns), "models", "--sysroot", root)
		if n := widest(text); n > columns {
			t.Errorf("a line has %d columns on a terminal of %d", n, columns)
		}
		if rows, all := strings.Count(text, "\n"), strings.Count(wide, "\n"); rows != all {
			t.Errorf("%d columns have %d lines, a wide terminal %d", columns, rows, all)
		}
		for _, row := range []string{`Llama 3\.2 1B +F16 +2\.9 GiB +.*GPU +4\d( \d+|k) `, `Llama 2 13B +Q4_K_M +10\.5 GiB +.*10 tiles +— `} {
			if !regexp.MustCompile(`(?m)^  ` + row).MatchString(text) {
				t.Errorf("%d columns say nothing like %s:\n%.900s", columns, row, text)
			}
		}
	}
	if text := onTerminal(t, 80, "models", "--sysroot", root); !strings.Contains(text, "DeepSeek R1 Distill Qwen 1.5B ") {
		t.Error("80 columns cut the names of models")
	}
}
