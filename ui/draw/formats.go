package draw

import (
	"math"
	"strings"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/ui/frame"
)

// formatsOf are the formats people download that stand beside a precision: those nearer to its bits than to the next
// precision's, on either side.
func formatsOf(p policy.Precision) []workload.Format {
	all := workload.Formats()
	bits := p.BytesPerWeight() * 8
	most, least := bits*1.3, bits*0.65
	if p == policy.Q4 {
		least = 0
	}
	var out []workload.Format
	for _, f := range all {
		if f.BitsPerWeight <= most && f.BitsPerWeight > least {
			out = append(out, f)
		}
	}
	return out
}

// formats marks on a rung's bar what its formats really take, the usual one stronger. It returns that one's name and size
// where they differ from the nominal bytes.
func (b *board) formats(f frame.Frame, r policy.Rung, x, y, long, thick, scale float64) string {
	w := f.Settings.Workload
	usual := workload.FormatOf(r.Precision)
	bytes := formatBytes(usual, w)
	if r.Precision < policy.Q8 || w.Params == 0 {
		return ""
	}
	last := long * float64(bytes) / scale
	b.formatTick(x+last, y, thick, 2, x+long)
	for _, format := range formatsOf(r.Precision) {
		// Formats of nearly the same size share a tick.
		at := long * float64(formatBytes(format, w)) / scale
		if math.Abs(at-last) > 4 && math.Abs(at-long*float64(bytes)/scale) > 4 {
			b.formatTick(x+at, y, thick, 1, x+long)
			last = at
		}
	}
	return usual.Name + " " + frame.Bytes(bytes)
}

// formatBytes is what the workload takes in a format, by its architecture where that is known.
func formatBytes(format workload.Format, w workload.Workload) uint64 {
	if w.Model != nil && w.Model.Params == w.Params {
		return format.Of(*w.Model)
	}
	return format.Bytes(w.Params)
}

func (b *board) formatTick(x, y, thick, width, end float64) {
	if x+width < end {
		b.box(x-width/2, y-thick/2+2, width, thick-4, 0, Muted)
	}
}

// formatTip lists what the formats of a precision take.
func formatTip(f frame.Frame, p policy.Precision) string {
	var parts []string
	for _, format := range formatsOf(p) {
		parts = append(parts, format.Name+" "+frame.Bytes(formatBytes(format, f.Settings.Workload)))
	}
	return "\nas downloaded: " + strings.Join(parts, ", ")
}
