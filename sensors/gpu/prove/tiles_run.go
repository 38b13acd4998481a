//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/cogentcore/webgpu/wgpu"
)

// tiles proves that a matrix product larger than a pretended memory budget runs in pieces within it, and what that costs
// against the product as a whole.
func (r *run) tiles() error {
	r.step("kernels against the CPU", 0)
	list := r.usable()
	if len(list) == 0 {
		return errors.New("this adapter's workgroups are too small for any of the kernels")
	}
	r.proof.Verified = true
	for _, b := range list {
		if err := r.checkMatMul(b); err != nil {
			return fmt.Errorf("kernel %v: %w", b, err)
		}
	}
	r.step("the best kernel", 0.2)
	best, err := r.searchMatMul(list)
	if err != nil {
		return err
	}
	if text, err := json.Marshal(best); err == nil {
		r.emit(Event{Tuning: string(text)})
	}
	r.step("streaming through a budget", 0.6)
	return r.stream(best)
}

// usable are the kernels that this adapter's limits allow, or the one found best earlier.
func (r *run) usable() []blocking {
	fits := func(b blocking) bool {
		return b.sound() && b.threads() <= 256 && b.storage() <= int(max(r.info.WorkgroupStorage, 16<<10))
	}
	var known blocking
	if json.Unmarshal([]byte(r.req.Tuning), &known) == nil && fits(known) {
		return []blocking{known}
	}
	var out []blocking
	for _, b := range blockings(r.req.Effort) {
		if fits(b) {
			out = append(out, b)
		}
	}
	return out
}

// product is the buffers of result[m][n] = Σ a[m][k]·w[n][k].
type matProduct struct {
	m, n, k      int
	a, w, result *buffer
}

func (p matProduct) free() { freeAll(p.a, p.w, p.result) }

func (r *run) matProduct(m, n, k int) (p matProduct, err error) {
	p.m, p.n, p.k = m, n, k
	defer func() {
		if err != nil {
			p.free()
		}
	}()
	if p.a, err = r.buffer(uint64(m) * uint64(k) * 4); err != nil {
		return p, err
	}
	if p.w, err = r.buffer(uint64(n) * uint64(k) * 4); err != nil {
		return p, err
	}
	if p.result, err = r.buffer(uint64(m) * uint64(n) * 4); err != nil {
		return p, err
	}
	if err = r.fill(p.a, 41); err != nil {
		return p, err
	}
	return p, r.fill(p.w, 42)
}

func (r *run) matMul(b blocking, p matProduct) (call, error) {
	k, err := r.compile(fmt.Sprintf("matmul-%v-%d-%d", b, p.n, p.k), r.req.spoiled(matMulWGSL(b, p.n, p.k)))
	if err != nil {
		return call{}, err
	}
	return r.on(k, uint32(p.n/b.N), uint32(p.m/b.M), p.a, p.w, p.result)
}

// checkMatMul compares every value of a small product, of several blocks each way.
func (r *run) checkMatMul(b blocking) error {
	m, n, k := 2*b.M, 3*b.N, 5*b.K
	p, err := r.matProduct(m, n, k)
	if err != nil {
		return err
	}
	defer p.free()
	c, err := r.matMul(b, p)
	if err != nil {
		return err
	}
	if _, err := r.run(inPasses([]call{c})); err != nil {
		return err
	}
	got, err := read[float32](r.device, p.result, 0, m*n)
	if err != nil {
		return err
	}
	want := make([]float32, m*n)
	parallel(m, func(first, end int) {
		for i := first; i < end; i++ {
			for j := range n {
				want[i*n+j] = dotValues(i, j, k, func(i int) float32 { return value(uint32(i), 42) })
			}
		}
	})
	r.proof.Verified = r.compareProducts(got, want, k) && r.proof.Verified
	return nil
}

