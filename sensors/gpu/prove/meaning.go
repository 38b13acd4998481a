package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"headroom/policy"
)

// sayFormats says which precision is decoded fastest, as far as the times tell. They are of one weight; both are by
// policy.Precision.
func sayFormats(times [4]Timing, relativeError [4]float64) string {
	best := slices.MinFunc(formats, func(a, b policy.Precision) int { return cmp.Compare(times[a].Median(), times[b].Median()) })
	var alike []string // those that the best is not clearly faster than, itself among them
	for _, f := range formats {
		if f == best || !times[best].FasterThan(times[f]) {
			alike = append(alike, f.String())
		}
	}
	overlap := fmt.Sprintf("the times of %s overlap", strings.Join(alike, " and "))
	switch {
	case alike[0] == policy.F32.String() && len(alike) > 1:
		return overlap + " here: no verdict on what smaller weights gain"
	case best == policy.F32:
		return "smaller weights are decoded slower than f32 here: unpacking them costs this adapter more than reading saves"
	}
	said := fmt.Sprintf("%v weights are the fastest to decode with here, %.1f times f32, at a relative error of %.2g",
		best, times[policy.F32].Median()/times[best].Median(), relativeError[best])
	if len(alike) > 1 {
		said += "; " + overlap
	}
	return said
}

// sayTiles says what it cost to run a product in pieces, as far as the times tell: untiled with all weights held, upload
// the weights' way to the adapter alone.
func sayTiles(pieces int, tiled, untiled, upload Timing) string {
	ratio := tiled.Median() / untiled.Median()
	var why string
	switch {
	case !tiled.FasterThan(untiled) && !untiled.FasterThan(tiled):
		why = "the times overlap, so no cost of the pieces can be told"
	case ratio <= 1.1:
		why = "the uploads hide behind the work"
	case untiled.FasterThan(upload):
		why = "the uploads take longer than the work, and bound it"
	case upload.FasterThan(untiled):
		why = fmt.Sprintf("the uploads could hide behind the work and cost %.0f %% all the same", 100*(ratio-1))
	default:
		why = "the uploads take about as long as the work"
	}
	return fmt.Sprintf("weights of %d times the budget ran in %d pieces within it, in %.2f times the time of the product with all weights held: %s",
		pretended, pieces, ratio, why)
}
