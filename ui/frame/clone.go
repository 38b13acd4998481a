package frame

import "slices"

// Clone copies the history as it stands: what is added to one later does not show in the other.
func (h *History) Clone() *History {
	c := *h
	c.points, c.changes = slices.Clone(h.points), slices.Clone(h.changes)
	return &c
}
