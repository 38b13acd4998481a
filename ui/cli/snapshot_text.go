package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"headroom/policy"
	"headroom/sensors"
	"headroom/ui/frame"
)

// snapshotText is a Frame as a page of text: the verdict first, then what it was made from, then each decision.
func snapshotText(f frame.Frame) string {
	v := f.Verdict()
	var b strings.Builder
	for _, line := range []string{v.Headline(), v.Because, v.Change} {
		if line != "" {
			fmt.Fprintln(&b, line)
		}
	}
	if len(v.Assumed) > 0 {
		fmt.Fprintln(&b, "Assumed: "+strings.Join(v.Assumed, ", ")+".")
	}
	if len(v.Pinned) > 0 {
		fmt.Fprintln(&b, "Pinned: "+strings.Join(v.Pinned, ", ")+".")
	}
	if f.Budget.Detail != "" {
		fmt.Fprintln(&b, "Note: "+f.Budget.Detail+".")
	}
	fmt.Fprintln(&b, "\n"+joined(workloadWords(f), hostWords(f)))
	section(&b, "Inputs", inputRows(f))
	section(&b, "Precision", rungRows(f))
	section(&b, "Decisions", decisionRows(f))
	return b.String()
}

// compactText is a Frame in few enough lines for a small terminal.
func compactText(f frame.Frame) string {
	v := f.Verdict()
	p := f.Plan
	decided := []string{
		p.Backend.String(), plural(p.Tiles, "tile"), strings.ReplaceAll(p.ZeroCopy.String(), "_", " "), fusionText(f),
	}
	return strings.Join([]string{
		v.Headline(), v.Because, v.Change, "",
		workloadWords(f), joined(decided...), "",
	}, "\n") + "\n" + columns(budgetRows(f)) + "\n" + columns(rungRows(f)) + "\n"
}

func plural(n uint32, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return frame.Count(uint64(n)) + " " + one + "s"
}

func fusionText(f frame.Frame) string {
	if f.Plan.Ops == 0 {
		return "ops unknown"
	}
	return fmt.Sprintf("%d ops in %d passes", f.Plan.Ops, f.Plan.Passes)
}

// section writes rows of cells in columns under a title.
func section(b *strings.Builder, title string, rows [][]string) {
	fmt.Fprintln(b, "\n"+title)
	b.WriteString(columns(rows))
}

func columns(rows [][]string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, "  "+strings.Join(row, "\t"))
	}
	w.Flush() //nolint:errcheck // a strings.Builder takes all
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// budgetRows are name, value, state and source of the budgets, and of what moves beside them.
func budgetRows(f frame.Frame) [][]string {
	b := f.Budget
	memorySource := b.Memory.Source
	if b.Memory.State == sensors.StatePinned {
		memorySource = "" // the sum says that it is pinned
	}
	rows := [][]string{
		{"heat", frame.Celsius(b.Thermal.HeadroomC) + " of headroom", frame.StateWords(b.Thermal.State), joined(sourceWords(b.Thermal.Source, b.Thermal.ReadingID, b.Thermal.State), b.Thermal.Detail)},
		{"power", frame.Watts(b.Power.BudgetMW) + " of budget", frame.StateWords(b.Power.State), joined(sourceWords(b.Power.Source, b.Power.ReadingID, b.Power.State), supplyWords(f), b.Power.Detail)},
		{"memory", memoryBudgetWords(f), frame.StateWords(b.Memory.State), joined(f.MemoryWords(), memorySource, b.Memory.Detail)},
		{"battery", batteryWords(f), frame.StateWords(b.Battery.State), b.Battery.Detail},
		{"throttling", throttleWords(f), frame.StateWords(b.Throttle.State), b.Throttle.Detail},
	}
	cpu, gpu := f.Clocks()
	for _, c := range []*sensors.Clock{cpu, gpu} {
		if c != nil {
			rows = append(rows, []string{deviceName(c.Device) + " clock", clockWords(*c), frame.StateWords(c.Now.State), c.Now.Detail})
		}
	}
	return rows
}

// inputRows are name, value, state and source of all that the decisions were made from, and of what was left aside.
func inputRows(f frame.Frame) [][]string {
	b := f.Budget
	rows := append(budgetRows(f), []string{"RAM", ramWords(f), frame.StateWords(b.Memory.RAMState), f.Sample.Memory.Available.Detail})
	for i, g := range b.GPUs {
		name := g.Name
		if name == "" {
			name = g.ID
		}
		use := ""
		if i == b.InUse {
			use = "in use"
		}
		rows = append(rows, []string{"GPU", name, frame.StateWords(g.State), joined(use, gpuWords(f, i), g.ID, g.Detail)})
	}
	if len(b.GPUs) == 0 {
		rows = append(rows, []string{"GPU", "none", frame.StateWords(f.Sample.AdaptersState.State), f.Sample.AdaptersState.Detail})
	}
	npu := "none"
	if b.NPU.Name != "" {
		npu = b.NPU.Name
	}
	return append(rows, []string{"NPU", npu, frame.StateWords(b.NPU.State), ""})
}

