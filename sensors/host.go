package sensors

import (
	"context"
	"runtime"
	"strconv"
	"strings"

	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/load"

	"headroom/sensors/sysfs"
)

// hostFamily says what the machine is, and how busy.
type hostFamily struct {
	env  *env
	self selfSource
}

func (f *hostFamily) scan(context.Context) part {
	return part{found: []source{
		{key: "host", every: 6 * f.env.rescan, read: f.host},
		{key: "load", read: f.load},
		{key: "self", read: f.self.read},
	}}
}

func (f *hostFamily) host(context.Context) part {
	h := Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: f.cpuName()}
	h.Threads = f.threads()
	return part{Sample: Sample{Host: h}}
}

// threads is what this process may use: all processors, less where it is confined.
func (f *hostFamily) threads() int {
	if !f.env.fs.Exists("proc/cpuinfo") && !f.env.fs.Exists("proc/stat") {
		return runtime.NumCPU()
	}
	n, err := ask(func() (int, error) { return cpu.CountsWithContext(f.env.ctx, true) })
	if err != nil || n <= 0 {
		n = runtime.NumCPU()
	}
	if f.env.fs.Live() {
		n = min(n, runtime.NumCPU())
	}
	return n
}

// cpuName is the processor's name, the board's where the kernel names no processor.
func (f *hostFamily) cpuName() string {
	// Its first lines describe the first processor; all of them can be long.
	data, _ := f.env.fs.Attr("proc/cpuinfo").ReadAll(64 << 10)
	fields := map[string]string{}
	for line := range strings.Lines(string(data)) {
		k, v, ok := strings.Cut(line, ":")
		if k = strings.ToLower(strings.TrimSpace(k)); ok && fields[k] == "" {
			fields[k] = sysfs.Clean(strings.TrimSpace(v))
		}
	}
	for _, k := range [...]string{"model name", "cpu", "hardware", "model", "cpu model", "uarch"} {
		if v := fields[k]; v != "" && strings.Trim(v, "0123456789") != "" {
			return v
		}
	}
	model, _ := f.env.fs.Attr("proc/device-tree/model").Text()
	return model
}

// load is the mean number of threads that wanted to run over the last minute.
func (f *hostFamily) load(context.Context) part {
	now := f.env.clock.Now()
	file := f.env.fs.Attr("proc/loadavg")
	text, err := file.Text()
	if err != nil {
		return part{Sample: Sample{Load: failed("cpu/load", "load", Count, file.Name(), now, err)}}
	}
	r := got("cpu/load", "load", Count, "gopsutil, "+file.Name(), now, 0)
	avg, err := ask(func() (*load.AvgStat, error) { return load.AvgWithContext(f.env.ctx) })
	first, _, _ := strings.Cut(text, " ")
	own, ownErr := strconv.ParseFloat(first, 64)
	switch {
	case err == nil && avg.Load1 >= 0 && avg.Load1 < 1e6:
		r.Value = Num(avg.Load1)
	case ownErr == nil && own >= 0 && own < 1e6:
		r.Value, r.Source = Num(own), file.Name()
	default:
		r = implausible("cpu/load", "load", Count, file.Name(), now, own, "no load average")
	}
	r.Detail = loadDetail
	return part{Sample: Sample{Load: r}}
}

const loadDetail = "threads that want to run, mean of a minute"
