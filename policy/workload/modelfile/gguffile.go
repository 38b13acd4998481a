package modelfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"headroom/policy/workload/modelfile/gguf"
)

// openGGUF sizes a GGUF file, with all its parts where it is split. The first part holds the keys.
func openGGUF(path string) (File, error) {
	parts, err := splitParts(path)
	if err != nil {
		return File{}, err
	}
	file, first, err := readGGUF(parts, 0)
	if err != nil {
		return File{}, err
	}
	defer file.Close()
	tensors, missing := first.Tensors, first.Missing()
	for i := 1; i < len(parts); i++ {
		part, h, err := readGGUF(parts, i)
		if err != nil {
			return File{}, err
		}
		part.Close()
		if tensors = append(tensors, h.Tensors...); len(tensors) > maxTensors {
			return File{}, fmt.Errorf("open %s: more than %d tensors are no model", path, maxTensors)
		}
		missing += h.Missing()
	}
	if name, twice := twice(tensors); twice {
		return File{}, fmt.Errorf("open %s: tensor %q is in two of its parts", path, name)
	}
	f := File{Container: ContainerGGUF, Path: path, Paths: parts, Missing: missing}
	if err := f.sizeGGUF(first, tensors); err != nil {
		return File{}, fmt.Errorf("open %s: %w", path, err)
	}
	return f, nil
}

// twice gives the name of a tensor that is there twice.
func twice(tensors []gguf.Tensor) (string, bool) {
	seen := make(map[string]struct{}, len(tensors))
	for _, t := range tensors {
		if _, ok := seen[t.Name]; ok {
			return t.Name, true
		}
		seen[t.Name] = struct{}{}
	}
	return "", false
}

// sizeGGUF fills in what follows from the keys and all tensors.
func (f *File) sizeGGUF(first *gguf.Header, tensors []gguf.Tensor) (err error) {
	if f.Model, err = ggufArch(first, tensors); err != nil {
		return err
	}
	if err := f.countGGUF(tensors); err != nil {
		return err
	}
	f.nameGGUF(first)
	f.Format = ggufFormat(first, f.Types)
	f.Model.Source = f.Path
	return nil
}

// readGGUF reads the header of one part and checks that it is that part. The caller closes the file.
func readGGUF(parts []string, i int) (*os.File, *gguf.Header, error) {
	file, size, err := openRegular(parts[i])
	if errors.Is(err, fs.ErrNotExist) && len(parts) > 1 {
		return nil, nil, fmt.Errorf("open %s: part %d of %d is missing: %w", parts[i], i+1, len(parts), err)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("open %s: %w", parts[i], err)
	}
	h, err := gguf.Read(file, size)
	if err == nil {
		_, err = h.Bytes()
	}
	if err == nil {
		err = checkPart(h, i, len(parts))
	}
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("open %s: %w", parts[i], err)
	}
	return file, h, nil
}

// checkPart compares what a file says of its place in a split model with its place by name.
func checkPart(h *gguf.Header, i, count int) error {
	n, ok, err := h.Uint("split.count")
	if err != nil || !ok {
		return err
	}
	no, _, err := h.Uint("split.no")
	if err != nil {
		return err
	}
	if n > 1 && (n != uint64(count) || no != uint64(i)) {
		return fmt.Errorf("it is part %d of %d of a split model, its name says %d of %d", no+1, n, i+1, count)
	}
	return nil
}

// countGGUF counts weights and bytes. Tables for the rotary embedding and the scales of a format are bytes, but no weights.
func (f *File) countGGUF(tensors []gguf.Tensor) error {
	var s shares
	var bytes uint64
	m := &f.Model
	for _, t := range tensors {
		params := t.Elements
		if strings.HasPrefix(t.Name, "rope_f") || strings.HasSuffix(t.Name, ".scale") || strings.HasSuffix(t.Name, ".input_scale") {
			params = 0
		}
		m.Params += params
		bytes += t.Bytes
		if m.Params > maxWeights || bytes > maxWeights {
			return errors.New("it claims more weights than any model has")
		}
		m.LargestTensor = max(m.LargestTensor, params)
		s.add(t.Type.String(), t.Type.Known(), params, t.Bytes)
		m.ActiveParams += f.active(t, params)
	}
	f.weigh(&s)
	for _, t := range f.Types {
		if !t.Known {
			f.Notes = append(f.Notes, fmt.Sprintf("%s, in %d of its tensors, is unknown: sized by the room that they take", t.Name, t.Tensors))
		}
	}
	return nil
}

