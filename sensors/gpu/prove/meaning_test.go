package prove

import (
	"strings"
	"testing"
)

// around is a timing with a median and a spread of its middle half.
func around(median, spread float64) Timing {
	return newTiming([]float64{median - 2*spread, median - spread, median, median + spread, median + 2*spread})
}

func TestWhatPrecisionsMean(t *testing.T) {
	relative := [4]float64{0, 0.0002, 0.005, 0.08}
	for _, c := range []struct {
		name  string
		times [4]Timing // f32, f16, q8, q4
		want  string
	}{
		{"each smaller one is faster", [4]Timing{around(8, 0.1), around(4, 0.1), around(2, 0.1), around(1, 0.1)}, "q4 weights are the fastest to decode with here, 8.0 times f32, at a relative error of 0.08"},
		{"two are alike", [4]Timing{around(8, 0.1), around(4, 0.1), around(2, 0.3), around(2.1, 0.3)}, "q8 weights are the fastest to decode with here, 4.0 times f32, at a relative error of 0.005; the times of q8 and q4 overlap"},
		{"one is alike f32", [4]Timing{around(8, 2), around(9.5, 0.1), around(7, 1), around(20, 1)}, "the times of f32 and q8 overlap here: no verdict on what smaller weights gain"},
		{"f32 is nearly the best", [4]Timing{around(8, 2), around(8.5, 2), around(12, 1), around(20, 1)}, "the times of f32 and f16 overlap here: no verdict on what smaller weights gain"},
		{"unpacking costs more", [4]Timing{around(8, 0.1), around(9, 0.1), around(12, 0.1), around(20, 0.1)}, "smaller weights are decoded slower than f32 here: unpacking them costs this adapter more than reading saves"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := sayFormats(c.times, relative); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestWhatTilesMean(t *testing.T) {
	for _, c := range []struct {
		name                   string
		tiled, untiled, upload Timing
		want                   string
	}{
		{"hidden", around(10.5, 0.1), around(10, 0.1), around(5, 0.1), "in 1.05 times the time of the product with all weights held: the uploads hide behind the work"},
		{"noise", around(12, 2), around(10, 2), around(5, 0.1), "in 1.20 times the time of the product with all weights held: the times overlap, so no cost of the pieces can be told"},
		{"bound by the bus", around(21, 0.1), around(10, 0.1), around(20, 0.1), "the uploads take longer than the work, and bound it"},
		{"not hidden", around(15, 0.1), around(10, 0.1), around(5, 0.1), "the uploads could hide behind the work and cost 50 % all the same"},
		{"as long as the work", around(15, 0.1), around(10, 1), around(10, 1), "the uploads take about as long as the work"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := sayTiles(6, c.tiled, c.untiled, c.upload)
			if !strings.HasPrefix(got, "weights of 3 times the budget ran in 6 pieces within it, ") || !strings.HasSuffix(got, c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
