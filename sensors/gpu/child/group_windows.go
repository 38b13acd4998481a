package child

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// group keeps a console window from appearing. The child ends with its parent because its input closes.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
}

// restrain does nothing: this system has no such right to give up.
func restrain() error { return nil }

// killGroup ends the child.
func killGroup(p *os.Process) error { return p.Kill() }
