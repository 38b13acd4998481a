package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"headroom/sensors"
	"headroom/sensors/heat"
	"headroom/ui/frame"
)

// heatEvery is how often the stop rule looks at the sensors.
const heatEvery = 500 * time.Millisecond

func newHeatCommand() *cobra.Command {
	o := heat.Options{CPU: heat.Threads(), For: heat.DefaultFor, Limits: map[string]float64{}}
	var sysroot string
	var asJSON, dryRun, withParent bool
	cmd := &cobra.Command{
		Use: heat.Command, Short: "Load this machine so that it gets warm, to show throttling on a stage", Args: noArgs,
		Long: fmt.Sprintf("Heat is a real load: threads of the CPU, and with --gpu the GPU in use. It ends at its time, %d °C below a limit of\n"+
			"temperature, on battery under %d %%, when a sensor is lost, with Ctrl-C, and with the program that started it. Where no\n"+
			"temperature is known it does not start, unless you insist. --dry-run says what this machine can show.",
			heat.MarginC, heat.MinBatteryPercent),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if sysroot != "" {
				if err := folder("--sysroot", sysroot); err != nil {
					return err
				}
				if o.GPU && !dryRun {
					return badUsage("--gpu loads this machine's GPU and not the one of a --sysroot: give one")
				}
			}
			m := newMachine(sysroot, heatEvery)
			defer m.Close()
			if dryRun {
				return rehearse(cmd, m, o, asJSON)
			}
			ctx := cmd.Context()
			if withParent {
				var cancel context.CancelCauseFunc
				ctx, cancel = context.WithCancelCause(ctx)
				go func() {
					_, _ = io.Copy(io.Discard, cmd.InOrStdin())
					cancel(heat.ErrParentGone)
				}()
			}
			r, err := heat.Run(ctx, o, m)
			if err != nil {
				return usageError{err}
			}
			return showHeat(r, newHeatText(cmd.OutOrStdout(), cmd.ErrOrStderr(), asJSON))
		},
	}
	f := cmd.Flags()
	f.Var(&parsed{kind: "N", text: strconv.Itoa(o.CPU), read: func(s string) (err error) { o.CPU, err = parseThreads(s); return err }},
		"cpu", "how many threads of the CPU to load; 0 with --gpu loads the GPU alone")
	f.BoolVar(&o.GPU, "gpu", false, "load the GPU in use too")
	f.Var(&parsed{kind: "TIME", text: typed(o.For), read: func(s string) (err error) { o.For, err = parseSpan(s, heat.MinFor, heat.MaxFor); return err }},
		"for", "end after that time, at most "+typed(heat.MaxFor))
	f.BoolVar(&o.Insist, "insist", false, "load also where no temperature is known, or no longer")
	f.Var(&parsed{kind: "ID=VALUE", read: func(s string) error { return parseLimit(s, o.Limits) }},
		"limit", "the limit of one sensor (°C) by its ID, where the machine states none or a higher one; may be repeated")
	addText(cmd, &o.Device, "device", "ID", "the GPU to use, as snapshot lists it (default: chosen)")
	addSysroot(cmd, &sysroot, "take the sensors from DIR/sys and DIR/proc in place of the machine's, or from a recorded host; the load is real")
	f.BoolVar(&dryRun, "dry-run", false, "load nothing; say what this machine can and cannot show")
	f.BoolVar(&asJSON, "json", false, "print one JSON object a line")
	f.BoolVar(&withParent, heat.ParentFlag, false, "end when standard input closes")
	_ = f.MarkHidden(heat.ParentFlag) // it is there
	return cmd
}

// parseThreads reads a number of threads that there are.
func parseThreads(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no number of threads", s)
	}
	return n, nil
}

// showHeat shows the load until it ends. A load that cannot be seen must not go on.
func showHeat(r *heat.Running, t *heatText) error {
	var last heat.Status
	for s := range r.Status() {
		if err := t.show(s); err != nil {
			r.Stop()
			return err
		}
		last = s
	}
	err := r.Err()
	if err != nil && (last.Reason == heat.ReasonTemperatureUnknown || last.Reason == heat.ReasonChargeUnknown) {
		return fmt.Errorf("%w; --insist loads all the same, and headroom scenarios lists what can be shown without", err)
	}
	return err
}

// heatText writes a load's Status: JSON, one line repainted on a terminal, else a line a second.
type heatText struct {
	out, notes   io.Writer
	asJSON, live bool
	warned       bool
	second       float64
}

