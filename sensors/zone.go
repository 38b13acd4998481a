package sensors

import (
	"context"
	"strconv"
	"strings"

	"headroom/sensors/sysfs"
)

// zone is one thermal zone (Documentation/driver-api/thermal/sysfs-api.rst).
type zone struct {
	env  *env
	kind string
	id   string
	temp sysfs.Attr
	// off is a zone whose mode is disabled: what it still answers is old.
	off   bool
	role  Role
	card  string
	trips []zoneTrip
}

type zoneTrip struct {
	kind string
	id   string
	temp sysfs.Attr
}

// scanZones finds the zones; socCard is the card that a zone of the chip's GPU belongs to.
func (f *deviceFamily) scanZones(socCard string) []*zone {
	names, _ := f.env.fs.List(thermalDir)
	taken := map[string]int{}
	var zones []*zone
	for _, n := range atMost(names) {
		if !strings.HasPrefix(n, "thermal_zone") {
			continue
		}
		dir := thermalDir + "/" + n
		kind, err := f.env.fs.Attr(dir, "type").Text()
		if err != nil {
			kind = "unnamed"
		}
		z := &zone{env: f.env, kind: kind, id: numbered("thermal/"+kind, taken), temp: f.env.fs.Attr(dir, "temp")}
		mode, _ := f.env.fs.Attr(dir, "mode").Text()
		z.off = mode == "disabled"
		z.role = RoleOther
		switch {
		case isCPUZone(kind):
			z.role = RoleCPU
		case socCard != "" && strings.HasPrefix(strings.ToLower(kind), "gpu"):
			z.role, z.card = RoleGPU, socCard
		}
		z.findTrips(dir)
		zones = append(zones, z)
	}
	return zones
}

// maxTrips is how many trip points of one zone are looked at; the kernel allows 12 in most versions.
const maxTrips = 32

func (z *zone) findTrips(dir string) {
	for i := range maxTrips {
		base := "trip_point_" + strconv.Itoa(i)
		kind, err := z.env.fs.Attr(dir, base+"_type").Text()
		if err != nil {
			if stateOf(err) == StateNotOffered {
				return
			}
			continue
		}
		z.trips = append(z.trips, zoneTrip{
			kind: kind, id: z.id + "/trip " + strconv.Itoa(i), temp: z.env.fs.Attr(dir, base+"_temp"),
		})
	}
}

func (z *zone) read(context.Context) part {
	now := z.env.clock.Now()
	t := Temperature{Chip: z.kind, Role: z.role, Rank: rankOther, Card: z.card}
	if z.role == RoleCPU {
		t.Rank = rankZone
	}
	t.Value = readScaled(z.temp, z.id, "temperature", Celsius, 0.001, plausibleTemp, now)
	if z.off {
		t.Value = Missing(z.id, "temperature", Celsius, StateNotOffered, z.temp.Name(), "the zone is switched off")
	}
	t.Crit = Missing(z.id+"/crit", "limit", Celsius, StateNotOffered, z.temp.Name(), "a zone states its limits as trip points")
	if len(z.trips) > 0 {
		t.Trips = make([]Trip, 0, len(z.trips))
	}
	for _, trip := range z.trips {
		t.Trips = append(t.Trips, Trip{Type: trip.kind, Limit: readLimit(trip.temp, trip.id)})
	}
	return part{Sample: Sample{Temperatures: []Temperature{t}}}
}

// isCPUZone reports whether a zone or a chip of that type measures the processor.
func isCPUZone(kind string) bool {
	k := strings.ToLower(strings.ReplaceAll(kind, "_", "-"))
	switch k {
	case "x86-pkg-temp", "tcpu", "tcpu-pci", "mtktscpu", "package-thermal", "tj-thermal", "big", "mid", "little", "bcm2835-thermal":
		return true
	}
	for _, prefix := range [...]string{"cpu", "soc", "bigcore", "littlecore", "cluster"} {
		if rest, ok := strings.CutPrefix(k, prefix); ok {
			// "soc-battery" is no processor; "soc-dts0" is Bay Trail's own sensor.
			return prefix != "soc" || rest == "" || rest == "-max" || strings.HasPrefix(rest, "-dts") || strings.Contains(rest, "therm")
		}
	}
	// Tegra tells its two kinds of cores apart: "MCPU-therm", "BCPU-therm".
	return strings.HasSuffix(k, "-cpu") || strings.HasSuffix(k, "cpu-therm")
}

// zoneChipName is the name of the chip that the thermal core makes for a zone.
func zoneChipName(kind string) string { return strings.ReplaceAll(kind, "-", "_") }

// num writes a number as short as it goes.
func num(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
