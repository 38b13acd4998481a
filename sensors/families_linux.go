package sensors

// families are the scans of a live Linux machine or of a recorded tree.
func families(e *env) []source { return treeFamilies(e) }
