package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// On a terminal each page is painted over the one before: the cursor goes up by as many lines as were printed.
func TestTableRepaintsInPlace(t *testing.T) {
	var out bytes.Buffer
	table := &table{out: &out, live: true, history: frame.NewHistory()}
	f := frame.New(sensors.Sample{Time: time.Unix(0, 0)}, budget.Settings{Workload: workload.Default()})
	if err := table.show(f); err != nil {
		t.Fatal(err)
	}
	first := out.String()
	lines := strings.Count(first, "\n")
	if strings.Contains(first, "A") && strings.Contains(first, fmt.Sprintf("\x1b[%dA", lines)) {
		t.Error("the first page moves the cursor up")
	}
	if lines > 23 {
		t.Errorf("%d lines are too many for a small terminal", lines)
	}
	out.Reset()
	if err := table.show(f); err != nil {
		t.Fatal(err)
	}
	if up := fmt.Sprintf("\x1b[%dA", lines); !strings.Contains(out.String(), up) {
		t.Errorf("the second page does not go up by %d lines: %q", lines, out.String()[:40])
	}
}
