package prove

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"headroom/sensors/wholefile"
)

// Stored is what is kept of an adapter with a driver: the newest outcome of each proof, and the kernel shapes found best.
type Stored struct {
	Result
	Tuning map[string]string `json:"tuning,omitempty"`
}

// maxStored bounds a file of proofs.
const maxStored = 1 << 20

// Dir is the folder that holds proofs, one file for each adapter and driver; a user can delete any of them.
func Dir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a folder for proofs: %w", err)
	}
	return filepath.Join(cache, "headroom", "proofs"), nil
}

// Path is the file of an adapter and driver in dir.
func Path(dir, adapter, driver string) string {
	h := fnv.New32a()
	_, _ = io.WriteString(h, adapter+"\x00"+driver)
	return filepath.Join(dir, fmt.Sprintf("%s-%08x.json", slug(adapter), h.Sum32()))
}

// slug makes a name fit for a file: letters, digits and dashes, not too long.
func slug(s string) string {
	s = strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, s), "-")
	for strings.Contains(s, "--") {
		s = strings.ReplaceAll(s, "--", "-")
	}
	if s == "" {
		return "adapter"
	}
	return s[:min(len(s), 60)]
}

// Load reads what is kept of an adapter and driver. Nothing kept is fs.ErrNotExist; a file of another adapter or a damaged
// one is an error.
func Load(dir, adapter, driver string) (Stored, error) {
	s, err := ReadFile(Path(dir, adapter, driver))
	if err != nil {
		return Stored{}, err
	}
	if s.Adapter != adapter || s.Driver != driver {
		return Stored{}, fmt.Errorf("read proofs of %q: the file is of %q", adapter, s.Adapter)
	}
	return s, nil
}

// ReadFile reads a file of proofs: a kept one, or what prove --json printed.
func ReadFile(path string) (s Stored, err error) {
	b, err := wholefile.Read(path, maxStored)
	if err != nil {
		return s, fmt.Errorf("read proofs: %w", err)
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return Stored{}, fmt.Errorf("read proofs from %s: %w", path, err)
	}
	if len(s.Proofs) == 0 {
		return Stored{}, fmt.Errorf("read proofs from %s: it holds none", path)
	}
	return s, nil
}

// Save keeps a result: its proofs replace older ones of the same name, the others stay. A proof that failed replaces
// nothing that was measured.
func Save(dir string, r Result, tuning map[string]string) error {
	kept, err := Load(dir, r.Adapter, r.Driver)
	if err != nil {
		kept = Stored{} // nothing kept, or nothing of use
	}
	out := Stored{Result: r, Tuning: maps.Clone(kept.Tuning)}
	if out.Tuning == nil {
		out.Tuning = map[string]string{}
	}
	maps.Copy(out.Tuning, tuning)
	out.Proofs = nil
	for _, name := range Names() {
		fresh, isNew := r.Find(name)
		old, isOld := kept.Find(name)
		switch {
		case isNew && (fresh.Error == "" || !isOld):
			out.Proofs = append(out.Proofs, fresh)
		case isOld:
			out.Proofs = append(out.Proofs, old)
		}
	}
	b, err := json.MarshalIndent(out, "", "  ")
	if err == nil {
		err = wholefile.Keep(Path(dir, r.Adapter, r.Driver), append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keep proofs: %w", err)
	}
	return nil
}

// Change is one figure of two results of the same proof.
type Change struct {
	Proof string  `json:"proof"`
	Key   string  `json:"key"`
	A     float64 `json:"a"`
	B     float64 `json:"b"`
	// Clear is whether the figures lie further apart than both measurements stray.
	Clear bool `json:"clear"`
}

// Compare lists the figures that two results share, in order of proof and key. Spreads themselves are left out.
func Compare(a, b Result) []Change {
	var out []Change
	for _, name := range Names() {
		pa, okA := a.Find(name)
		pb, okB := b.Find(name)
		if !okA || !okB {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(pa.Figures)) {
			vb, ok := pb.Figures[key]
			if !ok || strings.HasSuffix(key, spreadKey) {
				continue
			}
			va := pa.Figures[key]
			stray := (spreadOf(pa, key) + spreadOf(pb, key)) / 100
			out = append(out, Change{Proof: name, Key: key, A: va, B: vb, Clear: va != vb && 2*max(va-vb, vb-va) > stray*(va+vb)})
		}
	}
	return out
}

const spreadKey = "_spread_percent"

// spreadOf is the spread of the timing that a figure was made from: the one whose name the figure's begins with.
func spreadOf(p Proof, key string) float64 {
	for name := key; name != ""; {
		if v, ok := p.Figures[name+spreadKey]; ok {
			return v
		}
		i := strings.LastIndexByte(name, '_')
		name = name[:max(i, 0)]
	}
	return 0
}
