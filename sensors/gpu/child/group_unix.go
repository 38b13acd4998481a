//go:build unix && !linux

package child

import (
	"os"
	"os/exec"
	"syscall"
)

// group puts the child in a process group of its own. It ends with its parent because its input closes.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// restrain does nothing: this system has no such right to give up.
func restrain() error { return nil }

// killGroup ends the child and whatever it started.
func killGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
