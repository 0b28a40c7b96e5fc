package ratings

import (
	"math"
	"testing"
)

// The multiplier of two points a < 0 < b with shares p and q solves p·a/(1+θa) + q·b/(1+θb) = 0, which is linear:
// θ = -(pa+qb)/(ab). Where all points lie on one side no distribution has the mean 0, and there is no tilt.
func TestTiltOfTwoPoints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ p, a, b, want float64 }{
		{0.5, -0.5, 0.5, 0},
		{0.25, -0.5, 0.5, 1},
		{0.75, -0.5, 0.5, -1},
		{0.5, -0.001, 0.5, 499}, // 0.2495/0.0005
		{0.5, -0.5, 0.001, -499},
		{0.9, -0.001, 0.002, -350}, // -0.0007/0.000002
		{0.5, -1, 0, 0},
		{0.5, 0, 1, 0},
		{0.5, 0.2, 0.4, 0},
		{0.5, -0.4, -0.2, 0},
		{0.5, 0, 0, 0},
	} {
		if got := tilt([]float64{c.p, 1 - c.p}, []float64{c.a, c.b}); !(math.Abs(got-c.want) <= 1e-9*max(1, math.Abs(c.want))) {
			t.Errorf("points %g and %g, %g of the first: %v, want %g", c.a, c.b, c.p, got, c.want)
		}
	}
}
