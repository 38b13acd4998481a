package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"headroom/sensors"
	"headroom/sensors/trace"
)

// source is where Samples come from: this machine, a tree that stands for one, or a scenario.
type source interface {
	runner
	Once(context.Context) sensors.Sample
	Close()
}

// runner emits one Sample after another until ctx ends.
type runner interface {
	Run(ctx context.Context, emit func(sensors.Sample)) error
}

// scenario is a described machine in place of this one.
type scenario struct {
	script *trace.Script
	at     time.Duration
	speed  float64
}

// addScenario defines --scenario and how it is played.
func (c *choices) addScenario(cmd *cobra.Command) {
	c.addMoment(cmd, "start the scenario at that moment: 90s (default 0s)")
	addSpeed(cmd, &c.scenario.speed)
}

// momentHelp is what --at is for a command that looks once.
const momentHelp = "the scenario's moment: 90s (default 0s)"

// addMoment defines --scenario for a command that looks once, or begins to look, at a moment of it.
func (c *choices) addMoment(cmd *cobra.Command, at string) {
	f := cmd.Flags()
	c.scenario.speed = 1
	f.Var(&parsed{kind: "NAME", read: func(s string) (err error) { c.scenario.script, err = trace.Scenario(s); return err }},
		"scenario", "show a described machine in place of this one; headroom scenarios lists them")
	f.Var(&parsed{kind: "TIME", read: func(s string) (err error) { c.scenario.at, err = parseSpan(s, 0, maxRuntime); return err }},
		"at", at)
}

// player plays the scenario from its moment on, a second at a time where no interval is asked for.
func (s scenario) player(interval time.Duration) (*trace.Player, error) {
	if interval == 0 {
		interval = time.Second
	}
	p := trace.NewPlayer(s.script.Every(interval))
	p.SetSpeed(s.speed)
	return p, p.Seek(s.at)
}

// source opens what the flags ask for; an interval of 0 is a second.
func (c *choices) source(interval time.Duration) (source, error) {
	if c.scenario.script == nil {
		return newMachine(c.sysroot, interval), nil
	}
	p, err := c.scenario.player(interval)
	return played{scenario: c.scenario, Player: p}, err
}

// played is a scenario as a source.
type played struct {
	scenario
	*trace.Player
}

// Once is the sample of the scenario's moment.
func (p played) Once(context.Context) sensors.Sample { return p.script.SampleAt(p.at) }

// Close does nothing: a scenario holds nothing open.
func (played) Close() {}
