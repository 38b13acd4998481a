package cli

import (
	"cmp"
	"io"
	"time"

	"github.com/spf13/cobra"

	"headroom/ui/draw"
)

// film is the span of a moving picture and the distance of its pictures.
type film struct {
	from, to, every time.Duration
	// speed is how many times faster than the story it plays.
	speed float64
}

// What a moving picture may be.
const (
	usualEvery = time.Second
	minEvery   = 50 * time.Millisecond
	maxFilm    = 600
	// maxFilmPixels is what all its pictures may have together.
	maxFilmPixels = 6 * maxPixels
)

func (m *film) add(cmd *cobra.Command) {
	span := func(to *time.Duration, least time.Duration) func(string) error {
		return func(text string) (err error) {
			*to, err = parseSpan(text, least, maxRuntime)
			return err
		}
	}
	f := cmd.Flags()
	f.Var(&parsed{kind: "TIME", read: span(&m.from, 0)}, "from", "where a GIF begins: 0s (default 0s)")
	f.Var(&parsed{kind: "TIME", read: span(&m.to, time.Millisecond)}, "to", "where a GIF ends: 30s (default: the end)")
	f.Var(&parsed{kind: "TIME", read: span(&m.every, minEvery)}, "every", "time between the pictures of a GIF, in the story (default 1s)")
	addSpeed(cmd, &m.speed)
}

func (m *film) given() bool { return *m != film{} }

// pace is how long each picture of a film stands.
func (m *film) pace(every time.Duration) time.Duration {
	return time.Duration(float64(every) / cmp.Or(m.speed, 1))
}

// takeFilm writes the moments of a scenario or a recording as one moving picture. It is described by its last moment.
func (s *shot) takeFilm(cmd *cobra.Command, theme draw.Theme) error {
	if !s.told() {
		return badUsage("a GIF shows a scenario or a recording: give --scenario or --replay")
	}
	if s.atGiven {
		return badUsage("--at is one moment: a GIF takes --from and --to")
	}
	p, err := s.open(cmd)
	if err != nil {
		return err
	}
	defer p.close()
	to, every := s.to, s.every
	if to == 0 {
		to = p.track.Length()
	}
	if every == 0 {
		every = usualEvery
	}
	if to < s.from {
		return badUsage("--to %v lies before --from %v", to, s.from)
	}
	if n := (to-s.from)/every + 1; n > maxFilm {
		return badUsage("from %v to %v are %d pictures, %d at most: take a shorter span, or a longer --every", s.from, to, n, maxFilm)
	}
	if size := s.w * s.h * s.scale * s.scale * float64((to-s.from)/every+1); size > maxFilmPixels {
		return badUsage("that many pictures of that size are too much for one GIF: take a smaller --size or --scale")
	}
	var scenes []draw.Scene
	for at := s.from; at <= to; at += every {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		told, err := p.moment(at)
		if err != nil {
			return err
		}
		scene, err := s.scene(cmd, told, theme)
		if err != nil {
			return err
		}
		scenes = append(scenes, scene)
	}
	return s.write(scenes[len(scenes)-1], func(w io.Writer, _ draw.Scene) error {
		return draw.GIF(w, theme, s.scale, s.pace(every), scenes)
	})
}
