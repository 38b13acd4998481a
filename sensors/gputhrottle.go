package sensors

import (
	"fmt"
	"strings"
	"time"

	"headroom/sensors/gpumetrics"
	"headroom/sensors/sysfs"
)

// throttleReasons are the words for what holds a device back.
var throttleReasons = [gpumetrics.NumReasons]string{"thermal", "power", "current", "other"}

// tableSize is more than any gpu_metrics table has.
const tableSize = 16 << 10

// amdgpuThrottle reads the throttle part of gpu_metrics.
func (c *card) amdgpuThrottle(p *part, table sysfs.Attr) {
	data, err := table.ReadAll(tableSize)
	now := c.env.clock.Now()
	if stateOf(err) == StateNotOffered {
		return
	}
	flag := func(reason string, r Reading) {
		r.ID = "throttle/" + c.ID + "/" + reason
		p.Throttle = append(p.Throttle, ThrottleFlag{ID: r.ID, Device: c.ID, Reason: reason, Active: r})
	}
	if err != nil {
		flag("other", failed("", "throttle", Count, table.Name(), now, err))
		return
	}
	t, err := gpumetrics.Decode(data)
	c.addSocketPower(p, &t, table.Name(), now)
	switch {
	case err != nil:
		r := Missing("", "throttle", Count, StateNotOffered, table.Name(), err.Error())
		flag("other", r)
	case t.ActiveKnown:
		for reason, on := range t.Active {
			flag(throttleReasons[reason], got("", "throttle", Count, table.Name(), now, truth(on)))
		}
	case t.AnyKnown:
		r := got("", "throttle", Count, table.Name(), now, truth(t.Any))
		r.Detail = "this table tells no reasons"
		flag("other", r)
	case t.ResidencyKnown:
		for reason, n := range t.Residency[:gpumetrics.Current] {
			id := "throttle/" + c.ID + "/" + throttleReasons[reason]
			rise, _, ok := c.env.counters.events(id, n, now)
			r := got("", "throttle", Count, table.Name(), now, truth(rise > 0))
			if !ok {
				r = Missing("", "throttle", Count, StateNotOffered, table.Name(), "read once: throttling shows as a rise")
			}
			flag(throttleReasons[reason], r)
		}
	default:
		r := Missing("", "throttle", Count, StateNotOffered, table.Name(), "the firmware does not fill this table")
		flag("other", r)
	}
}

// addSocketPower adds the package's own limit (STAPM) where the table has it: many APUs state it nowhere else.
func (c *card) addSocketPower(p *part, t *gpumetrics.Table, source string, now time.Time) {
	if t.SocketLimit == 0 {
		return
	}
	d := PowerDomain{ID: "gpu_metrics@" + c.PCI + "/STAPM", Name: "APU package (STAPM)", Kind: PowerOther, Card: c.ID}
	d.Limit = powerLimit(d.ID+"/limit", source, int64(t.SocketLimit)*1000)
	d.Draw = got(d.ID+"/draw", "power", Milliwatt, source, now, float64(t.SocketPower))
	if t.SocketPower == 0 || !plausibleWatts.holds(float64(t.SocketPower)) {
		d.Draw = Missing(d.ID+"/draw", "power", Milliwatt, StateNotOffered, source, "the firmware does not fill it")
	}
	p.Power = append(p.Power, d)
}

// intelEngine is one GT of an Intel card: its clock and throttle files.
type intelEngine struct {
	now, idleNow, max sysfs.Attr
	// resting counts the milliseconds in which the GT was off.
	resting sysfs.Attr
	status  sysfs.Attr
	reasons []sysfs.Attr
}

// findIntel looks for the GTs of i915 (gt/gtN) and xe (tileN/gtN/freq0).
func (c *card) findIntel() []intelEngine {
	fs := c.env.fs
	var list []intelEngine
	card := strings.TrimSuffix(c.dir, "/device")
	gts, _ := fs.List(card, "gt")
	for _, gt := range gts {
		dir := card + "/gt/" + gt
		if !strings.HasPrefix(gt, "gt") || !fs.Exists(dir, "rps_act_freq_mhz") && !fs.Exists(dir, "throttle_reason_status") {
			continue
		}
		e := intelEngine{now: fs.Attr(dir, "rps_act_freq_mhz"), idleNow: fs.Attr(dir, "rps_cur_freq_mhz"), max: fs.Attr(dir, "rps_RP0_freq_mhz"), resting: fs.Attr(dir, "rc6_residency_ms")}
		e.findReasons(fs, dir, "throttle_reason_")
		list = append(list, e)
	}
	if len(list) == 0 && fs.Exists(card, "gt_act_freq_mhz") {
		list = append(list, intelEngine{now: fs.Attr(card, "gt_act_freq_mhz"), idleNow: fs.Attr(card, "gt_cur_freq_mhz"), max: fs.Attr(card, "gt_RP0_freq_mhz")})
	}
	tiles, _ := fs.List(c.dir)
	for _, tile := range tiles {
		if !strings.HasPrefix(tile, "tile") {
			continue
		}
		gts, _ := fs.List(c.dir, tile)
		for _, gt := range gts {
			dir := c.dir + "/" + tile + "/" + gt + "/freq0"
			if !strings.HasPrefix(gt, "gt") || !fs.Exists(dir) {
				continue
			}
			e := intelEngine{now: fs.Attr(dir, "act_freq"), idleNow: fs.Attr(dir, "cur_freq"), max: fs.Attr(dir, "rp0_freq"), resting: fs.Attr(c.dir, tile, gt, "gtidle/idle_residency_ms")}
			e.findReasons(fs, dir+"/throttle", "reason_")
			list = append(list, e)
		}
	}
	return list
}

