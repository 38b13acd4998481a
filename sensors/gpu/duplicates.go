package gpu

import (
	"cmp"
	"slices"
	"strings"
)

// distinct leaves one adapter for each card that is seen through several APIs, and sorts what remains: discrete before
// integrated before the rest, each in the order in which it was listed.
func distinct(in []adapter) []adapter {
	var out []adapter
	for _, a := range in {
		if a.Backend == "opengl" {
			continue
		}
		if best := bestBackend(in, a); best == a.Backend {
			out = append(out, a)
		}
	}
	for _, a := range in {
		if a.Backend == "opengl" && !slices.ContainsFunc(out, func(b adapter) bool { return shadows(b, a) }) {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b adapter) int { return cmp.Compare(typeRank(a.Type), typeRank(b.Type)) })
	return out
}

// bestBackend is the API through which the cards like a are listed: the one that shows most of them, the better API
// where that is even. Two equal cards differ in nothing but their number, so they are counted, not told apart.
func bestBackend(in []adapter, a adapter) string {
	count := map[string]int{}
	for _, b := range in {
		if b.Backend != "opengl" && alike(a, b) {
			count[b.Backend]++
		}
	}
	best := a.Backend
	for _, backend := range []string{"vulkan", "metal", "d3d12"} {
		if count[backend] > count[best] || count[backend] == count[best] && backendRank(backend) < backendRank(best) {
			best = backend
		}
	}
	return best
}

// alike reports whether two adapters can be the same card through two APIs.
func alike(a, b adapter) bool {
	if a.PCI != "" && b.PCI != "" {
		return a.PCI == b.PCI
	}
	return a.VendorID == b.VendorID && a.DeviceID == b.DeviceID && (a.DeviceID != 0 || baseName(a.Name) == baseName(b.Name))
}

// shadows reports whether the OpenGL adapter g is a card that another API already shows. OpenGL tells no device id and
// words the name differently, but it shows one card at most, so one of the same vendor is taken for it.
func shadows(a, g adapter) bool {
	if a.PCI != "" && g.PCI != "" {
		return a.PCI == g.PCI
	}
	return a.VendorID != 0 && a.VendorID == g.VendorID || baseName(a.Name) == baseName(g.Name) ||
		strings.HasPrefix(g.Name, "zink") // OpenGL on top of Vulkan
}

// baseName is a card's name without what drivers add to it.
func baseName(name string) string {
	name = strings.TrimPrefix(name, "Mesa ")
	name, _, _ = strings.Cut(name, "/PCIe")
	name, _, _ = strings.Cut(name, " (")
	return strings.ToLower(strings.TrimSpace(name))
}

func typeRank(t string) int {
	return slices.Index([]string{"discrete", "integrated", "virtual", "other", "cpu"}, t)
}

func backendRank(b string) int {
	if i := slices.Index([]string{"vulkan", "metal", "d3d12"}, b); i >= 0 {
		return i
	}
	return 3
}
