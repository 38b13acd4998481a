//go:build cgo || !darwin

package window

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"headroom/policy"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// sensorRow is one line of the Sensors page: a heading, or one reading.
type sensorRow struct {
	// Heading is a family's title, with the count of its readings in Value; the rest of a heading is empty.
	Heading bool
	ID      string
	Name    string
	Value   string
	State   sensors.State
	Source  string
	Detail  string
	// Age is how long before the Sample the value was read; 0 where it was read in that round.
	Age time.Duration
	// Indent marks a part of the reading above it: a limit, a trip point.
	Indent bool
	// Drives names what this reading decides, Why says why it and no other does; empty for most.
	Drives, Why string
	// Computed is a number that Headroom made, no reading.
	Computed bool
	// Holds marks the input that decides the present answer.
	Holds bool
	// Pin is what can be held for this reading, PinNow its current number in the pin's unit.
	Pin    pinKind
	PinNow sensors.Number
	// Limit is the reading ID under which a limit is pinned.
	Limit string
	// Device is the ID to choose; Chosen is whether decisions are made for it.
	Device string
	Chosen bool
	// PID is the process whose memory and power can be counted as free.
	PID int
	// Pinned is whether the user holds it.
	Pinned bool
}

// pinKind is what a row lets the user hold.
type pinKind uint8

const (
	pinNothing pinKind = iota
	pinThermalLimit
	pinPowerLimit
	pinHeadroom
	pinPower
	pinMemory
	pinDevice
	pinCredit
)

// sensorRows lists every reading of the Frame by family, marking what drives a decision.
func sensorRows(f frame.Frame) []sensorRow {
	l := rowList{f: f}
	l.decisions()
	l.temperatures()
	l.power()
	l.batteries()
	l.memory()
	l.graphics()
	l.neural()
	l.clocks()
	l.throttle()
	l.machine()
	l.failures()
	return l.rows
}

type rowList struct {
	f       frame.Frame
	rows    []sensorRow
	heading int
}

func (l *rowList) head(title string) {
	l.heading = len(l.rows)
	l.rows = append(l.rows, sensorRow{Heading: true, ID: "#" + title, Name: title})
}

// end closes a family: without readings it says so in words, never as an empty space.
func (l *rowList) end(none string) {
	n := 0
	for _, r := range l.rows[l.heading+1:] {
		if !r.Indent {
			n++
		}
	}
	if n == 0 {
		l.rows[l.heading].Value = none
		return
	}
	l.rows[l.heading].Value = fmt.Sprint(n)
}

// add adds one reading; what it returns is good until the next one is added.
func (l *rowList) add(name string, r sensors.Reading) *sensorRow {
	row := sensorRow{
		ID: r.ID, Name: name, Value: frame.ValueWords(r), State: r.State, Source: r.Source, Detail: r.Detail,
	}
	if !r.At.IsZero() {
		row.Age = max(0, l.f.Sample.Time.Sub(r.At))
	}
	l.rows = append(l.rows, row)
	return &l.rows[len(l.rows)-1]
}

// part adds an indented reading where the machine offers it at all.
func (l *rowList) part(name string, r sensors.Reading) *sensorRow {
	if r.State == sensors.StateNotOffered || (r.ID == "" && !r.Value.Known() && r.Source == "") {
		return nil
	}
	row := l.add(name, r)
	row.Indent = true
	return row
}