// active is the share of a tensor that one token needs: of experts the ones in use, of a table of per-layer embeddings a row.
func (f *File) active(t gguf.Tensor, params uint64) uint64 {
	if t.Name == "per_layer_token_embd.weight" {
		return t.Dims[0]
	}
	i, _, ok := layerTensor(t.Name)
	if !ok || i >= len(f.Model.Layers) || !expertTensor(t.Name) {
		return params
	}
	l := f.Model.Layers[i]
	if l.Experts == 0 {
		return params
	}
	return params / l.Experts * l.ExpertsUsed
}

// nameGGUF names the model by the file's own title, else by the file.
func (f *File) nameGGUF(h *gguf.Header) {
	name, _, err := h.Text("general.name", 256)
	name = strings.TrimSpace(strings.ToValidUTF8(name, ""))
	if err != nil || name == "" {
		name = strings.TrimSuffix(filepath.Base(f.Paths[0]), ".gguf")
		if m := splitName.FindStringSubmatch(filepath.Base(f.Paths[0])); m != nil {
			name = m[1]
		}
	}
	f.Model.Name, f.Model.ID = name, slug(name)
}

// ggufFormats are the names of llama.cpp's file types by number (include/llama.h, enum llama_ftype), each with the type that
// most weights of such a file are stored in.
var ggufFormats = map[uint64][2]string{
	0: {"F32", "F32"}, 1: {"F16", "F16"}, 2: {"Q4_0", "Q4_0"}, 3: {"Q4_1", "Q4_1"}, 7: {"Q8_0", "Q8_0"}, 8: {"Q5_0", "Q5_0"},
	9: {"Q5_1", "Q5_1"}, 10: {"Q2_K", "Q2_K"}, 11: {"Q3_K_S", "Q3_K"}, 12: {"Q3_K_M", "Q3_K"}, 13: {"Q3_K_L", "Q3_K"},
	14: {"Q4_K_S", "Q4_K"}, 15: {"Q4_K_M", "Q4_K"}, 16: {"Q5_K_S", "Q5_K"}, 17: {"Q5_K_M", "Q5_K"}, 18: {"Q6_K", "Q6_K"},
	19: {"IQ2_XXS", "IQ2_XXS"}, 20: {"IQ2_XS", "IQ2_XS"}, 21: {"Q2_K_S", "Q2_K"}, 22: {"IQ3_XS", "IQ3_XXS"}, 23: {"IQ3_XXS", "IQ3_XXS"},
	24: {"IQ1_S", "IQ1_S"}, 25: {"IQ4_NL", "IQ4_NL"}, 26: {"IQ3_S", "IQ3_S"}, 27: {"IQ3_M", "IQ3_S"}, 28: {"IQ2_S", "IQ2_XS"},
	29: {"IQ2_M", "IQ2_S"}, 30: {"IQ4_XS", "IQ4_XS"}, 31: {"IQ1_M", "IQ1_M"}, 32: {"BF16", "BF16"}, 33: {"Q4_0_4_4", "Q4_0_4_4"},
	34: {"Q4_0_4_8", "Q4_0_4_8"}, 35: {"Q4_0_8_8", "Q4_0_8_8"}, 36: {"TQ1_0", "TQ1_0"}, 37: {"TQ2_0", "TQ2_0"}, 38: {"MXFP4", "MXFP4"},
	39: {"NVFP4", "NVFP4"}, 40: {"Q1_0", "Q1_0"}, 41: {"Q2_0", "Q2_0"},
}

// ggufFormat is the file's own word for its format where its tensors bear it out, else the type that holds most bytes.
func ggufFormat(h *gguf.Header, types []TypeShare) string {
	if n, ok, err := h.Uint("general.file_type"); ok && err == nil {
		// Bit 10 marks a type that was guessed.
		f, known := ggufFormats[n&^1024]
		if known && slices.ContainsFunc(types, func(t TypeShare) bool { return t.Name == f[1] }) {
			return f[0]
		}
	}
	return types[0].Name
}
