package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"headroom/sensors"
	"headroom/ui/frame"
)

// table is the text of watch: repainted in place on a terminal, else one line a Frame under a heading.
type table struct {
	out     io.Writer
	live    bool
	painted int
	history *frame.History
}

func newTable(out io.Writer) *table {
	return &table{out: out, live: isTerminal(out), history: frame.NewHistory()}
}

// isTerminal reports whether out is a terminal that can move its cursor.
func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (t *table) show(f frame.Frame) error {
	t.history.Add(f)
	paint := t.line
	if t.live {
		paint = t.repaint
	}
	_, err := io.WriteString(t.out, paint(f))
	return err
}

var lineFormat = "%-8s  %-9s  %-7s  %5s  %10s  %10s  %12s  %-9s  %s\n"

// line is a Frame in one line.
func (t *table) line(f frame.Frame) string {
	heading := ""
	if t.painted == 0 {
		heading = fmt.Sprintf(lineFormat, "TIME", "PRECISION", "BACKEND", "TILES", "HEADROOM", "POWER", "MEMORY", "THROTTLED", "WHY")
	}
	t.painted = 1
	precision := f.Plan.Precision.String()
	memory := "unknown"
	if f.MemoryKnown() {
		l := f.Ledger()
		memory = l.Words(l.Budget)
		if !f.Plan.Fits {
			precision += " no fit"
		}
	}
	b := f.Budget
	return heading + fmt.Sprintf(lineFormat, f.Sample.Time.Local().Format("15:04:05"), precision, f.Plan.Backend,
		frame.Count(uint64(f.Plan.Tiles)), marked(frame.Celsius(b.Thermal.HeadroomC), b.Thermal.State),
		marked(frame.Watts(b.Power.BudgetMW), b.Power.State), marked(memory, b.Memory.State), throttleWords(f), f.Verdict().Because)
}

// repaint draws the page over the one before. Lines longer than the terminal is wide are cut by it, not wrapped.
func (t *table) repaint(f frame.Frame) string {
	lines := strings.Split(compactText(f)+t.sinceWords(f), "\n")
	var b strings.Builder
	b.WriteString("\x1b[?7l")
	if t.painted > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", t.painted)
	}
	for _, line := range lines {
		b.WriteString("\r" + line + "\x1b[K\n")
	}
	b.WriteString("\x1b[J\x1b[?7h")
	t.painted = len(lines)
	return b.String()
}

// sinceWords is how long the answer has stood, and what changed it last.
func (t *table) sinceWords(f frame.Frame) string {
	text := f.Sample.Time.Local().Format("15:04:05") + " · so since " + t.history.Since().Local().Format("15:04:05")
	if changes := t.history.Changes(); len(changes) > 0 {
		text += ": " + changes[len(changes)-1].Cause
	}
	return text + " · Ctrl-C ends"
}

// marked adds a question mark to a figure that was not read.
func marked(figure string, state sensors.State) string {
	if state == sensors.StateAssumed || state < sensors.StateStale {
		return figure + "?"
	}
	return figure
}
