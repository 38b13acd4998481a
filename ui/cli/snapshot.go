package cli

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"headroom/ui/frame"
)

func newSnapshotCommand() *cobra.Command {
	var c choices
	var asJSON, fresh bool
	cmd := &cobra.Command{
		Use: "snapshot", Short: "Print once what this machine can run, and why", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := c.settings(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			from, err := c.source(0)
			if err != nil {
				return err
			}
			defer from.Close()
			if m, ok := from.(*machine); ok && fresh {
				m.Refresh()
			}
			s := from.Once(cmd.Context())
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			for _, note := range strangers(set, s) {
				complain(cmd.ErrOrStderr(), note)
			}
			if isHere(from) {
				set.Measured = measuredBefore(s)
			}
			f := frame.New(s, set)
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), f, "  ")
			}
			_, err = io.WriteString(cmd.OutOrStdout(), snapshotText(f))
			return err
		},
	}
	c.add(cmd)
	c.addMoment(cmd, momentHelp)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, with every reading")
	cmd.Flags().BoolVar(&fresh, "fresh", false, "list the adapters anew though cards and drivers are the same as when they were last listed")
	return cmd
}

// writeJSON writes a Frame's snapshot as one JSON object and a line end.
func writeJSON(w io.Writer, f frame.Frame, indent string) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	return e.Encode(f.Snapshot())
}
