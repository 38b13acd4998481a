package child

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// group keeps the child from opening a console window when the program has none. It ends with its parent because its input
// closes.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW}
}

// killGroup ends the child.
func killGroup(p *os.Process) error { return p.Kill() }
