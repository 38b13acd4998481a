//go:build cgo && !nogui

package cli

import (
	"cmp"
	"path/filepath"
	"slices"

	"headroom/sensors/trace"
)

// maxGhosts bounds the recordings that are offered.
const maxGhosts = 12

// ghosts are what the window offers as a ghost: the scenarios, and the latest recordings in its own folder.
func ghosts() []string {
	var names []string
	for _, s := range trace.Scenarios() {
		names = append(names, s.Name)
	}
	dir, err := filepath.Abs(recordingsDir())
	if err != nil {
		return names
	}
	files, err := filepath.Glob(filepath.Join(dir, "headroom-*.jsonl"))
	if err != nil {
		return names
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(stamp(b), stamp(a)) })
	return append(names, files[:min(len(files), maxGhosts)]...)
}

// stamp is the time in a recording's name, which ends it.
func stamp(path string) string {
	name := filepath.Base(path)
	return name[max(0, len(name)-len("20060102-150405.jsonl")):]
}
