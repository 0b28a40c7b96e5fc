package ablation

import "testing"

// What a move takes, of the variant, of the agent, and the one over the other; nothing where one of them has not moved, or spent nothing.
func TestRatio(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spent, moves [2]float64
		want         *Ratio
	}{
		{[2]float64{6, 10}, [2]float64{3, 20}, &Ratio{2000, 500, 4}},
		{[2]float64{0, 10}, [2]float64{3, 20}, &Ratio{0, 500, 0}},
		{[2]float64{6, 0}, [2]float64{3, 20}, nil},
		{[2]float64{6, 10}, [2]float64{0, 20}, nil},
		{[2]float64{6, 10}, [2]float64{3, 0}, nil},
	} {
		got := ratio(c.spent, c.moves, 1000)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%v in %v: %+v, want %+v", c.spent, c.moves, got, c.want)
		}
	}
}
