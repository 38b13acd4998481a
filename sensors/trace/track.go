package trace

import (
	"fmt"
	"time"

	"headroom/sensors"
)

// Track is a run of samples that can be played: a Recording, or a Script at some interval.
type Track interface {
	// Len is the number of samples of one round, Length the offset at which it ends.
	Len() int
	Length() time.Duration
	// Loops says whether there are further rounds: At then takes any number from 0 on.
	Loops() bool
	// Index is the number of the last sample at or before the offset.
	Index(offset time.Duration) (int, error)
	// At is sample i and its offset. An error concerns this sample alone.
	At(i int) (sensors.Sample, time.Duration, error)
}

// Start is when a Track begins; zero where that cannot be read.
func Start(t Track) time.Time {
	s, _, err := t.At(0)
	if err != nil {
		return time.Time{}
	}
	return s.Time
}

// Every is the scenario as a Track with one sample an interval.
func (s *Script) Every(interval time.Duration) Track {
	return scripted{script: s, interval: max(interval, time.Millisecond)}
}

type scripted struct {
	script   *Script
	interval time.Duration
}

func (t scripted) Len() int              { return int((t.script.Length + t.interval - 1) / t.interval) }
func (t scripted) Length() time.Duration { return t.script.Length }
func (t scripted) Loops() bool           { return true }

func (t scripted) Index(offset time.Duration) (int, error) {
	return int(max(offset, 0) / t.interval), nil
}

func (t scripted) At(i int) (sensors.Sample, time.Duration, error) {
	if i < 0 {
		return sensors.Sample{}, 0, fmt.Errorf("make sample %d of scenario %s: they begin at 0", i, t.script.Name)
	}
	d := time.Duration(i) * t.interval
	return t.script.SampleAt(d), d, nil
}

// Numbered is a sample with its number in a Track.
type Numbered struct {
	Number int
	sensors.Sample
}

// Before are the samples that lead up to sample i and include it, oldest first: those of the span, thinned to at most the
// given number. A face that jumps folds its history anew from them. Samples that cannot be read are left out.
func Before(t Track, i int, span time.Duration, most int) []Numbered {
	_, end, err := t.At(i)
	if err != nil || most < 1 {
		return nil
	}
	first, err := t.Index(end - span)
	if err != nil {
		return nil
	}
	step := max(1, (i-first+most-1)/most)
	var list []Numbered
	// Counting from the end keeps sample i itself whatever the step.
	for j := first + (i-first)%step; j <= i; j += step {
		if s, _, err := t.At(j); err == nil {
			list = append(list, Numbered{j, s})
		}
	}
	return list
}

// Each gives a track's samples from number first up to, and without, number end to yield, in order, until it returns false, the
// fast way where there is one: a Sample is valid until yield returns. Samples that cannot be read are left out.
func Each(t Track, first, end int, yield func(i int, s sensors.Sample) bool) error {
	if r, ok := t.(*Recording); ok {
		return r.Each(first, end, yield)
	}
	for i := first; i < end; i++ {
		if s, _, err := t.At(i); err == nil && !yield(i, s) {
			return nil
		}
	}
	return nil
}
