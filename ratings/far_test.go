package ratings

import (
	"math"
	"testing"
)

// A pairing in which one side has all points is remote where it lies so far apart that what it adds to the likelihood, its points times e
// to minus the distance, is next to nothing: from the side that has the points, and not from the other. With a shared point no pairing is.
func TestRemotePairings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d    datum
		gap  float64 // of the first player over the second
		want bool
	}{
		{datum{w: 1}, remoteness + 0.1, true},
		{datum{w: 1}, remoteness - 0.1, false},
		{datum{w: 1}, -remoteness - 0.1, false},
		{datum{l: 1}, -remoteness - 0.1, true},
		{datum{l: 1}, -remoteness + 0.1, false},
		{datum{l: 1}, remoteness + 0.1, false},
		{datum{l: 0.5}, -remoteness - 0.1, true},
		{datum{l: 0.5}, -remoteness + 0.6, true}, // ln 2 less
		{datum{l: 0.5}, -remoteness + 0.8, false},
		{datum{w: 20}, remoteness + 2.9, false}, // ln 20 more
		{datum{w: 20}, remoteness + 3.1, true},
		{datum{w: 1, d: 1}, remoteness + 9, false},
		{datum{l: 1, d: 1}, -remoteness - 9, false},
		{datum{w: 1, l: 1}, remoteness + 9, false},
		{datum{w: 1, l: 1}, -remoteness - 9, false},
	} {
		c.d.i, c.d.j = 0, 1
		p := &problem{n: 2, k: 1, data: []datum{{i: 1, j: 0, w: 1, l: 1}, c.d}}
		theta := []float64{c.gap - 0.5, 0, 0.5, 0} // half a unit is the advantage of the seat
		visited := 0
		got := p.remote(theta, func(d *datum) {
			if visited++; d != &p.data[1] {
				t.Errorf("%+v is visited", *d)
			}
		})
		if got != c.want || (visited == 1) != c.want || p.remote(theta, nil) != c.want {
			t.Errorf("%+v, %.1f apart: remote %t, %d visited", c.d, c.gap, got, visited)
		}
	}
}

// The dual of the equilibrium is the logarithm of the sum of exp(A lambda), and the slack and the barrier of lambda. Where it is centred it
// has no slope in any direction.
func TestDualOfTheEquilibrium(t *testing.T) {
	t.Parallel()
	a := []float64{0, 0.5, -1, -0.5, 0, 0.25, 1, -0.25, 0}
	by := func(lambda []float64, mu float64) float64 {
		sum, v := 0.0, 0.0
		for i := range 3 {
			x := 0.0
			for j := range 3 {
				x += a[3*i+j] * lambda[j]
			}
			sum += math.Exp(x)
			v += nashSlack*lambda[i] - mu*math.Log(lambda[i])
		}
		return v + math.Log(sum)
	}
	d := nashDual{n: 3, a: a, p: make([]float64, 3)}
	lambda := []float64{1, 2, 0.5}
	for _, mu := range []float64{1, 0.2, 0.04, 0.008} { // each from the centre before
		before := append([]float64(nil), lambda...)
		if got, want := d.value(lambda, mu), by(lambda, mu); math.Abs(got-want) > 1e-12 {
			t.Errorf("mu %g: %g, want %g", mu, got, want)
		}
		d.centre(lambda, mu)
		for i := range lambda {
			up, down := append([]float64(nil), lambda...), append([]float64(nil), lambda...)
			h := 1e-5 * lambda[i]
			up[i], down[i] = up[i]+h, down[i]-h
			if slope := (by(up, mu) - by(down, mu)) / (2 * h) * lambda[i]; math.Abs(slope) > 1e-5*mu+1e-9 {
				t.Errorf("mu %g: a slope of %g along %d at %v", mu, slope, i, lambda)
			}
		}
		if d.value(lambda, mu) > by(before, mu) {
			t.Errorf("mu %g: the centre is above the start", mu)
		}
	}
}
