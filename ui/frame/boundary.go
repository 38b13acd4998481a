package frame

import (
	"headroom/policy"
	"headroom/policy/workload"
)

// BoundaryWords says why ops i and i+1 of a sequence do not share a pass; empty where they do, or where there is no such pair.
func BoundaryWords(s *workload.Sequence, i int) string {
	if i < 0 || i+1 >= len(s.Ops) || i+1 >= len(s.Names) || i+1 >= len(s.Shapes) {
		return ""
	}
	a, b := s.Ops[i], s.Ops[i+1]
	between := s.Names[i] + " | " + s.Names[i+1] + ": "
	switch {
	case b.Kind == policy.Barrier:
		return between + s.Names[i+1] + " is a barrier, which needs all of its input first"
	case a.Kind == policy.Barrier:
		return between + s.Names[i] + " is a barrier, whose result must be whole before it is used"
	case a.Shape != b.Shape:
		return between + "another shape, " + s.Shapes[i+1] + " after " + s.Shapes[i]
	}
	return ""
}
