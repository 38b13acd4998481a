package prove

import (
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// copyWGSL copies one buffer to another.
const copyWGSL = `@group(0) @binding(0) var<storage, read> source: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> result: array<vec4<f32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let i = id.y * groups.x * 256u + id.x;
	if i >= arrayLength(&result) {
		return;
	}
	let v = source[i];
	result[i] = v;
}
`

// tinyWGSL does next to nothing: what it takes is what a dispatch costs.
const tinyWGSL = `@group(0) @binding(0) var<storage, read_write> result: array<u32>;
@compute @workgroup_size(1)
fn main() {
	result[0] = result[0] + 1u;
}
`

// parallel runs do(part) for each of n equal parts of a length on all processors, and waits.
func parallel(length int, do func(first, end int)) {
	n := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for i := range n {
		first, end := length*i/n, length*(i+1)/n
		if first == end {
			continue
		}
		wait.Go(func() { do(first, end) })
	}
	wait.Wait()
}

// timeCPU measures Go code by the rules that kernels are measured by: two runs to warm up, at least five measured.
func timeCPU(budget float64, do func()) Timing {
	do()
	do()
	var times []float64
	end := time.Now().Add(time.Duration(budget * float64(time.Second)))
	for len(times) < minRuns || len(times) < maxRuns && time.Now().Before(end) {
		begin := time.Now()
		do()
		times = append(times, time.Since(begin).Seconds())
	}
	return newTiming(times)
}

// cpuCopy copies memory with all processors.
func cpuCopy(dst, src []byte) {
	parallel(len(src), func(first, end int) { copy(dst[first:end], src[first:end]) })
}

// cpuMatVec is the CPU's matrix-vector product with f32 weights, all processors: out[r] = Σ w[r][k]·x[k].
func cpuMatVec(w, x, out []float32) {
	k := len(x)
	parallel(len(out), func(first, end int) {
		for r := first; r < end; r++ {
			row := w[r*k:][:k]
			v := x[:len(row)]
			var a, b, c, d float32
			i := 0
			for ; i+4 <= len(row); i += 4 {
				a += row[i] * v[i]
				b += row[i+1] * v[i+1]
				c += row[i+2] * v[i+2]
				d += row[i+3] * v[i+3]
			}
			for ; i < len(row); i++ {
				a += row[i] * v[i]
			}
			out[r] = a + b + c + d
		}
	})
}

// bytesView is the memory of values as bytes.
func bytesView[T float32 | uint32](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*4)
}
