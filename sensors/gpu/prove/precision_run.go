//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/cogentcore/webgpu/wgpu"

	"headroom/policy"
)

// precision proves the matrix-vector product, which is what decoding a token is, with weights stored at each precision.
func (r *run) precision() error {
	r.step("every format against the CPU", 0)
	ok, err := r.checkFormats()
	if err != nil {
		return err
	}
	r.proof.Verified = ok
	// Shapes found for other lengths are kept beside those found now.
	tuned := r.tuning()
	var times [4]Timing
	for i, p := range formats {
		r.step("weights as "+p.String(), float64(i+1)/5)
		t, s, same, err := r.timeFormat(p, tuned, r.part(len(formats)))
		if err != nil {
			return fmt.Errorf("weights as %v: %w", p, err)
		}
		times[p] = t
		tuned[tuningKey(p, r.req.Effort)] = s
		r.proof.Verified = r.proof.Verified && same
	}
	r.compareFormats(times)
	if text, err := json.Marshal(tuned); err == nil {
		r.emit(Event{Tuning: string(text)})
	}
	return nil
}

// tuningKey names the kernel of a format for rows of the length that an effort takes: another length wants another shape.
func tuningKey(p policy.Precision, e Effort) string { return fmt.Sprintf("%v-%d", p, columnsFor(e)) }

// tuning reads the shapes found earlier; what cannot be read is searched again.
func (r *run) tuning() map[string]shape {
	tuned := map[string]shape{}
	if json.Unmarshal([]byte(r.req.Tuning), &tuned) != nil {
		return map[string]shape{}
	}
	return tuned
}

// compareFormats compares the times of one weight.
func (r *run) compareFormats(times [4]Timing) {
	p := &r.proof
	f16 := times[policy.F16].Median()
	var relative [4]float64
	for _, f := range formats {
		p.set(f.String()+"_speed_of_f16_x", f16/times[f].Median())
		p.set(f.String()+"_bound_of_f16_x", 2/(float64(bytesFor(f, superblock))/superblock))
		relative[f], _ = p.Figure(f.String() + "_error")
	}
	p.Meaning = sayFormats(times, relative)
}

// shapes are the kernels that are tried.
func (r *run) shapes(f policy.Precision, columns int) []shape {
	list := shapes(r.req.Effort, pieces(f, columns))
	if r.oneKernel() {
		list = list[:1]
	}
	return list
}

// checkFormats packs one small matrix in every format and compares each row with the CPU's product of the same stored
// weights; and with the product of the unrounded weights, which is the error of the format itself.
func (r *run) checkFormats() (bool, error) {
	// Rows as long as those that are timed, so that the same kernels serve, but for the longest.
	rows, columns := 64, min(columnsFor(r.req.Effort), 8*superblock)
	w, x := make([]float32, rows*columns), make([]float32, columns)
	for i := range w {
		// A sum of three is nearer to real weights than one uniform number.
		w[i] = (value(uint32(i), 11) + value(uint32(i), 12) + value(uint32(i), 13)) / 64
	}
	for i := range x {
		x[i] = value(uint32(i), 2) / 4
	}
	ok := true
	for _, f := range formats {
		m := pack(w, f)
		var got []float32
		// Both ends of the shapes, so that no shape is used that was not seen to be right.
		for _, s := range r.shapes(f, columns) {
			var err error
			if got, err = r.product(f, s, m, x, rows); err != nil {
				return false, err
			}
			ok = r.rows(f, m.weight, x, got, columns, nil) && ok
		}
		var diff, norm float64
		for row := range rows {
			var exact float64
			for k := range columns {
				exact += float64(w[row*columns+k]) * float64(x[k])
			}
			diff += (float64(got[row]) - exact) * (float64(got[row]) - exact)
			norm += exact * exact
		}
		r.proof.set(f.String()+"_error", math.Sqrt(diff/norm))
	}
	return ok, nil
}

// rows compares results with the CPU's, row by row; which gives the matrix row of each result, nil for its own.
func (r *run) rows(f policy.Precision, weight func(int) float32, x, got []float32, columns int, which []int) bool {
	var g, want []float32
	for i, v := range got {
		row := i
		if which != nil {
			row = which[i]
		}
		var sum, norm float64
		for k := range columns {
			term := float64(weight(row*columns+k)) * float64(x[k])
			sum += term
			norm += term * term
		}
		// Relative to what a sum of such terms typically is: a sum that happens to be near 0 has no small error of its own.
		norm = math.Sqrt(norm)
		g, want = append(g, float32(float64(v)/norm)), append(want, float32(sum/norm))
	}
	return r.compare(g, want, formatTolerance, false)
}

