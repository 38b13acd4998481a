package nvidiasmi

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Fields are asked of each card. The driver refuses names that it does not know; Run leaves those out.
var Fields = []string{
	"pci.bus_id", "name", "temperature.gpu", "temperature.gpu.tlimit", "power.draw", "enforced.power.limit",
	"memory.total", "memory.used", "memory.reserved", "utilization.gpu", "clocks.sm", "clocks.max.sm",
	"clocks_throttle_reasons.active",
}

// Value is a number that the driver may not tell.
type Value struct {
	V     float64
	Known bool
}

// GPU is one card. Temperatures are in °C, power in W, memory in bytes, clocks in MHz, busy in percent.
type GPU struct {
	// PCI is the address as /sys writes it, 0000:01:00.0.
	PCI, Name string
	// Temperature is the core's; Margin is how much is left to where the driver begins to slow it.
	Temperature, Margin Value
	Draw, Limit         Value
	// MemoryUsed includes what the driver reserves.
	MemoryTotal, MemoryUsed Value
	Busy                    Value
	Clock, ClockMax         Value
	Reasons                 Reasons
	ReasonsKnown            bool
}

// Reasons are the driver's clock event reasons, as bits.
type Reasons uint64

// The bits that say that the hardware is held back; idle, chosen clocks and display clocks are not throttling.
const (
	swPowerCap   Reasons = 0x04
	hwSlowdown   Reasons = 0x08
	swThermal    Reasons = 0x20
	hwThermal    Reasons = 0x40
	hwPowerBrake Reasons = 0x80
)

// Thermal reports whether heat holds the card back.
func (r Reasons) Thermal() bool { return r&(swThermal|hwThermal) != 0 }

// Power reports whether a power limit does.
func (r Reasons) Power() bool { return r&(swPowerCap|hwPowerBrake) != 0 }

// Other reports whether the hardware slows down without telling which of the two it is.
func (r Reasons) Other() bool { return r&hwSlowdown != 0 && !r.Thermal() && r&hwPowerBrake == 0 }

// maxRows is how many cards or processes are taken from one answer.
const maxRows = 1024

// table reads a CSV with a header line; units in brackets are cut from the names.
func table(text string) (columns map[string]int, rows [][]string, err error) {
	r := csv.NewReader(strings.NewReader(text))
	r.TrimLeadingSpace = true
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	head, err := r.Read()
	if err != nil {
		return nil, nil, fmt.Errorf("read the header of nvidia-smi's answer: %w", err)
	}
	columns = map[string]int{}
	for i, name := range head {
		name, _, _ = strings.Cut(name, " [")
		columns[strings.TrimSpace(name)] = i
	}
	for len(rows) < maxRows {
		row, err := r.Read()
		if err != nil {
			break
		}
		rows = append(rows, row)
	}
	return columns, rows, nil
}

// ParseGPUs reads the answer to a query of Fields in CSV with a header and without units.
func ParseGPUs(text string) ([]GPU, error) {
	columns, rows, err := table(text)
	if err != nil {
		return nil, err
	}
	if _, ok := columns["pci.bus_id"]; !ok {
		return nil, fmt.Errorf("read nvidia-smi's answer: it has no column pci.bus_id, but begins with %q", firstLine(text))
	}
	var list []GPU
	for _, row := range rows {
		cell := func(names ...string) string {
			for _, n := range names {
				if i, ok := columns[n]; ok && i < len(row) {
					return strings.TrimSpace(row[i])
				}
			}
			return ""
		}
		g := GPU{
			PCI: Address(cell("pci.bus_id")), Name: cell("name"),
			Temperature: number(cell("temperature.gpu"), 1), Margin: number(cell("temperature.gpu.tlimit"), 1),
			Draw: number(cell("power.draw"), 1), Limit: number(cell("enforced.power.limit"), 1),
			MemoryTotal: number(cell("memory.total"), 1<<20), MemoryUsed: number(cell("memory.used"), 1<<20),
			Busy: number(cell("utilization.gpu"), 1), Clock: number(cell("clocks.sm", "clocks.current.sm"), 1), ClockMax: number(cell("clocks.max.sm"), 1),
		}
		if g.PCI == "" {
			continue
		}
		if reserved := number(cell("memory.reserved"), 1<<20); reserved.Known && g.MemoryUsed.Known {
			g.MemoryUsed.V += reserved.V
		}
		bits := cell("clocks_throttle_reasons.active", "clocks_event_reasons.active")
		if n, err := strconv.ParseUint(strings.TrimPrefix(bits, "0x"), 16, 64); err == nil {
			g.Reasons, g.ReasonsKnown = Reasons(n), true
		}
		list = append(list, g)
	}
	return list, nil
}

// Process is the memory in bytes that one process holds on one card.
type Process struct {
	PID    int
	PCI    string
	Memory Value
}

// ParseProcesses reads the answer to a query of compute processes.
func ParseProcesses(text string) ([]Process, error) {
	columns, rows, err := table(text)
	if err != nil {
		return nil, err
	}
	pid, ok := columns["pid"]
	if !ok {
		return nil, fmt.Errorf("read nvidia-smi's answer: it has no column pid, but begins with %q", firstLine(text))
	}
	var list []Process
	for _, row := range rows {
		if pid >= len(row) {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(row[pid]))
		if err != nil || n <= 0 {
			continue
		}
		p := Process{PID: n}
		if i, ok := columns["gpu_bus_id"]; ok && i < len(row) {
			p.PCI = Address(row[i])
		}
		for _, name := range [...]string{"used_gpu_memory", "used_memory"} {
			if i, ok := columns[name]; ok && i < len(row) {
				p.Memory = number(row[i], 1<<20)
			}
		}
		list = append(list, p)
	}
	return list, nil
}

// number reads a cell, also with a unit behind it, as an answer that was recorded by hand has it; "[N/A]", "[Not Supported]" and
// the like are unknown.
func number(cell string, scale float64) Value {
	digits, _, _ := strings.Cut(strings.TrimSpace(cell), " ")
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}
	}
	return Value{V: f * scale, Known: true}
}

// Address turns 00000000:01:00.0 into the 0000:01:00.0 of /sys.
func Address(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	domain, rest, ok := strings.Cut(s, ":")
	if !ok {
		return ""
	}
	if len(domain) > 4 {
		if short := strings.TrimLeft(domain[:len(domain)-4], "0"); short == "" {
			domain = domain[len(domain)-4:]
		}
	}
	return domain + ":" + rest
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}
