package hostfile

import (
	"fmt"
	"regexp"
	"strings"
)

const ownGroup = "proc/self/cgroup"

// groupPaths are the paths of control groups: below their mount, or in a line of /proc/self/cgroup.
var groupPaths = regexp.MustCompile(`(?m)sys/fs/cgroup/\S+|^\d+:[^:\n]*:\S+`)

// addresses are network addresses, which the names of batteries of mice and headsets hold, too; uuids name one device among
// all of its kind.
var (
	addresses = regexp.MustCompile(`(?i)\b[0-9a-f]{2}(:[0-9a-f]{2}){5}\b|_[0-9a-f]{2}(:[0-9a-f]{2}){5}|\b[0-9a-f]{2}(-[0-9a-f]{2}){5}\b`)
	uuids     = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
)

// Hide renames what names a user, a container or one device among all of its kind: control groups, network addresses and
// UUIDs. Each has the same new name everywhere, so that a renamed tree still shows its limits and batteries.
func (r *Recorder) Hide(text string) string {
	text = uuids.ReplaceAllStringFunc(text, func(id string) string {
		return fmt.Sprintf("00000000-0000-0000-0000-%012d", r.number(id))
	})
	text = addresses.ReplaceAllStringFunc(text, func(address string) string {
		before, address := cutUnderscore(address)
		n := r.number(address)
		sep := address[2:3]
		return before + strings.Join([]string{"02", "00", "00", "00", fmt.Sprintf("%02x", n>>8&0xff), fmt.Sprintf("%02x", n&0xff)}, sep)
	})
	return r.hideGroups(text)
}

// cutUnderscore takes off the underscore that stands before an address within a name.
func cutUnderscore(address string) (before, rest string) {
	rest = strings.TrimPrefix(address, "_")
	return address[:len(address)-len(rest)], rest
}

// number is the place of an identifier among all that were hidden; the letters' case and what separates them make no other.
func (r *Recorder) number(id string) int {
	id = strings.ToLower(strings.NewReplacer("-", "", ":", "").Replace(id))
	r.mu.Lock()
	defer r.mu.Unlock()
	n, ok := r.numbers[id]
	if !ok {
		n = len(r.numbers) + 1
		r.numbers[id] = n
	}
	return n
}

// hideGroups renames the control groups.
func (r *Recorder) hideGroups(text string) string {
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
