package sensors

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"headroom/sensors/sysfs"
)

// card is one display device under /sys/class/drm, with the sensor chips that belong to it.
type card struct {
	Card
	env   *env
	dir   string
	sleep sleepAttrs
	// hwmons are the folder names of its chips, e.g. hwmon8; chips are what is known of them while it is awake.
	hwmons []string
	chips  []*chip
	attrs  cardAttrs
	intel  []intelEngine
	// maxClock is read once: a chip's top step does not change.
	maxClock Reading
	// listed is whether the chips and attrs were looked for; a card is looked at once it is awake.
	listed bool
	// known outlives the scans.
	known *knownCard
}

// knownCard is what was seen of a card while it was awake, to be shown while it sleeps.
type knownCard struct {
	mu             sync.Mutex
	name           string
	vendor, device uint32
	temps          []Temperature
	// last is what it said at lastAt; resting is whether it is then left alone for a while.
	last    part
	lastAt  time.Time
	resting bool
}

// restFor is how long an idle card that may sleep is left alone: each reading wakes it or keeps it from sleeping, for
// seconds.
const restFor = 20 * time.Second

// knownCards are kept by ID.
type knownCards map[string]*knownCard

func newKnownCards() knownCards { return knownCards{} }

type cardAttrs struct {
	vramTotal, vramUsed, gttTotal, gttUsed, busy, metrics sysfs.Attr
}

func (f *deviceFamily) scanCards() []*card {
	names, _ := f.env.fs.List(drmDir)
	var cards []*card
	taken := map[string]int{}
	for _, n := range atMost(names) {
		if !isCardName(n) {
			continue
		}
		dir := drmDir + "/" + n + "/device"
		if !f.env.fs.Exists(dir) {
			continue
		}
		c := &card{env: f.env, dir: dir, sleep: sleepAttrsOf(f.env.fs, dir)}
		c.identify(n)
		c.ID = numbered(c.ID, taken)
		if isNPUDriver(c.Driver) {
			continue
		}
		if f.known[c.ID] == nil {
			f.known[c.ID] = &knownCard{}
		}
		c.known = f.known[c.ID]
		cards = append(cards, c)
	}
	f.assignChips(cards)
	return cards
}

// isCardName tells card0 from card0-HDMI-A-1 and renderD128.
func isCardName(n string) bool {
	number, ok := strings.CutPrefix(n, "card")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// identify says what the card is, from what the kernel knows without asking it.
func (c *card) identify(name string) {
	data, _ := c.env.fs.Attr(c.dir, "uevent").ReadAll(4096)
	uevent := string(data)
	c.Driver = ueventField(uevent, "DRIVER")
	c.PCI = strings.ToLower(ueventField(uevent, "PCI_SLOT_NAME"))
	if v, d, ok := strings.Cut(ueventField(uevent, "PCI_ID"), ":"); ok {
		c.Vendor, c.Device = hex32(v), hex32(d)
	}
	c.ID = "drm/" + name
	if c.PCI != "" {
		c.ID = "pci/" + c.PCI
	}
}

func hex32(s string) uint32 {
	n, _ := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 32)
	return uint32(n)
}

// assignChips finds which hwmon folders belong to which card, by their names alone.
func (f *deviceFamily) assignChips(cards []*card) {
	if len(cards) == 0 {
		return
	}
	byDevice := map[string]*card{}
	for _, c := range cards {
		if l := f.env.fs.Link(c.dir); l != "" {
			byDevice[l] = c
		}
		if c.PCI != "" {
			byDevice[c.PCI] = c
		}
		own, _ := f.env.fs.List(c.dir, "hwmon")
		for _, h := range own {
			if strings.HasPrefix(h, "hwmon") {
				c.hwmons = append(c.hwmons, h)
			}
		}
	}
	names, _ := f.env.fs.List(hwmonDir)
	for _, h := range atMost(names) {
		if !strings.HasPrefix(h, "hwmon") {
			continue
		}
		device := f.env.fs.Link(hwmonDir, h, "device")
		if device == "" {
			data, _ := f.env.fs.Attr(hwmonDir, h, "device/uevent").ReadAll(4096)
			device = strings.ToLower(ueventField(string(data), "PCI_SLOT_NAME"))
		}
		c := byDevice[device]
		if device == "" {
			c = f.soleOfDriver(cards, h)
		}
		if c != nil && !slices.Contains(c.hwmons, h) {
			c.hwmons = append(c.hwmons, h)
		}
	}
}

