package fit

import (
	"math"
	"testing"
)

// -z ln p - (1-z) ln(1-p), also where p is too near 0 or 1 to be told from it.
func TestEntropy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ logit, z, want float64 }{
		{0, 0.5, math.Ln2},
		{0, 1, math.Ln2},
		{math.Log(3), 1, -math.Log(0.75)},
		{math.Log(3), 0, -math.Log(0.25)},
		{-math.Log(3), 0.5, -0.5 * (math.Log(0.75) + math.Log(0.25))},
		{800, 1, 0},
		{800, 0, 800},
		{-800, 0, 0},
		{-800, 1, 800},
	} {
		if got := entropy(c.logit, c.z); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("logit %g, result %g: %g, want %g", c.logit, c.z, got, c.want)
		}
	}
}
