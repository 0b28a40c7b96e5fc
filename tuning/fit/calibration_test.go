package fit

import (
	"errors"
	"math"
	"testing"
)

// byPosition is the design of games of one position, with these results.
func byPosition(z ...float64) *design {
	d := &design{n: len(z), games: len(z), k: 1, z: z}
	for i := range z {
		d.game, d.weight, d.size = append(d.game, i), append(d.weight, 1/float64(len(z))), append(d.size, 1)
	}
	return d
}

// A bin by hand: of game 0 two positions, of weight 1/8 each, of games 1 and 2 one of weight 1/4. Predictions are 1/2,
// and once 3/4. The error is that of a weighted mean of three games, sqrt(3/2 sum w²(r-mean)²)/sum w; a game that
// stands alone has no other to compare it with.
func TestBinByHand(t *testing.T) {
	t.Parallel()
	d := &design{
		n: 4, games: 3, k: 2, z: []float64{1, 1, 0, 0.5}, game: []int{0, 0, 1, 2},
		weight: []float64{0.125, 0.125, 0.25, 0.25},
	}
	v := []float64{0, 0, 0, math.Log(3) / 2}
	b := d.bin([]int{0, 1, 2, 3}, v)
	near(t, "low", b.Low, 0.5, 1e-12)
	near(t, "high", b.High, 0.75, 1e-12)
	near(t, "predicted", b.Predicted, (0.5+0.5+0.75)/3, 1e-12)
	near(t, "observed", b.Observed, 0.5, 1e-12)
	mean := 0.5 - 1.75/3
	r := []float64{0.5 - mean, -0.5 - mean, -0.25 - mean}
	near(t, "error", b.SE, math.Sqrt(1.5*(r[0]*r[0]+r[1]*r[1]+r[2]*r[2]))/3, 1e-12)
	if b.Samples != 4 || b.Games != 3 {
		t.Errorf("%+v", b)
	}
	alone := d.bin([]int{0, 1}, v)
	if alone.Games != 1 || alone.SE != 0 || alone.Predicted != 0.5 || alone.Observed != 1 {
		t.Errorf("%+v", alone)
	}
}

// Predictions of a logit of 1 (or x) that come true in p of the games should have said ln(p/(1-p)): the slope is that
// many times (over x). No scale fits what is right half of the time, or less, nor what is always right.
func TestSlope(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		right, of int
		x, k      float64
		want      float64 // 0: an error
	}{
		{6, 10, 1, 1, math.Log(6.0 / 4)},
		{9, 10, 1, 1, math.Log(9)},
		{9, 10, 2, 1, math.Log(9) / 2},
		{99, 100, 1, 0.5, 2 * math.Log(99)},
		{4, 8, 1, 1, 0},
		{4, 10, 1, 1, 0},
		{8, 8, 1e-9, 1, 0},
		{8, 8, 1, 1, 0},
		{8, 8, 100, 1, 0},
		{3, 4, 1e-10, 1, 0}, // ln(3) over so little
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
		d.k = c.k
		got, err := d.slope(v)
		if (err != nil) != (c.want == 0) || err != nil && !errors.Is(err, ErrData) {
			t.Errorf("%d of %d: %v", c.right, c.of, err)
		}
		near(t, "slope", got, c.want, 1e-9)
		if _, shown := d.calibrate(v, 2); math.Abs(shown-c.want) > 1e-9 {
			t.Errorf("%d of %d: the calibration has the slope %g", c.right, c.of, shown)
		}
	}
}
