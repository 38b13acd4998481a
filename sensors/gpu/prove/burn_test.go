package prove

import "testing"

// The dispatches of a load approach their length from below and stay there, on any adapter and when its clock falls.
func TestDispatchesOfALoadStayShort(t *testing.T) {
	for _, c := range []struct {
		name string
		// second is the workgroups that the adapter does in a second; it falls to slow of that after thirty dispatches.
		second, slow float64
	}{
		{"a software adapter", 200, 1},
		{"a small GPU", 20_000, 1},
		{"a large GPU", 20e6, 1},
		{"a GPU that throttles to a fifth", 100_000, 0.2},
	} {
		t.Run(c.name, func(t *testing.T) {
			groups := uint64(1)
			took := 0.0
			for i := range 60 {
				speed := c.second
				if i >= 30 {
					speed *= c.slow
				}
				took = float64(groups)/speed + 0.0001
				if took > 0.2 {
					t.Fatalf("dispatch %d of %d workgroups takes %.3f s", i, groups, took)
				}
				groups = nextGroups(groups, took)
			}
			if took < dispatchAim/2 || took > dispatchAim*1.5 {
				t.Errorf("dispatches settle at %.4f s", took)
			}
		})
	}
}

func TestALoadHasAlwaysSomethingToDispatchAndNeverTooMuch(t *testing.T) {
	for _, c := range []struct {
		groups uint64
		took   float64
		want   uint64
	}{
		{1, 10, 1},
		{1, 0, 2},
		{mostGroups, 0, mostGroups},
		{mostGroups, 0.0001, mostGroups},
		{1000, 0.05, 500},
		{1000, dispatchAim, 1000},
	} {
		if got := nextGroups(c.groups, c.took); got != c.want {
			t.Errorf("after %d workgroups in %v s come %d, want %d", c.groups, c.took, got, c.want)
		}
	}
}
