package sensors

import (
	"fmt"
	"strings"
	"testing"
)

const gib = 1 << 30

// meminfo is a /proc/meminfo with sizes in kB.
func meminfo(total, free, available int) files {
	return files{"proc/meminfo": fmt.Sprintf("MemTotal:       %d kB\nMemFree:        %d kB\nMemAvailable:   %d kB\nBuffers:        0 kB\nCached:         1024 kB\nSwapTotal:      %d kB\nSwapFree:       %d kB\n", total, free, available, 4<<20, 3<<20)}
}

// group makes a version 2 control group's files.
func group(dir, limit, current string, inactive int) files {
	return under("sys/fs/cgroup"+dir, files{"memory.max": limit + "\n", "memory.current": current + "\n", "memory.stat": fmt.Sprintf("anon 1\ninactive_file %d\n", inactive)})
}

// TestContainerUseNotTold holds that a container's whole limit counts as available where nothing tells what it uses, and that
// this is an assumption.
func TestContainerUseNotTold(t *testing.T) {
	tree := join(meminfo(32<<20, 12<<20, 24<<20), files{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "4294967296\n", "sys/fs/cgroup/a/memory.current/": ""})
	r := want(t, sampleOf(t, tree), "memory/available", Num(4*gib), StateAssumed)
	if !strings.Contains(r.Detail, "not told") {
		t.Errorf("the detail is %q", r.Detail)
	}
	// A fuller group around it is told of.
	want(t, sampleOf(t, join(tree, group("", "8589934592", "7516192768", 0))), "memory/available", Num(1*gib), StateOK)
}

func TestMemory(t *testing.T) {
	machine := meminfo(32<<20, 12<<20, 24<<20)
	for _, tt := range []struct {
		name             string
		tree             files
		total, available float64
		limit            Number
	}{
		{"no container", join(machine, files{"proc/self/cgroup": "0::/user.slice\n"}), 32 * gib, 24 * gib, unknown},
		{
			"limit − current + inactive file", join(machine, files{"proc/self/cgroup": "0::/\n"}, group("", "8589934592", "6442450944", 1<<30)),
			8 * gib, 3 * gib, Num(8 * gib),
		},
		{
			"a limit above what the machine has left", join(machine, files{"proc/self/cgroup": "0::/\n"}, group("", "32212254720", "1073741824", 0)),
			30 * gib, 24 * gib, Num(30 * gib),
		},
		{"no limit", join(machine, files{"proc/self/cgroup": "0::/a\n"}, group("/a", "max", "6442450944", 0)), 32 * gib, 24 * gib, unknown},
		{
			"the tightest of nested groups", join(machine, files{"proc/self/cgroup": "0::/a/b/c\n"}, group("/a", "17179869184", "1073741824", 0), group("/a/b", "4294967296", "1073741824", 0), group("/a/b/c", "max", "0", 0)),
			4 * gib, 3 * gib, Num(4 * gib),
		},
		{
			"an outer group that is fuller than the inner", join(machine, files{"proc/self/cgroup": "0::/a/b\n"}, group("/a", "8589934592", "8053063680", 0), group("/a/b", "4294967296", "1073741824", 0)),
			4 * gib, gib / 2, Num(4 * gib),
		},
		{
			"more used than the limit", join(machine, files{"proc/self/cgroup": "0::/\n"}, group("", "1073741824", "2147483648", 0)),
			gib, 0, Num(gib),
		},
		{
			"version 1", join(machine, files{"proc/self/cgroup": "9:name=systemd:/\n4:memory:/docker/abc\n0::/\n"}, under("sys/fs/cgroup/memory/docker/abc", files{
				"memory.limit_in_bytes": "4294967296\n", "memory.usage_in_bytes": "2147483648\n", "memory.stat": "cache 5\ninactive_file 9\ntotal_inactive_file 1073741824\n",
			})),
			4 * gib, 3 * gib, Num(4 * gib),
		},
		{
			"version 1, named from outside", join(machine, files{"proc/self/cgroup": "4:cpu,memory:/docker/abc\n"}, under("sys/fs/cgroup/memory", files{
				"memory.limit_in_bytes": "4294967296\n", "memory.usage_in_bytes": "1073741824\n",
			})),
			4 * gib, 3 * gib, Num(4 * gib),
		},
		{
			"version 1's number for none", join(machine, files{"proc/self/cgroup": "4:memory:/\n"}, under("sys/fs/cgroup/memory", files{"memory.limit_in_bytes": "9223372036854771712\n"})),
			32 * gib, 24 * gib, unknown,
		},
		{"a path that climbs", join(machine, files{"proc/self/cgroup": "0::/../../../etc\n"}, group("", "1073741824", "0", 0)), gib, gib, Num(gib)},
		{"a container that hides its groups", join(machine, group("", "4294967296", "1073741824", 0)), 4 * gib, 3 * gib, Num(4 * gib)},
		{"a limit that is no number", join(machine, files{"proc/self/cgroup": "0::/\n"}, group("", "lots", "0", 0)), 32 * gib, 24 * gib, unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sampleOf(t, tt.tree)
			want(t, s, "memory/total", Num(tt.total), StateOK)
			want(t, s, "memory/available", Num(tt.available), StateOK)
			if r := reading(t, s, "memory/container_limit"); r.Value != tt.limit {
				t.Errorf("the container's limit is %v (%s), want %v", r.Value, r.Detail, tt.limit)
			}
		})
	}
}

