package tuning

import (
	"testing"
)

// What a file leaves out: a test over fewer than 3000 games asks for a difference of 20 Elo, over more for 10; what it
// says stays, though it be nothing.
func TestWhatATuningLeavesOut(t *testing.T) {
	t.Parallel()
	none := 0
	for _, c := range []struct {
		plan Plan
		want Validation
		at   int
	}{
		{Plan{Games: 2999}, Validation{Pairs: 200, Deeper: 200, Most: 2000, Elo1: 20}, 5},
		{Plan{Games: 3000}, Validation{Pairs: 200, Deeper: 200, Most: 2000, Elo1: 10}, 5},
		{
			Plan{Games: 9000, Validation: Validation{Pairs: 30, Elo1: 15, Pool: []string{}}, Checks: Checks{Points: &none}},
			Validation{Pairs: 30, Deeper: 30, Most: 2000, Elo1: 15},
			0,
		},
	} {
		x := &Tuning{Plan: c.plan}
		x.defaults()
		v := x.Validation
		if v.Pairs != c.want.Pairs || v.Deeper != c.want.Deeper || v.Most != c.want.Most || v.Elo1 != c.want.Elo1 ||
			(len(v.Pool) == 3) != (c.plan.Validation.Pool == nil) || *x.Checks.Points != c.at || x.Checks.Pairs != 100 {
			t.Errorf("%+v: %+v, %d checks of %d pairs", c.plan, v, *x.Checks.Points, x.Checks.Pairs)
		}
	}
}
