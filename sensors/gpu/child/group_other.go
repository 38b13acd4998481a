//go:build !unix && !windows

package child

import (
	"os"
	"os/exec"
)

// group does nothing: here the child ends with its parent because its input closes.
func group(*exec.Cmd) {}

// restrain does nothing: this system has no such right to give up.
func restrain() error { return nil }

// killGroup ends the child.
func killGroup(p *os.Process) error { return p.Kill() }
