package modelfile

import (
	"cmp"
	"slices"
	"strings"

	"headroom/policy/workload"
)

// Container is the kind of file that a model was read from.
type Container string

// The containers. ContainerConfig is a config.json without weights beside it.
const (
	ContainerGGUF        Container = "gguf"
	ContainerSafetensors Container = "safetensors"
	ContainerConfig      Container = "config"
)

// File is a model on disk, sized from what its files say.
type File struct {
	// Model is the architecture, with the weights counted.
	Model     workload.Model
	Container Container
	// Path is the file or folder that was opened; Paths are all files of weights, in order.
	Path  string
	Paths []string
	// Format is the format's usual name: Q4_K_M, BF16, GPTQ 4-bit, MXFP4.
	Format string
	// WeightBytes is the exact size of all tensors; 0 without weights.
	WeightBytes uint64
	// BitsPerWeight is WeightBytes × 8 ÷ weights; 0 without weights.
	BitsPerWeight float64
	// Types say what the weights are stored in, largest first.
	Types []TypeShare
	// Missing is the bytes of weights that lie beyond the end of its files: more than 0 for a broken-off download.
	Missing uint64
	// Notes are what a user should know of the file, in words.
	Notes []string
}

// HasWeights reports whether the file holds weights, so that WeightBytes is exact.
func (f File) HasWeights() bool { return f.Container != ContainerConfig }

// TypeShare is what one element type holds of a file.
type TypeShare struct {
	// Name is the type's usual name; Known is false for a type whose layout is not known, sized by the room it takes.
	Name    string
	Known   bool
	Tensors int
	// Params are the weights, Bytes their size with the scales that belong to them.
	Params, Bytes uint64
}

// shares collects TypeShares by name.
type shares struct {
	list  []TypeShare
	index map[string]int
}

func (s *shares) add(name string, known bool, params, bytes uint64) {
	i, ok := s.index[name]
	if !ok {
		if s.index == nil {
			s.index = map[string]int{}
		}
		i = len(s.list)
		s.index[name] = i
		s.list = append(s.list, TypeShare{Name: name, Known: known})
	}
	t := &s.list[i]
	t.Tensors++
	t.Params += params
	t.Bytes += bytes
}

// sorted gives the shares, largest first.
func (s *shares) sorted() []TypeShare {
	slices.SortStableFunc(s.list, func(a, b TypeShare) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Name, b.Name))
	})
	return s.list
}

// weigh fills in what follows from the shares.
func (f *File) weigh(s *shares) {
	f.Types = s.sorted()
	for _, t := range f.Types {
		f.WeightBytes += t.Bytes
	}
	if f.Model.Params > 0 {
		f.BitsPerWeight = float64(f.WeightBytes) * 8 / float64(f.Model.Params)
	}
}