func (e *intelEngine) findReasons(fs sysfs.Root, dir, prefix string) {
	names, _ := fs.List(dir)
	for _, n := range names {
		reason, ok := strings.CutPrefix(n, prefix)
		switch {
		case n == "status" || reason == "status":
			e.status = fs.Attr(dir, n)
		case ok:
			e.reasons = append(e.reasons, fs.Attr(dir, n))
		}
	}
}

// intelReason says which of the reasons a file's name stands for.
func intelReason(name string) gpumetrics.Reason {
	switch {
	case strings.Contains(name, "therm"), strings.Contains(name, "prochot"), strings.Contains(name, "ratl"):
		return gpumetrics.Thermal
	case strings.Contains(name, "tdc"), strings.Contains(name, "pl4"), strings.Contains(name, "iccmax"), strings.Contains(name, "edp"):
		return gpumetrics.Current
	case strings.Contains(name, "pl1"), strings.Contains(name, "pl2"), strings.Contains(name, "power"):
		return gpumetrics.Power
	}
	return gpumetrics.Other
}

// intelThrottle joins the reasons of all GTs.
func (c *card) intelThrottle(p *part) {
	var flags [gpumetrics.NumReasons]Reading
	now := c.env.clock.Now()
	note := func(reason gpumetrics.Reason, r Reading) {
		have := &flags[reason]
		if have.ID == "" || r.Value.Or(-1) > have.Value.Or(-1) {
			*have = r
			have.ID = "throttle/" + c.ID + "/" + throttleReasons[reason]
		}
	}
	for i := range c.intel {
		e := &c.intel[i]
		if len(e.reasons) == 0 {
			continue
		}
		quiet := false
		if !e.status.IsZero() {
			n, err := e.status.Int()
			quiet = err == nil && n == 0
		}
		for _, a := range e.reasons {
			name := a.Name()[strings.LastIndexByte(a.Name(), '/')+1:]
			reason := intelReason(name)
			if quiet {
				// The status is the sum of the others.
				note(reason, got("-", "throttle", Count, e.status.Name(), now, 0))
				continue
			}
			n, err := a.Int()
			if err != nil {
				note(reason, failed("-", "throttle", Count, a.Name(), now, err))
				continue
			}
			r := got("-", "throttle", Count, a.Name(), now, truth(n != 0))
			if n != 0 {
				r.Detail = name
			}
			note(reason, r)
		}
	}
	for reason, r := range flags {
		if r.ID != "" {
			p.Throttle = append(p.Throttle, ThrottleFlag{ID: r.ID, Device: c.ID, Reason: throttleReasons[reason], Active: r})
		}
	}
}

// intelClock is the fastest GT's clock.
func (c *card) intelClock(now time.Time) (Clock, bool) {
	out := Clock{Device: c.ID}
	for i := range c.intel {
		e := &c.intel[i]
		r := readScaled(e.now, c.ID+"/clock", "clock", Megahertz, 1, bounds{0, 20000, plausibleClock.why}, now)
		if r.State == StateOK && r.Value.Or(0) == 0 {
			// A GT that sleeps between two frames runs at 0; what it asks for says more.
			if asked := readScaled(e.idleNow, r.ID, "clock", Megahertz, 1, plausibleClock, now); asked.State == StateOK {
				r = asked
				r.Detail = "idle; this is the clock that it asks for"
			}
		}
		limit := readScaled(e.max, c.ID+"/clock_max", "clock", Megahertz, 1, plausibleClock, now)
		if i == 0 || r.Value.Or(-1) > out.Now.Value.Or(-1) {
			out.Now, out.Max = r, limit
		}
	}
	return out, len(c.intel) > 0
}

// intelBusy is the share of time in which the busiest GT was not off, as these drivers count no work.
func (c *card) intelBusy() Reading {
	best := Missing(c.ID+"/busy", "gpu", Percent, StateNotOffered, "/"+c.dir, "the driver counts no work")
	for i := range c.intel {
		a := c.intel[i].resting
		if a.IsZero() {
			continue
		}
		n, err := a.Int()
		now := c.env.clock.Now()
		if err != nil || n < 0 {
			continue
		}
		off, ok := c.env.counters.slope(a.Name(), uint64(n), now)
		if !ok {
			best.Source, best.Detail = a.Name(), "read once: a share needs two readings"
			continue
		}
		busy := min(max(100-off/10, 0), 100)
		if !best.Value.Known() || busy > best.Value.Or(0) {
			best = got(best.ID, "gpu", Percent, a.Name(), now, busy)
			best.Detail = "the share of time in which the GPU was not off"
		}
	}
	return best
}

// intelIdle reports whether no GT runs.
func (c *card) intelIdle() bool {
	for i := range c.intel {
		if n, err := c.intel[i].now.Int(); err != nil || n != 0 {
			return false
		}
	}
	return true
}

// amdgpuMaxClock is the last step of pp_dpm_sclk: "2: 2575Mhz *".
func amdgpuMaxClock(a sysfs.Attr, id string, now time.Time) Reading {
	data, err := a.ReadAll(4096)
	if err != nil {
		return failed(id, "clock", Megahertz, a.Name(), now, err)
	}
	best := 0
	for line := range strings.Lines(string(data)) {
		var step, mhz int
		if n, _ := fmt.Sscanf(strings.ToLower(line), "%d: %dmhz", &step, &mhz); n == 2 {
			best = max(best, mhz)
		}
	}
	if !plausibleClock.holds(float64(best)) {
		return implausible(id, "clock", Megahertz, a.Name(), now, float64(best), plausibleClock.why)
	}
	return got(id, "clock", Megahertz, a.Name(), now, float64(best))
}