// formatTolerance is the rounding that sums of thousands of terms in f32 may show.
const formatTolerance = 1e-4

// matrix is a matrix's buffers on the adapter.
type matrix struct {
	weights, scales, x, result *buffer
}

func (m matrix) free() { freeAll(m.weights, m.scales, m.x, m.result) }

func (r *run) matrix(f policy.Precision, rows, columns uint64) (m matrix, err error) {
	defer func() {
		if err != nil {
			m.free()
		}
	}()
	n := rows * columns
	if m.weights, err = r.buffer(wordsFor(f, n) * 4); err != nil {
		return m, err
	}
	if quantised(f) {
		if m.scales, err = r.buffer(n / chunk * 2); err != nil {
			return m, err
		}
	}
	if m.x, err = r.buffer(columns * 4); err != nil {
		return m, err
	}
	m.result, err = r.buffer(rows * 4)
	return m, err
}

func (r *run) matVec(f policy.Precision, s shape, m matrix, rows, columns int) (call, error) {
	k, err := r.compile(fmt.Sprintf("%v-%v", f, s), r.req.spoiled(matVecWGSL(f, s, columns)))
	if err != nil {
		return call{}, err
	}
	x, y, err := exactGrid(rows / s.rowsAtOnce())
	if err != nil {
		return call{}, err
	}
	bound := []*buffer{m.weights, m.x, m.result}
	if m.scales != nil {
		bound = append(bound, m.scales)
	}
	return r.on(k, x, y, bound...)
}

// product runs one product of packed weights.
func (r *run) product(f policy.Precision, s shape, w packed, x []float32, rows int) ([]float32, error) {
	m, err := r.matrix(f, uint64(rows), uint64(len(x)))
	if err != nil {
		return nil, err
	}
	defer m.free()
	if err := upload(r.device, m.weights, w.words); err != nil {
		return nil, err
	}
	if m.scales != nil {
		if err := upload(r.device, m.scales, w.scales); err != nil {
			return nil, err
		}
	}
	if err := upload(r.device, m.x, x); err != nil {
		return nil, err
	}
	c, err := r.matVec(f, s, m, rows, len(x))
	if err != nil {
		return nil, err
	}
	if _, err := r.run(inPasses([]call{c})); err != nil {
		return nil, err
	}
	return read[float32](r.device, m.result, 0, rows)
}

// timeFormat times a large product with the best of the shapes, and checks some of its rows. The times are of one weight.
func (r *run) timeFormat(f policy.Precision, tuned map[string]shape, budget float64) (t Timing, best shape, same bool, err error) {
	columns := columnsFor(r.req.Effort)
	// As many rows as the f32 matrix may have, so that every format does the same work.
	most := min(r.req.Effort.maxBytes(), r.maxBinding, r.maxBuffer)
	if r.req.Memory > 0 {
		most = min(most, r.req.Memory/2)
	}
	rows := 1 << 6
	for uint64(rows)*2*uint64(columns)*4 <= most && rows < 8192 {
		rows *= 2
	}
	var m matrix
	var took float64
	for {
		if m, err = r.filledMatrix(f, rows, columns); err != nil {
			return nil, best, false, err
		}
		c, err := r.matVec(f, r.shapes(f, columns)[0], m, rows, columns)
		if err == nil {
			if _, err = r.run(inPasses([]call{c})); err == nil {
				took, err = r.run(inPasses([]call{c}))
			}
		}
		if err != nil {
			m.free()
			return nil, best, false, err
		}
		if took < r.watchdog()/4 || rows <= 64 {
			break
		}
		m.free()
		rows /= 4
	}
	defer m.free()

	best = tuned[tuningKey(f, r.req.Effort)]
	if !best.sound(pieces(f, columns)) {
		if best, err = r.search(f, m, rows, columns, budget/2); err != nil {
			return nil, best, false, err
		}
	}
	c, err := r.matVec(f, best, m, rows, columns)
	if err != nil {
		return nil, best, false, err
	}
	if t, err = r.measure(f.String(), budget/2, dispatches(c)); err != nil {
		return nil, best, false, err
	}
	if same, err = r.checkRows(f, m, rows, columns); err != nil {
		return nil, best, false, err
	}
	n := uint64(rows) * uint64(columns)
	p, key := &r.proof, f.String()
	p.set("rows", float64(rows))
	p.set("columns", float64(columns))
	p.setTiming(key, t)
	p.set(key+"_gb_per_s", float64(bytesFor(f, n))/t.Median()/1e9)
	p.set(key+"_weights_per_s", float64(n)/t.Median())
	return t.over(float64(n)), best, same, nil
}

