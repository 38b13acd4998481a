package sensors

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"headroom/sensors/nvidiasmi"
	"headroom/sensors/sysfs"
)

const nvidiaDir = "sys/bus/pci/drivers/nvidia"

// nvidiaRecord is where a recorded tree keeps what nvidia-smi said, with its header line.
const nvidiaRecord = "nvidia-smi.csv"

// nvidiaEvery is the time between two calls of nvidia-smi; a slow one is called less often.
const nvidiaEvery = 2 * time.Second

// nvidiaPatience is how long a single sample waits for it: without a client the driver first wakes the cards.
const nvidiaPatience = 3 * time.Second

// nvidiaFamily reads NVIDIA cards through nvidia-smi: only where the driver is loaded, and never while one of them sleeps, as
// the call wakes them all.
type nvidiaFamily struct {
	env  *env
	tool *nvidiasmi.Tool
	took time.Duration
	at   time.Time
	last part
}

func (f *nvidiaFamily) scan(context.Context) part {
	switch {
	case f.env.fs.Live() && f.loaded():
	case !f.env.fs.Live() && f.env.fs.Exists(nvidiaRecord):
	default:
		return part{}
	}
	return part{found: []source{{key: "nvidia-smi", every: nvidiaEvery, background: f.env.fs.Live(), patience: nvidiaPatience, read: f.read}}}
}

// loaded reports whether NVIDIA's driver is at work, on the machine or under the guest of a Windows one.
func (f *nvidiaFamily) loaded() bool {
	if runtime.GOOS != "linux" {
		_, err := exec.LookPath(tool)
		return err == nil
	}
	fs := f.env.fs
	return fs.Exists("sys/module/nvidia") || fs.Exists("proc/driver/nvidia/version") || fs.Exists("dev/dxg") && fs.Exists(wslTool)
}

// tool is the program, wslTool where a Windows machine keeps it for its Linux guests.
const (
	tool    = "nvidia-smi"
	wslTool = "usr/lib/wsl/lib/nvidia-smi"
)

func (f *nvidiaFamily) read(ctx context.Context) part {
	now := f.env.clock.Now()
	if since := now.Sub(f.at); since >= 0 && since < 20*f.took && f.last.Cards != nil {
		return f.last
	}
	var p part
	if f.sleeping(&p, now) {
		r := Missing("source/nvidia-smi", "source", Count, StateAsleep, "nvidia-smi", "an NVIDIA card is asleep; the call would wake it")
		p.SourceFailures = append(p.SourceFailures, r)
		return p
	}
	list, err := f.ask(ctx)
	f.at = f.env.clock.Now()
	f.took = f.at.Sub(now)
	if err != nil {
		p.SourceFailures = append(p.SourceFailures, failed("source/nvidia-smi", "source", Count, "nvidia-smi", f.at, err))
		return p
	}
	for i := range list {
		addNVIDIA(&p, &list[i], f.deviceID(list[i].PCI), f.at)
	}
	f.last = p
	return p
}

// ask calls the tool, or reads its recorded answer.
func (f *nvidiaFamily) ask(ctx context.Context) ([]nvidiasmi.GPU, error) {
	if !f.env.fs.Live() {
		data, err := f.env.fs.Attr(nvidiaRecord).ReadAll(1 << 20)
		if err != nil {
			return nil, err
		}
		return nvidiasmi.ParseGPUs(string(data))
	}
	t, err := f.find()
	if err != nil {
		return nil, err
	}
	return t.Query(ctx)
}

func (f *nvidiaFamily) find() (*nvidiasmi.Tool, error) {
	if f.tool != nil {
		return f.tool, nil
	}
	path, err := findNVIDIATool(f.env.fs)
	if err != nil {
		return nil, err
	}
	f.tool = &nvidiasmi.Tool{Path: path, Answer: func(text string) { f.env.fs.Note(nvidiaRecord, text) }}
	return f.tool, nil
}

func findNVIDIATool(fs sysfs.Root) (string, error) {
	path, err := exec.LookPath(tool)
	if err == nil {
		return path, nil
	}
	if fs.Exists(wslTool) {
		return fs.Path(wslTool), nil
	}
	return "", fmt.Errorf("find nvidia-smi: install the driver's tools: %w", err)
}

