package draw

import (
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

// formats marks below a rung's bar what its formats really take. It returns the usual one's name and size where they differ
// from the nominal bytes.
func (b *board) formats(f frame.Frame, p policy.Precision, x, y, long, scale float64) string {
	params := f.Settings.Workload.Params
	usual := workload.FormatOf(p)
	for _, format := range formatsOf(p) {
		at := long * float64(format.Bytes(params)) / scale
		if at > long || at < 1 {
			continue
		}
		h := 3.0
		if format == usual {
			h = 5
		}
		b.box(x+at-0.5, y, 1, h, 0, Muted)
	}
	if p < policy.Q8 || params == 0 {
		return ""
	}
	return usual.Name + " " + frame.Bytes(usual.Bytes(params))
}

// formatTip lists what the formats of a precision take.
func formatTip(f frame.Frame, p policy.Precision) string {
	var parts []string
	for _, format := range formatsOf(p) {
		parts = append(parts, format.Name+" "+frame.Bytes(format.Bytes(f.Settings.Workload.Params)))
	}
	return "\nas downloaded: " + strings.Join(parts, ", ")
}
