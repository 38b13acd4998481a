package draw

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"

	"headroom/assets"
)

// family is the embedded font's name within a picture, so that an installed font of another version is never taken.
const family = "Headroom Inter"

// SVG writes the scene as a picture of its own: real text, a title and a description for those who hear it, and the font
// within. The bytes depend on nothing but the scene and the theme.
func (s Scene) SVG(w io.Writer, th Theme) error {
	v := svg{th: &th}
	v.open(&s)
	for i := range s.Items {
		v.item(&s.Items[i])
	}
	v.endClip()
	v.str("</svg>\n")
	if _, err := w.Write(v.Bytes()); err != nil {
		return fmt.Errorf("write an SVG of %q: %w", s.Title, err)
	}
	return nil
}

type svg struct {
	bytes.Buffer
	th *Theme
	// clips counts those begun; clipped is whether one is open.
	clips   int
	clipped bool
}

func (v *svg) str(s string) { v.WriteString(s) }

// escaped writes text from outside: what XML cannot hold becomes U+FFFD.
func (v *svg) escaped(s string) { _ = xml.EscapeText(&v.Buffer, []byte(s)) }

// num writes a length with two decimals at most. The nudge puts values that lie on the edge between two roundings on
// the same side on every processor: some of them add and multiply in one step, which differs in the last bit.
func (v *svg) num(f float64) {
	n := math.Floor(f*100 + 0.5 + 1e-6)
	if math.IsNaN(n) || math.IsInf(n, 0) {
		n = 0
	}
	b := strconv.AppendFloat(v.AvailableBuffer(), n/100, 'f', -1, 64)
	v.Write(b)
}

func (v *svg) attr(name string, f float64) {
	v.str(" ")
	v.str(name)
	v.str(`="`)
	v.num(f)
	v.str(`"`)
}

