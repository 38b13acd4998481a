package sensors

// treeFamilies are the scans of a tree with sys and proc, a live Linux machine's or a recorded one.
func treeFamilies(e *env) []source {
	return []source{
		{key: "scan/host", read: e.rescanned((&hostFamily{env: e, self: selfSource{env: e}}).scan)},
		{key: "scan/memory", read: e.rescanned((&memoryFamily{env: e}).scan)},
		{key: "scan/devices", read: e.rescanned((&deviceFamily{env: e, known: newKnownCards()}).scan, hwmonDir, drmDir, thermalDir)},
		{key: "scan/powercap", read: e.rescanned((&powercapFamily{env: e}).scan, powercapDir)},
		{key: "scan/supplies", read: e.rescanned((&supplyFamily{env: e}).scan, supplyDir)},
		{key: "scan/cpu", read: e.rescanned((&cpuFamily{env: e}).scan, cpufreqDir)},
		{key: "scan/npu", read: e.rescanned((&npuFamily{env: e}).scan)},
		{key: "scan/nvidia", read: e.rescanned((&nvidiaFamily{env: e}).scan)},
		{key: "scan/processes", read: e.rescanned((&processFamily{env: e, nvidia: nvidiaFamily{env: e}}).scan)},
		{key: "scan/opinions", read: e.rescanned((&opinionFamily{env: e}).scan)},
	}
}
