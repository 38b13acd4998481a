package draw

import (
	"image/color"

	"headroom/policy"
)

// Role is what a colour means. Hues belong to precisions alone; red belongs to the tight envelope and to "does not fit".
type Role uint8

// The roles.
const (
	None Role = iota
	// Page lies behind the cards, Card is a figure's ground, Edge its hairline.
	Page
	Card
	Edge
	// Well is the ground of bars and plots, Grid the lines on it.
	Well
	Grid
	// Text and Muted are for words; Muted still has the contrast of small text on Page, Card and Well.
	Text
	Muted
	// Curve, Second and Area are for charts: the line, a second line, the ground below.
	Curve
	Second
	Area
	// Stripe hatches what does not fit, Rim borders the shapes of precisions.
	Stripe
	Rim
	// Alert is for the tight envelope, throttling and "nothing fits", always with a mark or a word.
	Alert
	// The precisions, and the ink for words upon them.
	F32
	F16
	Q8
	Q4
	OnF32
	OnF16
	OnQ8
	OnQ4
	numRoles
)

// fillOf is the role of a precision's shapes, inkOn of words upon them.
func fillOf(p policy.Precision) Role { return F32 + Role(min(p, policy.Q4)) }
func inkOn(p policy.Precision) Role  { return OnF32 + Role(min(p, policy.Q4)) }

// Theme gives each role its colour.
type Theme struct {
	Name   string
	colors [numRoles]color.RGBA
}

// Color is the role's colour; None is transparent.
func (t *Theme) Color(r Role) color.RGBA {
	if r >= numRoles {
		return color.RGBA{}
	}
	return t.colors[r]
}

// RoleOf is a role of that colour, whatever its transparency; false where there is none. Page comes last: a theme may be
// without it.
func (t *Theme) RoleOf(c color.NRGBA) (Role, bool) {
	for i := range numRoles - 1 {
		r := (Page+i)%(numRoles-1) + 1
		if own := t.colors[r]; own.R == c.R && own.G == c.G && own.B == c.B && own.A > 0 {
			return r, true
		}
	}
	return None, false
}

// Clear is the theme without a page: pictures then stand on nothing.
func (t Theme) Clear() Theme {
	t.colors[Page] = color.RGBA{}
	return t
}

// Dark and Light are the two themes. The precisions differ in lightness by steps, so that they stay apart on a grey
// projector and for colour-blind eyes: the finer, the further from the ground.
var (
	Dark = Theme{Name: "dark", colors: [numRoles]color.RGBA{
		Page: rgb(0x101318), Card: rgb(0x191d24), Edge: rgb(0x272d37), Well: rgb(0x252b35), Grid: rgb(0x333b48),
		Text: rgb(0xeceff4), Muted: rgb(0xa4aebd), Curve: rgb(0x9fb0c8), Second: rgb(0x6d7c93), Area: rgb(0x2b333f),
		Stripe: rgb(0x7c889a), Rim: rgb(0x101318), Alert: rgb(0xff7d6e),
		F32: rgb(0xcfe5ff), F16: rgb(0x52cba8), Q8: rgb(0xc58321), Q4: rgb(0x8a56b8),
		OnF32: rgb(0x0b0e12), OnF16: rgb(0x0b0e12), OnQ8: rgb(0x0b0e12), OnQ4: rgb(0xffffff),
	}}
	Light = Theme{Name: "light", colors: [numRoles]color.RGBA{
		Page: rgb(0xf1f3f6), Card: rgb(0xffffff), Edge: rgb(0xdfe3e9), Well: rgb(0xe6eaef), Grid: rgb(0xd2d8e0),
		Text: rgb(0x14181f), Muted: rgb(0x515c6b), Curve: rgb(0x51627c), Second: rgb(0x74839a), Area: rgb(0xe3e8ef),
		Stripe: rgb(0x8390a2), Rim: rgb(0x3c4654), Alert: rgb(0xb3261e),
		F32: rgb(0x0f4a8a), F16: rgb(0x1a7f66), Q8: rgb(0xcf8a1e), Q4: rgb(0xd6b8ee),
		OnF32: rgb(0xffffff), OnF16: rgb(0xffffff), OnQ8: rgb(0x0b0e12), OnQ4: rgb(0x0b0e12),
	}}
)

func rgb(v uint32) color.RGBA {
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}
