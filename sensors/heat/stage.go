package heat

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headroom/sensors"
	"headroom/sensors/gpu/engine"
)

// Stage is what a machine can and cannot show on a stage.
type Stage struct {
	Now Status `json:"now"`
	// Possible is whether a load would start and its heat be seen; Words say so, or why not.
	Possible bool   `json:"possible"`
	Words    string `json:"words"`
	// Command starts the load; Scenario is what to show where it is not possible.
	Command  string `json:"command,omitempty"`
	Scenario string `json:"scenario,omitempty"`
	Shows    []Show `json:"shows"`
}

// Show is one thing that can be shown, or not.
type Show struct {
	What string `json:"what"`
	Can  bool   `json:"can"`
	// Words say what is there, or why it is not; Scenario shows it on any machine.
	Words    string `json:"words"`
	Scenario string `json:"scenario,omitempty"`
}

// The scenarios that show what a machine cannot.
const (
	scenarioHeat    = "thin-laptop"
	scenarioBattery = "battery-down"
	scenarioGPU     = "server-gpu"
)

// Look says what this machine can show, and whether a load as the options say would start. Where it would not, the GPU alone
// may still do. It loads nothing.
func Look(s sensors.Sample, o Options) (Stage, error) {
	if err := o.check(); err != nil {
		return Stage{}, err
	}
	now := o.at(s, 0)
	st := Stage{Now: now, Shows: o.shows(s, &now)}
	alone := o
	alone.CPU, alone.GPU, alone.Insist = 0, true, false
	why := o.hinders(s, &now)
	if why != "" && engine.Available && now.GPU != nil {
		if gpu := alone.at(s, 0); alone.hinders(s, &gpu) == "" {
			o, now, why = alone, gpu, ""
		}
	}
	if why != "" {
		st.Words, st.Scenario = why, scenarioHeat
		return st, nil
	}
	_, d := now.hottest()
	st.Possible, st.Command = true, o.command()
	st.Words = fmt.Sprintf("%.1f °C of headroom now; f32 and f16 go off under 5 °C, the load stops at %d °C", d.Headroom.Or(0), MarginC)
	return st, nil
}

// hinders says why a load would not start, or not be seen; empty where it would.
func (o *Options) hinders(s sensors.Sample, now *Status) string {
	if id := o.stranger(s); id != "" {
		return strangerWords(id)
	}
	if why := o.judge(now); why != "" {
		return o.explain(why, now)
	}
	if o.GPU && !engine.Available {
		return "this build has no WebGPU to load the GPU with"
	}
	if _, d := now.hottest(); !d.Headroom.Known() {
		return "no temperature is known, so nobody sees the heat"
	}
	return ""
}

// command is what a user types to start the load.
func (o *Options) command() string {
	// "1m" is what people type, where a Duration says "1m0s".
	words := []string{"headroom", Command, "--for", strings.Replace(o.For.String(), "m0s", "m", 1)}
	if o.GPU {
		words = append(words, "--gpu")
	}
	if o.Insist {
		words = append(words, "--insist")
	}
	if o.CPU != Threads() {
		words = append(words, "--cpu", strconv.Itoa(o.CPU))
	}
	if o.Device != "" {
		words = append(words, "--device", o.Device)
	}
	for _, id := range slices.Sorted(maps.Keys(o.Limits)) {
		words = append(words, "--limit", fmt.Sprintf("'%s=%g'", id, o.Limits[id]))
	}
	return strings.Join(words, " ")
}

func (o *Options) shows(s sensors.Sample, now *Status) []Show {
	all := []Show{
		now.CPU.showHeat("CPU temperature"),
		now.CPU.showClock("CPU clock"),
		now.CPU.showDraw("CPU draw", s.Power, false),
		showThrottling(s.Throttle),
	}
	if now.GPU == nil {
		all = append(all, Show{What: "GPU", Words: now.NoGPU, Scenario: scenarioGPU})
	} else {
		all = append(all, showGPU(now.GPU), now.GPU.showHeat("GPU temperature"), now.GPU.showClock("GPU clock"))
		if !now.GPU.Integrated {
			all = append(all, now.GPU.showDraw("GPU draw", s.Power, true))
		}
	}
	return append(all, showBattery(now))
}

