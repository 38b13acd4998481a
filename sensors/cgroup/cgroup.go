// Package cgroup finds the memory limit that holds for this process: the tightest of its control group and all groups
// above it, version 1 and 2, also inside a container whose groups are named from outside.
package cgroup

import (
	"path"
	"strconv"
	"strings"

	"headroom/sensors/sysfs"
)

// Limits are in bytes. Limited says whether any memory limit was found, SwapLimited any limit on swap.
type Limits struct {
	Limited bool
	// Limit is the tightest limit; Available the least of limit − current + inactive_file over all groups that have a limit.
	Limit, Available uint64
	// Source is the file of the tightest limit.
	Source string

	SwapLimited              bool
	SwapLimit, SwapAvailable uint64
	SwapSource               string
}

// unlimited is what version 1 writes for no limit, and more than any machine has.
const unlimited = 1 << 60

// Read finds the limits of the calling process under r.
func Read(r sysfs.Root) Limits {
	var l Limits
	data, err := r.Attr("proc/self/cgroup").ReadAll(64 << 10)
	if err != nil {
		return l
	}
	for line := range strings.Lines(string(data)) {
		id, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, ok2 := strings.Cut(rest, ":")
		if !ok || !ok2 {
			continue
		}
		switch {
		case id == "0" && controllers == "":
			for _, mount := range [...]string{"sys/fs/cgroup", "sys/fs/cgroup/unified"} {
				l.walk(r, mount, group, version2)
			}
		case hasController(controllers, "memory"):
			l.walk(r, "sys/fs/cgroup/memory", group, version1)
		}
	}
	return l
}

func hasController(list, name string) bool {
	for c := range strings.SplitSeq(list, ",") {
		if c == name {
			return true
		}
	}
	return false
}

// files are the names of one version.
type files struct {
	limit, current, stat   string
	inactive               string
	swapLimit, swapCurrent string
	// swapHoldsMemory is version 1's way: the swap figures include memory.
	swapHoldsMemory bool
}

var (
	version1 = files{
		"memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat", "total_inactive_file",
		"memory.memsw.limit_in_bytes", "memory.memsw.usage_in_bytes", true,
	}
	version2 = files{"memory.max", "memory.current", "memory.stat", "inactive_file", "memory.swap.max", "memory.swap.current", false}
)

// walk looks at a group and those above it. A group that is named from outside the container does not exist under the
// mount; its part that does is the mount itself.
func (l *Limits) walk(r sysfs.Root, mount, group string, f files) {
	for g := path.Clean("/" + group); ; g = path.Dir(g) {
		l.look(r, path.Join(mount, g), f)
		if g == "/" {
			return
		}
	}
}

// look reads one group.
func (l *Limits) look(r sysfs.Root, dir string, f files) {
	limit, ok := size(r.Attr(dir, f.limit))
	if ok {
		available := limit
		if current, ok := size(r.Attr(dir, f.current)); ok {
			available -= min(current, limit)
			available = min(available+min(inactive(r.Attr(dir, f.stat), f.inactive), current), limit)
		}
		if !l.Limited || limit < l.Limit {
			l.Limit, l.Source = limit, r.Attr(dir, f.limit).Name()
		}
		if !l.Limited || available < l.Available {
			l.Available = available
		}
		l.Limited = true
	}
	swap, swapOK := size(r.Attr(dir, f.swapLimit))
	if !swapOK || f.swapHoldsMemory && !ok {
		return
	}
	used, _ := size(r.Attr(dir, f.swapCurrent))
	if f.swapHoldsMemory {
		current, _ := size(r.Attr(dir, f.current))
		swap -= min(limit, swap)
		used -= min(current, used)
	}
	left := swap - min(used, swap)
	if !l.SwapLimited || swap < l.SwapLimit {
		l.SwapLimit, l.SwapSource = swap, r.Attr(dir, f.swapLimit).Name()
	}
	if !l.SwapLimited || left < l.SwapAvailable {
		l.SwapAvailable = left
	}
	l.SwapLimited = true
}

// size reads a number of bytes; "max" and version 1's huge number are none.
func size(a sysfs.Attr) (uint64, bool) {
	n, err := a.Int()
	if err != nil || n < 0 || n >= unlimited {
		return 0, false
	}
	return uint64(n), true
}

// inactive finds one line of memory.stat: page cache that can be dropped.
func inactive(a sysfs.Attr, key string) uint64 {
	data, err := a.ReadAll(64 << 10)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if v, ok := strings.CutPrefix(line, key+" "); ok {
			n, err := strconv.ParseUint(strings.TrimSpace(v), 10, 63)
			if err == nil {
				return n
			}
		}
	}
	return 0
}