// decisions are the three inputs as the budget found them, the memory budget with the parts that it is made of.
func (l *rowList) decisions() {
	b, pins := l.f.Budget, l.f.Settings.Pins
	l.head("Inputs of the decision")
	t := l.add("Thermal headroom", sensors.Reading{
		ID: inputThermal, Value: sensors.Num(b.Thermal.HeadroomC), Unit: sensors.Celsius, State: b.Thermal.State,
		Source: b.Thermal.Source, Detail: b.Thermal.Detail,
	})
	t.Pin, t.PinNow, t.Pinned = pinHeadroom, sensors.Num(b.Thermal.HeadroomC), pins.ThermalC.Known()
	l.decides(t, "precision")
	p := l.add("Power budget", sensors.Reading{
		ID: inputPower, Value: sensors.Num(b.Power.BudgetMW), Unit: sensors.Milliwatt, State: b.Power.State,
		Source: b.Power.Source, Detail: b.Power.Detail,
	})
	p.Pin, p.PinNow, p.Pinned = pinPower, sensors.Num(b.Power.BudgetMW), pins.PowerMW.Known()
	l.decides(p, "precision")
	sum := l.f.Ledger()
	m := l.add("Memory budget", sensors.Reading{ID: inputMemory, State: b.Memory.State, Source: b.Memory.Source, Detail: b.Memory.Detail})
	m.Value, m.Pin, m.PinNow, m.Pinned = unknownText, pinMemory, sensors.Num(float64(b.Memory.Free)), pins.VRAMBytes.Known()
	l.decides(m, "precision, tiles")
	if l.f.MemoryKnown() {
		m.Value = sum.Words(sum.Budget)
		free := l.add("free memory", sensors.Reading{ID: inputMemory + "/free", State: b.Memory.State, Source: b.Memory.Source, Detail: b.Memory.Detail})
		free.Indent, free.Value, free.Pin, free.PinNow, free.Pinned = true, sum.Words(sum.FreeTotal), pinMemory, sensors.Num(float64(b.Memory.Free)), pins.VRAMBytes.Known()
		l.taken("KV cache", "/kv", sum, sum.KV)
		l.taken("compute buffers", "/compute", sum, sum.Compute)
	}
	l.end("")
}

// The IDs of the inputs.
const (
	inputThermal = "input/thermal"
	inputPower   = "input/power"
	inputMemory  = "input/memory"
)

// taken is what the workload takes of the free memory beside its weights.
func (l *rowList) taken(name, id string, sum frame.Ledger, part frame.Line) {
	if part.Exact > 0 {
		row := l.add(name, sensors.Reading{
			ID: inputMemory + id, State: sensors.StateOK, Source: "the model and its context",
			Detail: "Computed for " + l.f.Settings.Workload.Name + ". It is taken off the free memory before weights are.",
		})
		row.Indent, row.Computed, row.Value = true, true, "− "+sum.Words(part)
	}
}

// decides marks an input, and the one that holds the answer back: what the precision's reason names.
func (l *rowList) decides(r *sensorRow, what string) {
	var holds bool
	switch l.f.Plan.Reasons[policy.DecidePrecision].Kind {
	case policy.PrecisionHeldByHeat:
		holds = r.ID == inputThermal
	case policy.PrecisionHeldByPower:
		holds = r.ID == inputPower
	case policy.PrecisionHeldByBoth:
		holds = r.ID == inputThermal || r.ID == inputPower
	default:
		holds = r.ID == inputMemory
	}
	r.Drives, r.Holds = what, holds
	if holds {
		r.Why = "It decides now: " + l.f.ReasonWords(policy.DecidePrecision) + "."
	}
}

func (l *rowList) temperatures() {
	l.head("Temperatures")
	for _, t := range l.f.Sample.Temperatures {
		row := l.add(strings.TrimSpace(t.Chip+" "+t.Label), t.Value)
		if t.Role != sensors.RoleOther {
			row.Pin, row.Limit, row.PinNow = pinThermalLimit, t.Value.ID, t.Crit.Value
		}
		_, row.Pinned = l.f.Settings.Limits[t.Value.ID]
		if t.Value.ID == l.f.Budget.Thermal.ReadingID && t.Value.ID != "" {
			row.Drives, row.Why = "thermal headroom", "It is the tightest of the compute devices."
			row.PinNow = l.f.Budget.Thermal.Limit
			l.limitInUse(t)
		} else if t.Role == sensors.RoleOther {
			row.Detail = cmp.Or(row.Detail, "listed only: not a compute device's sensor")
		}
		l.part("critical", t.Crit)
		for _, trip := range t.Trips {
			l.part(trip.Type+" trip", trip.Limit)
		}
	}
	l.end("no temperature sensor was found")
}

