package prove

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

// weightFile is a temporary file of test data, mapped into memory as a model's weights are.
type weightFile struct {
	data    []byte
	file    *os.File
	release func() error
	removed bool
}

// fileSeed is the data's seed.
const fileSeed = 31

// newWeightFile makes a file of size bytes, a whole number of words, in dir: f32 weights, small as a model's are.
func newWeightFile(dir string, size int) (*weightFile, error) {
	f, err := os.CreateTemp(dir, "headroom-weights-*.bin")
	if err != nil {
		return nil, fmt.Errorf("make a file of weights in %s: %w", dir, err)
	}
	// Where an open file can be removed, nothing is left behind even by a crash.
	w := &weightFile{file: f, removed: os.Remove(f.Name()) == nil}
	words := make([]uint32, min(size/4, 1<<20))
	for first := 0; first < size/4; first += len(words) {
		part := words[:min(len(words), size/4-first)]
		parallel(len(part), func(a, b int) {
			for i := a; i < b; i++ {
				part[i] = fileWord(uint32(first + i))
			}
		})
		if _, err := f.Write(bytesView(part)); err != nil {
			return nil, errors.Join(fmt.Errorf("write a file of weights of %d bytes in %s: %w", size, filepath.Dir(f.Name()), err), w.close())
		}
	}
	if w.data, w.release, err = mapFile(f, size); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// fileWord is the bits of weight i of the file.
func fileWord(i uint32) uint32 { return math.Float32bits(value(i, fileSeed) / 64) }

// close unmaps and removes the file.
func (w *weightFile) close() error {
	var err error
	if w.release != nil {
		err = w.release()
	}
	err = errors.Join(err, w.file.Close())
	if !w.removed {
		err = errors.Join(err, os.Remove(w.file.Name()))
	}
	return err
}

// checksum is what checksumWGSL makes of the words: each mixed with its place, so that a word out of place is seen.
func checksum(words int, word func(uint32) uint32) uint32 {
	sums := make(chan uint32, 1024)
	parallel(words, func(first, end int) {
		var sum uint32
		for i := first; i < end; i++ {
			sum += hash32(uint32(i), word(uint32(i)))
		}
		sums <- sum
	})
	close(sums)
	var total uint32
	for s := range sums {
		total += s
	}
	return total
}

// checksumWGSL sums all words of a buffer, mixed with their places.
const checksumWGSL = hashWGSL + `
@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> sum: atomic<u32>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let step = groups.x * groups.y * 256u;
	var mixed = 0u;
	for (var i = id.y * groups.x * 256u + id.x; i < arrayLength(&words); i = i + step) {
		mixed = mixed + hash32(i, words[i]);
	}
	atomicAdd(&sum, mixed);
}
`