// soleOfDriver is the card of a chip that does not tell its device, as in a recording without links: the only one that the
// chip's driver drives. nil where there is none, or several.
func (f *deviceFamily) soleOfDriver(cards []*card, chip string) *card {
	name, err := f.env.fs.Attr(hwmonDir, chip, "name").Text()
	if err != nil || !gpuDrivers[name] {
		return nil
	}
	var sole *card
	for _, c := range cards {
		if c.Driver != name {
			continue
		}
		if sole != nil {
			return nil
		}
		sole = c
	}
	return sole
}

// find looks at the files of an awake card.
func (c *card) find() {
	fs := c.env.fs
	c.listed = true
	if c.Vendor == 0 {
		if v, err := fs.Attr(c.dir, "vendor").Hex(); err == nil && v > 0 && v <= 0xffff {
			c.Vendor = uint32(v)
		}
		if d, err := fs.Attr(c.dir, "device").Hex(); err == nil && d > 0 && d <= 0xffff {
			c.Device = uint32(d)
		}
	}
	c.Name, _ = fs.Attr(c.dir, "product_name").Text()
	if c.Name == "" {
		c.Name = c.describe()
	}
	c.attrs = cardAttrs{
		vramTotal: fs.Attr(c.dir, "mem_info_vram_total"),
		vramUsed:  fs.Attr(c.dir, "mem_info_vram_used"),
		gttTotal:  fs.Attr(c.dir, "mem_info_gtt_total"),
		gttUsed:   fs.Attr(c.dir, "mem_info_gtt_used"),
		busy:      fs.Attr(c.dir, "gpu_busy_percent"),
	}
	if fs.Exists(c.dir, "gpu_metrics") {
		c.attrs.metrics = fs.Attr(c.dir, "gpu_metrics")
	} else if c.Driver == "i915" || c.Driver == "xe" || c.Vendor == 0x8086 {
		c.intel = c.findIntel()
	}
	c.maxClock = amdgpuMaxClock(fs.Attr(c.dir, "pp_dpm_sclk"), c.ID+"/clock_max", c.env.clock.Now())
	taken := map[string]int{}
	for _, h := range c.hwmons {
		dir := hwmonDir + "/" + h
		if !fs.Exists(dir) {
			dir = c.dir + "/hwmon/" + h
		}
		ch := newChip(c.env, dir)
		if ch == nil {
			continue
		}
		ch.card = c.ID
		where := c.PCI
		if where == "" {
			where = ch.device
		}
		ch.id = numbered(ch.base(where), taken)
		c.chips = append(c.chips, ch)
	}
}

// describe names a card by its vendor and driver; the adapters know its trade name.
func (c *card) describe() string {
	vendor := map[uint32]string{0x1002: "AMD", 0x10de: "NVIDIA", 0x8086: "Intel", 0x1af4: "Virtio", 0x15ad: "VMware", 0x1a03: "ASPEED", 0x102b: "Matrox", 0x1234: "QEMU"}[c.Vendor]
	switch {
	case vendor != "" && c.Device != 0:
		return fmt.Sprintf("%s %04x:%04x", vendor, c.Vendor, c.Device)
	case vendor != "":
		return vendor + " " + c.Driver
	case c.Driver != "":
		return c.Driver
	}
	return "display device"
}

// plausibleShare bounds a share in percent.
var plausibleShare = bounds{0, 100, "a share is at most 100 %"}

// read reads the card, if it is awake.
func (c *card) read(context.Context) part {
	var p part
	now := c.env.clock.Now()
	if c.sleep.asleep() {
		p.Cards = []Card{c.sleepingCard(now)}
		p.Temperatures = c.sleepingTemperatures(now)
		return p
	}
	if last, ok := c.rest(now); ok {
		return last
	}
	if !c.listed {
		c.find()
	}
	out := c.Card
	out.VRAMTotal, out.VRAMUsed = readPool(c.attrs.vramTotal, c.attrs.vramUsed, c.ID+"/vram", now)
	out.GTTTotal, out.GTTUsed = readPool(c.attrs.gttTotal, c.attrs.gttUsed, c.ID+"/gtt", now)
	out.Busy = readScaled(c.attrs.busy, c.ID+"/busy", "gpu", Percent, 1, plausibleShare, now)
	if len(c.intel) > 0 {
		out.Busy = c.intelBusy()
	}
	p.Cards = []Card{out}
	for _, ch := range c.chips {
		ch.read(&p)
	}
	c.readClock(&p, now)
	if !c.attrs.metrics.IsZero() {
		c.amdgpuThrottle(&p, c.attrs.metrics)
	}
	c.intelThrottle(&p)
	c.remember(&p, now)
	return p
}

// rest gives the last answer of a card that is left alone for a while.
func (c *card) rest(now time.Time) (part, bool) {
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	age := now.Sub(c.known.lastAt)
	return c.known.last, c.known.resting && age >= 0 && age < restFor
}

