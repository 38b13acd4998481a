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
	// Limit is the tightest limit, Available the least of limit − current + inactive_file over all groups that have a limit.
	Limit, Available uint64
	// Assumed is whether the use behind Available was not told, so that nothing counts as used.
	Assumed bool
	// Source is the file of the tightest limit.
	Source string

	SwapLimited              bool
	SwapLimit, SwapAvailable uint64
	SwapSource               string
}

// unlimited is what version 1 writes for no limit, and more than any machine has.
const unlimited = 1 << 60

// Groups are the control groups that limit this process, from its own up.
type Groups struct{ list []group }

// group is the files of one control group.
type group struct {
	version                version
	limit, current, stat   sysfs.Attr
	swapLimit, swapCurrent sysfs.Attr
}

// Find finds the groups of the calling process under r that can have a limit.
func Find(r sysfs.Root) Groups {
	var g Groups
	data, err := r.Attr("proc/self/cgroup").ReadAll(64 << 10)
	if err != nil {
		// Where the groups are not told, a container's own is the mount itself.
		data = []byte("0::/\n0:memory:/\n")
	}
	for line := range strings.Lines(string(data)) {
		id, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		controllers, name, ok2 := strings.Cut(rest, ":")
		if !ok || !ok2 {
			continue
		}
		switch {
		case id == "0" && controllers == "":
			for _, mount := range [...]string{"sys/fs/cgroup", "sys/fs/cgroup/unified"} {
				g.walk(r, mount, name, version2)
			}
		case hasController(controllers, "memory"):
			g.walk(r, "sys/fs/cgroup/memory", name, version1)
		}
	}
	return g
}

func hasController(list, name string) bool {
	for c := range strings.SplitSeq(list, ",") {
		if c == name {
			return true
		}
	}
	return false
}

// version is the names of the files of one version.
type version struct {
	limit, current, stat   string
	inactive               string
	swapLimit, swapCurrent string
	// swapHoldsMemory is version 1's way: the swap figures include memory.
	swapHoldsMemory bool
}

var (
	version1 = version{
		"memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat", "total_inactive_file",
		"memory.memsw.limit_in_bytes", "memory.memsw.usage_in_bytes", true,
	}
	version2 = version{"memory.max", "memory.current", "memory.stat", "inactive_file", "memory.swap.max", "memory.swap.current", false}
)

// walk takes a group and those above it. A group that is named from outside the container does not exist under the mount;
// what does is the mount itself.
func (g *Groups) walk(r sysfs.Root, mount, name string, v version) {
	for at := path.Clean("/" + name); ; at = path.Dir(at) {
		dir := path.Join(mount, at)
		if r.Exists(dir, v.limit) || r.Exists(dir, v.swapLimit) {
			g.list = append(g.list, group{
				v, r.Attr(dir, v.limit), r.Attr(dir, v.current), r.Attr(dir, v.stat), r.Attr(dir, v.swapLimit), r.Attr(dir, v.swapCurrent),
			})
		}
		if at == "/" {
			return
		}
	}
}

// Read reads the limits.
func (g Groups) Read() Limits {
	var l Limits
	for i := range g.list {
		l.add(&g.list[i])
	}
	return l
}

// add reads one group.
func (l *Limits) add(g *group) {
	limit, ok := size(g.limit)
	if ok {
		available := limit
		current, told := size(g.current)
		if told {
			available -= min(current, limit)
			available = min(available+min(inactive(g.stat, g.version.inactive), current), limit)
		}
		if !l.Limited || limit < l.Limit {
			l.Limit, l.Source = limit, g.limit.Name()
		}
		if !l.Limited || available < l.Available {
			l.Available, l.Assumed = available, !told
		}
		l.Limited = true
	}
	swap, swapOK := size(g.swapLimit)
	if !swapOK || g.version.swapHoldsMemory && !ok {
		return
	}
	used, _ := size(g.swapCurrent)
	if g.version.swapHoldsMemory {
		current, _ := size(g.current)
		swap -= min(limit, swap)
		used -= min(current, used)
	}
	left := swap - min(used, swap)
	if !l.SwapLimited || swap < l.SwapLimit {
		l.SwapLimit, l.SwapSource = swap, g.swapLimit.Name()
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
