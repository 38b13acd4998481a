package modelfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"headroom/policy/workload/modelfile/safetensors"
)

// maxIndex bounds a model.safetensors.index.json; the largest known have ten megabytes.
const maxIndex = 64 << 20

// shardName is how Hugging Face names the parts of a model.
var shardName = regexp.MustCompile(`^(.*)-\d{5}-of-\d{5}\.safetensors$`)

// openSafetensors sizes the model that a safetensors file, its index, or its folder belongs to. Its config.json gives the
// architecture; without one, the shapes of its tensors do as far as they can.
func openSafetensors(path string) (File, error) {
	paths, dir, err := safetensorsPaths(path)
	if err != nil {
		return File{}, fmt.Errorf("open %s: %w", path, err)
	}
	f := File{Container: ContainerSafetensors, Path: path, Paths: paths}
	var tensors []safetensors.Tensor
	seen := map[string]struct{}{}
	for _, p := range paths {
		h, err := readSafetensors(p)
		if err != nil {
			return File{}, fmt.Errorf("open %s: %w", p, err)
		}
		for _, t := range h.Tensors {
			if _, twice := seen[t.Name]; twice {
				return File{}, fmt.Errorf("open %s: tensor %q is in another part, too", p, t.Name)
			}
			seen[t.Name] = struct{}{}
		}
		if tensors = append(tensors, h.Tensors...); len(tensors) > maxTensors*4 {
			return File{}, fmt.Errorf("open %s: more than %d tensors are no model", path, maxTensors*4)
		}
		f.Missing += h.Missing()
	}
	if len(tensors) == 0 {
		return File{}, fmt.Errorf("open %s: it holds no tensors", path)
	}
	c, err := f.describe(dir, tensors)
	if err != nil {
		return File{}, err
	}
	if err := f.countSafetensors(tensors, c); err != nil {
		return File{}, fmt.Errorf("open %s: %w", path, err)
	}
	f.Model.Source = path
	return f, nil
}

// describe fills in the architecture, and gives the config it came from; nil without one.
func (f *File) describe(dir string, tensors []safetensors.Tensor) (*hfConfig, error) {
	path := filepath.Join(dir, "config.json")
	c, err := readHFConfig(path)
	switch {
	case err == nil:
		f.Model = c.model()
		f.Model.Name = configName(path)
		f.Model.ID = slug(f.Model.Name)
		if c.Quantization == nil {
			c.Quantization = readQuantization(dir)
		}
		return &c, nil
	case !errors.Is(err, os.ErrNotExist):
		return nil, err
	}
	f.Model = shapedModel(tensors)
	f.Model.Name = strings.TrimSuffix(filepath.Base(f.Paths[0]), ".safetensors")
	f.Model.ID = slug(f.Model.Name)
	if len(f.Model.Layers) == 0 {
		f.Notes = append(f.Notes, "no config.json beside it: its KV cache is unknown")
	} else {
		f.Notes = append(f.Notes, "no config.json beside it: its KV cache is taken from the tensors' shapes, an upper bound")
	}
	return nil, nil
}

func readSafetensors(path string) (*safetensors.Header, error) {
	file, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return safetensors.Read(file, size)
}

// safetensorsPaths gives all files of the model that path belongs to, and their folder.
func safetensorsPaths(path string) (paths []string, dir string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, "", err
	}
	dir = filepath.Dir(path)
	prefix := "model"
	switch base := filepath.Base(path); {
	case info.IsDir():
		dir = path
	case strings.HasSuffix(base, ".index.json"):
		paths, err = indexed(path)
		return paths, dir, err
	default:
		m := shardName.FindStringSubmatch(base)
		if m == nil {
			return []string{path}, dir, nil
		}
		prefix = m[1]
	}
	index := filepath.Join(dir, prefix+".safetensors.index.json")
	if _, err := os.Stat(index); err == nil {
		paths, err = indexed(index)
		return paths, dir, err
	}
	names, err := fileNames(dir)
	if err != nil {
		return nil, "", err
	}
	for _, n := range names {
		m := shardName.FindStringSubmatch(n)
		if isSafetensors(n) && (info.IsDir() || m != nil && m[1] == prefix) {
			paths = append(paths, filepath.Join(dir, n))
		}
	}
	// A folder may hold the same weights once in one piece, beside others.
	if whole := filepath.Join(dir, "model.safetensors"); info.IsDir() && slices.Contains(paths, whole) {
		paths = []string{whole}
	}
	return paths, dir, nil
}

// indexed gives the files that an index names, all in its own folder.
func indexed(index string) ([]string, error) {
	file, size, err := openRegular(index)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size > maxIndex {
		return nil, fmt.Errorf("an index of %d bytes is no model's", size)
	}
	var x struct {
		Map map[string]string `json:"weight_map"`
	}
	if err := json.NewDecoder(io.LimitReader(file, maxIndex)).Decode(&x); err != nil {
		return nil, fmt.Errorf("read index: %w", err)
	}
	var paths []string
	seen := map[string]bool{}
	for _, name := range x.Map {
		if seen[name] {
			continue
		}
		seen[name] = true
		if filepath.Base(name) != name || !isSafetensors(name) {
			return nil, fmt.Errorf("read index: it names %q, which is no file beside it", name)
		}
		paths = append(paths, filepath.Join(filepath.Dir(index), name))
	}
	if len(paths) == 0 {
		return nil, errors.New("read index: it names no files")
	}
	slices.Sort(paths)
	return paths, nil
}

// readQuantization reads the description that packers wrote beside config.json before they wrote into it.
func readQuantization(dir string) *hfQuantization {
	for name, method := range map[string]string{"quantize_config.json": "gptq", "quant_config.json": "awq"} {
		file, size, err := openRegular(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		b, err := io.ReadAll(io.LimitReader(file, min(size, maxConfig)))
		file.Close()
		var q hfQuantization
		if err != nil || json.Unmarshal(b, &q) != nil {
			continue
		}
		if q.Method == "" {
			q.Method = method
		}
		return &q
	}
	return nil
}
