package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"headroom/sensors/trace"
)

func newMarkCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: "mark TEXT", Short: "Mark an event in the recording that is running",
		Long: "Put a line of text into the recordings that are running now, to be seen on the timeline when they are replayed.",
		Args: func(_ *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, "")) == "" {
				return badUsage("mark needs the text to put into the recording: headroom mark TEXT")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			files := []string{file}
			if file == "" {
				var err error
				if files, err = trace.Running(); err != nil {
					return err
				}
				if len(files) == 0 {
					return errors.New("mark: no recording is running; start one with headroom record -o FILE")
				}
			}
			now := time.Now()
			for _, f := range files {
				if err := trace.MarkFile(f, now, strings.Join(args, " ")); err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), "marked "+f)
			}
			return nil
		},
	}
	addText(cmd, &file, "file", "FILE", "mark this recording (default: the ones that are running)")
	return cmd
}
