//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"errors"
	"fmt"
	"math"

	"github.com/cogentcore/webgpu/wgpu"
)

// stream runs a product whose weights lie in a mapped file, three times as large as the budget.
func (r *run) stream(b blocking) (err error) {
	rate, _ := r.proof.Figure("matmul_gflop_per_s")
	var size product
	size.m, size.n, size.k = streamed(r.req.Effort, b, rate*1e9, r.req.Memory)
	rowBytes := uint64(size.k) * 4
	whole := uint64(size.n) * rowBytes
	file, err := newWeightFile(r.req.Dir, int(whole))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.close()) }()

	budget := whole / pretended
	plan := func(extra int, ramp bool) (tiling, bool) {
		return planTiles(size.n, b.N, rowBytes, budget, min(r.maxBinding, r.maxBuffer), extra, ramp)
	}
	t, ok := plan(0, false)
	if !ok {
		return fmt.Errorf("stream %d bytes of weights: a budget of %d bytes does not hold two pieces", whole, budget)
	}
	p := &r.proof
	p.set("weights_bytes", float64(whole))
	p.set("budget_bytes", float64(budget))
	p.set("tiles_planned", float64(t.Planned))
	tiled, err := r.tiled(b, t, size, file.data, budget, false)
	if err != nil {
		return err
	}
	p.setTiming("tiled_in_turn", tiled)
	p.set("pieces_run", float64(t.pieces()))
	// How pieces share an adapter's units depends on their number: a few are tried.
	for extra := 0; r.mappable && extra < 3 && (extra == 0 || !r.req.Effort.brief()); extra++ {
		other, ok := plan(extra, !r.req.Effort.brief())
		if !ok {
			break
		}
		overlapped, err := r.tiled(b, other, size, file.data, budget, true)
		if err != nil {
			return err
		}
		p.setTiming(fmt.Sprintf("tiled_overlapped_%d_pieces", other.pieces()), overlapped)
		if overlapped.Median() < tiled.Median() {
			tiled, t = overlapped, other
			p.set("pieces_run", float64(t.pieces()))
		}
	}
	p.setTiming("tiled", tiled)
	p.set("tiled_gflop_per_s", size.flops()/tiled.Median()/1e9)
	if whole > min(r.maxBinding, r.maxBuffer) || r.req.Memory > 0 && whole+stagingBuffers*stagingSize(whole)+uint64(size.m)*uint64(size.n+size.k)*4 > r.req.Memory {
		p.Meaning = fmt.Sprintf("%d bytes of weights ran in %d pieces within %d bytes; as a whole they do not fit this adapter", whole, t.pieces(), budget)
		return nil
	}
	return r.streamWhole(b, file.data, size, t, tiled)
}

// streaming is a product under way in pieces: the activations, the result piece by piece, two places for pieces of weights, and
// two staging buffers that the host fills.
type streaming struct {
	*run
	blocking
	tiling
	product
	data      []byte
	a, result *buffer
	places    [2]*buffer
	staging   *ring
	// calls multiply a piece, each moving the next to its place where that is overlapped.
	calls []call
}

// inFlight is how many bytes have to be on their way at once to keep a bus busy.
const inFlight = 128 << 10

// copiers is how many workgroups move the next piece while the others multiply: each thread has four vec4 on their way.
func (b blocking) copiers(groups int) int {
	return min(max(groups/8, 1), max(inFlight/(b.threads()*64), 1))
}

// tiled streams the product, measures that and checks its result. It never holds more than the budget for weights and what
// lies beside them.
func (r *run) tiled(b blocking, t tiling, size product, data []byte, budget uint64, overlapped bool) (Timing, error) {
	s := &streaming{run: r, blocking: b, tiling: t, product: size, data: data}
	held := r.held
	// Beside the weights: the activations, the result, and what uploads pass through.
	beside := uint64(size.m)*uint64(size.k)*4 + uint64(size.m)*uint64(size.n)*4 + 2*s.pieceBytes()
	defer func(before uint64) { r.budget = before }(r.budget)
	r.budget, r.peak = held+budget+beside, held
	if r.req.Memory > 0 {
		r.budget = min(r.budget, r.req.Memory)
	}
	defer s.free()
	if err := s.open(overlapped); err != nil {
		return nil, err
	}
	var failed error
	tm := timeCPU(r.part(6), func() {
		if failed == nil {
			failed = s.once(overlapped)
		}
	})
	if failed != nil {
		return nil, failed
	}
	r.proof.set("beside_bytes", float64(beside))
	r.proof.set("peak_bytes", float64(r.peak-held))
	// What is read back is no part of the product, and lies in the host's memory: no budget holds for it.
	r.budget = 0
	got, err := read[float32](r.device, s.result, 0, size.m*size.n)
	if err != nil {
		return nil, err
	}
	r.checkStream(got, t, size)
	return tm, nil
}

// pieceBytes is the size of the largest piece.
func (s *streaming) pieceBytes() uint64 { return uint64(s.most()) * uint64(s.k) * 4 }

func (s *streaming) free() {
	freeAll(s.a, s.result, s.places[0], s.places[1])
	if s.staging != nil {
		s.staging.free()
	}
}

func (s *streaming) open(overlapped bool) (err error) {
	if s.a, err = s.buffer(uint64(s.m) * uint64(s.k) * 4); err != nil {
		return err
	}
	if s.result, err = s.buffer(uint64(s.m) * uint64(s.n) * 4); err != nil {
		return err
	}
	for i := range s.places {
		if s.places[i], err = s.buffer(s.pieceBytes()); err != nil {
			return err
		}
	}
	var besides wgpu.BufferUsage
	if overlapped {
		besides = wgpu.BufferUsageStorage
	}
	if s.staging, err = s.newRing(2, s.pieceBytes(), besides); err != nil {
		return err
	}
	if err := s.fill(s.a, 41); err != nil {
		return err
	}
	for i := range s.pieces() {
		c, err := s.call(i, overlapped && i+1 < s.pieces())
		if err != nil {
			return err
		}
		s.calls = append(s.calls, c)
	}
	return nil
}

