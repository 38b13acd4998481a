//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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

// What a killed program had laid out goes with the next one's start. A running program's is left alone, as is what only has such a
// name: a link, and what it leads to.
func TestLeftoversOfKilledProgramsAreRemoved(t *testing.T) {
	temp, elsewhere := t.TempDir(), t.TempDir()
	file := "../../sensors/hostfile/testdata/hosts/rx7900xtx.json"
	start := func() *exec.Cmd {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), binary, "watch", "--json", "--interval", "50ms", "--sysroot", file)
		cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "TMPDIR=" + temp}
		pipe, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err == nil {
			_, err = bufio.NewReader(pipe).ReadString('\n')
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
		go func() { _, _ = io.Copy(io.Discard, pipe) }()
		return cmd
	}
	folders := func() (names []string) {
		t.Helper()
		entries, err := os.ReadDir(temp)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	precious := filepath.Join(elsewhere, "precious")
	if err := os.WriteFile(precious, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(temp, scratchPrefix+"link")); err != nil {
		t.Fatal(err)
	}
	first := start()
	before := folders()
	if len(before) != 2 {
		t.Fatalf("beside the link, a program lays out %v", before)
	}
	second := start()
	if now := folders(); len(now) != 3 {
		t.Errorf("with two programs running there stand %v, before the second %v", now, before)
	}
	for _, cmd := range []*exec.Cmd{first, second} {
		cmd.Process.Kill()
		cmd.Process.Wait()
	}
	if now := folders(); len(now) != 3 {
		t.Fatalf("killed, they leave %v", now)
	}
	third := start()
	third.Process.Signal(os.Interrupt)
	if err := third.Wait(); err != nil {
		t.Error(err)
	}
	if now := folders(); len(now) != 1 || now[0] != scratchPrefix+"link" {
		t.Errorf("after the next program there stand %v", now)
	}
	if _, err := os.Stat(precious); err != nil {
		t.Errorf("what the link leads to: %v", err)
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
