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

func TestAnEarlierMomentIsNotDatedByALaterChange(t *testing.T) {
	c := moving(at8k(), laptop, hot, laptop)
	changes := c.History.Changes()
	if len(changes) != 2 {
		t.Fatalf("%d changes", len(changes))
	}
	earlier := c
	earlier.Frame = changes[0].Frame
	s := Verdict(earlier, 1248, 104)
	var said []string
	for _, it := range s.Items {
		said = append(said, it.Text)
	}
	text := strings.Join(said, "\n")
	if late := changes[1].At.Format("15:04:05"); strings.Contains(text, late) || !strings.Contains(text, changes[0].At.Format("15:04:05")) {
		t.Errorf("the Frame of %v says\n%s", changes[0].At, text)
	}
}
