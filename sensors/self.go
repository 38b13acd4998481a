package sensors

import (
	"context"
	"time"
)

// selfSource reads what Headroom itself costs.
type selfSource struct {
	env *env
	at  time.Time
	cpu time.Duration
}

func (f *selfSource) read(context.Context) part {
	now := f.env.clock.Now()
	cost := ownCost()
	s := Sample{
		OwnCPU:    Missing("self/cpu", "self", Percent, StateNotOffered, cost.source, "read once: a share needs two readings"),
		OwnMemory: cost.memory("self/memory", now),
	}
	if cost.cpuErr != nil {
		s.OwnCPU = failed("self/cpu", "self", Percent, cost.source, now, cost.cpuErr)
		return part{Sample: s}
	}
	if elapsed := now.Sub(f.at); !f.at.IsZero() && elapsed > 0 && cost.cpu >= f.cpu {
		s.OwnCPU = got("self/cpu", "self", Percent, cost.source, now, 100*(cost.cpu-f.cpu).Seconds()/elapsed.Seconds())
		s.OwnCPU.Detail = "100 % is one processor"
	}
	if !f.at.Equal(now) {
		f.at, f.cpu = now, cost.cpu
	}
	return part{Sample: s}
}

// ownUse is the processor time since the start and the memory now.
type ownUse struct {
	source string
	cpu    time.Duration
	cpuErr error
	// resident is in bytes; residentSource says what it counts.
	resident       uint64
	residentSource string
	residentErr    error
}

func (u ownUse) memory(id string, now time.Time) Reading {
	if u.residentErr != nil {
		return failed(id, "self", Bytes, u.residentSource, now, u.residentErr)
	}
	return got(id, "self", Bytes, u.residentSource, now, float64(u.resident))
}
