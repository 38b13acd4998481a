package sensors

import (
	"context"
	"strconv"
	"strings"
	"time"

	"headroom/sensors/sysfs"
)

// Folders of the classes that are scanned together, as a card owns sensor chips.
const (
	hwmonDir   = "sys/class/hwmon"
	drmDir     = "sys/class/drm"
	thermalDir = "sys/class/thermal"
)

// maxOfAKind is how many folders of one class, or sensors of one chip, are looked at: more than any machine has. A tree
// made to have more must not keep a round from ending.
const maxOfAKind = 1024

func atMost(names []string) []string { return names[:min(len(names), maxOfAKind)] }

// sleepAttrs are the files that tell whether a device sleeps; the kernel answers them without asking it.
type sleepAttrs struct{ status, state sysfs.Attr }

func sleepAttrsOf(fs sysfs.Root, dir string) sleepAttrs {
	return sleepAttrs{fs.Attr(dir, "power/runtime_status"), fs.Attr(dir, "power_state")}
}

// asleep reports whether the device is runtime-suspended. Nothing else of such a device may be read: most drivers wake it
// for an answer.
func (a sleepAttrs) asleep() bool {
	if status, err := a.status.Text(); err == nil && strings.HasPrefix(status, "suspend") {
		return true
	}
	state, err := a.state.Text()
	return err == nil && strings.HasPrefix(state, "D3")
}

// deviceFamily finds the graphics cards, the sensor chips and the thermal zones.
type deviceFamily struct {
	env   *env
	known knownCards
}

func (f *deviceFamily) scan(context.Context) part {
	var p part
	cards := f.scanCards()
	owner := map[string]*card{}
	for _, c := range cards {
		for _, h := range c.hwmons {
			owner[h] = c
		}
		p.found = append(p.found, source{key: c.ID, read: c.read})
	}
	zones := f.scanZones(soleSoC(cards))
	zoneNames := map[string]bool{}
	for _, z := range zones {
		// The thermal core shows each zone a second time as a chip of that name.
		zoneNames[zoneChipName(z.kind)] = true
		p.found = append(p.found, source{key: z.id, read: z.read})
	}
	p.found = append(p.found, f.scanChips(owner, zoneNames)...)
	if len(cards) == 0 && len(p.found) == 0 {
		p.SourceFailures = append(p.SourceFailures, Missing("source/temperature", "temperature", Celsius, StateNotOffered,
			"/"+hwmonDir+", /"+thermalDir, "the kernel shows no temperature sensor, as on most virtual machines"))
	}
	return p
}

// soleSoC is the ID of the one card that sits on no bus, empty where there is none or several: a system on a chip's own.
func soleSoC(cards []*card) string {
	id := ""
	for _, c := range cards {
		if c.PCI == "" {
			if id != "" {
				return ""
			}
			id = c.ID
		}
	}
	return id
}

// driveEvery is the time between two readings of a disk that tells its temperature itself: some take the question for use
// and do not spin down.
const driveEvery = 5 * time.Minute

// scanChips finds the chips that belong to no card.
func (f *deviceFamily) scanChips(owner map[string]*card, zones map[string]bool) []source {
	names, _ := f.env.fs.List(hwmonDir)
	taken := map[string]int{}
	var found []source
	for _, n := range atMost(names) {
		if !strings.HasPrefix(n, "hwmon") || owner[n] != nil {
			continue
		}
		c := newChip(f.env, hwmonDir+"/"+n)
		if c == nil {
			continue
		}
		if zones[c.name] && c.viaZone {
			continue
		}
		c.id = numbered(c.base(c.device), taken)
		if gpuDrivers[c.name] {
			c.card = f.cardOfChip(n, c.device)
		}
		s := source{key: c.id, read: c.readAlone}
		if c.name == "drivetemp" {
			s.every = min(driveEvery, 30*f.env.rescan)
		}
		found = append(found, s)
	}
	return found
}

// cardOfChip names the card of a graphics chip whose display device is not listed.
func (f *deviceFamily) cardOfChip(n, device string) string {
	if !isPCIAddress(device) {
		data, _ := f.env.fs.Attr(hwmonDir, n, "device/uevent").ReadAll(4096)
		device = strings.ToLower(ueventField(string(data), "PCI_SLOT_NAME"))
	}
	if device == "" {
		return ""
	}
	return "pci/" + device
}

// numbered makes a name unique: the second of a kind gets #2.
func numbered(base string, taken map[string]int) string {
	taken[base]++
	if n := taken[base]; n > 1 {
		return base + "#" + strconv.Itoa(n)
	}
	return base
}

// ueventField gives a field of a device's uevent file, which the kernel answers without asking the device.
func ueventField(text, key string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if v, ok := strings.CutPrefix(line, key+"="); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
