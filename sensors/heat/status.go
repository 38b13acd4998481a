package heat

import (
	"fmt"
	"strings"
	"time"

	"headroom/policy"
	"headroom/sensors"
	"headroom/sensors/budget"
)

// Phase is what a load is at.
type Phase string

// The phases. A refused load never began.
const (
	Heating Phase = "heating"
	Ended   Phase = "ended"
	Refused Phase = "refused"
)

// Status is one moment of a load: one line of headroom heat --json.
type Status struct {
	Time  time.Time `json:"time"`
	Phase Phase     `json:"phase"`
	// Reason is why it ended or was refused, Words the same in a sentence.
	Reason Reason `json:"reason,omitempty"`
	Words  string `json:"words,omitempty"`
	// Warning is what would have ended it, had the user not insisted.
	Warning string `json:"warning,omitempty"`
	// Elapsed and Left are seconds; Threads is how many threads of the CPU are loaded.
	Elapsed float64 `json:"elapsed_s"`
	Left    float64 `json:"left_s"`
	Threads int     `json:"threads"`
	CPU     Device  `json:"cpu"`
	// GPU is the one in use, loaded or not; nil where there is none, and NoGPU says why.
	GPU   *Device `json:"gpu"`
	NoGPU string  `json:"no_gpu,omitempty"`
	// Throttling is 1 while the hardware says that it throttles, unknown where nothing tells.
	Throttling      sensors.Number `json:"throttling"`
	ThrottleReasons []string       `json:"throttle_reasons"`
	OnBattery       bool           `json:"on_battery"`
	BatteryPercent  sensors.Number `json:"battery_percent"`
}

// Device is the CPU or the GPU during a load.
type Device struct {
	Name string `json:"name"`
	// Loaded is whether the load is on it.
	Loaded bool `json:"loaded"`
	// Integrated is a GPU that shares the CPU's package, and so its temperature.
	Integrated bool `json:"integrated,omitempty"`
	// Temperature, Limit, StopAt and Headroom (limit − temperature) are °C; State belongs to the temperature together with
	// its limit. Detail says what is special, or why there is no temperature.
	Temperature sensors.Number `json:"temperature_c"`
	Limit       sensors.Number `json:"limit_c"`
	StopAt      sensors.Number `json:"stop_at_c"`
	Headroom    sensors.Number `json:"headroom_c"`
	State       sensors.State  `json:"state"`
	LimitState  sensors.State  `json:"limit_state"`
	ReadingID   string         `json:"reading_id,omitempty"`
	Source      string         `json:"source,omitempty"`
	Detail      string         `json:"detail,omitempty"`
	// Age is how old the temperature is, in seconds.
	Age float64 `json:"age_s"`
	// Clock and MaxClock are MHz, Draw and PowerLimit mW.
	Clock      sensors.Number `json:"clock_mhz"`
	MaxClock   sensors.Number `json:"max_clock_mhz"`
	Draw       sensors.Number `json:"draw_mw"`
	PowerLimit sensors.Number `json:"power_limit_mw"`
}

// at gives the Status of a Sample when the load has run for that long.
func (o *Options) at(s sensors.Sample, elapsed time.Duration) Status {
	r := budget.From(s, o.settings())
	st := Status{
		Time: s.Time, Phase: Heating, Elapsed: elapsed.Seconds(), Left: max(o.For-elapsed, 0).Seconds(), Threads: o.CPU,
		CPU: o.cpu(s), Throttling: r.Throttle.Now, ThrottleReasons: r.Throttle.Reasons,
		OnBattery: r.Power.OnBattery, BatteryPercent: r.Battery.Percent,
	}
	if r.InUse >= 0 {
		st.GPU = o.gpu(s, r)
	} else {
		st.NoGPU = noGPU(s, r)
	}
	st.Warning = o.warning(&st)
	return st
}

func (o *Options) cpu(s sensors.Sample) Device {
	d := Device{Name: s.Host.CPU, Loaded: o.CPU > 0}
	alone := o.settings()
	alone.Device = budget.DeviceCPU
	d.temperature(s, sensors.RoleCPU, alone)
	d.clocks(s, "cpu")
	p := budget.From(s, alone).Power
	d.Draw, d.PowerLimit = p.Draw, p.Limit
	return d
}

