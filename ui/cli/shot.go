package cli

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"headroom/ui/draw"
)

// What a picture may measure: units a side, pixels a unit, and pixels in all.
const (
	maxSide   = 16384
	minScale  = 0.25
	maxScale  = 8
	maxPixels = 100 << 20
)

// shot is one picture to be taken.
type shot struct {
	story
	film
	out, view, theme string
	w, h, scale      float64
	transparent, alt bool
	prefill, whole   bool
	callouts         []draw.Callout
}

func newShotCommand() *cobra.Command {
	s := shot{view: "live", theme: "dark", scale: 1}
	var manifest string
	cmd := &cobra.Command{
		Use: "shot -o FILE", Short: "Take a picture of a page or of one figure, as PNG, SVG or GIF", Args: noArgs,
		Long: "Takes a picture without a display and without a GPU, of this machine, a scenario or a recording. The same\n" +
			"scenario or recording gives the same bytes on every run and for every user. Of this machine it shows the sensors\n" +
			"now, and on the models page the models found here too.\n\n" +
			"The view live is the Live page with a head of its own; window, models and sensors are the whole window on its Live,\n" +
			"Models and Sensors page; every other one is a figure. An SVG has real text and the font within. A GIF moves from one\n" +
			"moment to another.\n\n" +
			"A manifest is a YAML file that lists pictures, each with the flags below, without dashes. They are written in its\n" +
			"folder or below; paths are relative to it, and defaults hold for every picture:\n\n" +
			"    defaults: {scenario: thin-laptop, theme: light, alt: true}\n" +
			"    pictures:\n" +
			"      - {output: ladder.svg, view: ladder, at: 150s}\n" +
			"      - {output: page.png, callout: [\"160,80=what runs\", \"160,200=the heat\"]}",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if manifest == "" {
				return s.take(cmd)
			}
			if alone := othersThan(cmd, "manifest"); alone != "" {
				return badUsage("--manifest stands alone: write --%s into it", alone)
			}
			return takeAll(cmd, manifest)
		},
	}
	f := cmd.Flags()
	s.story.add(cmd)
	s.film.add(cmd)
	f.VarP(&parsed{kind: "FILE", read: s.readOut}, "output", "o", "the picture's file, ending in .png, .svg or .gif")
	f.Var(&parsed{kind: "VIEW", read: s.readView}, "view", "what to show: "+strings.Join(views(), ", ")+" (default live)")
	f.Var(&parsed{kind: "THEME", read: s.readTheme}, "theme", "dark or light (default dark)")
	f.Var(&parsed{kind: "WxH", read: s.readSize}, "size", "size in units (default 1280x800 for a page, else what suits the figure); the window takes 900x600 at least")
	f.Var(&parsed{kind: "N", read: s.readScale}, "scale", "pixels a unit in a PNG or GIF: 1, 2, 1.5 (default 1)")
	f.BoolVar(&s.transparent, "transparent", false, "leave out the ground behind the cards")
	f.BoolVar(&s.alt, "alt", false, "write what the picture says as text beside it, in a file that ends in .txt")
	f.BoolVar(&s.prefill, "prefill", false, "show the ops of reading a prompt, not of writing a token")
	f.BoolVar(&s.whole, "whole", false, "show the ops of the whole model, not of one layer")
	f.Var(&parsed{kind: "X,Y=WORDS", read: s.readCallout}, "callout", "set a numbered mark there, its words in the text of --alt; may be repeated")
	addText(cmd, &manifest, "manifest", "FILE", "take all pictures that a YAML file lists")
	return cmd
}

// windowViews are the views that picture the window on one of its pages.
var windowViews = []string{"window", "models", "sensors"}

// views are the names that --view takes.
func views() []string {
	return slices.Concat([]string{"live"}, windowViews, slices.Sorted(maps.Keys(draw.Figures)))
}

func (s *shot) readOut(text string) error {
	switch strings.ToLower(filepath.Ext(text)) {
	case ".png", ".svg", ".gif":
		s.out = text
		return nil
	}
	return fmt.Errorf("%q does not end in .png, .svg or .gif", text)
}

func (s *shot) readView(text string) error {
	if !slices.Contains(views(), text) {
		return fmt.Errorf("%q is no view: it is one of %s", text, strings.Join(views(), ", "))
	}
	s.view = text
	return nil
}

