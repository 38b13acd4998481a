package frame

import (
	"fmt"
	"reflect"
	"strings"

	"headroom/policy"
	"headroom/sensors"
	"headroom/sensors/budget"
)

// cause says why the decision changed from one Frame to the next: what the user changed, else the one input that alone
// leads from the old answer to the new one, else all that moved.
func cause(from, to Frame) string {
	if words := chosen(from.Settings, to.Settings); words != "" {
		old := New(to.Sample, from.Settings)
		if old.Decided() != to.Decided() {
			return words
		}
	}
	a, b := from.Budget.Inputs, to.Budget.Inputs
	inputs := []struct {
		moved bool
		apply func(*policy.Inputs)
		words string
	}{
		{deviceOf(from) != deviceOf(to), func(in *policy.Inputs) {
			in.Host, in.HasAdapter, in.Adapter, in.MaxBinding = b.Host, b.HasAdapter, b.Adapter, b.MaxBinding
			in.Budget.VRAMBudgetBytes = b.Budget.VRAMBudgetBytes
		}, deviceWords(from, to)},
		{from.Plan.TightHeat != to.Plan.TightHeat, func(in *policy.Inputs) {
			in.Budget.ThermalHeadroomC = b.Budget.ThermalHeadroomC
		}, heatWords(to)},
		{from.Plan.TightPower != to.Plan.TightPower, func(in *policy.Inputs) {
			in.Budget.PowerBudgetMW = b.Budget.PowerBudgetMW
		}, powerWords(from, to)},
		{a.Budget.VRAMBudgetBytes != b.Budget.VRAMBudgetBytes, func(in *policy.Inputs) {
			in.Budget.VRAMBudgetBytes, in.Host.VRAMAvailable = b.Budget.VRAMBudgetBytes, b.Host.VRAMAvailable
		}, memoryWords(from, to)},
	}
	var moved []string
	for _, in := range inputs {
		if !in.moved {
			continue
		}
		moved = append(moved, in.words)
		alone := a
		in.apply(&alone)
		if (Frame{Plan: policy.Decide(alone)}).Decided() == to.Decided() {
			return in.words
		}
	}
	if len(moved) == 0 {
		return "the machine's capabilities changed"
	}
	return strings.Join(moved, "; ")
}

// chosen says what the user changed; empty where nothing.
func chosen(from, to budget.Settings) string {
	a, b := from.Workload, to.Workload
	switch {
	case a.Name != b.Name || a.Params != b.Params:
		if b.Bare {
			return "you chose " + Params(b.Params) + " weights"
		}
		return "you chose " + b.Name
	case a.Context != b.Context:
		return "you chose a context of " + Count(b.Context)
	case a.KVType != b.KVType:
		return "you chose KV " + string(b.KVType)
	case from.Device != to.Device && to.Device == "":
		return "you let the device be chosen"
	case from.Device != to.Device:
		return "you chose device " + to.Device
	}
	for _, pin := range []struct {
		name     string
		from, to sensors.Number
	}{
		{"thermal headroom", from.Pins.ThermalC, to.Pins.ThermalC},
		{"power", from.Pins.PowerMW, to.Pins.PowerMW},
		{"memory", from.Pins.VRAMBytes, to.Pins.VRAMBytes},
	} {
		switch {
		case pin.from == pin.to:
		case pin.to.Known():
			return "you pinned " + pin.name
		default:
			return "you released " + pin.name
		}
	}
	switch {
	case !reflect.DeepEqual(from.Limits, to.Limits):
		return "you changed a limit"
	case from.Runtime != to.Runtime:
		return "you changed the wanted runtime"
	case from.CreditPID != to.CreditPID:
		return "you changed what counts as the workload"
	}
	return ""
}

// deviceOf names what the decisions are made for.
func deviceOf(f Frame) string {
	if f.Budget.InUse >= 0 {
		return f.Budget.GPUs[f.Budget.InUse].ID
	}
	return f.Budget.Device.String()
}

func deviceWords(from, to Frame) string {
	switch {
	case to.Budget.InUse >= 0 && from.Budget.InUse < 0:
		return "a GPU came: " + to.Budget.GPUs[to.Budget.InUse].Name
	case to.Budget.InUse < 0 && from.Budget.InUse >= 0:
		return "the GPU went: " + from.Budget.GPUs[from.Budget.InUse].Name
	case to.Budget.InUse >= 0:
		return "another GPU: " + to.Budget.GPUs[to.Budget.InUse].Name
	}
	return "another device: " + strings.ToUpper(to.Budget.Device.String())
}

func heatWords(to Frame) string {
	if to.Plan.TightHeat {
		return "heat: " + under(to.Budget.Thermal.HeadroomC, policy.TightHeadroomC) + " °C is under 5 °C"
	}
	return "cooler: " + Celsius(to.Budget.Thermal.HeadroomC) + " of headroom"
}

func powerWords(from, to Frame) string {
	source := ""
	if from.Budget.Power.OnBattery != to.Budget.Power.OnBattery {
		source = ", on mains"
		if to.Budget.Power.OnBattery {
			source = ", on battery"
		}
	}
	if to.Plan.TightPower {
		return "power: " + under(to.Budget.Power.BudgetMW/1000, policy.TightPowerMW/1000) + " W is under 15 W" + source
	}
	return "power: " + Watts(to.Budget.Power.BudgetMW) + source
}

func memoryWords(from, to Frame) string {
	word := "less"
	if to.Budget.Memory.Budget > from.Budget.Memory.Budget {
		word = "more"
	}
	return fmt.Sprintf("%s memory: budget %s, was %s", word, Bytes(to.Budget.Memory.Budget), Bytes(from.Budget.Memory.Budget))
}
