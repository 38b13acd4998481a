package trace

import (
	"context"
	"errors"
	"sync"
	"time"

	"headroom/sensors"
)

// Player plays a Track in its own time. Run emits the samples; the other methods steer it from any goroutine.
// After a jump it emits the sample jumped to, whose time may lie before the last one's.
type Player struct {
	track Track

	mu      sync.Mutex
	at      int  // the sample shown
	shown   bool // whether it was emitted
	playing bool
	speed   float64
	// began and from tie the clock to the track: at began, the offset from was due. A zero began ties it at the next look.
	began time.Time
	from  time.Duration
	// offset is the shown sample's.
	offset time.Duration
	wake   chan struct{}
	// ahead is the sample that was read last: the next one, while it is not due.
	loaded bool
	ahead  struct {
		number int
		sample sensors.Sample
		offset time.Duration
		err    error
	}
}

// The speeds that a Player accepts.
const (
	MinSpeed = 1.0 / 16
	MaxSpeed = 1024
)

// NewPlayer makes a Player that stands at the first sample and plays at speed 1 once it runs.
func NewPlayer(t Track) *Player {
	return &Player{track: t, playing: true, speed: 1, wake: make(chan struct{}, 1)}
}

// Position is where a Player stands.
type Position struct {
	// Sample counts from 0; Of is the number of samples in one round.
	Sample, Of int
	// Offset is the sample's place within the round, Length the round's end.
	Offset, Length time.Duration
	Playing        bool
	Speed          float64
	// Ended is whether the last sample is shown, of a track that does not loop.
	Ended bool
}

// Position says where the Player stands.
func (p *Player) Position() Position {
	p.mu.Lock()
	defer p.mu.Unlock()
	pos := Position{
		Sample: p.at, Of: p.track.Len(), Offset: p.offset, Length: p.track.Length(), Playing: p.playing, Speed: p.speed,
	}
	if p.track.Loops() {
		pos.Sample %= max(pos.Of, 1)
		pos.Offset %= max(pos.Length, 1)
	} else {
		pos.Ended = p.at >= pos.Of-1
	}
	return pos
}

// Track is what is played.
func (p *Player) Track() Track { return p.track }

// Play goes on; at the end of a recording, from its start.
func (p *Player) Play() {
	p.change(func() {
		if !p.track.Loops() && p.at >= p.track.Len()-1 && p.shown {
			p.at, p.shown = 0, false
		}
		p.playing = true
	})
}

// Pause stops at the sample shown.
func (p *Player) Pause() { p.change(func() { p.playing = false }) }

// SetSpeed sets how many seconds of the track pass in one: MinSpeed to MaxSpeed.
func (p *Player) SetSpeed(x float64) {
	p.change(func() { p.speed = min(max(x, MinSpeed), MaxSpeed) })
}

// Seek goes to the last sample at or before the offset, and plays or pauses as before.
func (p *Player) Seek(offset time.Duration) error {
	i, err := p.track.Index(offset)
	if err != nil {
		return err
	}
	p.change(func() { p.move(i) })
	return nil
}

// Step pauses and goes n samples on, or back where n is negative.
func (p *Player) Step(n int) {
	p.change(func() {
		p.playing = false
		p.move(p.at + n)
	})
}

// ErrNoChange says that the decision stays the same to the end of the track.
var ErrNoChange = errors.New("jump to the next decision: there is no other one up to the end")

// NextDecision pauses and goes to the next sample for which decide gives another answer than for the present one. The
// answers must be comparable; decide is called from several goroutines at once, and the Sample it gets is valid until it
// returns. It looks through one round at most, and gives up when ctx ends. told, which may be nil, hears the share of what
// is ahead that was looked through.
func (p *Player) NextDecision(ctx context.Context, decide func(i int, s sensors.Sample) any, told func(share float64)) error {
	p.mu.Lock()
	start := p.at
	p.mu.Unlock()
	end := p.track.Len()
	if p.track.Loops() {
		end += start
	}
	i, err := firstChange(ctx, p.track, start, end, decide, told)
	if err != nil {
		return err
	}
	if i == end {
		return ErrNoChange
	}
	p.change(func() {
		p.playing = false
		p.move(i)
	})
	return nil
}

// move goes to sample i, or to the nearest one that there is.
func (p *Player) move(i int) {
	if !p.track.Loops() {
		i = min(i, p.track.Len()-1)
	}
	p.at, p.shown = max(i, 0), false
}

// change applies a change and wakes Run.
func (p *Player) change(f func()) {
	p.mu.Lock()
	f()
	p.began = time.Time{}
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// maxLag is how far the Player may fall behind before it gives up catching up, as after the machine slept.
const maxLag = time.Second

// Run plays until ctx ends, and returns its error. At the end of a recording it waits to be steered.
func (p *Player) Run(ctx context.Context, emit func(sensors.Sample)) error {
	return p.RunNumbered(ctx, func(_ int, s sensors.Sample) { emit(s) })
}

// RunNumbered is Run that emits each sample's number in the track with it.
func (p *Player) RunNumbered(ctx context.Context, emit func(i int, s sensors.Sample)) error {
	if p.track.Len() == 0 {
		return errors.New("play: there is no sample in it")
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		i, sample, due, wait := p.next(time.Now())
		if due {
			emit(i, sample)
			continue
		}
		var tick <-chan time.Time
		if wait > 0 {
			timer.Reset(wait)
			tick = timer.C
		}
		select {
		case <-ctx.Done():
		case <-p.wake:
		case <-tick:
		}
	}
	return ctx.Err()
}

// next is the sample to emit now with its number, if one is due; else how long to wait for the next one, 0 to wait to be
// steered.
func (p *Player) next(now time.Time) (i int, s sensors.Sample, due bool, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		i = p.at
		if p.shown {
			i++
			if !p.track.Loops() && i >= p.track.Len() {
				p.playing = false
			}
			if !p.playing {
				return i, s, false, 0
			}
		}
		s, offset, err := p.load(i)
		if err != nil {
			// One sample that cannot be read is passed over; the last one ends the recording.
			p.at, p.shown = i, true
			continue
		}
		if p.shown {
			if p.began.IsZero() {
				p.began, p.from = now, p.offset
			}
			due := p.began.Add(time.Duration(float64(offset-p.from) / p.speed))
			if wait := due.Sub(now); wait > 0 {
				return i, s, false, wait
			} else if wait < -maxLag {
				p.began = time.Time{}
			}
		}
		p.at, p.shown, p.offset = i, true, offset
		return i, s, true, 0
	}
}

// load is sample i, kept from the last call where that was for the same one.
func (p *Player) load(i int) (sensors.Sample, time.Duration, error) {
	if !p.loaded || p.ahead.number != i {
		p.ahead.number, p.loaded = i, true
		p.ahead.sample, p.ahead.offset, p.ahead.err = p.track.At(i)
	}
	return p.ahead.sample, p.ahead.offset, p.ahead.err
}
