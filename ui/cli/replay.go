package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
	"headroom/ui/frame"
)

func newReplayCommand() *cobra.Command {
	var c choices
	var asJSON, asCSV bool
	var ghost string
	speed := 1.0
	cmd := &cobra.Command{
		Use: "replay FILE", Short: "Show a recording again, in the window or as data",
		Long: "Show a recording again: in the window, with play, pause and jumps, or as text where there is none; as one JSON object\n" +
			"for each sample; or as a table for spreadsheets. The settings are those in force while recording, save what flags change.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return badUsage("replay needs one recording: headroom replay FILE")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && asCSV {
				return badUsage("--json and --csv exclude each other: give one")
			}
			if ghost != "" && (asJSON || asCSV) {
				return badUsage("--ghost is drawn in the window: it goes with neither --json nor --csv")
			}
			flags, err := c.settings(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			r, err := trace.Open(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			for _, p := range r.Problems() {
				complain(cmd.ErrOrStderr(), filepath.Base(args[0])+": "+p.String())
			}
			if r.Len() == 0 {
				return fmt.Errorf("replay %s: it holds no sample", args[0])
			}
			shown := newPast(r, flags, c.chosen())
			out := bufio.NewWriter(cmd.OutOrStdout())
			switch {
			case asJSON:
				return errors.Join(shown.writeJSON(cmd.Context(), out), out.Flush())
			case asCSV:
				return errors.Join(r.CSV(cmd.Context(), out, shown.columns()), out.Flush())
			}
			set, err := shown.at(0)
			if err != nil {
				return err
			}
			behind, err := ghostOf(cmd.Context(), ghost)
			if err != nil {
				return err
			}
			player := trace.NewPlayer(r)
			player.SetSpeed(speed)
			return play(cmd, playing{player: player, origin: "recording " + filepath.Base(args[0]), settings: *set, recorded: shown.at, marks: r.Marks(), ghost: behind})
		},
	}
	c.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object for each sample, as fast as it goes")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "print a table for spreadsheets, as fast as it goes")
	addSpeed(cmd, &speed)
	addGhost(cmd, &ghost)
	return cmd
}

// addSpeed defines --speed.
func addSpeed(cmd *cobra.Command, speed *float64) {
	cmd.Flags().Var(&parsed{kind: "TIMES", read: func(s string) error {
		v, err := parseNumber(s)
		if err == nil && (v < trace.MinSpeed || v > trace.MaxSpeed) {
			err = fmt.Errorf("%q is no speed: it is %g to %d", s, trace.MinSpeed, trace.MaxSpeed)
		}
		*speed = v
		return err
	}}, "speed", "play that many times as fast (default 1)")
}

// past makes Frames of a recording.
type past struct {
	recording *trace.Recording
	// flags are the settings that the command line asks for, workload whether it chose one.
	flags    budget.Settings
	workload bool

	mu sync.Mutex
	// made are the settings that were asked for lately, by their number in the recording.
	made map[int]*budget.Settings
}

func newPast(r *trace.Recording, flags budget.Settings, workload bool) *past {
	return &past{recording: r, flags: flags, workload: workload, made: map[int]*budget.Settings{}}
}

// maxMade bounds the settings that are kept: each may hold a large model.
const maxMade = 16

// at are the settings for sample i: the recorded ones, save what the command line asks for. Samples that were taken under the
// same settings share them. It may be called from several goroutines.
func (p *past) at(i int) (*budget.Settings, error) {
	n := p.recording.SettingsNumber(i)
	p.mu.Lock()
	defer p.mu.Unlock()
	if set := p.made[n]; set != nil {
		return set, nil
	}
	recorded, err := p.recording.SettingsAt(i)
	if err != nil {
		return nil, err
	}
	if len(p.made) == maxMade {
		clear(p.made)
	}
	set := p.asked(recorded)
	p.made[n] = &set
	return &set, nil
}

// asked are recorded settings with what the command line asks for in their place.
func (p *past) asked(set budget.Settings) budget.Settings {
	f := p.flags
	if p.workload || set.Workload.Params == 0 {
		set.Workload = f.Workload
	}
	for _, pin := range []struct{ to, from *sensors.Number }{
		{&set.Pins.ThermalC, &f.Pins.ThermalC}, {&set.Pins.PowerMW, &f.Pins.PowerMW}, {&set.Pins.VRAMBytes, &f.Pins.VRAMBytes},
	} {
		if pin.from.Known() {
			*pin.to = *pin.from
		}
	}
	if len(f.Limits) > 0 {
		set.Limits = f.Limits
	}
	if f.Device != "" {
		set.Device = f.Device
	}
	if f.Runtime != 0 {
		set.Runtime = f.Runtime
	}
	if f.CreditPID != 0 {
		set.CreditPID = f.CreditPID
	}
	return set
}

func (p *past) frame(i int, s sensors.Sample) (frame.Frame, error) {
	set, err := p.at(i)
	if err != nil {
		return frame.Frame{}, err
	}
	return frame.New(s, *set), nil
}

// writeJSON writes the Frame of each sample that can be read.
func (p *past) writeJSON(ctx context.Context, out io.Writer) error {
	for i := range p.recording.Len() {
		if ctx.Err() != nil {
			return nil
		}
		s, _, err := p.recording.At(i)
		if err != nil {
			continue
		}
		f, err := p.frame(i, s)
		if err != nil {
			return err
		}
		if err := writeJSON(out, f, ""); err != nil {
			return err
		}
	}
	return nil
}

// columns are what a table of a recording has beside the readings.
func (p *past) columns() trace.Columns {
	return trace.Columns{
		Names: []string{
			"precision", "fits", "tight", "backend", "tiles", "zero_copy", "throttling",
			"headroom (°C)", "power_budget (mW)", "memory_budget (B)", "because",
		},
		Cells: func(i int, sample sensors.Sample) ([]string, error) {
			f, err := p.frame(i, sample)
			if err != nil {
				return nil, err
			}
			s := f.Snapshot()
			return []string{
				s.Plan.Precision, cell(s.Plan.Fits), fmt.Sprint(s.Plan.Tight), s.Plan.Backend, fmt.Sprint(s.Plan.Tiles), s.Plan.ZeroCopy,
				cell(s.Throttle.Now), fmt.Sprint(s.Thermal.HeadroomC), fmt.Sprint(s.Power.BudgetMW),
				cell(s.Budget.VRAMBudgetBytes), f.Verdict().Because,
			}, nil
		},
	}
}

// cell is a value that may be unknown.
func cell[T any](v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}
