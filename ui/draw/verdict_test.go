package draw

import (
	"strings"
	"testing"
)

// TestTheVerdictTellsItsSpeedOrWhyThereIsNone asks the part of the verdict that a pointer rests on.
func TestTheVerdictTellsItsSpeedOrWhyThereIsNone(t *testing.T) {
	for name, c := range nice() {
		if c.waiting() {
			continue
		}
		var tips []string
		for _, h := range Verdict(c, 1248, 104).Hotspots {
			tips = append(tips, h.Tip)
		}
		if all := strings.Join(tips, "\n"); !strings.Contains(all, c.Frame.SpeedWords()) {
			t.Errorf("%s: %q tells no speed, nor why: %s", name, all, c.Frame.SpeedWords())
		}
	}
}