func (d *Device) showHeat(what string) Show {
	if !d.Headroom.Known() {
		return Show{What: what, Words: d.Detail, Scenario: scenarioHeat}
	}
	words := fmt.Sprintf("%s; the load stops at %g °C", d.Source, d.StopAt.Or(0))
	if d.Detail != "" {
		words += "; " + d.Detail
	}
	if d.LimitState == sensors.StateAssumed {
		words += fmt.Sprintf("; state the real one with --limit '%s=100'", d.ReadingID)
	}
	return Show{What: what, Can: true, Words: words}
}

func (d *Device) showClock(what string) Show {
	now, known := d.Clock.Get()
	most, bounded := d.MaxClock.Get()
	switch {
	case !known:
		return Show{What: what, Words: "no clock is told", Scenario: scenarioHeat}
	case !bounded:
		return Show{What: what, Words: fmt.Sprintf("%.0f MHz; its maximum is not told, so a fall may not be seen", now), Scenario: scenarioHeat}
	}
	return Show{What: what, Can: true, Words: fmt.Sprintf("%.0f of %.0f MHz", now, most)}
}

func (d *Device) showDraw(what string, domains []sensors.PowerDomain, gpu bool) Show {
	draw, known := d.Draw.Get()
	if !known {
		return Show{What: what, Words: noDraw(domains, gpu), Scenario: scenarioHeat}
	}
	words := fmt.Sprintf("%.1f W", draw/1000)
	if limit, ok := d.PowerLimit.Get(); ok {
		words = fmt.Sprintf("%.1f of %.1f W", draw/1000, limit/1000)
	}
	return Show{What: what, Can: true, Words: words}
}

// noDraw says why the draw is not known.
func noDraw(domains []sensors.PowerDomain, gpu bool) string {
	for _, p := range domains {
		if (p.Card != "") == gpu && !p.Draw.Usable() {
			return fmt.Sprintf("%s: %s", p.Draw.Source, strings.ReplaceAll(p.Draw.State.String(), "_", " "))
		}
	}
	return "no draw is told"
}

// showThrottling lists what the hardware tells of throttling, by device.
func showThrottling(flags []sensors.ThrottleFlag) Show {
	var devices []string
	reasons := map[string][]string{}
	for _, f := range flags {
		if !f.Active.Usable() {
			continue
		}
		if !slices.Contains(devices, f.Device) {
			devices = append(devices, f.Device)
		}
		if !slices.Contains(reasons[f.Device], f.Reason) {
			reasons[f.Device] = append(reasons[f.Device], f.Reason)
		}
	}
	if len(devices) == 0 {
		return Show{What: "throttling", Words: "nothing tells when the hardware throttles", Scenario: scenarioHeat}
	}
	for i, d := range devices {
		devices[i] = d + " tells of " + strings.Join(reasons[d], ", ")
	}
	return Show{What: "throttling", Can: true, Words: strings.Join(devices, "; ")}
}

func showGPU(d *Device) Show {
	if !engine.Available {
		return Show{What: "GPU", Words: d.Name + " cannot be loaded: this build has no WebGPU", Scenario: scenarioGPU}
	}
	return Show{What: "GPU", Can: true, Words: d.Name + " can be loaded with --gpu"}
}

func showBattery(s *Status) Show {
	percent, known := s.BatteryPercent.Get()
	switch {
	case !known:
		return Show{What: "battery", Words: "no battery tells its charge", Scenario: scenarioBattery}
	case s.OnBattery:
		return Show{What: "battery", Can: true, Words: fmt.Sprintf("on battery at %.0f %%; a load ends under %d %%", percent, MinBatteryPercent)}
	}
	return Show{What: "battery", Can: true, Words: fmt.Sprintf("on mains at %.0f %%", percent)}
}
