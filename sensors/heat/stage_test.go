package heat

import (
	"strings"
	"testing"
	"time"

	"headroom/sensors"
	"headroom/sensors/gpu/engine"
)

func TestWhatCanBeShownOnAStage(t *testing.T) {
	all := Options{CPU: Threads(), For: time.Minute}
	for _, c := range []struct {
		name    string
		o       Options
		s       sensors.Sample
		command string
		// words are part of why it is possible, or not.
		words string
	}{
		{"a cool laptop", all, laptop(60), "headroom heat --for 1m", "40.0 °C of headroom now"},
		{"with a limit", Options{CPU: Threads(), For: time.Minute, Limits: map[string]float64{packageID: 80}}, laptop(60), "headroom heat --for 1m --limit '" + packageID + "=80'", "20.0 °C"},
		{"a hot laptop", all, laptop(99), "", "the CPU is at 99.0 °C"},
		{"nothing known", all, sensors.Sample{Time: noon}, "", "the temperature of the CPU is unknown"},
		{"insisting shows no heat", Options{CPU: 1, For: time.Minute, Insist: true}, sensors.Sample{Time: noon}, "", "nobody sees the heat"},
		{"a slip in an ID", Options{CPU: 1, For: time.Minute, Limits: map[string]float64{"x": 80}}, laptop(60), "", `"x"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			st, err := Look(c.s, c.o)
			if err != nil {
				t.Fatal(err)
			}
			if st.Command != c.command || st.Possible != (c.command != "") || !strings.Contains(st.Words, c.words) {
				t.Errorf("possible %t with %q: %s", st.Possible, st.Command, st.Words)
			}
			if (st.Scenario == "") != st.Possible {
				t.Errorf("possible %t, and the scenario is %q", st.Possible, st.Scenario)
			}
		})
	}
}

// A server whose CPU tells no temperature still has its GPU to show.
func TestTheGPUAloneMayDo(t *testing.T) {
	st, err := Look(lost(withCard(laptop(0), "discrete", 40, 90)), Options{CPU: Threads(), For: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	if engine.Available {
		want = "headroom heat --for 1m --gpu --cpu 0"
	}
	if st.Command != want {
		t.Errorf("the command is %q, not %q: %s", st.Command, want, st.Words)
	}
	can := map[string]bool{}
	for _, s := range st.Shows {
		can[s.What] = s.Can
		if s.Words == "" {
			t.Errorf("%s is not explained", s.What)
		}
	}
	if can["CPU temperature"] || !can["GPU temperature"] || can["battery"] || can["GPU"] != engine.Available {
		t.Errorf("it can show %v", can)
	}
}
