//go:build cgo && !nogui

package window

import (
	"io"
	"strings"
)

// quiet passes on the standard logger's lines but for Fyne's complaints about what the window does without: a session
// bus that tells of theme changes, a home to write caches and settings of its own to, a locale in the environment.
type quiet struct {
	to       io.Writer
	dropping bool
}

var harmless = []string{
	"failed to watch theme settings",
	"Failed to create fyne cache space", "Failed to create app cache space", "Failed to create app storage space",
	"Settings watch error", "Unable to create settings storage", "Failed to watch settings file", "Settings load error",
	"Preferences load error", "Failed to look up user locale", "Error parsing user locale", "Failed to load user locales",
}

// Write takes one log entry: Fyne writes its message, the cause and the place as three.
func (q *quiet) Write(entry []byte) (int, error) {
	line := string(entry)
	switch {
	case strings.Contains(line, "Fyne error:"):
		q.dropping = false
		for _, h := range harmless {
			q.dropping = q.dropping || strings.Contains(line, h)
		}
	case !strings.Contains(line, "  Cause:") && !strings.Contains(line, "  At:"):
		q.dropping = false
	}
	if q.dropping {
		return len(entry), nil
	}
	return q.to.Write(entry)
}