// limitInUse shows the limit that the driving temperature is held against, where it is not the sensor's own.
func (l *rowList) limitInUse(t sensors.Temperature) {
	b := l.f.Budget.Thermal
	if b.LimitState == sensors.StateOK && b.Limit == t.Crit.Value {
		return
	}
	l.part("limit in use", sensors.Reading{
		ID: t.Value.ID + "/limit in use", Value: b.Limit, Unit: sensors.Celsius, State: b.LimitState, Source: b.Source, Detail: b.Detail,
	})
}

func (l *rowList) power() {
	l.head("Power")
	for _, d := range l.f.Sample.Power {
		draw := l.add(d.Name, d.Draw)
		draw.Pin, draw.Limit, draw.PinNow = pinPowerLimit, d.ID, d.Limit.Value
		_, draw.Pinned = l.f.Settings.Limits[d.ID]
		if d.ID == l.f.Budget.Power.ReadingID || (d.Draw.ID != "" && d.Draw.ID == l.f.Budget.Power.ReadingID) ||
			(d.Limit.ID != "" && d.Limit.ID == l.f.Budget.Power.ReadingID) {
			draw.Drives, draw.Why = "power budget", "It is the device that would run the job."
			draw.PinNow = l.f.Budget.Power.Limit
		}
		l.part("sustained limit", d.Limit)
	}
	mains := l.add("mains", l.f.Sample.Mains)
	mains.Value = switchText(l.f.Sample.Mains, "connected", "off")
	l.end("no power sensor was found")
}

func (l *rowList) batteries() {
	l.head("Batteries")
	for _, b := range l.f.Sample.Batteries {
		name := b.ID
		switch {
		case b.Peripheral:
			name += " (peripheral, not counted)"
		case b.Dead:
			name += " (dead, not counted)"
		case !b.Present:
			name += " (not present)"
		}
		row := l.add(name, b.Rate)
		row.Value = strings.TrimSpace(string(b.Status) + " · " + frame.ValueWords(b.Rate))
		if !b.Present {
			row.Value = "none"
		}
		if l.f.Budget.Power.FromBattery && !b.Peripheral && !b.Dead {
			row.Drives, row.Why = "power budget", "What the battery has left for the wanted time is less than the device's limit leaves."
		}
		l.part("energy now", b.Now)
		l.part("energy full", b.Full)
		l.part("energy by design", b.Design)
		l.part("voltage", b.Voltage)
		l.part("capacity, kernel's", b.Capacity)
	}
	l.end("no battery was found")
}

func (l *rowList) memory() {
	l.head("Memory")
	m := l.f.Sample.Memory
	available := l.add("RAM available", m.Available)
	if l.f.Budget.InUse < 0 {
		available.Drives, available.Why = "memory budget", "No GPU is used: weights lie in RAM."
	}
	l.add("RAM total", m.Total)
	l.part("container's limit", m.ContainerLimit)
	l.part("swap total", m.SwapTotal)
	l.part("swap free", m.SwapFree)
	l.end("")
}

