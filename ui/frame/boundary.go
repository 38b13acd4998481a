package frame

import "headroom/policy/workload"

// BoundaryWords says why op i of a sequence begins a pass of its own; empty where it shares its predecessor's, and for the
// first op.
func BoundaryWords(s *workload.Sequence, i int) string {
	if i < 1 || i >= len(s.Ops) {
		return ""
	}
	before, after := s.Names[i-1], s.Names[i]
	between := before + " | " + after + ": "
	switch s.Boundary(i) {
	case workload.IsBarrier:
		return between + after + " is a barrier, which needs all of its input first"
	case workload.AfterBarrier:
		return between + before + " is a barrier, whose result must be whole before it is used"
	case workload.OtherShape:
		return between + "another shape, " + s.Shapes[i] + " after " + s.Shapes[i-1]
	}
	return ""
}
