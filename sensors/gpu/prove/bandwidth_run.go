//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/cogentcore/webgpu/wgpu"
)

// bandwidth measures what the other proofs are compared with: the copy peak, what dispatches, passes and submissions cost,
// and the CPU by the same rules.
func (r *run) bandwidth() error {
	const parts = 6
	r.step("copying within the adapter", 0)
	if err := r.copyPeak(r.part(parts)); err != nil {
		return err
	}
	r.step("the cost of a dispatch", 2.0/parts)
	if err := r.overheads(r.part(parts)); err != nil {
		return err
	}
	r.step("timestamps", 3.0/parts)
	if r.stamps {
		// An engine may offer the query and not this use of it: then there are no timestamps here, which is all there is to say.
		if ns, err := r.nanosecondsPerTick(); err == nil {
			r.proof.set("timestamp_ns_per_tick", ns)
		}
	}
	r.step("the CPU by the same rules", 4.0/parts)
	r.cpu(r.part(parts))
	p := &r.proof
	copied, _ := p.Figure("copy_gb_per_s")
	cpu, _ := p.Figure("cpu_copy_gb_per_s")
	dispatch, _ := p.Figure("dispatch_us")
	submit, _ := p.Figure("submit_us")
	p.Meaning = fmt.Sprintf("this adapter copies %.3g GB/s and the CPU %.3g; a dispatch costs %.3g µs, a submission %.3g µs", copied, cpu, dispatch, submit)
	return nil
}