func (l *rowList) graphics() {
	l.head("Graphics")
	s, b := l.f.Sample, l.f.Budget
	listed, told := map[string]bool{}, make([]bool, len(s.Adapters))
	for i, g := range b.GPUs {
		row := l.add(cmp.Or(g.Name, g.ID), sensors.Reading{
			ID: "gpu/" + g.ID, Value: g.VRAMAvailable, Unit: sensors.Bytes, State: g.State, Source: g.VRAMSource, Detail: g.Detail,
		})
		row.Value = gpuText(g)
		row.Pin, row.Device, row.Chosen = pinDevice, g.ID, i == b.InUse
		row.Pinned = g.ID != "" && l.f.Settings.Device == g.ID
		if i == b.InUse {
			row.Drives, row.Why = "backend, memory budget", "It is the GPU that jobs are routed to."
		}
		listed[g.ID] = true
		for _, c := range s.Cards {
			if c.ID == g.ID {
				l.card(c)
			}
		}
		// The same device as WebGPU lists it is a part of it, not another one.
		for j := range s.Adapters {
			if a := &s.Adapters[j]; !told[j] && a.Backend == g.Backend && (a.PCI != "" && g.ID == "pci/"+a.PCI || a.Name == g.Name) {
				told[j] = true
				l.adapter(a).Indent = true
			}
		}
	}
	for _, c := range s.Cards {
		if listed[c.ID] {
			continue
		}
		row := l.add(cmp.Or(c.Name, c.ID), c.VRAMTotal)
		if c.Asleep {
			row.Value, row.State, row.Detail = "asleep", sensors.StateAsleep, "suspended, and left so"
		}
		l.card(c)
	}
	// With adapters listed, an error is of a driver that was left out.
	if n := len(s.Adapters); n == 0 || s.AdaptersState.State == sensors.StateError {
		row := l.add("WebGPU adapters", s.AdaptersState)
		if row.Value = "none"; n > 0 {
			row.Value = fmt.Sprintf("%d listed", n)
		}
	}
	for i := range s.Adapters {
		if !told[i] {
			row := l.adapter(&s.Adapters[i])
			row.Name = s.Adapters[i].Name
		}
	}
	l.end("no graphics device was found")
}

// gpuText is a device's type and free memory in short.
func gpuText(g budget.GPU) string {
	switch {
	case g.Type == policy.CPUDevice:
		return "software"
	case !g.VRAMAvailable.Known():
		return g.Type.String()
	}
	return g.Type.String() + " · " + freeText(g.VRAMAvailable)
}

// adapter is a device as WebGPU lists it.
func (l *rowList) adapter(a *sensors.Adapter) *sensorRow {
	row := l.add("as WebGPU lists it", sensors.Reading{
		ID: "adapter/" + a.Backend + "/" + a.Name, State: sensors.StateOK, Source: "WebGPU · " + a.Backend,
		Detail: fmt.Sprintf("driver %s; largest buffer %s, largest storage binding %s: limits, not memory",
			cmp.Or(a.Driver, "unknown"), bytesText(float64(a.MaxBufferSize)), bytesText(float64(a.MaxStorageBinding))),
	})
	row.Value = a.Type + " adapter"
	return row
}

func (l *rowList) card(c sensors.Card) {
	l.part("VRAM total", c.VRAMTotal)
	l.part("VRAM used", c.VRAMUsed)
	l.part("GTT total", c.GTTTotal)
	l.part("GTT used", c.GTTUsed)
	l.part("busy", c.Busy)
}

func (l *rowList) neural() {
	l.head("Neural processors")
	for _, n := range l.f.Sample.NPUs {
		row := l.add(cmp.Or(n.Name, n.ID), sensors.Reading{ID: n.ID, State: n.State, Source: n.Source})
		row.Value = "present"
		if n.Asleep {
			row.Value = "asleep"
		}
		if l.f.Budget.Device.String() == "npu" {
			row.Drives, row.Why = "backend", "There is no GPU to route to."
		}
	}
	l.end("no neural processor was found")
}

func (l *rowList) clocks() {
	l.head("Clocks")
	for _, c := range l.f.Sample.Clocks {
		l.add(c.Device, c.Now)
		l.part("maximum", c.Max)
	}
	l.end("no clock is reported")
}

func (l *rowList) throttle() {
	l.head("Hardware throttling")
	for _, t := range l.f.Sample.Throttle {
		row := l.add(t.Device+", "+t.Reason, t.Active)
		row.Value = switchText(t.Active, "throttling", "no")
	}
	l.end("nothing reports throttling")
}

