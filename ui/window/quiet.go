//go:build cgo || !darwin

package window

import (
	"cmp"
	"io"
	"strings"
	"sync"
)

// quiet passes on the standard logger's lines but for Fyne's complaints about what the window does without: a session
// bus that tells of theme changes, a home to write caches and settings of its own to, a locale in the environment.
// What keeps the window from opening is kept for the error to be returned.
type quiet struct {
	to       io.Writer
	dropping bool
	fatal    bool

	mu    sync.Mutex
	cause string
}

var harmless = []string{
	"failed to watch theme settings",
	"Failed to create fyne cache space", "Failed to create app cache space", "Failed to create app storage space",
	"Settings watch error", "Unable to create settings storage", "Failed to watch settings file", "Settings load error",
	"Preferences load error", "Failed on force saving preferences", "Failed to look up user locale", "Error parsing user locale", "Failed to load user locales",
}

// whyNoWindow is what Fyne said when it could not open a window.
func (q *quiet) whyNoWindow() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return cmp.Or(q.cause, "the reason is not known")
}

// blame keeps a reason, unless there is one already.
func (q *quiet) blame(cause string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cause = cmp.Or(q.cause, cause)
}

// Write takes one log entry: Fyne writes its message, the cause and the place as three.
func (q *quiet) Write(entry []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	line := string(entry)
	switch _, cause, found := strings.Cut(line, "  Cause: "); {
	case found && q.fatal:
		q.cause = strings.TrimSpace(cause)
	case strings.Contains(line, "Fyne error:"):
		q.fatal = strings.Contains(line, "window creation error") || strings.Contains(line, "failed to initialise GLFW")
		q.dropping = q.fatal
		for _, h := range harmless {
			q.dropping = q.dropping || strings.Contains(line, h)
		}
	case !found && !strings.Contains(line, "  At:"):
		q.dropping = false
	}
	if q.dropping {
		return len(entry), nil
	}
	return q.to.Write(entry)
}
