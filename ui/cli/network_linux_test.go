package cli

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// traced runs a program and gives its calls on sockets, and those of all that it starts.
func traced(t *testing.T, program string, args ...string) string {
	t.Helper()
	log := filepath.Join(t.TempDir(), "calls")
	args = append([]string{"-f", "-qq", "-e", "trace=%network", "-e", "signal=none", "-o", log, program}, args...)
	cmd := exec.CommandContext(t.Context(), "strace", args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); cmd.ProcessState == nil {
		t.Fatalf("%v: %s", err, out)
	}
	calls, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	return string(calls)
}

// Nothing but export opens a socket of the internet: the program's system calls are traced, with its child's. Set
// HEADROOM_BINARY to trace another build too, as the one with a window and WebGPU.
func TestNoNetworkIsUsed(t *testing.T) {
	if out, err := exec.CommandContext(t.Context(), "strace", "-qq", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("system calls cannot be traced here: %v %s", err, out)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	programs := []string{binary}
	if other := os.Getenv("HEADROOM_BINARY"); other != "" {
		programs = append(programs, other)
	}
	for _, program := range programs {
		for _, args := range []string{
			"snapshot --json",
			"watch --json --interval 50ms --for 300ms",
			"models",
			"doctor",
			"shot --scenario thin-laptop -o " + filepath.Join(t.TempDir(), "shot.png"),
		} {
			if calls := traced(t, program, strings.Fields(args)...); strings.Contains(calls, "AF_INET") {
				t.Errorf("%s %s uses the network:\n%s", program, args, calls)
			}
		}
		// The same trace shows a socket where one is asked for, here on an address that is taken.
		if calls := traced(t, program, "export", "--listen", taken.Addr().String()); !strings.Contains(calls, "socket(AF_INET") {
			t.Errorf("%s export was traced without a socket:\n%s", program, calls)
		}
	}
}
