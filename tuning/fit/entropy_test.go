package fit

import (
	"math"
	"testing"
)

// The loss of a logit v at a result z is ln(1+e^v) - zv, and where e^v is beyond all numbers what remains of it: v for
// a certain win that was lost, nothing for one that was won.
func TestEntropy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ v, z, want float64 }{
		{0, 0, math.Ln2},
		{0, 1, math.Ln2},
		{0, 0.5, math.Ln2},
		{2, 1, math.Log(1 + math.Exp(-2))},
		{2, 0, 2 + math.Log(1+math.Exp(-2))},
		{-2, 0, math.Log(1 + math.Exp(-2))},
		{-2, 1, 2 + math.Log(1+math.Exp(-2))},
		{3, 0.5, 1.5 + math.Log(1+math.Exp(-3))},
		{1000, 0, 1000},
		{1000, 1, 0},
		{-1000, 1, 1000},
		{-1000, 0, 0},
	} {
		if got := entropy(c.v, c.z); math.Abs(got-c.want) > 1e-12*max(1, c.want) {
			t.Errorf("logit %g, result %g: %g, want %g", c.v, c.z, got, c.want)
		}
	}
}