func (o *Options) gpu(s sensors.Sample, r budget.Result) *Device {
	g := r.GPUs[r.InUse]
	d := &Device{Name: g.Name, Loaded: o.GPU, Integrated: g.Type == policy.IntegratedGPU}
	d.temperature(s, sensors.RoleGPU, o.settings())
	if !d.Temperature.Known() {
		d.withoutLimit(s, g.ID)
	}
	d.clocks(s, g.ID)
	if !d.Integrated {
		d.Draw, d.PowerLimit = r.Power.Draw, r.Power.Limit
	}
	return d
}

// temperature finds the device's temperature and limit as the budget does, among the sensors of one role.
func (d *Device) temperature(s sensors.Sample, role sensors.Role, set budget.Settings) {
	all := s.Temperatures
	s.Temperatures = ofRole(all, role)
	t := thermal(s, set)
	d.State, d.LimitState = t.State, t.LimitState
	if t.ReadingID == "" {
		d.State, d.Detail = missing(s.Temperatures)
		return
	}
	limit := t.Limit.Or(0)
	d.Temperature, d.Limit, d.Headroom = t.Temperature, t.Limit, sensors.Num(t.HeadroomC)
	d.StopAt = sensors.Num(limit - MarginC)
	d.ReadingID, d.Source, d.Detail = t.ReadingID, t.Source, t.Detail
	for i := range s.Temperatures {
		if v := s.Temperatures[i].Value; v.ID == t.ReadingID && !v.At.IsZero() {
			d.Age = max(s.Time.Sub(v.At), 0).Seconds()
			if v.State == sensors.StateStale {
				d.Detail = v.Detail
			}
		}
	}
}

// highestClaimC is the highest limit in °C that a user is believed to know better than the machine.
const highestClaimC = 110

// thermal is the tightest headroom, under the user's limits and under the machine's own: a user may state a limit that the
// machine does not, and lower one that it does.
func thermal(s sensors.Sample, set budget.Settings) budget.Thermal {
	own := budget.From(s, budget.Settings{Device: set.Device}).Thermal
	if len(set.Limits) == 0 {
		return own
	}
	yours := budget.From(s, set).Thermal
	if over := yours.Limit.Or(0) - highestClaimC; yours.LimitState == sensors.StatePinned && over > 0 {
		yours.Limit = sensors.Num(highestClaimC)
		yours.HeadroomC -= over
		yours.Detail = fmt.Sprintf("a limit above %d °C is not believed", highestClaimC)
	}
	stated := own.ReadingID != "" && own.LimitState != sensors.StateAssumed
	if stated && own.HeadroomC < yours.HeadroomC {
		own.Detail = "the machine's own limit is lower than yours"
		return own
	}
	return yours
}

func ofRole(temps []sensors.Temperature, role sensors.Role) []sensors.Temperature {
	var out []sensors.Temperature
	for i := range temps {
		if temps[i].Role == role {
			out = append(out, temps[i])
		}
	}
	return out
}

// missing says why none of the sensors tells a temperature.
func missing(temps []sensors.Temperature) (sensors.State, string) {
	for i := range temps {
		v := temps[i].Value
		if v.Usable() {
			continue
		}
		return v.State, fmt.Sprintf("%s is %s", v.ID, strings.ReplaceAll(v.State.String(), "_", " "))
	}
	return sensors.StateNotOffered, "no sensor tells it"
}

// withoutLimit gives the temperature of a GPU whose limit nothing tells.
func (d *Device) withoutLimit(s sensors.Sample, card string) {
	for i := range s.Temperatures {
		t := &s.Temperatures[i]
		if t.Role == sensors.RoleGPU && t.Card == card && t.Value.Usable() {
			d.Temperature, d.State, d.LimitState = t.Value.Value, t.Value.State, sensors.StateNotOffered
			d.ReadingID = t.Value.ID
			d.Detail = "its limit is not told"
			return
		}
	}
}

func (d *Device) clocks(s sensors.Sample, device string) {
	for i := range s.Clocks {
		if c := &s.Clocks[i]; c.Device == device {
			d.Clock, d.MaxClock = known(c.Now), known(c.Max)
			return
		}
	}
}

// known is a reading's value where it may be shown as one.
func known(r sensors.Reading) sensors.Number {
	if !r.Usable() {
		return sensors.Number{}
	}
	return r.Value
}

// noGPU says why no GPU is in use.
func noGPU(s sensors.Sample, r budget.Result) string {
	switch {
	case r.Shown >= 0 && r.GPUs[r.Shown].Detail != "":
		return r.GPUs[r.Shown].Name + " is " + r.GPUs[r.Shown].Detail
	case len(s.Adapters) == 0 && s.AdaptersState.Detail != "":
		return s.AdaptersState.Detail
	}
	return "no GPU is in use"
}