// dotValues is one element of the product on the CPU.
func dotValues(row, col, k int, weight func(int) float32) float32 {
	var sum float64
	for t := range k {
		sum += float64(value(uint32(row*k+t), 41)) * float64(weight(col*k+t))
	}
	return float32(sum)
}

// compareProducts compares sums of k terms relative to what such a sum typically is.
func (r *run) compareProducts(got, want []float32, k int) bool {
	// Test data is uniform from −4 to 4: its mean square is 16/3, that of a product of two its square.
	typical := float32(16.0 / 3 * math.Sqrt(float64(k)))
	for i := range got {
		got[i] /= typical
	}
	for i := range want {
		want[i] /= typical
	}
	return r.compare(got, want, formatTolerance, false)
}

// searchMatMul times the kernels on a square product, as large as the effort and the adapter's speed allow, and gives the
// best with its rate.
func (r *run) searchMatMul(list []blocking) (blocking, error) {
	most := map[Effort]int{Quick: 512, Standard: 2048, Full: 8192}[r.req.Effort]
	size := 256
	for size < most {
		took, err := r.squareOnce(list[0], size)
		if err != nil {
			return blocking{}, err
		}
		if took*8 > watchdog/4 || uint64(size*size)*16 > min(r.maxBinding, r.maxBuffer) || r.req.Memory > 0 && uint64(size*size)*4*12 > r.req.Memory/2 {
			break
		}
		size *= 2
	}
	p, err := r.matProduct(size, size, size)
	if err != nil {
		return blocking{}, err
	}
	defer p.free()
	var best blocking
	var bestTime Timing
	end := time.Now().Add(time.Duration(r.part(3) * float64(time.Second)))
	for i, b := range list {
		if i > 0 && time.Now().After(end) {
			break
		}
		c, err := r.matMul(b, p)
		if err != nil {
			return blocking{}, err
		}
		t, err := r.measure("matmul-"+b.String(), r.part(3*len(list)), inPasses([]call{c}))
		if errors.Is(err, errSlow) {
			continue
		}
		if err != nil {
			return blocking{}, err
		}
		r.proof.set("matmul_"+b.String()+"_gflop_per_s", flops(size, size, size)/t.Median()/1e9)
		if bestTime == nil || t.Median() < bestTime.Median() {
			best, bestTime = b, t
		}
	}
	if bestTime == nil {
		return blocking{}, errSlow
	}
	r.proof.set("matmul_size", float64(size))
	r.proof.setTiming("matmul", bestTime)
	r.proof.set("matmul_gflop_per_s", flops(size, size, size)/bestTime.Median()/1e9)
	return best, nil
}

func flops(m, n, k int) float64 { return 2 * float64(m) * float64(n) * float64(k) }

func (r *run) squareOnce(b blocking, size int) (float64, error) {
	p, err := r.matProduct(size, size, size)
	if err != nil {
		return 0, err
	}
	defer p.free()
	c, err := r.matMul(b, p)
	if err != nil {
		return 0, err
	}
	if _, err := r.run(inPasses([]call{c})); err != nil {
		return 0, err
	}
	return r.run(inPasses([]call{c}))
}

// streamed is the size of the product that is streamed: as large as the effort allows and the adapter can do as a whole well
// inside the watchdog, at the rate of its best kernel.
func streamed(e Effort, b blocking, rate float64) (m, n, k int) {
	switch e {
	case Quick:
		m, n, k = 128, 2048, 1024
	case Full:
		m, n, k = 4096, 16384, 8192
	default:
		m, n, k = 512, 8192, 4096
	}
	whole := func(m int) int { return (m + b.M - 1) / b.M * b.M }
	for flops(whole(m), n, k) > rate*watchdog/4 {
		switch {
		case m > b.M:
			m /= 2
		case k > 512:
			k /= 2
		case n > 16*b.N:
			n /= 2
		default:
			return whole(m), n, k
		}
	}
	return whole(m), n, k
}

// pretended is the share of the weights that the pretended budget holds.
const pretended = 3

