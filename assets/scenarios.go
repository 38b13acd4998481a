package assets

import "embed"

// Scenarios holds the scenario files, scenarios/NAME.json, in the form that sensors/trace reads.
//
//go:embed scenarios/*.json
var Scenarios embed.FS
