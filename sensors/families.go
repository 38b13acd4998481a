package sensors

// treeFamilies are the scans of a tree with sys and proc, a live Linux machine's or a recorded one.
func treeFamilies(e *env) []source {
	return []source{
		{key: "scan/host", every: 6 * e.rescan, read: (&hostFamily{env: e}).scan},
		{key: "scan/memory", every: 6 * e.rescan, read: (&memoryFamily{env: e}).scan},
		{key: "scan/devices", every: e.rescan, read: (&deviceFamily{env: e}).scan},
		{key: "scan/powercap", every: e.rescan, read: (&powercapFamily{env: e}).scan},
		{key: "scan/supplies", every: e.rescan, read: (&supplyFamily{env: e}).scan},
		{key: "scan/npu", every: 6 * e.rescan, read: (&npuFamily{env: e}).scan},
	}
}