func (v *svg) word(name, value string) {
	v.str(" ")
	v.str(name)
	v.str(`="`)
	v.str(value)
	v.str(`"`)
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func (v *svg) paint(name string, r Role) {
	if r == None {
		v.word(name, "none")
		return
	}
	v.word(name, hex(v.th.Color(r)))
}

func (v *svg) open(s *Scene) {
	v.str(`<svg xmlns="http://www.w3.org/2000/svg"`)
	v.attr("width", s.W)
	v.attr("height", s.H)
	v.str(` viewBox="0 0 `)
	v.num(s.W)
	v.str(" ")
	v.num(s.H)
	v.str(`" role="img" aria-labelledby="t d" font-family="'` + family + `', Inter, sans-serif" style="font-kerning:none">` + "\n")
	v.str(`<title id="t">`)
	v.escaped(s.Title)
	v.str("</title>\n" + `<desc id="d">`)
	v.escaped(s.Desc)
	v.str("</desc>\n<defs>")
	v.fonts(s)
	v.patterns(s)
	v.str("</defs>\n")
	if page := v.th.Color(Page); page.A > 0 {
		v.str("<rect")
		v.attr("width", s.W)
		v.attr("height", s.H)
		v.word("fill", hex(page))
		v.str("/>\n")
	}
}

// fonts embeds the weights that the scene uses.
func (v *svg) fonts(s *Scene) {
	var used [2]bool
	for i := range s.Items {
		if s.Items[i].Kind == Label {
			used[s.Items[i].Weight] = true
		}
	}
	v.str("<style>")
	for weight, data := range [...][]byte{assets.FontRegularWOFF2, assets.FontSemiBoldWOFF2} {
		if !used[weight] {
			continue
		}
		v.str("@font-face{font-family:'" + family + "';font-weight:" + cssWeight(Weight(weight)) +
			";src:url(data:font/woff2;base64," + base64.StdEncoding.EncodeToString(data) + ") format('woff2')}")
	}
	v.str("</style>")
}

func cssWeight(w Weight) string {
	if w == SemiBold {
		return "600"
	}
	return "400"
}

// patterns defines the hatches, one a colour.
func (v *svg) patterns(s *Scene) {
	var done [numRoles]bool
	for i := range s.Items {
		r := s.Items[i].Hatch
		if r == None || done[r] {
			continue
		}
		done[r] = true
		v.str(`<pattern id="h` + strconv.Itoa(int(r)) + `" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"`)
		pitch := s.pitch()
		v.attr("width", pitch)
		v.attr("height", pitch)
		v.str("><rect")
		v.attr("x", pitch*(1-hatchShare)/2)
		v.attr("width", pitch*hatchShare)
		v.attr("height", pitch)
		v.paint("fill", r)
		v.str("/></pattern>")
	}
}

func (v *svg) item(it *Item) {
	switch it.Kind {
	case Rect:
		v.rect(it)
	case Line:
		v.str("<line")
		v.attr("x1", it.X)
		v.attr("y1", it.Y)
		v.attr("x2", it.X+it.W)
		v.attr("y2", it.Y+it.H)
		v.stroke(it)
		if it.W == 0 || it.H == 0 {
			v.word("shape-rendering", "crispEdges")
		}
		v.close(it)
	case Poly:
		v.poly(it)
	case Circle:
		v.str("<circle")
		v.attr("cx", it.X)
		v.attr("cy", it.Y)
		v.attr("r", max(it.R-strokeOf(it)/2, 0))
		v.paint("fill", it.Fill)
		v.stroke(it)
		v.close(it)
	case Label:
		v.label(it)
	case Clip:
		v.clip(it)
	}
}

// clip groups what follows within a rectangle.
func (v *svg) clip(it *Item) {
	v.endClip()
	if !(it.W > 0) || !(it.H > 0) {
		return
	}
	v.clips++
	v.clipped = true
	id := "c" + strconv.Itoa(v.clips)
	v.str(`<clipPath id="` + id + `"><rect`)
	v.attr("x", it.X)
	v.attr("y", it.Y)
	v.attr("width", it.W)
	v.attr("height", it.H)
	v.str("/></clipPath>\n" + `<g clip-path="url(#` + id + `)">` + "\n")
}

func (v *svg) endClip() {
	if v.clipped {
		v.str("</g>\n")
	}
	v.clipped = false
}

func (v *svg) close(it *Item) {
	if it.Fade > 0 {
		v.attr("opacity", 1-it.Fade)
	}
	v.str("/>\n")
}

func strokeOf(it *Item) float64 {
	if it.Stroke == None {
		return 0
	}
	return it.Width
}

func (v *svg) stroke(it *Item) {
	if it.Stroke == None || !(it.Width > 0) {
		return
	}
	v.paint("stroke", it.Stroke)
	v.attr("stroke-width", it.Width)
	if it.Dash > 0 {
		v.attr("stroke-dasharray", it.Dash)
	}
}

func (v *svg) rect(it *Item) {
	if !(it.W > 0) || !(it.H > 0) {
		return
	}
	inset := strokeOf(it) / 2
	r := min(it.R, it.W/2, it.H/2)
	one := func(fill func()) {
		v.str("<rect")
		v.attr("x", it.X+inset)
		v.attr("y", it.Y+inset)
		v.attr("width", max(it.W-2*inset, 0))
		v.attr("height", max(it.H-2*inset, 0))
		if r > 0 {
			v.attr("rx", max(r-inset, 0))
		} else {
			v.word("shape-rendering", "crispEdges")
		}
		fill()
	}
	if it.Fill != None || it.Hatch == None {
		one(func() { v.paint("fill", it.Fill) })
		if it.Hatch == None {
			v.stroke(it)
		}
		v.close(it)
	}
	if it.Hatch != None {
		one(func() { v.word("fill", "url(#h"+strconv.Itoa(int(it.Hatch))+")") })
		v.stroke(it)
		v.close(it)
	}
}

func (v *svg) poly(it *Item) {
	if len(it.Points) < 2 {
		return
	}
	v.str(`<path d="M`)
	for i, p := range it.Points {
		if i > 0 {
			v.str("L")
		}
		v.num(p.X)
		v.str(" ")
		v.num(p.Y)
	}
	if it.Closed {
		v.str("Z")
	}
	v.str(`"`)
	v.paint("fill", it.Fill)
	v.stroke(it)
	v.close(it)
}

func (v *svg) label(it *Item) {
	if it.Text == "" {
		return
	}
	v.str("<text")
	v.attr("x", it.X)
	v.attr("y", it.Y)
	v.attr("font-size", it.Size)
	if it.Weight != Regular {
		v.word("font-weight", cssWeight(it.Weight))
	}
	switch it.Anchor {
	case Middle:
		v.word("text-anchor", "middle")
	case End:
		v.word("text-anchor", "end")
	}
	v.paint("fill", it.Fill)
	if it.Fade > 0 {
		v.attr("opacity", 1-it.Fade)
	}
	v.str(">")
	v.escaped(it.Text)
	v.str("</text>\n")
}
