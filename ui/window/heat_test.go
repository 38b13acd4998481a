//go:build cgo || !darwin

package window

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"headroom/sensors"
	"headroom/sensors/heat"
)

// fakeLoad stands for the child process.
type fakeLoad struct {
	status  chan heat.Status
	stopped bool
	err     error
}

func (l *fakeLoad) Status() <-chan heat.Status { return l.status }
func (l *fakeLoad) Stop()                      { l.stopped = true }
func (l *fakeLoad) Err() error                 { return l.err }

// loaded is a window whose load says these moments and then ends with err.
func loaded(t *testing.T, err error, moments ...heat.Status) (*bench, *heat.Options) {
	load := &fakeLoad{status: make(chan heat.Status, len(moments)), err: err}
	for _, s := range moments {
		load.status <- s
	}
	close(load.status)
	asked := &heat.Options{}
	b := newBench(t, Options{Heat: func(_ context.Context, o heat.Options) (Load, error) {
		*asked = o
		return load, nil
	}}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	return b, asked
}

func TestHeatSaysWhatCanBeShownBeforeItStarts(t *testing.T) {
	ended := heat.Status{Phase: heat.Ended, Reason: heat.ReasonTemperature, Words: "the CPU is at 97.0 °C, 3.0 °C under its limit of 100 °C", Elapsed: 21}
	b, asked := loaded(t, nil, heat.Status{Phase: heat.Heating, Left: 40}, ended)
	b.press('f')
	p := b.heating.panel
	if p == nil || !strings.HasPrefix(p.verdict.text, "Possible: ") || asked.For != 0 {
		t.Fatalf("the panel says %q, a load of %v was started", p.verdict.text, asked.For)
	}
	if p.shows[0].what.text != "CPU temperature" || p.shows[0].can.text != "yes" {
		t.Errorf("the first thing shown is %q: %q", p.shows[0].what.text, p.shows[0].can.text)
	}
	for _, c := range p.choices {
		if c.b.label == "3 min" {
			c.b.Tapped(nil)
		}
	}
	p.start.Tapped(nil)
	b.settle()
	if asked.For != 3*time.Minute || asked.CPU != heat.Threads() || asked.GPU || asked.Insist {
		t.Errorf("started with %+v", *asked)
	}
	if b.heating.begun || !strings.Contains(b.told(), "after 21 s: the CPU is at 97.0 °C") {
		t.Errorf("begun is %v, the notice says %q", b.heating.begun, b.told())
	}
}

func TestTheCountdownIsAlwaysInTheHeaderWithStop(t *testing.T) {
	load := &fakeLoad{}
	b, _ := loaded(t, nil)
	b.win.Resize(b.canvas().Size().SubtractWidthHeight(380, 0))
	b.heating.begun, b.heating.load = true, load
	b.heating.take(heat.Status{Phase: heat.Heating, Left: 41.2, Threads: 2, CPU: heat.Device{Temperature: sensors.Num(80), StopAt: sensors.Num(97)}})
	k := b.header.heat
	if !k.Visible() || k.label != "Heat 0:42" || k.detail != "stop" || !strings.Contains(k.tip, "stops at 97.0 °C") {
		t.Errorf("the key is shown: %v, says %q, %q and explains %q", k.Visible(), k.label, k.detail, k.tip)
	}
	b.turnTo(PageSensors)
	b.press('f')
	if !load.stopped || k.detail != "stopping" {
		t.Errorf("stopped is %v, the key says %q", load.stopped, k.detail)
	}
}

func TestALoadThatIsRefusedIsAFault(t *testing.T) {
	b, asked := loaded(t, errors.New("heat: the machine is on battery at 12.0 %, under 20 %"), heat.Status{Phase: heat.Refused})
	b.press('f')
	b.heating.panel.start.Tapped(nil)
	b.settle()
	if asked.For == 0 || !b.notices.top().fault || !strings.Contains(b.told(), "on battery at 12.0 %") {
		t.Errorf("the notice says %q", b.told())
	}
}

func TestAMachineWithoutTemperatureIsHeatedOnlyAllTheSame(t *testing.T) {
	b, asked := loaded(t, nil, heat.Status{Phase: heat.Heating, Warning: "the temperature of the CPU is unknown"}, heat.Status{Phase: heat.Ended, Words: "its time is over"})
	b.sample(bareMachine())
	b.press('f')
	p := b.heating.panel
	if !strings.HasPrefix(p.verdict.text, "Not possible: ") || !strings.Contains(p.advice.text, "--scenario thin-laptop") {
		t.Errorf("the panel says %q, %q", p.verdict.text, p.advice.text)
	}
	for _, r := range p.shows {
		for _, text := range r.words.texts {
			if r.line.Visible() && !text.Hidden && strings.HasSuffix(text.Text, "…") {
				t.Errorf("%s: %q is cut", r.what.text, text.Text)
			}
		}
	}
	if need, has := p.list.MinSize().Height, p.list.Size().Height; has > need+40 || has < need {
		t.Errorf("the list needs %v and has %v", need, has)
	}
	p.start.Tapped(nil)
	if asked.For != 0 {
		t.Error("it was heated without a known temperature")
	}
	p.insist.Tapped(nil)
	if !asked.Insist {
		t.Error("to insist does nothing")
	}
}

func TestWhatIsPlayedIsNotHeated(t *testing.T) {
	b := newBench(t, Options{Origin: "scenario apu"}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('f')
	if b.heating.panel != nil || b.header.heat.Visible() {
		t.Error("Heat is offered where what is shown is not this machine")
	}
	if got := b.told(); got != "F does nothing now: what is shown is not this machine" {
		t.Errorf("F says %q", got)
	}
}