// deviceName is "CPU" or "GPU".
func deviceName(id string) string {
	if id == "cpu" {
		return "CPU"
	}
	return "GPU"
}

func workloadWords(f frame.Frame) string {
	w := f.Settings.Workload
	if w.Bare {
		return frame.Params(w.Params) + " weights, nothing beside them"
	}
	return joined(w.Name, frame.Params(w.Params)+" weights", "context "+frame.Count(w.Context), "KV "+string(w.KVType))
}

func hostWords(f frame.Frame) string {
	h := f.Sample.Host
	return joined(h.CPU, plural(uint32(max(h.Threads, 0)), "thread"))
}

// supplyWords says what feeds the machine, where that is known or there is a choice.
func supplyWords(f frame.Frame) string {
	switch {
	case f.Budget.Power.OnBattery:
		return "on battery"
	case f.Budget.Battery.Present || f.Sample.Mains.Value.Or(0) == 1:
		return "on mains"
	}
	return ""
}

// sourceWords is the source of an input; that it is assumed or pinned stands in its state already.
func sourceWords(source, reading string, state sensors.State) string {
	if reading == "" && (state == sensors.StateAssumed || state == sensors.StatePinned) {
		return ""
	}
	return source
}

func memoryBudgetWords(f frame.Frame) string {
	if !f.MemoryKnown() {
		return "unknown"
	}
	l := f.Ledger()
	return l.Words(l.Budget) + " of budget"
}

func batteryWords(f frame.Frame) string {
	b := f.Budget.Battery
	if !b.Present {
		return "none"
	}
	percent, rate := "charge unknown", ""
	if v, ok := b.Percent.Get(); ok {
		percent = fmt.Sprintf("%.0f %%", v)
	}
	if v, ok := b.Rate.Get(); ok {
		rate = " at " + frame.Watts(v)
	}
	return percent + ", " + string(b.Status) + rate
}

func ramWords(f frame.Frame) string {
	available, ok := f.Budget.Memory.RAMAvailable.Get()
	if !ok {
		return "unknown"
	}
	text := frame.Bytes(uint64(available)) + " available"
	if total, ok := f.Budget.Memory.RAMTotal.Get(); ok {
		text += " of " + frame.Bytes(uint64(total))
	}
	return text
}

func throttleWords(f frame.Frame) string {
	t := f.Budget.Throttle
	now, ok := t.Now.Get()
	switch {
	case !ok:
		return "unknown"
	case now == 0:
		return "no"
	}
	return "yes: " + strings.Join(t.Reasons, ", ")
}

func clockWords(c sensors.Clock) string {
	text := "unknown"
	if v, ok := c.Now.Value.Get(); ok {
		text = fmt.Sprintf("%.1f GHz", v/1000)
	}
	if v, ok := c.Max.Value.Get(); ok {
		text += fmt.Sprintf(" of %.1f GHz", v/1000)
	}
	return text
}

func gpuWords(f frame.Frame, i int) string {
	g := f.Budget.GPUs[i]
	kind := ""
	if g.HasAdapter {
		kind = g.Type.String() + ", " + g.Backend
	}
	vram := ""
	if v, ok := g.VRAMAvailable.Get(); ok {
		vram = frame.Bytes(uint64(v)) + " free"
		if l := f.Ledger(); i == f.Budget.InUse && f.Budget.Memory.State != sensors.StatePinned {
			vram = l.Words(l.FreeTotal) + " free"
		}
		if t, ok := g.VRAMTotal.Get(); ok {
			vram += " of " + frame.Bytes(uint64(t))
		}
		vram += " (" + g.VRAMSource + ")"
	}
	return joined(kind, vram)
}

func rungRows(f frame.Frame) [][]string {
	l, words := f.Ledger(), f.RungWords()
	var rows [][]string
	for p := policy.F32; p <= policy.Q4; p++ {
		mark := " "
		if f.Plan.Rungs[p].Taken {
			mark = "▸"
		}
		rows = append(rows, []string{mark + " " + p.String(), l.Words(l.Rungs[p].Need), words[p]})
	}
	return rows
}

func decisionRows(f frame.Frame) [][]string {
	p := f.Plan
	values := [policy.NumDecisions]string{
		p.Precision.String(), p.Backend.String(), frame.Count(uint64(p.Tiles)),
		strings.ReplaceAll(p.ZeroCopy.String(), "_", " "), fusionText(f),
	}
	var rows [][]string
	for d := policy.DecidePrecision; d < policy.NumDecisions; d++ {
		name := strings.ReplaceAll(frame.DecisionName(d), "_", " ")
		rows = append(rows, []string{name, values[d], f.ReasonWords(d)})
	}
	if p.BindingTiles > 0 {
		rows = append(rows, []string{"binding tiles", frame.Count(uint64(p.BindingTiles)), "pieces of the largest tensor that one storage binding can span"})
	}
	return rows
}

// joined puts the texts that are there in one, with a point between.
func joined(texts ...string) string {
	var there []string
	for _, t := range texts {
		if t != "" {
			there = append(there, t)
		}
	}
	return strings.Join(there, " · ")
}