// stream runs a product whose weights lie in a mapped file, three times as large as the budget.
func (r *run) stream(b blocking) (err error) {
	rate, _ := r.proof.Figure("matmul_gflop_per_s")
	m, n, k := streamed(r.req.Effort, b, rate*1e9)
	rowBytes := uint64(k) * 4
	whole := uint64(n) * rowBytes
	file, err := newWeightFile(r.req.Dir, int(whole))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.close()) }()

	budget := whole / pretended
	t, ok := planTiles(n, b.N, rowBytes, budget)
	if !ok {
		return fmt.Errorf("stream %d bytes of weights: a budget of %d bytes does not hold two pieces", whole, budget)
	}
	stage := min(max(whole/64, 1<<16), 16<<20)
	// Beside the weights: the activations, the result piece by piece, the last one as long as the others, and what uploads
	// pass through.
	beside := uint64(m)*rowBytes + uint64(m)*uint64(t.Pieces*t.Rows)*4 + stagingBuffers*stage
	p := &r.proof
	p.set("weights_bytes", float64(whole))
	p.set("budget_bytes", float64(budget))
	p.set("beside_bytes", float64(beside))
	p.set("tiles_planned", float64(t.Planned))
	p.set("pieces_run", float64(t.Pieces))

	tiled, got, err := r.streamTiled(b, t, file.data, m, n, k, stage, budget+beside)
	if err != nil {
		return err
	}
	p.setTiming("tiled", tiled)
	p.set("tiled_gflop_per_s", flops(m, n, k)/tiled.Median()/1e9)
	r.checkStream(got, t, m, n, k)
	p.set("peak_bytes", float64(r.peak))
	if r.peak > budget+beside {
		return fmt.Errorf("held %d bytes, above the %d of weights and what lies beside them", r.peak, budget+beside)
	}

	if whole > min(r.maxBinding, r.maxBuffer) || r.req.Memory > 0 && whole+uint64(m)*uint64(n+k)*4 > r.req.Memory {
		p.Meaning = fmt.Sprintf("%d bytes of weights ran in %d pieces within %d bytes; as a whole they do not fit this adapter", whole, t.Pieces, budget)
		return nil
	}
	return r.streamWhole(b, file.data, m, n, k, t, tiled)
}

// streamTiled runs the product piece by piece, the next piece on its way while this one is worked on.
func (r *run) streamTiled(b blocking, t tiling, data []byte, m, n, k int, stage, total uint64) (tm Timing, got []float32, err error) {
	r.budget, r.peak = r.held+total, r.held
	held := r.held
	defer func() { r.budget = 0; r.peak -= held }()
	a, err := r.buffer(uint64(m) * uint64(k) * 4)
	if err != nil {
		return nil, nil, err
	}
	defer a.free()
	result, err := r.buffer(uint64(m) * uint64(t.Pieces*t.Rows) * 4)
	if err != nil {
		return nil, nil, err
	}
	defer result.free()
	var pieces [2]*buffer
	for i := range pieces {
		if pieces[i], err = r.buffer(uint64(t.Rows) * uint64(k) * 4); err != nil {
			return nil, nil, err
		}
		defer pieces[i].free()
	}
	staging, err := r.newRing(stagingBuffers, stage)
	if err != nil {
		return nil, nil, err
	}
	defer staging.free()
	if err := r.fill(a, 41); err != nil {
		return nil, nil, err
	}
	kern, err := r.compile(fmt.Sprintf("matmul-tile-%v", b), r.req.spoiled(matMulWGSL(b, t.Rows, k)))
	if err != nil {
		return nil, nil, err
	}
	calls := make([]call, t.Pieces)
	segment := uint64(m) * uint64(t.Rows) * 4
	for i := range calls {
		g, err := r.dev.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: kern.layout, Entries: []wgpu.BindGroupEntry{
			{Binding: 0, Buffer: a.Buffer, Size: wgpu.WholeSize},
			{Binding: 1, Buffer: pieces[i%2].Buffer, Size: wgpu.WholeSize},
			{Binding: 2, Buffer: result.Buffer, Offset: uint64(i) * segment, Size: segment},
		}})
		if err != nil {
			return nil, nil, fmt.Errorf("bind a piece: %w", err)
		}
		rows := min(t.Rows, n-i*t.Rows)
		calls[i] = call{kernel: kern, bound: g, x: uint32((rows + b.N - 1) / b.N), y: uint32(m / b.M)}
	}
	rowBytes := k * 4
	all := func() error {
		for i, c := range calls {
			piece := data[i*t.Rows*rowBytes : min((i+1)*t.Rows, n)*rowBytes]
			if err := staging.send(pieces[i%2], 0, piece, func(e *wgpu.CommandEncoder) error { return pass(e, c) }); err != nil {
				return err
			}
		}
		r.wait()
		return nil
	}
	var failed error
	tm = timeCPU(r.part(6), func() {
		if failed == nil {
			failed = all()
		}
	})
	if failed != nil {
		return nil, nil, failed
	}
	// What is read back would itself count against the budget: it is taken after the pieces are done with.
	r.budget = 0
	peak := r.peak
	got, err = read[float32](r.device, result, 0, m*t.Pieces*t.Rows)
	r.peak = peak
	return tm, got, err
}