func newHeatText(out, notes io.Writer, asJSON bool) *heatText {
	return &heatText{out: out, notes: notes, asJSON: asJSON, live: isTerminal(out), second: math.Inf(1)}
}

func (t *heatText) show(s heat.Status) error {
	if s.Warning != "" && !t.warned {
		t.warned = true
		complain(t.notes, s.Warning+"; loading all the same, as you insist")
	}
	if t.asJSON {
		e := json.NewEncoder(t.out)
		e.SetEscapeHTML(false)
		return e.Encode(s)
	}
	line := ""
	switch second := math.Ceil(s.Left); {
	case s.Phase == heat.Refused:
		return nil // the error says it
	case s.Phase == heat.Ended:
		line = fmt.Sprintf("stopped after %.0f s: %s · %s\n", s.Elapsed, s.Words, heatWords(s))
		if t.live {
			line = "\r\x1b[K" + line
		}
	case t.live:
		// A line longer than the terminal is wide is cut by it, not wrapped.
		line = "\x1b[?7l\r" + loadWords(s) + " · " + heatWords(s) + " · Ctrl-C stops\x1b[K\x1b[?7h"
	case second < t.second:
		t.second = second
		line = loadWords(s) + " · " + heatWords(s) + "\n"
	}
	_, err := io.WriteString(t.out, line)
	return err
}

// loadWords is what is loaded and for how long still: the countdown.
func loadWords(s heat.Status) string {
	left := time.Duration(math.Ceil(s.Left)) * time.Second
	var loaded []string
	if s.Threads > 0 {
		loaded = append(loaded, plural(uint32(s.Threads), "thread"))
	}
	if s.GPU != nil && s.GPU.Loaded {
		loaded = append(loaded, "GPU")
	}
	return fmt.Sprintf("%d:%02d left · %s", int(left.Minutes()), int(left.Seconds())%60, strings.Join(loaded, " and "))
}

// heatWords are temperature, headroom, clock and draw of each device, and whether it throttles.
func heatWords(s heat.Status) string {
	text := deviceHeat("CPU", s.CPU)
	if s.GPU != nil {
		text += " · " + deviceHeat("GPU", *s.GPU)
	}
	if now, ok := s.Throttling.Get(); ok && now > 0 {
		text += " · throttling: " + strings.Join(s.ThrottleReasons, ", ")
	}
	if percent, ok := s.BatteryPercent.Get(); ok && s.OnBattery {
		text += fmt.Sprintf(" · battery %.0f %%", math.Floor(percent))
	}
	return text
}

func deviceHeat(name string, d heat.Device) string {
	text := name + " temperature unknown"
	if v, ok := d.Temperature.Get(); ok {
		text = name + " " + frame.Celsius(v)
		if d.State == sensors.StateStale {
			text += fmt.Sprintf(" (%.0f s ago)", d.Age)
		}
	}
	if v, ok := d.Headroom.Get(); ok {
		text += fmt.Sprintf(", %s of headroom", frame.Celsius(v))
	}
	if v, ok := d.Clock.Get(); ok {
		text += fmt.Sprintf(", %.1f GHz", v/1000)
	}
	if v, ok := d.Draw.Get(); ok {
		text += ", " + frame.Watts(v)
	}
	return text
}

// rehearse says what the machine can and cannot show.
func rehearse(cmd *cobra.Command, m *machine, o heat.Options, asJSON bool) error {
	// What counts events tells of them from the second reading on.
	m.Once(cmd.Context())
	s := m.Once(cmd.Context())
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	stage, err := heat.Look(s, o)
	if err != nil {
		return usageError{err}
	}
	out := cmd.OutOrStdout()
	if asJSON {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(stage)
	}
	_, err = io.WriteString(out, stageText(stage))
	return err
}

func stageText(s heat.Stage) string {
	var b strings.Builder
	if s.Possible {
		fmt.Fprintf(&b, "A throttling demo is possible: %s.\nStart it with: %s\n", s.Words, s.Command)
	} else {
		fmt.Fprintf(&b, "No throttling demo on this machine: %s.\nShow a described one instead: headroom --scenario %s\n", s.Words, s.Scenario)
	}
	var rows [][]string
	for _, show := range s.Shows {
		can := "yes"
		if !show.Can {
			can = "no"
		}
		text := show.Words
		if show.Scenario != "" {
			text += " · --scenario " + show.Scenario
		}
		rows = append(rows, []string{show.What, can, text})
	}
	section(&b, "What this machine shows", rows)
	b.WriteString("\nheadroom scenarios --about lists all that can be shown on any machine.\n")
	return b.String()
}
