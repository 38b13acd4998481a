package hostfile

import (
	"fmt"
	"regexp"
	"strings"
)

const ownGroup = "proc/self/cgroup"

// groupPaths are the paths of control groups: below their mount, or in a line of /proc/self/cgroup.
var groupPaths = regexp.MustCompile(`(?m)sys/fs/cgroup/\S+|^\d+:[^:\n]*:\S+`)

// Hide renames the control groups in a text: their names hold user numbers and the names of containers and programs. A
// group has the same new name everywhere, so that a renamed tree still shows its limits.
func (r *Recorder) Hide(text string) string {
	alias := r.groupAliases()
	if len(alias) == 0 {
		return text
	}
	return groupPaths.ReplaceAllStringFunc(text, func(path string) string {
		elem := strings.Split(path, "/")
		for i, e := range elem {
			if a := alias[e]; a != "" {
				elem[i] = a
			}
		}
		return strings.Join(elem, "/")
	})
}

// groupAliases gives each group above this process a number, in the order of /proc/self/cgroup.
func (r *Recorder) groupAliases() map[string]string {
	r.mu.Lock()
	own := r.files["/"+ownGroup].Text
	r.mu.Unlock()
	alias := map[string]string{}
	for line := range strings.Lines(own) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		for name := range strings.SplitSeq(parts[2], "/") {
			switch name {
			case "", ".", "..", "memory", "unified":
				// The last two are also the names of mounts.
				continue
			}
			if alias[name] == "" {
				alias[name] = fmt.Sprintf("group%d", len(alias)+1)
			}
		}
	}
	return alias
}
