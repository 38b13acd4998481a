package draw

import (
	"image/color"
	"math"
	"testing"

	"headroom/policy"
)

// linear is a colour in linear light.
type linear [3]float64

func linearOf(c color.RGBA) linear {
	var l linear
	for i, v := range [3]uint8{c.R, c.G, c.B} {
		s := float64(v) / 255
		if s <= 0.04045 {
			l[i] = s / 12.92
		} else {
			l[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return l
}

func (l linear) luminance() float64 { return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2] }

// contrast is WCAG's ratio.
func contrast(a, b color.RGBA) float64 {
	x, y := linearOf(a).luminance(), linearOf(b).luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// lab is CIE L*a*b* under D65.
func (l linear) lab() [3]float64 {
	x := (0.4124564*l[0] + 0.3575761*l[1] + 0.1804375*l[2]) / 0.95047
	y := 0.2126729*l[0] + 0.7151522*l[1] + 0.0721750*l[2]
	z := (0.0193339*l[0] + 0.1191920*l[1] + 0.9503041*l[2]) / 1.08883
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	return [3]float64{116*f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))}
}

func deltaE(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// eyes simulate full colour blindness of each kind (Machado, Oliveira, Fernandes 2009, severity 1).
var eyes = map[string][3][3]float64{
	"normal":      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":  {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranope": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":  {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

func see(m [3][3]float64, l linear) linear {
	var out linear
	for i := range out {
		out[i] = min(max(m[i][0]*l[0]+m[i][1]*l[1]+m[i][2]*l[2], 0), 1)
	}
	return out
}

var precisions = [...]policy.Precision{policy.F32, policy.F16, policy.Q8, policy.Q4}

func TestPrecisionsStayApartForEveryEye(t *testing.T) {
	for _, th := range []Theme{Dark, Light} {
		for eye, m := range eyes {
			for i, p := range precisions {
				for _, q := range precisions[i+1:] {
					a := see(m, linearOf(th.Color(fillOf(p)))).lab()
					b := see(m, linearOf(th.Color(fillOf(q)))).lab()
					if d := deltaE(a, b); d < 20 {
						t.Errorf("%s, %s: %v and %v differ by ΔE %.1f, want 20 at least", th.Name, eye, p, q, d)
					}
				}
			}
		}
	}
}

func TestPrecisionsStayApartInGrey(t *testing.T) {
	for _, th := range []Theme{Dark, Light} {
		for i := 1; i < len(precisions); i++ {
			a := linearOf(th.Color(fillOf(precisions[i-1]))).lab()[0]
			b := linearOf(th.Color(fillOf(precisions[i]))).lab()[0]
			step := a - b
			if th.Name == "light" {
				step = b - a
			}
			if step < 12 {
				t.Errorf("%s: %v (L* %.0f) to %v (L* %.0f) is a step of %.1f, want 12 at least, the finer further from the ground",
					th.Name, precisions[i-1], a, precisions[i], b, step)
			}
		}
	}
}

func TestSmallTextHasContrast(t *testing.T) {
	for _, th := range []Theme{Dark, Light} {
		for _, ground := range []Role{Page, Card, Well} {
			for _, ink := range []Role{Text, Muted, Alert} {
				if c := contrast(th.Color(ink), th.Color(ground)); c < 4.5 {
					t.Errorf("%s: role %d on role %d has %.2f:1, want 4.5:1", th.Name, ink, ground, c)
				}
			}
		}
		for _, p := range precisions {
			if c := contrast(th.Color(inkOn(p)), th.Color(fillOf(p))); c < 4.5 {
				t.Errorf("%s: words on %v have %.2f:1, want 4.5:1", th.Name, p, c)
			}
		}
		if c := contrast(th.Color(Card), th.Color(Text)); c < 4.5 {
			t.Errorf("%s: words of a filled badge have %.2f:1, want 4.5:1", th.Name, c)
		}
	}
}

func TestShapesStandOutFromTheirGround(t *testing.T) {
	for _, th := range []Theme{Dark, Light} {
		// A shape stands out by its fill or by the rim around it.
		for _, p := range precisions {
			fill, rim := contrast(th.Color(fillOf(p)), th.Color(Card)), contrast(th.Color(Rim), th.Color(Card))
			if max(fill, rim) < 3 {
				t.Errorf("%s: %v stands out by %.2f:1 (rim %.2f:1), want 3:1", th.Name, p, fill, rim)
			}
		}
		for _, r := range []Role{Curve, Second, Stripe} {
			if c := contrast(th.Color(r), th.Color(Card)); c < 3 {
				t.Errorf("%s: role %d stands out by %.2f:1, want 3:1", th.Name, r, c)
			}
		}
	}
}

func TestHuesBelongToPrecisions(t *testing.T) {
	for _, th := range []Theme{Dark, Light} {
		for _, r := range []Role{Page, Card, Edge, Well, Grid, Text, Muted, Curve, Second, Area, Stripe, Rim} {
			lab := linearOf(th.Color(r)).lab()
			if chroma := math.Hypot(lab[1], lab[2]); chroma > 18 {
				t.Errorf("%s: role %d has a chroma of %.0f: greys only outside precisions and alerts", th.Name, r, chroma)
			}
		}
	}
}

func TestEveryRoleHasAColor(t *testing.T) {
	for _, th := range []Theme{Dark, Light} {
		for r := None + 1; r < numRoles; r++ {
			if th.Color(r).A != 255 {
				t.Errorf("%s: role %d has no colour", th.Name, r)
			}
		}
	}
}
