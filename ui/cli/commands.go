package cli

import "github.com/spf13/cobra"

// commands are all sub-commands; each stands in a file of its own.
var commands = []func() *cobra.Command{
	newSnapshotCommand,
	newWatchCommand,
	newSizeCommand,
	newModelsCommand,
	newDoctorCommand,
	newShotCommand,
	newScenariosCommand,
	newRecordCommand,
	newReplayCommand,
	newMarkCommand,
	newExportCommand,
	newProveCommand,
	newHeatCommand,
	newVersionCommand,
}
