// Package fynelog tells in one line what Fyne logs in three, or not at all. Fyne complains on standard error of what Headroom does
// without, already while the program starts and whatever the command: of a locale, a home, a session bus.
package fynelog

import (
	"cmp"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"sync"
)

// Go starts packages in the order of their paths once what they import has started. This one imports little and Fyne's
// translations import text/template, so it is there before their first complaint.
var complaints = &filter{to: os.Stderr}

func init() { log.SetOutput(complaints) }

// Tell has complaints told from now on, save those of what a window does without: a window is open, and they may say why it is
// not as it should be. Until then none is.
func Tell() {
	complaints.mu.Lock()
	defer complaints.mu.Unlock()
	complaints.telling = true
}

// Mute ends Tell.
func Mute() {
	complaints.mu.Lock()
	defer complaints.mu.Unlock()
	complaints.telling = false
}

// Blame keeps a reason why the window could not be opened, unless there is one already.
func Blame(reason string) {
	complaints.mu.Lock()
	defer complaints.mu.Unlock()
	complaints.fatal = cmp.Or(complaints.fatal, reason)
}

// WhyNoWindow is what Fyne said when it could not open a window, or was blamed for it.
func WhyNoWindow() string {
	complaints.mu.Lock()
	defer complaints.mu.Unlock()
	return cmp.Or(complaints.fatal, "the reason is not known")
}

// filter passes on the standard logger's lines but for Fyne's. Of those it makes one line each, once.
type filter struct {
	mu      sync.Mutex
	to      io.Writer
	telling bool
	told    bool
	// message and cause are those of the entry under way; open until its place has come.
	open           bool
	message, cause string
	// fatal is why there is no window.
	fatal string
}

// harmless begin the complaints of what a window does without: a session bus that tells of theme changes, a home to write caches
// and settings of Fyne's own to, a locale in the environment.
var harmless = []string{
	"failed to watch theme settings", "failed to stop watching removed settings file",
	"Failed to create fyne cache space", "Failed to create app cache space", "Failed to create app storage space",
	"Settings watch error", "Settings un-watch error", "Unable to create settings storage", "Failed to watch settings file", "Settings load error",
	"Preferences load error", "Failed on force saving preferences", "Failed to load user theme file",
	"Failed to look up user locale", "Error parsing user locale", "Failed to load user locales",
}

// Write takes one line of the log. Fyne writes three for an entry: its message, the cause where there is one, and the place.
func (f *filter) Write(line []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := strings.TrimSuffix(string(line), "\n")
	if _, message, found := strings.Cut(text, "Fyne error:  "); found {
		f.open, f.message, f.cause = true, strings.TrimSpace(message), ""
		return len(line), nil
	}
	if !f.open {
		return f.to.Write(line)
	}
	if _, cause, found := strings.Cut(text, "  Cause: "); found {
		f.cause = strings.TrimSpace(cause)
		return len(line), nil
	}
	if !strings.Contains(text, "  At: ") {
		return f.to.Write(line)
	}
	f.open = false
	f.end()
	return len(line), nil
}

// end tells the entry that has come to its end, or keeps it as the reason why there is no window.
func (f *filter) end() {
	if strings.Contains(f.message, "window creation error") || strings.Contains(f.message, "failed to initialise GLFW") {
		f.fatal = cmp.Or(f.cause, f.fatal)
		return
	}
	if !f.telling || f.told {
		return
	}
	for _, h := range harmless {
		if strings.HasPrefix(f.message, h) {
			return
		}
	}
	f.told = true
	text := strings.TrimSuffix(f.message, ":")
	if f.cause != "" {
		text += ": " + f.cause
	}
	fmt.Fprintf(f.to, "headroom: the window goes on, but Fyne complains: %s\n", strings.Join(strings.Fields(text), " "))
}