func (l *rowList) machine() {
	s := l.f.Sample
	l.head("Machine and Headroom itself")
	l.add("load", s.Load)
	l.add("CPU taken by Headroom", s.OwnCPU)
	l.add("memory taken by Headroom", s.OwnMemory)
	for _, p := range s.Workloads {
		row := l.add(fmt.Sprintf("%s (process %d)", p.Name, p.PID), p.RAM)
		row.ID = "process/" + strconv.Itoa(p.PID)
		row.Detail = cmp.Or(p.Model, row.Detail)
		row.Pin, row.PID, row.Pinned = pinCredit, p.PID, l.f.Settings.CreditPID == p.PID
		l.part("GPU memory", p.GPU)
		l.part("power", p.Power)
	}
	l.end("")
}

func (l *rowList) failures() {
	if len(l.f.Sample.SourceFailures) == 0 {
		return
	}
	l.head("Sources that failed")
	for _, r := range l.f.Sample.SourceFailures {
		l.add(cmp.Or(r.Source, r.ID), r)
	}
	l.end("")
}

// stateWords is the reading's state; what Headroom computed has none.
func (r *sensorRow) stateWords() string {
	if r.Computed {
		return ""
	}
	return frame.StateWords(r.State)
}

// read says in words when the value was read; what is assumed, held or computed was not.
func (r *sensorRow) read() string {
	switch {
	case r.held():
		return "held by you, not read"
	case r.assumed():
		return "not read: an assumption stands in for it"
	case r.Computed:
		return "computed, not read"
	case !r.wasRead():
		return ""
	case r.State == sensors.StateAssumed:
		return "a part is assumed, the rest read " + r.when()
	}
	return "read " + r.when()
}

func (r *sensorRow) when() string {
	if r.Age == 0 {
		return "in this round"
	}
	return ageText(r.Age) + " ago"
}

// wasRead reports whether the value came from the machine.
func (r *sensorRow) wasRead() bool {
	return !r.assumed() && !r.Computed && !r.held() && r.State != sensors.StateNotOffered && r.Value != unknownText
}

// held reports whether it is an input at a value of the user's.
func (r *sensorRow) held() bool {
	return r.Pinned && (r.Pin == pinHeadroom || r.Pin == pinPower || r.Pin == pinMemory)
}

// assumed reports whether nothing of it was read.
func (r *sensorRow) assumed() bool {
	return r.State == sensors.StateAssumed && r.Source == "assumption"
}

// matches reports whether the row holds every word of the search.
func (r sensorRow) matches(words []string) bool {
	text := strings.ToLower(r.Name + " " + r.ID + " " + r.Value + " " + r.Source + " " + r.Detail + " " + r.Drives + " " + frame.StateWords(r.State))
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// searchRows keeps the rows that hold every word of the query, with the headings that have any. A heading then says how many of
// its readings are shown.
func searchRows(rows []sensorRow, query string) []sensorRow {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return rows
	}
	var kept []sensorRow
	for len(rows) > 0 {
		end := 1
		for end < len(rows) && !rows[end].Heading {
			end++
		}
		kept = append(kept, searchFamily(rows[:end], words)...)
		rows = rows[end:]
	}
	return kept
}

// searchFamily keeps a heading, which comes first, and what it finds under it; nothing where it finds nothing.
func searchFamily(family []sensorRow, words []string) []sensorRow {
	kept := []sensorRow{family[0]}
	shown, all, counted := 0, 0, false
	for _, r := range family[1:] {
		if !r.Indent {
			all, counted = all+1, false
		}
		if !r.matches(words) {
			continue
		}
		kept = append(kept, r)
		if !counted {
			// What is indented belongs to the reading above it.
			shown, counted = shown+1, true
		}
	}
	if len(kept) == 1 {
		return nil
	}
	if all > 0 {
		kept[0].Value = fmt.Sprintf("%d of %d", shown, all)
	}
	return kept
}
