// Headroom shows live what this machine can run, and why.
package main

import (
	"os"

	"headroom/ui/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
