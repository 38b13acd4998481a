package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"headroom/sensors/gpu/engine"
)

// version is that of FyneApp.toml.
const version = "0.1.0"

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version and what this build has", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "headroom "+build())
			return err
		},
	}
}

// build is the version, what it was built from and by, and what the build has: "0.1.0 (1a2b3c4) go1.26.8 linux/amd64, with a window,
// with WebGPU".
func build() string {
	from := version
	if commit := commit(); commit != "" {
		from += " (" + commit + ")"
	}
	return fmt.Sprintf("%s %s %s/%s, %s a window, %s WebGPU",
		from, runtime.Version(), runtime.GOOS, runtime.GOARCH, with(hasWindow), with(engine.Available))
}

func with(there bool) string {
	if there {
		return "with"
	}
	return "without"
}

// commit is the one that the binary was built from, with a mark where the tree was changed; empty where unknown.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var revision, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value[:min(len(s.Value), 12)]
		case "vcs.modified":
			if s.Value == "true" {
				modified = ", changed"
			}
		}
	}
	if revision == "" {
		return ""
	}
	return revision + modified
}
