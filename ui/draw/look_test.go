package draw

import (
	"os"
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
	"headroom/ui/frame"
)

func TestLook(t *testing.T) {
	dir := os.Getenv("LOOK")
	if dir == "" {
		t.Skip()
	}
	for _, s := range []struct{ name string; at time.Duration }{{"apu", 150 * time.Second}, {"thin-laptop", 100 * time.Second}, {"vram-squeeze", 200 * time.Second}, {"server-gpu", 60 * time.Second},{"mac-unified", 60 * time.Second},{"battery-down", 220 * time.Second},{"gpu-comes-and-goes", 90 * time.Second}} {
		sc, err := trace.Scenario(s.name)
		if err != nil {
			t.Fatal(err)
		}
		set := budget.Settings{Workload: workload.Default()}
		h := frame.NewHistory()
		var f frame.Frame
		for d := max(0, s.at-10*time.Minute); d <= s.at; d += 500 * time.Millisecond {
			f = frame.New(sc.SampleAt(d), set)
			h.Add(f)
		}
		c := Context{Frame: f, History: h, Origin: "scenario " + s.name}
		for _, th := range []Theme{Dark, Light} {
			out, _ := os.Create(dir + "/" + s.name + "-" + th.Name + ".png")
			if err := Live(c, 1280, 800).PNG(out, th, 1); err != nil {
				t.Fatal(err)
			}
			out.Close()
		}
	}
}