// search tries shapes and gives the one with the best median.
func (r *run) search(f policy.Precision, m matrix, rows, columns int, budget float64) (best shape, err error) {
	list := r.shapes(f, columns)
	fastest := math.Inf(1)
	end := time.Now().Add(time.Duration(budget * float64(time.Second)))
	for i, s := range list {
		if i > 0 && time.Now().After(end) {
			break
		}
		c, err := r.matVec(f, s, m, rows, columns)
		if err != nil {
			return best, err
		}
		t, err := r.measure(fmt.Sprintf("%v-%v", f, s), budget/float64(2*len(list)), dispatches(c))
		if errors.Is(err, errSlow) {
			continue
		}
		if err != nil {
			return best, err
		}
		if t.Median() < fastest {
			fastest, best = t.Median(), s
		}
	}
	if best.Rows == 0 {
		return best, errSlow
	}
	return best, nil
}

// The seeds of a large matrix's data, and the bits that keep any half finite.
const (
	seedWeights = 21
	seedScales  = 22
	finite      = 0xBFFFBFFF
)

// mask keeps words of test data from being halves that are not numbers.
func mask(f policy.Precision) uint32 {
	if f == policy.F16 {
		return finite
	}
	return math.MaxUint32
}

func (r *run) filledMatrix(f policy.Precision, rows, columns int) (matrix, error) {
	m, err := r.matrix(f, uint64(rows), uint64(columns))
	if err != nil {
		return m, err
	}
	err = r.fill(m.x, 2)
	if err == nil && f == policy.F32 {
		err = r.fill(m.weights, seedWeights)
	} else if err == nil {
		err = r.fillWords(m.weights, seedWeights, mask(f))
	}
	if err == nil && m.scales != nil {
		err = r.fillWords(m.scales, seedScales, finite)
	}
	if err != nil {
		m.free()
	}
	return m, err
}

// fillWords makes hash words in a buffer on the adapter.
func (r *run) fillWords(b *buffer, seed, mask uint32) error {
	k, err := r.compile("fill-words", hashWGSL+fmt.Sprintf(`
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@compute @workgroup_size(%d)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let i = id.y * groups.x * %du + id.x;
	if i < arrayLength(&words) {
		words[i] = hash32(i, %du) & %du;
	}
}
`, threads, threads, seed, mask))
	if err != nil {
		return err
	}
	x, y := grid((b.size/4 + threads - 1) / threads)
	c, err := r.on(k, x, y, b)
	if err != nil {
		return err
	}
	return r.submit(func(e *wgpu.CommandEncoder) error { return pass(e, c) })
}

// checkRows compares some rows of a large product with the CPU, which makes the same data.
func (r *run) checkRows(f policy.Precision, m matrix, rows, columns int) (bool, error) {
	which := []int{0, rows/2 + 1, rows - 1}
	x := make([]float32, columns)
	for i := range x {
		x[i] = value(uint32(i), 2)
	}
	all, err := read[float32](r.device, m.result, 0, rows)
	if err != nil {
		return false, err
	}
	got := make([]float32, len(which))
	for i, row := range which {
		got[i] = all[row]
	}
	return r.rows(f, r.weightOf(f), x, got, columns, which), nil
}

// weightOf gives weight i of a large matrix.
func (r *run) weightOf(f policy.Precision) func(int) float32 {
	words := func(i int) uint32 { return hash32(uint32(i), seedWeights) & mask(f) }
	switch f {
	case policy.F32:
		return func(i int) float32 { return value(uint32(i), seedWeights) }
	case policy.F16:
		return func(i int) float32 { return fromHalf(uint16(words(i/2) >> (i % 2 * 16))) }
	}
	// One superblock at a time is made as it lies there, and looked at.
	one := packed{format: f, words: make([]uint32, wordsFor(f, superblock)), scales: make([]uint32, superblock/chunk/2)}
	made := -1
	return func(i int) float32 {
		if block := i / superblock; block != made {
			for j := range one.words {
				one.words[j] = words(block*len(one.words) + j)
			}
			for j := range one.scales {
				one.scales[j] = hash32(uint32(block*len(one.scales)+j), seedScales) & finite
			}
			made = block
		}
		return one.weight(i % superblock)
	}
}
