//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

func TestSignalsEndCleanly(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		_, status, stderr := interrupted(t, signal, "watch", "--json", "--sysroot", hotLaptop(t), "--interval", "50ms")
		if status != 0 || stderr != "" {
			t.Errorf("%v: status %d, complaint %q", signal, status, stderr)
		}
	}
}

func TestAClosedPipeIsQuiet(t *testing.T) {
	var complaints bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, "watch", "--json", "--sysroot", hotLaptop(t), "--interval", "50ms")
	cmd.Stderr = &complaints
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(pipe).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	pipe.Close()
	if err := cmd.Wait(); err != nil || complaints.Len() > 0 {
		t.Errorf("%v, complaint %q", err, complaints.String())
	}
}

func TestAFullDiskIsAFailure(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer full.Close()
	for _, command := range []string{"snapshot", "watch"} {
		var complaints bytes.Buffer
		cmd := exec.CommandContext(t.Context(), binary, command, "--sysroot", hotLaptop(t))
		cmd.Stdout, cmd.Stderr = full, &complaints
		_ = cmd.Run()
		if status := cmd.ProcessState.ExitCode(); status != 1 || strings.Count(complaints.String(), "\n") != 1 {
			t.Errorf("%s: status %d, complaint %q", command, status, complaints.String())
		}
	}
}
