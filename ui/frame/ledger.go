package frame

import (
	"strings"

	"headroom/policy"
)

// Ledger is the memory of one Frame as it is shown. Its lines are rounded to one unit, and every total is the sum of the
// lines that it is made of, so that what a reader adds up comes out.
type Ledger struct {
	// Unit is "GiB", or "MiB" where everything is small.
	Unit string
	// Free are the parts of the free memory ("VRAM", "GTT"); FreeTotal is their sum.
	Free      []Line
	FreeTotal Line
	// KV and Compute are taken off free memory: Budget = FreeTotal − KV − Compute, floored at 0.
	KV, Compute, Budget Line
	// Weights are the taken precision's; Used = Weights + KV + Compute.
	Weights, Used Line
	// Left is what stays free, Short what is missing; one of them is 0.
	Left, Short Line
	// Rungs are the bytes of each precision's weights, finest first, and how far from Budget they are.
	Rungs [4]RungLine
}

// Line is one figure of the ledger.
type Line struct {
	Name string
	// Exact is in bytes.
	Exact int64
	// Text is the figure in the ledger's unit, without the unit.
	Text  string
	shown int64
}

// RungLine is one precision's figure and its margin to the budget, both as shown.
type RungLine struct {
	Need, Margin Line
}

// Ledger makes the memory figures of the Frame.
func (f Frame) Ledger() Ledger {
	m, w, p := f.Budget.Memory, f.Settings.Workload, f.Plan
	l := Ledger{Unit: "GiB"}
	if max(m.Free, p.Job, w.KVBytes, w.ComputeBytes) < GiB {
		l.Unit = "MiB"
	}
	l.Free = make([]Line, 0, len(m.Parts))
	for _, part := range m.Parts {
		line := l.line(part.Name, part.Bytes)
		l.Free = append(l.Free, line)
		l.FreeTotal.shown += line.shown
	}
	l.FreeTotal = l.total("free", bytesOf(m.Free), max(l.FreeTotal.shown, 0))
	l.KV, l.Compute = l.line("KV cache", bytesOf(w.KVBytes)), l.line("compute buffers", bytesOf(w.ComputeBytes))
	l.Budget = l.total("budget", bytesOf(m.Budget), max(l.FreeTotal.shown-l.KV.shown-l.Compute.shown, 0))
	l.Weights = l.line("weights, "+p.Precision.String(), bytesOf(p.Job))
	used := addInt(addInt(l.Weights.Exact, l.KV.Exact), l.Compute.Exact)
	l.Used = l.total("used", used, l.Weights.shown+l.KV.shown+l.Compute.shown)
	l.Left = l.total("left free", max(l.FreeTotal.Exact-used, 0), max(l.FreeTotal.shown-l.Used.shown, 0))
	l.Short = l.total("missing", max(used-l.FreeTotal.Exact, 0), max(l.Used.shown-l.FreeTotal.shown, 0))
	if p.Fits {
		l.Short = l.total("missing", 0, 0)
	}
	for i, r := range p.Rungs {
		l.Rungs[i] = l.rung(r)
	}
	return l
}

func (l *Ledger) rung(r policy.Rung) RungLine {
	need := l.line(r.Precision.String(), bytesOf(r.Need))
	margin := l.total("margin", bytesOf(r.Margin), max(need.shown-l.Budget.shown, l.Budget.shown-need.shown))
	// Where rounding puts the two on the wrong sides of each other, or on the same figure, the margin is the exact one.
	if r.Fits != (need.shown <= l.Budget.shown) {
		margin = l.line("margin", margin.Exact)
	}
	return RungLine{Need: need, Margin: margin}
}

// line rounds one figure to the ledger's unit.
func (l *Ledger) line(name string, exact int64) Line {
	b, sign := uint64(exact), int64(1)
	if exact < 0 {
		b, sign = uint64(-exact), -1
	}
	if l.Unit == "MiB" {
		return l.total(name, exact, sign*roundTo(b, MiB, 1))
	}
	return l.total(name, exact, sign*roundTo(b, GiB, 10))
}

// total is a figure whose rounded value is given.
func (l *Ledger) total(name string, exact, shown int64) Line {
	text := tenths(shown)
	if l.Unit == "MiB" {
		text = grouped(shown)
		if shown < 0 {
			text = "−" + grouped(-shown)
		}
	}
	return Line{Name: name, Exact: exact, Text: text, shown: shown}
}

// Words is the figure with its unit; one that rounds to nothing is given in a smaller unit, so that no margin reads 0.
func (l *Ledger) Words(x Line) string {
	if x.shown == 0 && x.Exact > 0 {
		return Bytes(uint64(x.Exact))
	}
	return x.Text + " " + l.Unit
}

// bytesOf narrows a count of bytes; figures past 2⁶³ are absurd, and shown as that.
func bytesOf(b uint64) int64 { return int64(min(b, 1<<63-1)) }

func addInt(a, b int64) int64 {
	if a > 1<<63-1-b {
		return 1<<63 - 1
	}
	return a + b
}

// MemoryWords is the sum behind the memory budget: "VRAM 2.8 + GTT 18.9 − KV cache 1.0 − compute buffers 0.3". It is
// empty where the free memory was not read: nothing can be taken from it then.
func (f Frame) MemoryWords() string {
	l := f.Ledger()
	if len(l.Free) == 0 {
		return ""
	}
	var b strings.Builder
	for i, part := range l.Free {
		switch {
		case i > 0 && part.shown < 0:
			b.WriteString(" − " + part.Name + " " + strings.TrimPrefix(part.Text, "−"))
			continue
		case i > 0:
			b.WriteString(" + ")
		}
		b.WriteString(part.Name + " " + part.Text)
	}
	for _, part := range []Line{l.KV, l.Compute} {
		if part.Exact > 0 {
			b.WriteString(" − " + part.Name + " " + part.Text)
		}
	}
	return b.String()
}
