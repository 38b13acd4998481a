package draw

import (
	"bytes"
	"testing"
)

// Processors differ in the last bit of a place that a figure has computed. Where that lies on the edge between two roundings,
// the picture is still the same.
func TestTheLastBitOfAPlaceChangesNoPicture(t *testing.T) {
	picture := func(off float64) []uint8 {
		return Scene{W: 64, H: 48, Items: []Item{
			{Kind: Label, X: 1.125 + off, Y: 12.5 + off, Text: "Words", Size: 13, Fill: Text},
			{Kind: Label, X: 40.125 + off, Y: 24.5 + off, Text: "3.1", Size: 13, Fill: Text, Anchor: Middle},
			{Kind: Rect, X: 4.5 + off, Y: 27.5 + off, W: 20, H: 9, Fill: F32},
			{Kind: Line, X: 2.5 + off, Y: 40.5 + off, W: 30, Stroke: Alert, Width: 2},
			{Kind: Line, X: 50.5 + off, Y: 20.5 + off, H: 20, Stroke: Text, Width: 2},
			{Kind: Poly, Points: []Point{{35.5 + off, 30.5}, {45.5, 30.5 + off}, {40, 45.5}}, Closed: true, Fill: Q8},
			{Kind: Circle, X: 55.5 + off, Y: 42.5 + off, R: 4.5, Fill: Q4},
		}}.Image(Dark, 1).Pix
	}
	as := picture(0)
	for _, off := range []float64{-1e-14, 1e-14, -1e-9, 1e-9} {
		if !bytes.Equal(picture(off), as) {
			t.Errorf("%g units beside it, the picture is another", off)
		}
	}
}
