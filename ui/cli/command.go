package cli

import "github.com/spf13/cobra"

// Command is the whole command line, unrun, for manual pages and completions.
func Command() *cobra.Command { return newRoot() }
