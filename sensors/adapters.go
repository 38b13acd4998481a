package sensors

import (
	"context"
	"slices"
	"time"
)

const adaptersID = "gpu/adapters"

// readAdapters is the probe as a source.
func (p *Poller) readAdapters(ctx context.Context) part {
	list, state := p.opts.Probe(ctx)
	if state.ID == "" {
		state.ID = adaptersID
	}
	if state.At.IsZero() {
		state.At = p.opts.Clock.Now()
	}
	return part{Sample: Sample{Adapters: list, AdaptersState: state}}
}

// recall asks once, before any probe, for what an earlier run listed, and reports whether that is still to be used. It reads
// files, which may lie on a disk that hangs.
func (p *Poller) recall(ctx context.Context, now time.Time) bool {
	p.mu.Lock()
	anew := p.anew
	p.mu.Unlock()
	if p.opts.Recall == nil || anew || p.probe.running || p.probe.have {
		return false
	}
	if p.recalling == nil {
		p.recalling = newTask(source{key: "adapters of an earlier run", read: p.readRecalled})
		p.runAll(ctx, []*task{p.recalling}, now, p.opts.Deadline, noGrace)
	}
	return p.recalled() != nil
}

func (p *Poller) readRecalled(context.Context) part {
	list, state, ok := p.opts.Recall()
	if !ok {
		return part{}
	}
	return part{Sample: Sample{Adapters: list, AdaptersState: state}}
}

// recalled are the adapters of an earlier run, nil where there are none.
func (p *Poller) recalled() *Sample {
	if p.recalling == nil || !p.recalling.have || len(p.recalling.last.Adapters) == 0 {
		return nil
	}
	return &p.recalling.last.Sample
}

// recalledWillDo reports whether an earlier run's adapters say all that a new probe would: s has to tell itself how much
// memory is free on those cards that have their own. Others use RAM, or none.
func (p *Poller) recalledWillDo(s *Sample) bool {
	earlier := p.recalled()
	if earlier == nil {
		return false
	}
	for _, a := range earlier.Adapters {
		if a.Type == "cpu" || a.Type == "integrated" {
			continue
		}
		told := func(c Card) bool {
			return c.PCI != "" && c.PCI == a.PCI && !c.Asleep && c.VRAMTotal.Usable() && c.VRAMUsed.Usable()
		}
		if !slices.ContainsFunc(s.Cards, told) {
			return false
		}
	}
	return true
}

// startProbe lists the adapters where that is due: at start, on Refresh, after a failure, after ProbeEvery.
func (p *Poller) startProbe(ctx context.Context, now time.Time) {
	if p.probe.running || p.holdProbe {
		return
	}
	p.mu.Lock()
	asked := p.refresh
	if p.opts.Probe == nil {
		p.refresh = false
	}
	p.mu.Unlock()
	if p.opts.Probe == nil {
		return
	}
	since := now.Sub(p.probe.started)
	again := p.failures > 0 && (since < 0 || since >= probeAgain<<min(p.failures-1, 8))
	periodic := p.failures == 0 && p.opts.ProbeEvery > 0 && (since < 0 || since >= p.opts.ProbeEvery)
	if !asked && !again && !periodic {
		return
	}
	p.mu.Lock()
	p.refresh = false
	p.mu.Unlock()
	p.probe.start(ctx, now, nil)
}

// takeAdapters takes the answer of a probe that ended. Adapters that were seen outlive a failed probe for a while.
func (p *Poller) takeAdapters(now time.Time) {
	prev, ran := p.probe.last.Sample, p.probe.running
	p.probe.collect(now, noGrace)
	if !ran || p.probe.running {
		return
	}
	next := &p.probe.last.Sample
	if p.probe.panicked == "" && (next.AdaptersState.State != StateError || len(next.Adapters) > 0) {
		p.failures = 0
		return
	}
	p.failures++
	if p.probe.panicked != "" || len(prev.Adapters) == 0 {
		return
	}
	if age := now.Sub(prev.AdaptersState.At); age < 0 || age > adaptersFor {
		return
	}
	why := "the newest probe failed: " + next.AdaptersState.Detail
	next.Adapters, next.AdaptersState = prev.Adapters, prev.AdaptersState
	next.AdaptersState.State, next.AdaptersState.Detail = StateStale, why
}

// putAdapters puts the newest list into s.
func (p *Poller) putAdapters(s *Sample, now time.Time) {
	switch {
	case p.opts.Probe == nil:
		s.AdaptersState = Missing(adaptersID, "gpu", Count, StateNotOffered, "WebGPU", "not asked for")
	case p.probe.have && p.probe.panicked == "":
		s.Adapters, s.AdaptersState = p.probe.last.Adapters, p.probe.last.AdaptersState
	case p.probe.have && now.Sub(p.probe.last.AdaptersState.At) <= adaptersFor:
		s.Adapters, s.AdaptersState = p.probe.last.Adapters, p.probe.last.AdaptersState
		s.AdaptersState.State, s.AdaptersState.Detail = StateStale, "the newest probe failed: "+p.probe.panicked
	case p.probe.panicked != "":
		s.AdaptersState = Missing(adaptersID, "gpu", Count, StateError, "WebGPU", "the probe failed: "+p.probe.panicked)
	case p.recalledWillDo(s):
		s.Adapters, s.AdaptersState = p.recalled().Adapters, p.recalled().AdaptersState
	default:
		s.AdaptersState = Missing(adaptersID, "gpu", Count, StateError, "WebGPU", "the probe has not answered yet")
	}
	if s.AdaptersState.At.IsZero() {
		s.AdaptersState.At = now
	}
}

// noticeCards lists the adapters again once a card appears or wakes.
func (p *Poller) noticeCards(s *Sample) {
	var awake []string
	for _, c := range s.Cards {
		if !c.Asleep {
			awake = append(awake, c.ID)
		}
	}
	for _, id := range awake {
		if !p.last.Time.IsZero() && !slices.Contains(p.cards, id) {
			p.mu.Lock()
			p.refresh = true
			p.mu.Unlock()
			if p.recalling != nil {
				p.recalling.have = false
			}
		}
	}
	p.cards = awake
}