// couldSleep reports whether the card does nothing and its driver would let it sleep.
func (c *card) couldSleep(p *part) bool {
	if !c.env.fs.Live() {
		return false
	}
	if control, err := c.env.fs.Attr(c.dir, "power/control").Text(); err != nil || control != "auto" {
		return false
	}
	if len(c.intel) > 0 {
		return c.intelIdle()
	}
	return p.Cards[0].Busy.Value == Num(0)
}

// readClock adds the card's clock where its driver shows one.
func (c *card) readClock(p *part, now time.Time) {
	for _, ch := range c.chips {
		if ch.freq.IsZero() {
			continue
		}
		r := readScaled(ch.freq, c.ID+"/clock", "clock", Megahertz, 1e-6, bounds{0, 20000, plausibleClock.why}, now)
		limit := c.maxClock
		p.Clocks = append(p.Clocks, Clock{Device: c.ID, Now: r, Max: limit})
		return
	}
	if clock, ok := c.intelClock(now); ok {
		p.Clocks = append(p.Clocks, clock)
	}
}

// remember keeps what an awake card showed.
func (c *card) remember(p *part, now time.Time) {
	resting := c.couldSleep(p)
	if resting {
		note(&p.Cards[0].Busy, fmt.Sprintf("idle: read every %s, so that the card can sleep", restFor))
	}
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	c.known.name, c.known.vendor, c.known.device = c.Name, c.Vendor, c.Device
	c.known.temps = p.Temperatures
	c.known.last, c.known.lastAt, c.known.resting = *p, now, resting
}

const sleepDetail = "the card is asleep and is left so"

// sleepingCard is the card without touching it.
func (c *card) sleepingCard(now time.Time) Card {
	out := c.Card
	c.known.mu.Lock()
	c.known.resting = false
	if c.known.name != "" {
		out.Name, out.Vendor, out.Device = c.known.name, c.known.vendor, c.known.device
	}
	c.known.mu.Unlock()
	out.Asleep = true
	if out.Name == "" {
		out.Name = c.describe()
	}
	for _, r := range [...]struct {
		r    *Reading
		name string
		unit Unit
	}{
		{&out.VRAMTotal, "vram_total", Bytes},
		{&out.VRAMUsed, "vram_used", Bytes},
		{&out.GTTTotal, "gtt_total", Bytes},
		{&out.GTTUsed, "gtt_used", Bytes},
		{&out.Busy, "busy", Percent},
	} {
		*r.r = Missing(c.ID+"/"+r.name, "gpu", r.unit, StateAsleep, "/"+c.dir, sleepDetail)
	}
	return out
}

// sleepingTemperatures are the sensors that it showed while it was awake, or one for all of them.
func (c *card) sleepingTemperatures(now time.Time) []Temperature {
	c.known.mu.Lock()
	list := slices.Clone(c.known.temps)
	c.known.mu.Unlock()
	if len(list) == 0 {
		return []Temperature{c.unknownTemperature(now)}
	}
	for i := range list {
		t := &list[i]
		for _, r := range [...]*Reading{&t.Value, &t.Crit} {
			*r = Missing(r.ID, r.Kind, r.Unit, StateAsleep, r.Source, sleepDetail)
		}
	}
	return list
}

// unknownTemperature stands for the sensors of a card that was never seen awake.
func (c *card) unknownTemperature(now time.Time) Temperature {
	id := "hwmon/" + c.Driver + "@" + strings.TrimPrefix(c.ID, "pci/") + "/asleep"
	t := Temperature{Chip: c.Driver, Role: RoleGPU, Card: c.ID}
	t.Value = Missing(id, "temperature", Celsius, StateAsleep, "/"+c.dir, sleepDetail+"; its sensors are known once it wakes")
	t.Crit = Missing(id+"/crit", "limit", Celsius, StateAsleep, "/"+c.dir, sleepDetail)
	return t
}

// plausibleMemory bounds a size in bytes: 64 TiB.
var plausibleMemory = bounds{0, 1 << 46, "no machine has that much"}

// readPool reads the size of a card's memory and what of it is in use. A size of 0 is none that the driver tells, and of that
// nothing can be in use.
func readPool(size, inUse sysfs.Attr, id string, now time.Time) (total, used Reading) {
	total = readScaled(size, id+"_total", "gpu", Bytes, 1, plausibleMemory, now)
	used = readScaled(inUse, id+"_used", "gpu", Bytes, 1, plausibleMemory, now)
	if total.Value == Num(0) {
		for _, r := range [...]*Reading{&total, &used} {
			if r.Value == Num(0) {
				r.Value, r.State, r.Detail = Number{}, StateNotOffered, "the driver reports none (0 bytes)"
			}
		}
	}
	return total, used
}
