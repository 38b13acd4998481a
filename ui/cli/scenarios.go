package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"headroom/sensors/trace"
)

func newScenariosCommand() *cobra.Command {
	var about bool
	cmd := &cobra.Command{
		Use: "scenarios", Short: "List the scenarios that can be played, one name a line", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, s := range trace.Scenarios() {
				line := s.Name
				if about {
					line += "\t" + s.Title + ". " + s.About
				}
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), line); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&about, "about", false, "say what each one shows")
	return cmd
}