func (s *shot) readTheme(text string) error {
	if text != draw.Dark.Name && text != draw.Light.Name {
		return fmt.Errorf("%q is no theme: it is dark or light", text)
	}
	s.theme = text
	return nil
}

func (s *shot) readSize(text string) error {
	w, h, ok := strings.Cut(text, "x")
	x, errX := strconv.Atoi(w)
	y, errY := strconv.Atoi(h)
	if !ok || errX != nil || errY != nil || min(x, y) < 1 || max(x, y) > maxSide {
		return fmt.Errorf("%q is no size: write it like 1280x800, each side from 1 to %d", text, maxSide)
	}
	s.w, s.h = float64(x), float64(y)
	return nil
}

func (s *shot) readScale(text string) error {
	v, err := parseNumber(text)
	if err != nil || v < minScale || v > maxScale {
		return fmt.Errorf("%q is no scale: write it like 2, from %v to %v", text, minScale, maxScale)
	}
	s.scale = v
	return nil
}

// maxCallouts bounds the marks on one picture.
const maxCallouts = 99

func (s *shot) readCallout(text string) error {
	place, words, _ := strings.Cut(text, "=")
	x, y, ok := strings.Cut(place, ",")
	px, errX := parseNumber(x)
	py, errY := parseNumber(y)
	switch {
	case !ok || errX != nil || errY != nil:
		return fmt.Errorf("%q is no mark: write it like 640,120=what is assumed", text)
	case len(s.callouts) == maxCallouts:
		return fmt.Errorf("more than %d marks", maxCallouts)
	}
	s.callouts = append(s.callouts, draw.Callout{X: px, Y: py, Words: words})
	return nil
}

// usualSize is what suits a view where no size was asked for.
func usualSize(view string) (w, h float64) {
	switch view {
	case "live", "window", "models", "sensors":
		return 1280, 800
	case "thermal", "power", "memory", "clocks":
		return 320, 150
	case "verdict":
		return 1000, 96
	case "fusion":
		return 1248, 140
	case "timeline":
		return 1000, 80
	}
	return 480, 280
}

func (s *shot) take(cmd *cobra.Command) error {
	if s.out == "" {
		return badUsage("-o is missing: give the picture a file, like -o live.png")
	}
	if s.w == 0 {
		s.w, s.h = usualSize(s.view)
	}
	if s.w*s.h*s.scale*s.scale > maxPixels {
		return badUsage("%v × %v at scale %v is more than %d million pixels: take a smaller size or scale", s.w, s.h, s.scale, maxPixels>>20)
	}
	theme := draw.Dark
	if s.theme == draw.Light.Name {
		theme = draw.Light
	}
	if s.transparent {
		theme = theme.Clear()
	}
	if strings.EqualFold(filepath.Ext(s.out), ".gif") {
		return s.takeFilm(cmd, theme)
	}
	if s.film.given() {
		return badUsage("--from, --to, --every and --speed are for a GIF: end the file in .gif, or give --at")
	}
	told, err := s.tell(cmd)
	if err != nil {
		return err
	}
	scene, err := s.scene(cmd, told, theme)
	if err != nil {
		return err
	}
	return s.write(scene, func(w io.Writer, scene draw.Scene) error {
		if strings.EqualFold(filepath.Ext(s.out), ".svg") {
			return scene.SVG(w, theme)
		}
		return scene.PNG(w, theme, s.scale)
	})
}

// write writes the picture, and its words beside it where they are asked for.
func (s *shot) write(scene draw.Scene, picture func(io.Writer, draw.Scene) error) error {
	if err := writeFile(s.out, func(w io.Writer) error { return picture(w, scene) }); err != nil || !s.alt {
		return err
	}
	beside := strings.TrimSuffix(s.out, filepath.Ext(s.out)) + ".txt"
	return writeFile(beside, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n\n%s\n", scene.Title, scene.Desc)
		return err
	})
}

func (s *shot) scene(cmd *cobra.Command, told scene, th draw.Theme) (out draw.Scene, err error) {
	told.Whole = s.whole
	if s.prefill {
		told.Phase = draw.Prefill
	}
	switch {
	case s.view == "live":
		out = draw.Live(told.Context, s.w, s.h)
	case slices.Contains(windowViews, s.view):
		if out, err = s.window(cmd, told, th); err != nil {
			return out, err
		}
	default:
		out = draw.Figures[s.view](told.Context, s.w, s.h)
	}
	out.Call(s.callouts)
	return out, nil
}
