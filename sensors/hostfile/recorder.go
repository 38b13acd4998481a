package hostfile

import (
	"errors"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"headroom/sensors/sysfs"
)

// Attempt is one file that a source asked for, and how that went.
type Attempt struct {
	// Name is the path from /.
	Name string
	// Text is what was in it, at most textLimit bytes; Err why it could not be read.
	Text string
	Err  error
}

// textLimit bounds what is kept of one file: cpuinfo of a large server fits.
const textLimit = 256 << 10

// Recorder collects what a Poller reads; its Observe is the Poller's.
type Recorder struct {
	mu    sync.Mutex
	files map[string]Attempt
	// numbers are the identifiers that Hide has met, in the order of their first meeting.
	numbers map[string]int
}

// NewRecorder makes an empty Recorder.
func NewRecorder() *Recorder {
	return &Recorder{files: map[string]Attempt{}, numbers: map[string]int{}}
}

// Observe takes note of one read. The later read of a file replaces the earlier one. It is safe for concurrent use.
func (r *Recorder) Observe(name string, data []byte, err error) {
	if private(name) {
		return
	}
	text := string(data[:min(len(data), textLimit)])
	r.mu.Lock()
	r.files[name] = Attempt{Name: name, Text: withoutSerials(text), Err: err}
	r.mu.Unlock()
}

// Attempts are the files asked for, in natural order of their names.
func (r *Recorder) Attempts() []Attempt {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.SortedFunc(maps.Values(r.files), func(a, b Attempt) int { return sysfs.Natural(a.Name, b.Name) })
}

// private are files that say more of the user than of the machine: other processes, serial numbers, network addresses.
func private(name string) bool {
	if rest, ok := strings.CutPrefix(name, "/proc/"); ok {
		first, _, _ := strings.Cut(rest, "/")
		if strings.Trim(first, "0123456789") == "" || first == "self" && name != "/"+ownGroup {
			return true
		}
	}
	base := name[strings.LastIndexByte(name, '/')+1:]
	return strings.Contains(base, "serial") || base == "unique_id" || base == "address" || base == "hostname"
}

// serialKey matches the lines of a uevent file that hold a serial number, and that of small boards in /proc/cpuinfo.
var serialKey = regexp.MustCompile(`(?i)^[^=:]*(serial|uniq)[^=:]*[=:]`)

func withoutSerials(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !serialKey.MatchString(line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// missing reports whether the error says that the file is not there, which a recorded tree shows by leaving it out.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
