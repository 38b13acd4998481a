package cli

import (
	"github.com/inconshreveable/mousetrap"
	"github.com/spf13/cobra"
	"golang.org/x/sys/windows"
)

var freeConsole = windows.NewLazySystemDLL("kernel32.dll").NewProc("FreeConsole")

// A double click opens the window. Cobra would tell the user to find a command line instead, and the console that
// Windows opens beside would stay empty, so it is given back; a failure leaves it open.
func init() {
	cobra.MousetrapHelpText = ""
	if mousetrap.StartedByExplorer() {
		_, _, _ = freeConsole.Call()
	}
}
