package gpumetrics

import (
	"encoding/binary"
	"fmt"
)

// Reason is what holds a device back.
type Reason int

// The reasons, in the order in which they are shown.
const (
	Thermal Reason = iota
	Power
	Current
	Other
	NumReasons
)

// Table is what is used of a table. Of the three ways to tell throttling at most one is known.
type Table struct {
	// Active is per reason whether it holds the device back now; ActiveKnown says whether the table has it.
	Active      [NumReasons]bool
	ActiveKnown bool
	// Residency is per reason a counter that rises while it does; ResidencyKnown says whether the table has it.
	Residency      [NumReasons]uint64
	ResidencyKnown bool
	// Any is whether anything does, from a table that tells no reasons in a way common to all chips.
	Any, AnyKnown bool
	// SocketPower and SocketLimit are the package's mean power and its sustained limit now, in mW; 0 is unknown.
	SocketPower, SocketLimit uint32
}

// header is the size of the table's header: structure_size, format_revision, content_revision.
const header = 4

// Decode reads a table. A version that is not known gives an error that names it; a field that holds all ones was not
// filled by the firmware and is unknown.
func Decode(data []byte) (Table, error) {
	var t Table
	if len(data) < header {
		return t, fmt.Errorf("decode gpu_metrics: %d bytes hold no header", len(data))
	}
	size := int(binary.LittleEndian.Uint16(data))
	if size > len(data) {
		return t, fmt.Errorf("decode gpu_metrics: the header says %d bytes, the file has %d", size, len(data))
	}
	table := data[:size]
	format, content := data[2], data[3]
	ok := true
	switch {
	case format == 1 && content <= 2:
		ok = t.dependent(table, 68)
	case format == 1 && content == 3:
		ok = t.independent(table, 112)
	case format == 1 && content == 4:
		ok = t.dependent(table, 40)
	case format == 1 && content == 5:
		ok = t.dependent(table, 104)
	case format == 1 && content == 6:
		ok = t.residency(table, map[int]Reason{108: Thermal, 112: Power, 116: Thermal, 120: Thermal, 124: Thermal})
	case format == 2 && content == 0:
		ok = t.dependent(table, 112)
	case format == 2 && content == 1:
		ok = t.dependent(table, 108)
	case format == 2 && content <= 4:
		ok = t.independent(table, 120)
	case format == 3 && content == 0:
		ok = t.residency(table, map[int]Reason{228: Thermal, 232: Power, 236: Power, 240: Power, 244: Thermal, 248: Thermal, 252: Thermal})
		if ok {
			t.socket(table, 112, 172)
		}
	default:
		return t, fmt.Errorf("decode gpu_metrics: version %d.%d is not known", format, content)
	}
	if !ok {
		return Table{}, fmt.Errorf("decode gpu_metrics: version %d.%d of %d bytes is too short", format, content, size)
	}
	return t, nil
}

// dependent reads bits that mean something else on each chip: only whether any is set is common.
func (t *Table) dependent(table []byte, at int) bool {
	if len(table) < at+4 {
		return false
	}
	bits := binary.LittleEndian.Uint32(table[at:])
	t.AnyKnown = bits != 1<<32-1
	t.Any = t.AnyKnown && bits != 0
	return true
}

// independent reads the bits common to all chips: 16 for power, 16 for current, 24 for temperature, the rest other.
func (t *Table) independent(table []byte, at int) bool {
	if len(table) < at+8 {
		return false
	}
	bits := binary.LittleEndian.Uint64(table[at:])
	if bits == 1<<64-1 {
		return true
	}
	t.ActiveKnown = true
	t.Active[Power] = bits&0xffff != 0
	t.Active[Current] = bits>>16&0xffff != 0
	t.Active[Thermal] = bits>>32&0xff_ffff != 0
	t.Active[Other] = bits>>56 != 0
	return true
}

// residency sums the counters of each reason.
func (t *Table) residency(table []byte, at map[int]Reason) bool {
	for offset, reason := range at {
		if len(table) < offset+4 {
			return false
		}
		if v := binary.LittleEndian.Uint32(table[offset:]); v != 1<<32-1 {
			t.Residency[reason] += uint64(v)
			t.ResidencyKnown = true
		}
	}
	return true
}

// socket reads the package's power and limit; a field of all ones or 0 was not filled.
func (t *Table) socket(table []byte, power, limit int) {
	if v := binary.LittleEndian.Uint32(table[power:]); v != 1<<32-1 {
		t.SocketPower = v
	}
	if v := binary.LittleEndian.Uint16(table[limit:]); v != 1<<16-1 {
		t.SocketLimit = uint32(v)
	}
}