func TestSwap(t *testing.T) {
	machine := join(meminfo(32<<20, 12<<20, 24<<20), files{"proc/self/cgroup": "0::/\n"})
	s := sampleOf(t, machine)
	want(t, s, "memory/swap_total", Num(4*gib), StateOK)
	want(t, s, "memory/swap_free", Num(3*gib), StateOK)
	s = sampleOf(t, join(machine, files{"sys/fs/cgroup/memory.swap.max": "1073741824\n", "sys/fs/cgroup/memory.swap.current": "536870912\n"}))
	want(t, s, "memory/swap_total", Num(gib), StateOK)
	want(t, s, "memory/swap_free", Num(gib/2), StateOK)
	s = sampleOf(t, files{"proc/meminfo": "MemTotal: 1024 kB\nMemAvailable: 512 kB\n"})
	want(t, s, "memory/swap_total", unknown, StateNotOffered)
}

// TestOddMeminfo holds that a container's invented figures give no number that cannot be.
func TestOddMeminfo(t *testing.T) {
	for _, tt := range []struct {
		name, text       string
		total, available Number
		state            State
	}{
		{
			"more reclaimable slab than cache, nothing said of what is available",
			"MemTotal: 998384 kB\nMemFree: 987608 kB\nBuffers: 0 kB\nCached: 7480 kB\nSReclaimable: 65580 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n",
			Num(998384 << 10), Num(995088 << 10), StateOK,
		},
		{"more available than there is", "MemTotal: 1000 kB\nMemAvailable: 2000 kB\n", Num(1000 << 10), Num(1000 << 10), StateOK},
		{"empty", "", unknown, unknown, StateError},
		{"garbage", "MemTotal: lots kB\n\x00\xff:\nMemFree\n", unknown, unknown, StateError},
		{"a number of another world", "MemTotal: 99999999999999999999 kB\n", unknown, unknown, StateError},
		{"nothing is available", "MemTotal: 1000 kB\nMemAvailable: 0 kB\n", Num(1000 << 10), Num(0), StateOK},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sampleOf(t, files{"proc/meminfo": tt.text})
			want(t, s, "memory/total", tt.total, tt.state)
			want(t, s, "memory/available", tt.available, tt.state)
		})
	}
}

// TestMemorySource holds that RAM comes from gopsutil where it is right, and that the detail says where it is not.
func TestMemorySource(t *testing.T) {
	s := sampleOf(t, meminfo(32<<20, 12<<20, 24<<20))
	if r := reading(t, s, "memory/available"); !strings.HasPrefix(r.Source, "gopsutil") {
		t.Errorf("the source is %q", r.Source)
	}
	s = sampleOf(t, files{"proc/meminfo": "MemTotal: 1000 kB\nMemFree: 900 kB\nCached: 50 kB\nSReclaimable: 400 kB\n"})
	if r := reading(t, s, "memory/available"); strings.HasPrefix(r.Source, "gopsutil") || !strings.Contains(r.Detail, "gopsutil gives") {
		t.Errorf("the source is %q, the detail %q", r.Source, r.Detail)
	}
}
