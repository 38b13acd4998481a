package gpumetrics

import (
	"encoding/binary"
	"strings"
	"testing"
)

// table makes a table of a version and size with some fields set.
func table(format, content byte, size int, set map[int]uint64) []byte {
	data := make([]byte, size)
	binary.LittleEndian.PutUint16(data, uint16(size))
	data[2], data[3] = format, content
	for at, v := range set {
		switch {
		case v >= 1<<32:
			binary.LittleEndian.PutUint64(data[at:], v)
		case v >= 1<<16 || at%4 == 0:
			binary.LittleEndian.PutUint32(data[at:], uint32(v))
		default:
			binary.LittleEndian.PutUint16(data[at:], uint16(v))
		}
	}
	return data
}

func TestReasons(t *testing.T) {
	for _, tt := range []struct {
		name string
		data []byte
		want [NumReasons]bool
	}{
		{"nothing", table(1, 3, 120, nil), [NumReasons]bool{}},
		{"a hot spot", table(1, 3, 120, map[int]uint64{112: 1 << 36}), [NumReasons]bool{Thermal: true}},
		{"a package limit", table(1, 3, 120, map[int]uint64{112: 1}), [NumReasons]bool{Power: true}},
		{"a current limit of an APU", table(2, 2, 128, map[int]uint64{120: 1 << 21}), [NumReasons]bool{Current: true}},
		{"the firmware's own", table(2, 4, 168, map[int]uint64{120: 1 << 57}), [NumReasons]bool{Other: true}},
		{"heat and power", table(2, 3, 152, map[int]uint64{120: 1<<33 | 1<<6}), [NumReasons]bool{Thermal: true, Power: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Decode(tt.data)
			if err != nil || !got.ActiveKnown || got.Active != tt.want {
				t.Errorf("the table says %+v, %v; want %v", got, err, tt.want)
			}
		})
	}
}

func TestSentinels(t *testing.T) {
	got, err := Decode(table(1, 3, 120, map[int]uint64{112: 1<<64 - 1}))
	if err != nil || got.ActiveKnown {
		t.Errorf("a field that was not filled says %+v, %v", got, err)
	}
	got, err = Decode(table(1, 5, 400, map[int]uint64{104: 1<<32 - 1}))
	if err != nil || got.AnyKnown {
		t.Errorf("a field that was not filled says %+v, %v", got, err)
	}
}

func TestOlderTables(t *testing.T) {
	for _, tt := range []struct {
		format, content byte
		size, at        int
	}{{1, 0, 80, 68}, {1, 1, 96, 68}, {1, 2, 104, 68}, {1, 4, 300, 40}, {1, 5, 400, 104}, {2, 0, 120, 112}, {2, 1, 120, 108}} {
		quiet, err := Decode(table(tt.format, tt.content, tt.size, nil))
		if err != nil || !quiet.AnyKnown || quiet.Any {
			t.Errorf("%d.%d at rest says %+v, %v", tt.format, tt.content, quiet, err)
		}
		loud, err := Decode(table(tt.format, tt.content, tt.size, map[int]uint64{tt.at: 4}))
		if err != nil || !loud.Any {
			t.Errorf("%d.%d held back says %+v, %v", tt.format, tt.content, loud, err)
		}
	}
}

func TestResidency(t *testing.T) {
	data := table(3, 0, 264, map[int]uint64{228: 1, 232: 20, 236: 300, 240: 4000, 244: 50000, 248: 600000, 252: 7000000, 112: 18000, 172: 28000})
	got, err := Decode(data)
	if err != nil || !got.ResidencyKnown || got.Residency[Power] != 4320 || got.Residency[Thermal] != 7650001 {
		t.Errorf("the counters are %+v, %v", got, err)
	}
	if got.SocketPower != 18000 || got.SocketLimit != 28000 {
		t.Errorf("the package draws %d of %d mW", got.SocketPower, got.SocketLimit)
	}
}

func TestBadTables(t *testing.T) {
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"empty":           {nil, "no header"},
		"cut":             {table(1, 3, 120, nil)[:100], "the header says 120"},
		"too short":       {table(2, 2, 124, nil), "too short"},
		"an unknown kind": {table(9, 1, 64, nil), "9.1 is not known"},
		"text":            {[]byte("N/A\n"), "the header says"},
	} {
		if _, err := Decode(tt.data); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q", name, err, tt.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(table(1, 3, 120, nil))
	f.Add(table(3, 0, 264, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Decode(data)
		if err != nil && got != (Table{}) {
			t.Errorf("an error comes with figures: %+v", got)
		}
	})
}
