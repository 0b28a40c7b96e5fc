package fit

import (
	"errors"
	"math"
	"testing"
)

// byPosition is the design of games of one position, with these results.
func byPosition(z ...float64) *design {
	d := &design{n: len(z), games: len(z), z: z}
	for i := range z {
		d.game = append(d.game, i)
		d.weight = append(d.weight, 1/float64(len(z)))
		d.size = append(d.size, 1)
	}
	return d
}

// Predictions of a logit of 1 (or x) that come true in p of the games should have said ln(p/(1-p)): the slope is that
// many times (over x). No scale fits what is right half of the time, or less, nor what is always right.
func TestSlope(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		right, of int
		x         float64
		want      float64 // 0: an error
	}{
		{6, 10, 1, math.Log(6.0 / 4)},
		{9, 10, 1, math.Log(9)},
		{9, 10, 2, math.Log(9) / 2},
		{4, 8, 1, 0},
		{4, 10, 1, 0},
		{8, 8, 1e-9, 0},
		{8, 8, 1, 0},
		{8, 8, 100, 0},
		{3, 4, 1e-10, 0}, // ln(3) over so little
	} {
		var z, v []float64
		for i := range c.of {
			for side := range 2 { // as many for either side
				x := c.x * float64(2*side-1)
				won := float64(side)
				if i >= c.right {
					won = 1 - won
				}
				z, v = append(z, won), append(v, x)
			}
		}
		d := byPosition(z...)
		got, err := d.slope(v)
		if (err != nil) != (c.want == 0) || err != nil && !errors.Is(err, ErrData) {
			t.Errorf("%d of %d: %v", c.right, c.of, err)
		}
		near(t, "slope", got, c.want, 1e-9)
	}
}