// piece is the weights of a piece.
func (s *streaming) piece(i int) []byte {
	row := s.k * 4
	return s.data[s.Bounds[i]*row : s.Bounds[i+1]*row]
}

// call multiplies piece i, and moves the next one from staging to its place where that is asked for.
func (s *streaming) call(i int, moves bool) (call, error) {
	rows, moving := s.tiling.rows(i), 0
	groups := s.groups(product{s.m, rows, s.k})
	if moves {
		moving = s.copiers(groups)
	}
	k, err := s.compile(fmt.Sprintf("matmul-tile-%v-%d-%d", s.blocking, rows, moving), s.req.spoiled(matMulWGSL(s.blocking, rows, s.k, moving)))
	if err != nil {
		return call{}, err
	}
	entries := []wgpu.BindGroupEntry{
		{Binding: 0, Buffer: s.a.Buffer, Size: wgpu.WholeSize},
		{Binding: 1, Buffer: s.places[i%2].Buffer, Size: wgpu.WholeSize},
		{Binding: 2, Buffer: s.result.Buffer, Offset: uint64(s.m) * uint64(s.Bounds[i]) * 4, Size: uint64(s.m) * uint64(rows) * 4},
	}
	if moves {
		entries = append(entries,
			wgpu.BindGroupEntry{Binding: 3, Buffer: s.staging.slots[(i+1)%2].buffer.Buffer, Size: uint64(len(s.piece(i + 1)))},
			wgpu.BindGroupEntry{Binding: 4, Buffer: s.places[(i+1)%2].Buffer, Size: wgpu.WholeSize})
	}
	g, err := s.dev.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: k.layout, Entries: entries})
	if err != nil {
		return call{}, fmt.Errorf("bind a piece: %w", err)
	}
	x, y, err := exactGrid(groups + moving)
	return call{kernel: k, bound: g, x: x, y: y}, err
}

// once runs the whole product. The host fills one staging buffer while the adapter works with the other.
func (s *streaming) once(overlapped bool) error {
	for i, c := range s.calls {
		if i == 0 || !overlapped {
			if err := s.bring(i); err != nil {
				return err
			}
		}
		if overlapped && i+1 < s.pieces() {
			if err := s.staging.slots[(i+1)%2].fill(s.piece(i + 1)); err != nil {
				return err
			}
		}
		if err := s.submit(func(e *wgpu.CommandEncoder) error { return pass(e, c) }); err != nil {
			return err
		}
	}
	s.wait()
	return nil
}

// bring copies piece i to its place, in two halves: one is copied while the other is filled.
func (s *streaming) bring(i int) error {
	data := s.piece(i)
	half := len(data) / 2 &^ 15
	for j, part := range [][]byte{data[:half], data[half:]} {
		from := s.staging.slots[j]
		if err := from.fill(part); err != nil {
			return err
		}
		if err := from.copyTo(s.places[i%2], j*half, len(part)); err != nil {
			return err
		}
	}
	return nil
}

// checkStream compares samples of every piece with the CPU.
func (r *run) checkStream(got []float32, t tiling, size product) {
	m, k := size.m, size.k
	weight := func(i int) float32 { return math.Float32frombits(fileWord(uint32(i))) }
	var g, want []float32
	for i := range t.pieces() {
		rows, first := t.rows(i), t.Bounds[i]
		for _, col := range []int{0, rows / 2, rows - 1} {
			for _, row := range []int{0, m / 2, m - 1} {
				// Relative to what a sum of such terms typically is.
				var sum, norm float64
				for j := range k {
					term := float64(value(uint32(row*k+j), 41)) * float64(weight((first+col)*k+j))
					sum += term
					norm += term * term
				}
				norm = math.Sqrt(norm)
				g = append(g, float32(float64(got[first*m+row*rows+col])/norm))
				want = append(want, float32(sum/norm))
			}
		}
	}
	r.proof.Verified = r.compare(g, want, formatTolerance, false) && r.proof.Verified
}

// streamWhole runs the product with all weights held, with and without their upload.
func (r *run) streamWhole(b blocking, data []byte, size product, t tiling, tiled Timing) error {
	pr, err := r.matProduct(size)
	if err != nil {
		return err
	}
	defer pr.free()
	staging, err := r.newRing(stagingBuffers, stagingSize(uint64(len(data))), 0)
	if err != nil {
		return err
	}
	defer staging.free()
	var failed error
	upload := timeCPU(r.part(6), func() {
		if failed == nil {
			failed = staging.send(pr.w, data)
			r.wait()
		}
	})
	if failed != nil {
		return failed
	}
	c, err := r.matMul(b, pr)
	if err != nil {
		return err
	}
	untiled, err := r.measure("untiled", r.part(6), dispatches(c))
	if err != nil {
		return err
	}
	p := &r.proof
	p.setTiming("untiled", untiled)
	p.setTiming("upload", upload)
	p.set("untiled_gflop_per_s", size.flops()/untiled.Median()/1e9)
	p.set("tiled_over_untiled_x", tiled.Median()/untiled.Median())
	if upload.FasterThan(untiled) != untiled.FasterThan(upload) {
		p.set("upload_hides", truth(upload.FasterThan(untiled)))
	}
	p.Meaning = sayTiles(t.pieces(), tiled, untiled, upload)
	return nil
}
