package frame

import (
	"fmt"

	"headroom/policy/workload"
)

// Remedy is one change that alone would make a row fit whole.
type Remedy struct {
	// Context, KV and Format are the changed choice; the others are empty.
	Context uint64
	KV      workload.KVType
	Format  string
	// Memory is the bytes that would have to be free besides.
	Memory uint64
}

// remedies finds what would make the row fit whole in the memory that it was compared with: a smaller cache type, a shorter
// context, a coarser format, or more free memory.
func (f Frame) remedies(r Row, opt workload.Options) []Remedy {
	var list []Remedy
	if !r.bare() {
		for _, kv := range []workload.KVType{workload.KVQ80, workload.KVQ40} {
			o := opt
			o.KV = kv
			n := r.Model.KVBytes(o)
			if n < r.KVBytes && addSat(r.Weights, addSat(n, r.ComputeBytes)) <= r.Free {
				list = append(list, Remedy{KV: kv})
				break
			}
		}
		if r.MaxContext > 0 && r.MaxContext < r.Context {
			list = append(list, Remedy{Context: r.MaxContext})
		}
	}
	for _, format := range workload.Formats() {
		n := format.Of(r.Model)
		if n < r.Weights && addSat(n, r.overhead()) <= r.Free {
			list = append(list, Remedy{Format: format.Name})
			break
		}
	}
	if r.Total > r.Free {
		list = append(list, Remedy{Memory: r.Total - r.Free})
	}
	return list
}

// Words says what the remedy does: "a context of 4 096", "the format Q3_K_M", "2.1 GiB more of free memory".
func (r Remedy) Words() string {
	switch {
	case r.Context > 0:
		return "a context of " + Count(r.Context)
	case r.KV != "":
		return fmt.Sprintf("a KV cache of %s", r.KV)
	case r.Format != "":
		return "the format " + r.Format
	default:
		return Bytes(r.Memory) + moreMemory
	}
}

const moreMemory = " more of free memory"
