package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile"
	"headroom/sensors"
	"headroom/sensors/budget"
)

// choices are the flags that say what is to be run on what: every command that shows Frames takes them.
type choices struct {
	sysroot string
	params  uint64
	model   string
	context uint64
	kv      workload.KVType
	set     budget.Settings
	// scenario takes the machine's place where its script is set; its model is the default then.
	scenario scenario
}

// add defines the flags on a command.
func (c *choices) add(cmd *cobra.Command) {
	c.addWorkload(cmd)
	c.addMachine(cmd)
}

// addWorkload defines the flags that say what is to be run.
func (c *choices) addWorkload(cmd *cobra.Command) {
	cmd.Flags().Var(&parsed{kind: "N", read: func(s string) (err error) { c.params, err = workload.ParseParams(s); return err }},
		"params", "size a bare count of weights: 8B, 500M, 8.03e9")
	addText(cmd, &c.model, "model", "NAME", "size a model of the catalogue by its name, or a model file")
	c.addContext(cmd)
}

// addContext defines the flags of a model's cache.
func (c *choices) addContext(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Var(&parsed{kind: "TOKENS", read: func(s string) (err error) { c.context, err = parseContext(s); return err }},
		"context", "tokens of context (default 8192)")
	f.Var(&parsed{kind: "TYPE", read: func(s string) (err error) { c.kv, err = parseKV(s); return err }},
		"kv", "type of the KV cache: f16, q8_0 or q4_0 (default f16)")
}

// addMachine defines the flags that say what it runs on.
func (c *choices) addMachine(cmd *cobra.Command) {
	f := cmd.Flags()
	addSysroot(cmd, &c.sysroot, "read DIR/sys and DIR/proc in place of the machine's, DIR/gpu.json for its adapters; or a host recorded with doctor -o")
	addText(cmd, &c.set.Device, "device", "ID", "route to a device: a GPU as snapshot lists it, cpu or npu (default: chosen)")
	f.Var(&parsed{kind: "INPUT=VALUE", read: func(s string) error { return parsePin(s, &c.set.Pins) }},
		"pin", "hold an input: thermal=3, power=12W, vram=8GiB; may be repeated")
	f.Var(&parsed{kind: "ID=VALUE", read: func(s string) error {
		if c.set.Limits == nil {
			c.set.Limits = map[string]float64{}
		}
		return parseLimit(s, c.set.Limits)
	}},
		"limit", "the limit of one sensor (°C) or power domain (28W), by its ID; may be repeated")
	f.Var(&parsed{kind: "TIME", read: func(s string) (err error) {
		c.set.Runtime, err = parseSpan(s, time.Minute, maxRuntime)
		return err
	}}, "runtime", "how long the battery is wanted to last: 2h, 90m (default 1h)")
	f.Var(&parsed{kind: "PID", read: func(s string) error {
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil || n <= 0 {
			return fmt.Errorf("%q is no process number", s)
		}
		c.set.CreditPID = int(n)
		return nil
	}}, "credit", "count what this process holds as free: it is the workload, already running")
}

// chosen reports whether the flags say what is to be run.
func (c *choices) chosen() bool { return c.params > 0 || c.model != "" || c.context > 0 || c.kv != "" }

// addText defines a flag whose text must not be empty: an empty one comes from a variable that was never set.
func addText(cmd *cobra.Command, to *string, name, kind, help string) {
	cmd.Flags().Var(&parsed{kind: kind, read: func(s string) error {
		if *to = s; s == "" {
			return errors.New("it is empty")
		}
		return nil
	}}, name, help)
}

// settings makes the Settings that the flags ask for; what does not apply is said once on notes.
func (c *choices) settings(notes io.Writer) (budget.Settings, error) {
	if c.sysroot != "" {
		if err := folder("--sysroot", c.sysroot); err != nil {
			return budget.Settings{}, err
		}
		if c.scenario.script != nil {
			return budget.Settings{}, badUsage("--scenario and --sysroot exclude each other: give one")
		}
	}
	w, err := c.workload(notes)
	if err != nil {
		return budget.Settings{}, err
	}
	set := c.set
	set.Workload = w
	return set, nil
}

func (c *choices) workload(notes io.Writer) (workload.Workload, error) {
	options := workload.Options{Context: c.context, KV: c.kv}
	switch {
	case c.params > 0 && c.model != "":
		return workload.Workload{}, badUsage("--params and --model exclude each other: give one")
	case c.params > 0:
		if c.context > 0 {
			complain(notes, "--context does not apply to a bare count of weights, and is left aside")
		}
		if c.kv != "" {
			complain(notes, "--kv does not apply to a bare count of weights, and is left aside")
		}
		return workload.Bare(c.params), nil
	case c.model != "":
		m, err := findModel(c.model)
		if err != nil {
			return workload.Workload{}, err
		}
		return sized(m, options)
	case c.scenario.script != nil:
		if options.Context == 0 {
			options.Context = c.scenario.script.Context
		}
		m, err := modelfile.FindBuiltIn(c.scenario.script.Model)
		if err != nil {
			return workload.Workload{}, err
		}
		return sized(m, options)
	}
	w := workload.Default()
	if w.Model == nil {
		return w, nil
	}
	return sized(*w.Model, options)
}

// sized is the model under the options; a context that the model was not made for is refused.
func sized(m workload.Model, o workload.Options) (workload.Workload, error) {
	if m.MaxContext > 0 && o.Context > m.MaxContext {
		return workload.Workload{}, badUsage("--context %d is more than the %d tokens that %s takes", o.Context, m.MaxContext, m.Name)
	}
	return m.At(o), nil
}

// folder refuses a path that is no folder.
func folder(flag, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return badUsage("%s: %w; give a folder that exists", flag, err)
	}
	if !info.IsDir() {
		return badUsage("%s: %s is no folder", flag, path)
	}
	return nil
}

// strangers names what the settings speak of and the machine does not have.
func strangers(set budget.Settings, s sensors.Sample) []string {
	ids := map[string]bool{}
	for _, t := range s.Temperatures {
		ids[t.Value.ID], ids[t.Crit.ID] = true, true
	}
	for _, d := range s.Power {
		ids[d.ID], ids[d.Limit.ID] = true, true
	}
	var out []string
	for _, id := range slices.Sorted(maps.Keys(set.Limits)) {
		if !ids[id] {
			out = append(out, fmt.Sprintf("--limit: no sensor or power domain has the ID %q", id))
		}
	}
	running := func(p sensors.Process) bool { return p.PID == set.CreditPID }
	if set.CreditPID > 0 && !slices.ContainsFunc(s.Workloads, running) {
		out = append(out, fmt.Sprintf("--credit: no model server runs as process %d", set.CreditPID))
	}
	return out
}
