package draw

import (
	"headroom/policy"
	"headroom/ui/frame"
)

// fact is one of the small columns beside the verdict.
type fact struct{ name, value, note, tip string }

// facts draws the columns at the right and returns where they begin.
func (b *board) facts(c Context) float64 {
	p := pad(b.W)
	if b.W < 620 {
		return b.W - p
	}
	fs := factsOf(c)
	value, note := style{size: 17, weight: SemiBold, color: Text}, noteStyle
	if b.W < 1000 {
		value.size = 14
	}
	gap := 34.0
	var widths [3]float64
	total := 0.0
	room := b.W * 0.46
	if b.W < 1000 {
		room, gap = b.W*0.36, 24
	}
	for i, f := range fs {
		widths[i] = max(note.width(f.name), value.width(f.value), note.width(f.note)) + gap
		total += widths[i]
	}
	if total > room {
		// The notes give way first: no column grows past what its value needs.
		total = 0
		for i, f := range fs {
			widths[i] = min(widths[i], max(room/3, value.width(f.value)+gap))
			total += widths[i]
		}
	}
	if total > b.W*0.6 {
		return b.W - p
	}
	x := b.W - p - total + gap/2
	start := x - gap/2
	for i, f := range fs {
		b.rule(x-gap/2, 16, 0, b.H-32, 0, Edge)
		n := widths[i] - gap/2 - 4
		b.text(x, middleOf(b.H*0.285, small), n, f.name, note)
		b.text(x, middleOf(b.H*0.525, value.size), n, f.value, value)
		if b.W >= 1000 {
			b.text(x, middleOf(b.H*0.77, small), n, f.note, note)
		} else {
			b.whole(x, middleOf(b.H*0.77, small), n, f.note, note)
		}
		b.spot(x-10, 10, widths[i]-6, b.H-20, f.tip)
		x += widths[i]
	}
	return start
}

func factsOf(c Context) [3]fact {
	f := c.Frame
	plan := f.Plan
	tiles := fact{name: "tiles", value: frame.Count(uint64(plan.Tiles)), note: "fits as one job", tip: f.ReasonWords(policy.DecideTiles)}
	switch {
	case !f.MemoryKnown():
		tiles.value, tiles.note = unknown, "free memory unknown"
	case plan.Reasons[policy.DecideTiles].Kind == policy.TilesMany:
		tiles.note = "of " + frame.Bytes(plan.TileBytes) + " each"
	case plan.Reasons[policy.DecideTiles].Kind == policy.TilesNoGPU:
		tiles.note = "no GPU in use"
	}
	weights := fact{name: "weights", value: "mmap direct", note: "shared memory, no staging", tip: f.ReasonWords(policy.DecideZeroCopy)}
	switch plan.Reasons[policy.DecideZeroCopy].Kind {
	case policy.ZeroCopyDiscrete:
		weights.value, weights.note = "staging upload", "the GPU has its own memory"
	case policy.ZeroCopyNoAdapter:
		weights.note = "host memory"
	}
	passes := fact{name: "passes", value: unknown, note: "ops unknown", tip: f.ReasonWords(policy.DecideFusion)}
	if ops, left := wholePasses(c); ops > 0 {
		passes.value = frame.Count(uint64(left)) + " for " + frame.Count(uint64(ops)) + " ops"
		passes.note = "nothing to fuse"
		if left < ops {
			passes.note = frame.Count(uint64(ops-left)) + " fewer a token"
		}
	}
	return [3]fact{tiles, weights, passes}
}

// wholePasses are the ops and passes of the whole model, else of what the plan counted.
func wholePasses(c Context) (ops, passes uint32) {
	plan := c.Frame.Plan
	seq := &c.Frame.Settings.Workload.Decode[min(plan.Precision, policy.Q4)]
	if seq.WholeOps > 0 {
		return seq.WholeOps, seq.WholePasses
	}
	return plan.Ops, plan.Passes
}
