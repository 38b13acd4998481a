package fdinfo

import (
	"strconv"
	"strings"
	"time"
)

// Client is one open handle of a card. Several descriptors may be the same client.
type Client struct {
	Driver string
	// PCI is the card's address, empty where the driver tells none; ID tells clients of one card apart.
	PCI, ID string
	// Memory is what it holds on the card, in bytes: VRAM, or GTT and system pages on an integrated one.
	VRAM, System uint64
	// Busy is the time that its work took on the busiest engine.
	Busy time.Duration
}

// Parse reads one fdinfo file; ok is false where it is no graphics client.
func Parse(text string) (c Client, ok bool) {
	regions := map[string]region{}
	for line := range strings.Lines(text) {
		key, value, found := strings.Cut(line, ":")
		if !found || !strings.HasPrefix(key, "drm-") {
			continue
		}
		value = strings.TrimSpace(value)
		switch key {
		case "drm-driver":
			c.Driver, ok = value, true
		case "drm-pdev":
			c.PCI = strings.ToLower(value)
		case "drm-client-id":
			c.ID = value
		default:
			c.field(key, value, regions)
		}
	}
	for name, r := range regions {
		if strings.HasPrefix(name, "vram") || strings.HasPrefix(name, "local") {
			c.VRAM += r.size()
		} else {
			c.System += r.size()
		}
	}
	return c, ok
}

// region is one kind of memory in bytes, under the three names that drivers use; nil is not told.
type region struct{ resident, memory, total *uint64 }

// size is what lies there now; older drivers tell only what was allocated.
func (r region) size() uint64 {
	for _, n := range [...]*uint64{r.resident, r.memory, r.total} {
		if n != nil {
			return *n
		}
	}
	return 0
}

func (c *Client) field(key, value string, regions map[string]region) {
	if engine, ok := strings.CutPrefix(key, "drm-engine-"); ok && !strings.HasPrefix(engine, "capacity-") {
		if n, err := strconv.ParseUint(strings.TrimSuffix(value, " ns"), 10, 63); err == nil {
			c.Busy = max(c.Busy, time.Duration(n))
		}
		return
	}
	for prefix, set := range map[string]func(*region, uint64){
		"drm-resident-": func(r *region, n uint64) { r.resident = &n },
		"drm-memory-":   func(r *region, n uint64) { r.memory = &n },
		"drm-total-":    func(r *region, n uint64) { r.total = &n },
	} {
		name, ok := strings.CutPrefix(key, prefix)
		if !ok || name == "cpu" {
			continue
		}
		if n, ok := size(value); ok {
			r := regions[name]
			set(&r, n)
			regions[name] = r
		}
	}
}

// size reads "123 KiB"; a number without a unit is bytes.
func size(value string) (uint64, bool) {
	number, unit, _ := strings.Cut(value, " ")
	n, err := strconv.ParseUint(number, 10, 50)
	if err != nil {
		return 0, false
	}
	switch unit {
	case "KiB":
		n <<= 10
	case "MiB":
		n <<= 20
	case "":
	default:
		return 0, false
	}
	return n, true
}
