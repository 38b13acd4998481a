package modelfile

import (
	"fmt"

	"headroom/policy/workload/modelfile/gguf"
)

// Bounds on an architecture's figures, well beyond any model. They keep a crafted file from asking for layers that it
// does not have, or for products that leave 64 bits.
const (
	maxLayers    = 1 << 10
	maxWidth     = 1 << 24
	maxHeads     = 1 << 14
	maxHeadWidth = 1 << 16
	maxRow       = 1 << 22
	maxVocab     = 1 << 28
	maxContext   = 1 << 28
	maxExperts   = 1 << 14
	maxTensors   = 1 << 18
	maxWeights   = 1 << 60
)

// ggufKeys reads the keys of one architecture. The first error sticks: read all, then look at err.
type ggufKeys struct {
	h    *gguf.Header
	arch string
	err  error
}

func (k *ggufKeys) fail(err error) {
	if k.err == nil {
		k.err = err
	}
}

func (k *ggufKeys) has(name string) bool { return k.h.Has(k.arch + "." + name) }

// count is an integer of at most limit; other where the key is missing.
func (k *ggufKeys) count(name string, other, limit uint64) uint64 {
	key := k.arch + "." + name
	n, ok, err := k.h.Uint(key)
	switch {
	case err != nil:
		k.fail(err)
	case !ok:
		return other
	case n > limit:
		k.fail(fmt.Errorf("%s: is %d, more than the %d that any model has", key, n, limit))
	default:
		return n
	}
	return 0
}

// each is one integer a layer: a list of that length, or one for all; nil where the key is missing.
func (k *ggufKeys) each(name string, layers int, limit uint64) []uint64 {
	key := k.arch + "." + name
	list, err := k.h.Uints(key, layers)
	if err != nil {
		k.fail(err)
		return nil
	}
	if list == nil {
		return nil
	}
	for _, n := range list {
		if n > limit {
			k.fail(fmt.Errorf("%s: holds %d, more than the %d that any model has", key, n, limit))
			return nil
		}
	}
	if k.h.Len(key) == 0 {
		return repeat(list[0], layers)
	}
	if len(list) != layers {
		k.fail(fmt.Errorf("%s: has %d elements for %d layers", key, len(list), layers))
		return nil
	}
	return list
}

// flag is a boolean or integer key; other where it is missing.
func (k *ggufKeys) flag(name string, other bool) bool {
	n, ok, err := k.h.Uint(k.arch + "." + name)
	if err != nil {
		k.fail(err)
	}
	if !ok {
		return other
	}
	return n != 0
}

func repeat(n uint64, times int) []uint64 {
	list := make([]uint64, times)
	for i := range list {
		list[i] = n
	}
	return list
}