func (r *run) copyPeak(budget float64) error {
	k, err := r.compile("copy", r.req.spoiled(copyWGSL))
	if err != nil {
		return err
	}
	pair := func(n uint64) (a, b *buffer, c call, err error) {
		if a, err = r.buffer(n * 4); err != nil {
			return
		}
		if b, err = r.buffer(n * 4); err != nil {
			a.free()
			return
		}
		x, y := grid((n/4 + threads - 1) / threads)
		if err = r.fill(a, 7); err == nil {
			c, err = r.on(k, x, y, a, b)
		}
		if err != nil {
			freeAll(a, b)
		}
		return
	}
	n, err := r.size(2, func(n uint64) (float64, error) {
		a, b, c, err := pair(n)
		if err != nil {
			return 0, err
		}
		defer freeAll(a, b)
		if _, err := r.run(inPasses([]call{c})); err != nil {
			return 0, err
		}
		return r.run(inPasses([]call{c}))
	})
	if err != nil {
		return err
	}
	a, b, c, err := pair(n)
	if err != nil {
		return err
	}
	defer freeAll(a, b)
	t, err := r.measure("copy", budget, dispatches(c))
	if err != nil {
		return err
	}
	got, err := read[float32](r.device, b, int(n-1024), 1024)
	if err != nil {
		return err
	}
	want := make([]float32, len(got))
	for i := range want {
		want[i] = value(uint32(n)-1024+uint32(i), 7)
	}
	r.proof.Verified = r.compare(got, want, 0, true)
	moved := float64(2 * n * 4)
	r.proof.set("copy_bytes", moved)
	r.proof.setTiming("copy", t)
	r.proof.set("copy_gb_per_s", moved/t.Median()/1e9)

	t, err = r.measure("buffer-copy", budget, func(e *wgpu.CommandEncoder, times int) error {
		for range times {
			if err := e.CopyBufferToBuffer(a.Buffer, 0, b.Buffer, 0, n*4); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.proof.setTiming("buffer_copy", t)
	r.proof.set("buffer_copy_gb_per_s", moved/t.Median()/1e9)
	return nil
}

// overheads measures many small things against few: the difference is what one costs.
func (r *run) overheads(budget float64) error {
	k, err := r.compile("tiny", tinyWGSL)
	if err != nil {
		return err
	}
	b, err := r.buffer(16)
	if err != nil {
		return err
	}
	defer b.free()
	c, err := r.on(k, 1, 1, b)
	if err != nil {
		return err
	}
	const many = 100
	calls := slices.Repeat([]call{c}, many)
	submit, err := r.measureOnce(budget/3, inPasses(calls[:1]))
	if err != nil {
		return err
	}
	together, err := r.measureOnce(budget/3, func(e *wgpu.CommandEncoder) error { return pass(e, calls...) })
	if err != nil {
		return err
	}
	apart, err := r.measureOnce(budget/3, inPasses(calls))
	if err != nil {
		return err
	}
	p := &r.proof
	p.set("submit_us", submit.Median()*1e6)
	p.set("dispatch_us", max(0, (together.Median()-submit.Median())/(many-1)*1e6))
	p.set("pass_us", max(0, (apart.Median()-submit.Median())/(many-1)*1e6))
	return nil
}

// measureOnce times single submissions, whose own cost is part of the answer.
func (r *run) measureOnce(budget float64, record func(*wgpu.CommandEncoder) error) (Timing, error) {
	var failed error
	t := timeCPU(budget, func() {
		if _, err := r.run(record); err != nil {
			failed = err
		}
	})
	return t, failed
}

// nanosecondsPerTick compares timestamp queries with the wall clock over work that takes long enough.
func (r *run) nanosecondsPerTick() (float64, error) {
	queries, err := r.dev.CreateQuerySet(&wgpu.QuerySetDescriptor{Type: wgpu.QueryTypeTimestamp, Count: 2})
	if err != nil {
		return 0, err
	}
	defer queries.Release()
	ticks, err := r.bufferFor(16, wgpu.BufferUsageQueryResolve|wgpu.BufferUsageCopySrc)
	if err != nil {
		return 0, err
	}
	defer ticks.free()
	size := min(64<<20, r.maxBinding, r.maxBuffer)
	if r.req.Memory > 0 {
		size = min(size, r.req.Memory/4&^15)
	}
	a, err := r.buffer(size)
	if err != nil {
		return 0, err
	}
	defer a.free()
	b, err := r.buffer(size)
	if err != nil {
		return 0, err
	}
	defer b.free()
	var ratios []float64
	for range minRuns {
		wall, err := r.run(func(e *wgpu.CommandEncoder) error {
			if err := e.WriteTimestamp(queries, 0); err != nil {
				return err
			}
			for range 4 {
				if err := e.CopyBufferToBuffer(a.Buffer, 0, b.Buffer, 0, size); err != nil {
					return err
				}
			}
			if err := e.WriteTimestamp(queries, 1); err != nil {
				return err
			}
			return e.ResolveQuerySet(queries, 0, 2, ticks.Buffer, 0)
		})
		if err != nil {
			return 0, err
		}
		words, err := read[uint32](r.device, ticks, 0, 4)
		if err != nil {
			return 0, err
		}
		begin, end := uint64(words[0])|uint64(words[1])<<32, uint64(words[2])|uint64(words[3])<<32
		if end <= begin {
			return 0, fmt.Errorf("timestamps run backwards")
		}
		ratios = append(ratios, wall*1e9/float64(end-begin))
	}
	// Waiting only ever lengthens the wall clock's time.
	return slices.Min(ratios), nil
}

// cpu measures a copy and a matrix-vector product in Go on all processors.
func (r *run) cpu(budget float64) {
	size := min(r.req.Effort.maxBytes(), 256<<20)
	src, dst := make([]byte, size), make([]byte, size)
	for i := range src {
		src[i] = byte(i)
	}
	t := timeCPU(budget, func() { cpuCopy(dst, src) })
	p := &r.proof
	p.set("cpu_threads", float64(runtime.GOMAXPROCS(0)))
	p.setTiming("cpu_copy", t)
	p.set("cpu_copy_gb_per_s", 2*float64(size)/t.Median()/1e9)

	const k = 4096
	rows := int(size / 4 / k)
	w, x, out := make([]float32, rows*k), make([]float32, k), make([]float32, rows)
	parallel(len(w), func(first, end int) {
		for i := first; i < end; i++ {
			w[i] = value(uint32(i), 1)
		}
	})
	for i := range x {
		x[i] = value(uint32(i), 2)
	}
	t = timeCPU(budget, func() { cpuMatVec(w, x, out) })
	p.setTiming("cpu_f32", t)
	p.set("cpu_f32_gb_per_s", float64(len(w)*4)/t.Median()/1e9)
	p.set("cpu_f32_weights_per_s", float64(len(w))/t.Median())
}
