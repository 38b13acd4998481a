//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"
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
	list := blockings(r.req.Effort)
	if r.oneKernel() {
		list = list[:1]
	}
	for _, b := range list {
		if fits(b) {
			out = append(out, b)
		}
	}
	return out
}

// matProduct is a product's buffers.
type matProduct struct {
	product
	a, w, result *buffer
}

func (p matProduct) free() { freeAll(p.a, p.w, p.result) }

func (r *run) matProduct(size product) (p matProduct, err error) {
	p.product = size
	m, n, k := size.m, size.n, size.k
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
	k, err := r.compile(fmt.Sprintf("matmul-%v-%d-%d", b, p.n, p.k), r.req.spoiled(matMulWGSL(b, p.n, p.k, 0)))
	if err != nil {
		return call{}, err
	}
	x, y, err := exactGrid(b.groups(p.product))
	if err != nil {
		return call{}, err
	}
	return r.on(k, x, y, p.a, p.w, p.result)
}

// exactGrid spreads workgroups that must not be more than asked for.
func exactGrid(groups int) (x, y uint32, err error) {
	for y = 1; groups/int(y) > maxGroups || groups%int(y) != 0; y++ {
		if int(y) > maxGroups {
			return 0, 0, fmt.Errorf("spread %d workgroups: they do not divide", groups)
		}
	}
	return uint32(groups) / y, y, nil
}

// checkMatMul compares every value of a small product, of several blocks each way.
func (r *run) checkMatMul(b blocking) error {
	m, n, k := 2*b.M, 3*b.N, 6*b.K
	p, err := r.matProduct(product{m, n, k})
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
	most := map[Effort]int{Check: 256, Quick: 512, Standard: 2048, Full: 8192}[r.req.Effort]
	size := 256
	for size < most && !r.oneKernel() {
		took, err := r.squareOnce(list[min(2, len(list)-1)], size)
		if err != nil {
			return blocking{}, err
		}
		if took*8 > r.watchdog()/4 || uint64(size*size)*16 > min(r.maxBinding, r.maxBuffer) || r.req.Memory > 0 && uint64(size*size)*4*12 > r.req.Memory/2 {
			break
		}
		size *= 2
	}
	p, err := r.matProduct(product{size, size, size})
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
		t, err := r.measure("matmul-"+b.String(), r.part(3*len(list)), dispatches(c))
		if errors.Is(err, errSlow) {
			continue
		}
		if err != nil {
			return blocking{}, err
		}
		r.proof.set("matmul_"+b.String()+"_gflop_per_s", product{size, size, size}.flops()/t.Median()/1e9)
		if bestTime == nil || t.Median() < bestTime.Median() {
			best, bestTime = b, t
		}
	}
	if bestTime == nil {
		return blocking{}, errSlow
	}
	r.proof.set("matmul_size", float64(size))
	r.proof.setTiming("matmul", bestTime)
	r.proof.set("matmul_gflop_per_s", product{size, size, size}.flops()/bestTime.Median()/1e9)
	return best, nil
}

func (r *run) squareOnce(b blocking, size int) (float64, error) {
	p, err := r.matProduct(product{size, size, size})
	if err != nil {
		return 0, err
	}
	defer p.free()
	c, err := r.matMul(b, p)
	if err != nil {
		return 0, err
	}
	best := math.Inf(1)
	for range 3 {
		took, err := r.run(inPasses([]call{c}))
		if err != nil {
			return 0, err
		}
		best = min(best, took)
	}
	return best, nil
}
