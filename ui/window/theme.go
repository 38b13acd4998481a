//go:build cgo || !darwin

package window

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/assets"
	"headroom/ui/draw"
)

// The choices of theme; the empty one follows the system.
const (
	themeDark  = "dark"
	themeLight = "light"
)

// look is the Fyne theme: widgets take their colours from the roles of the figures, so that both are one picture.
type look struct {
	// scheme is dark, light, or empty to follow the system.
	scheme string
	// zoom enlarges type and spacing for the demo mode; 1 is normal.
	zoom float32
}

var (
	fontRegular  = fyne.NewStaticResource("Inter-Regular.otf", assets.FontRegular)
	fontSemiBold = fyne.NewStaticResource("Inter-SemiBold.otf", assets.FontSemiBold)
)

// drawTheme is the figures' theme for Fyne's variant.
func (l *look) drawTheme(v fyne.ThemeVariant) draw.Theme {
	switch l.scheme {
	case themeDark:
		return draw.Dark
	case themeLight:
		return draw.Light
	}
	if v == theme.VariantLight {
		return draw.Light
	}
	return draw.Dark
}

// roles maps Fyne's names to the figures' roles. Hues belong to precisions alone, so focus and selection are grey.
var roles = map[fyne.ThemeColorName]draw.Role{
	theme.ColorNameBackground:          draw.Page,
	theme.ColorNameForeground:          draw.Text,
	theme.ColorNamePlaceHolder:         draw.Muted,
	theme.ColorNameDisabled:            draw.Muted,
	theme.ColorNameButton:              draw.Well,
	theme.ColorNameDisabledButton:      draw.Card,
	theme.ColorNameInputBackground:     draw.Well,
	theme.ColorNameInputBorder:         draw.Grid,
	theme.ColorNameOverlayBackground:   draw.Card,
	theme.ColorNameHeaderBackground:    draw.Card,
	theme.ColorNameSeparator:           draw.Edge,
	theme.ColorNamePrimary:             draw.Curve,
	theme.ColorNameHyperlink:           draw.Curve,
	theme.ColorNameForegroundOnPrimary: draw.Page,
	theme.ColorNameError:               draw.Alert,
	theme.ColorNameWarning:             draw.Alert,
	theme.ColorNameSuccess:             draw.Curve,
	theme.ColorNameForegroundOnError:   draw.Page,
	theme.ColorNameForegroundOnWarning: draw.Page,
	theme.ColorNameForegroundOnSuccess: draw.Page,
	theme.ColorNameScrollBarBackground: draw.Card,
	theme.ColorNameSelection:           draw.Grid,
	theme.ColorNameInnerWindowBorder:   draw.Edge,
	colorRole(draw.Page):               draw.Page,
	colorRole(draw.Card):               draw.Card,
	colorRole(draw.Edge):               draw.Edge,
	colorRole(draw.Well):               draw.Well,
	colorRole(draw.Grid):               draw.Grid,
	colorRole(draw.Text):               draw.Text,
	colorRole(draw.Muted):              draw.Muted,
	colorRole(draw.Curve):              draw.Curve,
	colorRole(draw.Alert):              draw.Alert,
	colorRole(draw.Rim):                draw.Rim,
	colorRole(draw.F32):                draw.F32,
	colorRole(draw.F16):                draw.F16,
	colorRole(draw.Q8):                 draw.Q8,
	colorRole(draw.Q4):                 draw.Q4,
	colorRole(draw.OnF32):              draw.OnF32,
	colorRole(draw.OnF16):              draw.OnF16,
	colorRole(draw.OnQ8):               draw.OnQ8,
	colorRole(draw.OnQ4):               draw.OnQ4,
}

// colorRole is the Fyne name under which a widget asks for a role's colour.
func colorRole(r draw.Role) fyne.ThemeColorName {
	return fyne.ThemeColorName("headroom-" + string(rune('a'+int(r))))
}

// roleColor is a role's colour in the theme in force.
func roleColor(r draw.Role) color.Color { return theme.Color(colorRole(r)) }

func (l *look) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	t := l.drawTheme(v)
	if r, ok := roles[name]; ok {
		return t.Color(r)
	}
	switch name {
	case theme.ColorNameFocus, theme.ColorNameHover, theme.ColorNamePressed, theme.ColorNameScrollBar:
		c := t.Color(draw.Curve)
		strength := map[fyne.ThemeColorName]uint8{
			theme.ColorNameFocus: 0x70, theme.ColorNameHover: 0x22, theme.ColorNamePressed: 0x44, theme.ColorNameScrollBar: 0x90,
		}
		return color.NRGBA{c.R, c.G, c.B, strength[name]}
	case theme.ColorNameMenuBackground: // what lies on top is lighter than what lies below
		if t.Name == draw.Light.Name {
			return t.Color(draw.Card)
		}
		return t.Color(draw.Well)
	case theme.ColorNameShadow:
		if t.Name == draw.Light.Name {
			return color.NRGBA{0, 0, 0, 0x1c}
		}
		return color.NRGBA{0, 0, 0, 0x50}
	}
	if t.Name == draw.Light.Name {
		return theme.DefaultTheme().Color(name, theme.VariantLight)
	}
	return theme.DefaultTheme().Color(name, theme.VariantDark)
}

func (l *look) Font(s fyne.TextStyle) fyne.Resource {
	switch {
	case s.Monospace, s.Symbol:
		return theme.DefaultTheme().Font(s)
	case s.Bold:
		return fontSemiBold
	}
	return fontRegular
}

func (l *look) Icon(name fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(name) }

var sizes = map[fyne.ThemeSizeName]float32{
	theme.SizeNameText:               13,
	theme.SizeNameCaptionText:        11,
	theme.SizeNameHeadingText:        22,
	theme.SizeNameSubHeadingText:     16,
	theme.SizeNamePadding:            4,
	theme.SizeNameInnerPadding:       6,
	theme.SizeNameInputRadius:        6,
	theme.SizeNameSelectionRadius:    4,
	theme.SizeNameButtonRadius:       6,
	theme.SizeNamePopupRadius:        8,
	theme.SizeNameMenuRadius:         6,
	theme.SizeNameCardRadius:         8,
	theme.SizeNameInlineIcon:         16,
	theme.SizeNameScrollBar:          10,
	theme.SizeNameScrollBarSmall:     4,
	theme.SizeNameSeparatorThickness: 1,
	theme.SizeNameInputBorder:        1,
}

func (l *look) Size(name fyne.ThemeSizeName) float32 {
	s, ok := sizes[name]
	if !ok {
		s = theme.DefaultTheme().Size(name)
	}
	return s * max(l.zoom, 1)
}

// barless is the theme of text entries: Fyne would draw a scroll bar over the lower edge of one whose text is longer than it.
type barless struct{ *look }

func (b barless) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameScrollBar, theme.SizeNameScrollBarSmall:
		return 0
	}
	return b.look.Size(name)
}

// withoutBar is an entry to be placed where texts can be long. Fyne keeps what is shown under a theme of its own, and all that it
// leads to, for as long as the program runs: such an entry is made once.
func (v *view) withoutBar(entry fyne.CanvasObject) *container.ThemeOverride {
	return container.NewThemeOverride(entry, barless{v.look})
}