// sleeping reports whether an NVIDIA card sleeps; those that are not among the display devices are listed as asleep.
func (f *nvidiaFamily) sleeping(p *part, now time.Time) bool {
	fs := f.env.fs
	any := false
	names, _ := fs.List(drmDir)
	shown := map[string]bool{}
	for _, n := range names {
		if !isCardName(n) {
			continue
		}
		dir := drmDir + "/" + n + "/device"
		data, _ := fs.Attr(dir, "uevent").ReadAll(4096)
		if driver := ueventField(string(data), "DRIVER"); driver == "nvidia" {
			shown[strings.ToLower(ueventField(string(data), "PCI_SLOT_NAME"))] = true
			any = any || sleepAttrsOf(fs, dir).asleep()
		}
	}
	names, _ = fs.List(nvidiaDir)
	for _, n := range names {
		if !strings.Contains(n, ":") || shown[n] || !sleepAttrsOf(fs, nvidiaDir+"/"+n).asleep() {
			continue
		}
		any = true
		c := &card{env: f.env, dir: nvidiaDir + "/" + n, known: &knownCard{}}
		c.identify(n)
		p.Cards = append(p.Cards, c.sleepingCard(now))
	}
	return any
}

// deviceID is the PCI device id of the card at an address, 0 where the kernel does not show it.
func (f *nvidiaFamily) deviceID(pci string) uint32 {
	data, _ := f.env.fs.Attr(nvidiaDir, pci, "uevent").ReadAll(4096)
	_, id, _ := strings.Cut(ueventField(string(data), "PCI_ID"), ":")
	return hex32(id)
}

// addNVIDIA puts one card of nvidia-smi into p. The card joins the one that the kernel shows at the same address.
func addNVIDIA(p *part, g *nvidiasmi.GPU, device uint32, now time.Time) {
	const source = "nvidia-smi"
	id := "pci/" + g.PCI
	value := func(name, kind string, unit Unit, v nvidiasmi.Value, scale float64, limit bounds) Reading {
		switch {
		case !v.Known:
			r := Missing(name, kind, unit, StateNotOffered, source, "the driver does not tell")
			return r
		case !limit.holds(v.V * scale):
			return implausible(name, kind, unit, source, now, v.V*scale, limit.why)
		}
		return got(name, kind, unit, source, now, v.V*scale)
	}
	p.Cards = append(p.Cards, Card{
		ID: id, Name: g.Name, Driver: "nvidia", PCI: g.PCI, Vendor: 0x10de, Device: device,
		VRAMTotal: value(id+"/vram_total", "gpu", Bytes, g.MemoryTotal, 1, plausibleMemory),
		VRAMUsed:  value(id+"/vram_used", "gpu", Bytes, g.MemoryUsed, 1, plausibleMemory),
		GTTTotal:  Missing(id+"/gtt_total", "gpu", Bytes, StateNotOffered, source, "this driver has no such pool"),
		GTTUsed:   Missing(id+"/gtt_used", "gpu", Bytes, StateNotOffered, source, "this driver has no such pool"),
		Busy:      value(id+"/busy", "gpu", Percent, g.Busy, 1, plausibleShare),
	})
	tid := "nvidia-smi/" + g.PCI + "/gpu"
	t := Temperature{
		Chip: "nvidia", Label: "gpu", Role: RoleGPU, Card: id,
		Value: value(tid, "temperature", Celsius, g.Temperature, 1, plausibleTemp),
		Crit:  Missing(tid+"/crit", "limit", Celsius, StateNotOffered, source, "the driver states no margin to its limit"),
	}
	if g.Margin.Known && g.Temperature.Known {
		t.Crit = value(tid+"/crit", "limit", Celsius, nvidiasmi.Value{V: g.Temperature.V + g.Margin.V, Known: true}, 1, plausibleLimit)
		t.Crit.Detail = strings.TrimPrefix(t.Crit.Detail+"; temperature + the margin that the driver states", "; ")
	}
	p.Temperatures = append(p.Temperatures, t)
	pid := "nvidia-smi/" + g.PCI + "/power"
	d := PowerDomain{
		ID: pid, Name: g.Name, Kind: PowerGPU, Card: id,
		Draw:  value(pid+"/draw", "power", Milliwatt, g.Draw, 1000, plausibleWatts),
		Limit: value(pid+"/limit", "limit", Milliwatt, g.Limit, 1000, bounds{1, maxLimitMW * 2, "no card is allowed that"}),
	}
	p.Power = append(p.Power, d)
	p.Clocks = append(p.Clocks, Clock{
		Device: id,
		Now:    value(id+"/clock", "clock", Megahertz, g.Clock, 1, plausibleClock),
		Max:    value(id+"/clock_max", "clock", Megahertz, g.ClockMax, 1, plausibleClock),
	})
	for _, flag := range [...]struct {
		reason string
		on     bool
	}{{"thermal", g.Reasons.Thermal()}, {"power", g.Reasons.Power()}, {"other", g.Reasons.Other()}} {
		fid := "throttle/" + id + "/" + flag.reason
		active := value(fid, "throttle", Count, nvidiasmi.Value{V: truth(flag.on), Known: g.ReasonsKnown}, 1, bounds{0, 1, ""})
		p.Throttle = append(p.Throttle, ThrottleFlag{ID: fid, Device: id, Reason: flag.reason, Active: active})
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
