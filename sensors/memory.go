package sensors

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/shirou/gopsutil/v3/mem"

	"headroom/sensors/cgroup"
)

// memoryFamily reads RAM and swap: gopsutil first, /proc/meminfo where that is wrong, and a container's limit over both.
type memoryFamily struct {
	env *env
}

func (f *memoryFamily) scan(context.Context) part {
	groups := cgroup.Find(f.env.fs)
	return part{found: []source{{key: "memory", read: func(context.Context) part { return f.read(groups) }}}}
}

func (f *memoryFamily) read(groups cgroup.Groups) part {
	now := f.env.clock.Now()
	file := f.env.fs.Attr("proc/meminfo")
	data, err := file.ReadAll(64 << 10)
	own := parseMeminfo(data)
	if err != nil || own["MemTotal"] == 0 {
		why := "it holds no MemTotal"
		state := StateError
		if err != nil {
			why, state = plainly(err), stateOf(err)
		}
		return part{Sample: Sample{Memory: unknownMemory(file.Name(), state, why, now)}}
	}
	m := meminfoMemory(own, file.Name(), now)
	f.askLibrary(&m, own)
	capMemory(&m, groups.Read(), now)
	return part{Sample: Sample{Memory: m}}
}

// parseMeminfo gives the values in bytes; a line that cannot be read is left out.
func parseMeminfo(data []byte) map[string]uint64 {
	m := make(map[string]uint64, 64)
	for line := range bytes.Lines(data) {
		key, rest, ok := strings.Cut(string(line), ":")
		if !ok {
			continue
		}
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			continue
		}
		n, err := strconv.ParseUint(fields[0], 10, 64)
		if err != nil || n > 1<<53 {
			continue
		}
		m[key] = n << 10
	}
	return m
}

// meminfoMemory is what /proc/meminfo says. Without MemAvailable it is free memory and page cache, never more than there is:
// in some containers the parts exceed the whole.
func meminfoMemory(own map[string]uint64, source string, now time.Time) Memory {
	total := own["MemTotal"]
	available, known := own["MemAvailable"]
	detail := ""
	if !known {
		available = own["MemFree"] + own["Cached"] + own["Buffers"]
		detail = "no MemAvailable: free memory and page cache"
	}
	if available > total {
		available = total
		detail += "; taken as the total, as the parts exceed it"
	}
	m := Memory{
		Total:     got("memory/total", "memory", Bytes, source, now, float64(total)),
		Available: got("memory/available", "memory", Bytes, source, now, float64(available)),
		SwapTotal: got("memory/swap_total", "memory", Bytes, source, now, float64(own["SwapTotal"])),
		SwapFree:  got("memory/swap_free", "memory", Bytes, source, now, float64(min(own["SwapFree"], own["SwapTotal"]))),
	}
	m.Available.Detail = strings.TrimPrefix(detail, "; ")
	if _, ok := own["SwapTotal"]; !ok {
		m.SwapTotal = Missing("memory/swap_total", "memory", Bytes, StateNotOffered, source, "no SwapTotal")
		m.SwapFree = Missing("memory/swap_free", "memory", Bytes, StateNotOffered, source, "no SwapTotal")
	}
	return m
}

// askLibrary takes gopsutil's figures where they can be true, and says where they cannot.
func (f *memoryFamily) askLibrary(m *Memory, own map[string]uint64) {
	v, err := ask(func() (*mem.VirtualMemoryStat, error) { return mem.VirtualMemoryWithContext(f.env.ctx) })
	switch {
	case err != nil:
		m.Total.Detail = "gopsutil: " + err.Error()
		return
	case v.Total != own["MemTotal"]:
		m.Total.Detail = fmt.Sprintf("gopsutil gives %d bytes", v.Total)
		return
	}
	m.Total.Source = "gopsutil, " + m.Total.Source
	if _, ok := own["MemAvailable"]; ok && v.Available > 0 && v.Available <= v.Total {
		m.Available.Value = Num(float64(v.Available))
		m.Available.Source = m.Total.Source
	} else if float64(v.Available) != m.Available.Value.Or(0) {
		m.Available.Detail = strings.TrimPrefix(m.Available.Detail+fmt.Sprintf("; gopsutil gives %d bytes", v.Available), "; ")
	}
}

// capMemory applies a container's limits.
func capMemory(m *Memory, l cgroup.Limits, now time.Time) {
	total := m.Total.Value.Or(0)
	if !l.Limited || float64(l.Limit) >= total {
		m.ContainerLimit = Missing("memory/container_limit", "memory", Bytes, StateNotOffered, "/proc/self/cgroup", "no container limits this process")
	} else {
		m.ContainerLimit = got("memory/container_limit", "memory", Bytes, l.Source, now, float64(l.Limit))
		m.Total.Value = Num(float64(l.Limit))
		m.Total.Detail = "a container's limit; the machine has " + humanize.IBytes(uint64(total))
	}
	if l.Limited && float64(l.Available) < m.Available.Value.Or(0) {
		m.Available.Detail = "what the container has left (limit − used + inactive file pages); the machine has " + humanize.IBytes(uint64(m.Available.Value.Or(0)))
		m.Available.Value = Num(float64(l.Available))
		m.Available.Source = l.Source
		if l.Assumed {
			m.Available.State = StateAssumed
			m.Available.Detail = "the container's limit: what it has used of it is not told"
		}
	}
	if l.SwapLimited && float64(l.SwapLimit) < m.SwapTotal.Value.Or(0) {
		m.SwapTotal.Value = Num(float64(l.SwapLimit))
		m.SwapTotal.Detail, m.SwapTotal.Source = "a container's limit", l.SwapSource
		if float64(l.SwapAvailable) < m.SwapFree.Value.Or(0) {
			m.SwapFree.Value = Num(float64(l.SwapAvailable))
			m.SwapFree.Detail, m.SwapFree.Source = "what the container has left", l.SwapSource
		}
	}
}

func unknownMemory(source string, state State, why string, now time.Time) Memory {
	missing := func(name string) Reading {
		r := Missing("memory/"+name, "memory", Bytes, state, source, why)
		return r
	}
	return Memory{
		Total: missing("total"), Available: missing("available"), SwapTotal: missing("swap_total"),
		SwapFree: missing("swap_free"), ContainerLimit: missing("container_limit"),
	}
}