// checkStream compares samples of every piece with the CPU.
func (r *run) checkStream(got []float32, t tiling, m, n, k int) {
	weight := func(i int) float32 { return math.Float32frombits(fileWord(uint32(i))) }
	var g, want []float32
	for i := range t.Pieces {
		rows := min(t.Rows, n-i*t.Rows)
		for _, col := range []int{0, rows / 2, rows - 1} {
			for _, row := range []int{0, m / 2, m - 1} {
				// Relative to what a sum of such terms typically is.
				var sum, norm float64
				for j := range k {
					term := float64(value(uint32(row*k+j), 41)) * float64(weight((i*t.Rows+col)*k+j))
					sum += term
					norm += term * term
				}
				norm = math.Sqrt(norm)
				g = append(g, float32(float64(got[(i*m+row)*t.Rows+col])/norm))
				want = append(want, float32(sum/norm))
			}
		}
	}
	r.proof.Verified = r.compare(g, want, formatTolerance, false) && r.proof.Verified
}

// streamWhole runs the product with all weights held, with and without their upload.
func (r *run) streamWhole(b blocking, data []byte, m, n, k int, t tiling, tiled Timing) error {
	pr, err := r.matProduct(m, n, k)
	if err != nil {
		return err
	}
	defer pr.free()
	staging, err := r.newRing(stagingBuffers, min(max(uint64(len(data))/8, 1<<20), 32<<20))
	if err != nil {
		return err
	}
	defer staging.free()
	var failed error
	upload := timeCPU(r.part(6), func() {
		if failed == nil {
			failed = staging.send(pr.w, 0, data, nil)
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
	untiled, err := r.measure("untiled", r.part(6), inPasses([]call{c}))
	if err != nil {
		return err
	}
	p := &r.proof
	p.setTiming("untiled", untiled)
	p.setTiming("upload", upload)
	p.set("untiled_gflop_per_s", flops(m, n, k)/untiled.Median()/1e9)
	ratio := tiled.Median() / untiled.Median()
	p.set("tiled_over_untiled_x", ratio)
	p.set("upload_hides", truth(upload.Median() < untiled.Median()))
	bound := "the uploads, which take longer than the work"
	if upload.Median() < untiled.Median() {
		bound = "the work, behind which the uploads hide"
	}
	p.Meaning = fmt.Sprintf("weights of %d times the budget ran in %d pieces within it, in %.2f times the time of the product with all weights held; bound by %s",
		pretended, t.Pieces, ratio, bound)
	return nil
}
