package gpu

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"headroom/sensors"
)

// Bounds of an answer, whoever gave it.
const (
	maxAnswer   = 1 << 20
	maxAdapters = 64
	maxFeatures = 256
	maxText     = 256
	// maxBytes is more memory than any card has; a larger figure is a mistake.
	maxBytes = 1 << 60
	// narrowBytes is where a count of 32 bits ends, in whole MiB: Windows' registry says so of every card of 4 GiB and more.
	narrowBytes = 1<<32 - 1<<20
)

// answer is the form of gpu.json, and of what the child prints.
type answer struct {
	Adapters []adapter `json:"adapters"`
	// Notes say what is special about the listing: a source that failed, a card left out.
	Notes []string `json:"notes,omitempty"`
	// incomplete is a listing that lacks what drivers that failed would have added.
	incomplete bool
}

// adapter is sensors.Adapter as it arrives from outside.
type adapter struct {
	Name              string         `json:"name"`
	Type              string         `json:"type"`
	Backend           string         `json:"backend"`
	VendorID          uint32         `json:"vendor_id"`
	DeviceID          uint32         `json:"device_id"`
	PCI               string         `json:"pci,omitempty"`
	Driver            string         `json:"driver,omitempty"`
	MaxBufferSize     limit          `json:"max_buffer_size"`
	MaxStorageBinding limit          `json:"max_storage_binding"`
	VRAMTotal         sensors.Number `json:"vram_total"`
	VRAMBudget        sensors.Number `json:"vram_budget"`
	VRAMUsage         sensors.Number `json:"vram_usage"`
	WorkingSet        sensors.Number `json:"working_set"`
	Features          []string       `json:"features,omitempty"`
}

// limit is a count of bytes written as a string, because 2⁶⁴−1 does not survive as a JSON number everywhere; a plain
// number is read too, and null or a missing key is 0, unknown.
type limit uint64

func (l limit) MarshalJSON() ([]byte, error) {
	return []byte(strconv.Quote(strconv.FormatUint(uint64(l), 10))), nil
}

func (l *limit) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*l = 0
		return nil
	}
	n, err := strconv.ParseUint(strings.Trim(string(b), `"`), 10, 64)
	if err != nil {
		return fmt.Errorf("read the limit %.40q: want a whole number of bytes, as a string", b)
	}
	*l = limit(n)
	return nil
}

// pciAddress is a PCI address as the kernel writes it.
var pciAddress = regexp.MustCompile(`^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$`)

// decode reads one answer and nothing after it.
func decode(b []byte) (answer, error) {
	if len(b) > maxAnswer {
		return answer{}, fmt.Errorf("longer than %d bytes", maxAnswer)
	}
	// Adapters is a pointer here so that an object of another kind is not taken for "no adapters".
	var in struct {
		Adapters *[]json.RawMessage `json:"adapters"`
		Notes    []string           `json:"notes"`
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	if err := dec.Decode(&in); err != nil {
		return answer{}, fmt.Errorf("not the expected JSON: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return answer{}, errors.New("something follows the JSON object")
	}
	if in.Adapters == nil {
		return answer{}, errors.New(`no key "adapters"`)
	}
	if n := len(*in.Adapters); n > maxAdapters {
		return answer{}, fmt.Errorf("%d adapters, at most %d are believed", n, maxAdapters)
	}
	out := answer{Adapters: make([]adapter, 0, len(*in.Adapters))}
	for i, raw := range *in.Adapters {
		var a adapter
		if err := json.Unmarshal(raw, &a); err != nil {
			return answer{}, fmt.Errorf("adapter %d: %w", i+1, err)
		}
		for _, figure := range a.check() {
			out.Notes = append(out.Notes, fmt.Sprintf("adapter %d: %s: set aside", i+1, figure))
		}
		out.Adapters = append(out.Adapters, a)
	}
	for _, n := range in.Notes[:min(len(in.Notes), maxAdapters)] {
		out.Notes = append(out.Notes, clean(n))
	}
	return out, nil
}

// backendNames are other spellings of two APIs, so that one card through both is known for one.
var backendNames = map[string]string{"gl": "opengl", "gles": "opengl", "opengles": "opengl", "dx12": "d3d12"}

// check makes texts safe to show, spellings uniform, and memory figures that cannot be true unknown: those it gives back. One
// of them says nothing against the card.
func (a *adapter) check() (absurd []string) {
	a.Name, a.Driver = clean(a.Name), clean(a.Driver)
	if a.Name == "" {
		a.Name = "unnamed adapter"
	}
	a.Type, a.Backend = strings.ToLower(clean(a.Type)), strings.ToLower(clean(a.Backend))
	if b, ok := backendNames[a.Backend]; ok {
		a.Backend = b
	}
	if !slices.Contains([]string{"discrete", "integrated", "virtual", "cpu"}, a.Type) {
		a.Type = "other"
	}
	if a.PCI = strings.ToLower(a.PCI); !pciAddress.MatchString(a.PCI) {
		a.PCI = ""
	}
	for _, f := range []struct {
		key string
		n   *sensors.Number
	}{
		{"vram_total", &a.VRAMTotal},
		{"vram_budget", &a.VRAMBudget},
		{"vram_usage", &a.VRAMUsage},
		{"working_set", &a.WorkingSet},
	} {
		v, ok := f.n.Get()
		switch {
		case !ok:
		case v < 0 || v > maxBytes || v != math.Trunc(v):
			absurd = append(absurd, fmt.Sprintf("%s %v is not a memory size in bytes", f.key, v))
			*f.n = sensors.Number{}
		case v == narrowBytes:
			absurd = append(absurd, fmt.Sprintf("%s %.0f is where a count of 32 bits ends", f.key, v))
			*f.n = sensors.Number{}
		}
	}
	a.Features = a.Features[:min(len(a.Features), maxFeatures)]
	for i := range a.Features {
		a.Features[i] = clean(a.Features[i])
	}
	return absurd
}

// clean makes foreign text safe to show: printable, one line, bounded.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if r := []rune(s); len(r) > maxText {
		s = string(r[:maxText])
	}
	return strings.TrimSpace(s)
}

// listed gives the adapters in the form that a Sample holds.
func (a answer) listed() []sensors.Adapter {
	out := make([]sensors.Adapter, len(a.Adapters))
	for i, x := range a.Adapters {
		out[i] = sensors.Adapter{
			Name: x.Name, Type: x.Type, Backend: x.Backend,
			VendorID: x.VendorID, DeviceID: x.DeviceID, PCI: x.PCI, Driver: x.Driver,
			MaxBufferSize: uint64(x.MaxBufferSize), MaxStorageBinding: uint64(x.MaxStorageBinding),
			VRAMTotal: x.VRAMTotal, VRAMBudget: x.VRAMBudget, VRAMUsage: x.VRAMUsage, WorkingSet: x.WorkingSet,
			Features: x.Features,
		}
	}
	return out
}
