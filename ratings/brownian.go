package ratings

import "math"

// brownian is a Brownian motion that starts at 0, with the given drift and variance per unit of time. It stops
// when it leaves (lower, upper).
type brownian struct {
	lower, upper    float64
	drift, variance float64
}

// below returns the probability that the stopped motion ranks at or below the
// outcome "at y at time t" when outcomes are ordered by stage: leaving at the
// bottom ranks lower the earlier it happens, leaving at the top higher, and what
// is still inside at t ranks by position (Siegmund 1985, Sequential Analysis).
// It is
//
//	P(left below by t) + P(inside at t, at or below y).
func (b brownian) below(t, y float64) float64 {
	if !(t > 0) || !(b.variance > 0) {
		return 0.5
	}
	width := b.upper - b.lower
	y = min(max(y, b.lower), b.upper)
	p := 0.0
	if t*b.variance > 0.2*width*width {
		p = b.series(t, y)
	} else {
		p = b.images(t, y)
	}
	if math.IsNaN(p) {
		return 0.5
	}
	return min(max(p, 0), 1)
}

// leavesBelow returns the probability that the motion leaves at the lower end.
func (b brownian) leavesBelow() float64 {
	c := 2 * b.drift / b.variance
	w := b.upper - b.lower
	if math.Abs(c*w) < 1e-9 {
		return b.upper / w
	}
	// (e^{-c·upper} - 1)/(e^{-c·upper} - e^{-c·lower}), scaled against overflow.
	if c > 0 {
		return math.Exp(c*b.lower) * math.Expm1(-c*b.upper) / math.Expm1(-c*w)
	}
	return math.Expm1(c*b.upper) / math.Expm1(c*w)
}

// series computes the probability by eigenfunctions of the interval. It converges fast for late times.
func (b brownian) series(t, y float64) float64 {
	w := b.upper - b.lower
	c := b.drift / b.variance
	start, at := -b.lower, y-b.lower
	sum := 0.0
	for k := 1; k < 400; k++ {
		f := float64(k) * math.Pi / w
		rate := b.variance * (c*c + f*f) / 2
		damp := c*y - rate*t
		if damp < -60 { // and falls with k
			break
		}
		sum += math.Exp(damp) * math.Sin(f*start) * (c*math.Sin(f*at) - f*math.Cos(f*at)) / (c*c + f*f)
	}
	return b.leavesBelow() + 2/w*sum
}

// images computes the probability by reflections of the free motion at the two bounds. It converges fast for early
// times. An image above the interval removes probability to its left, one below adds it to its right.
func (b brownian) images(t, y float64) float64 {
	w := b.upper - b.lower
	c := b.drift / b.variance
	sd := math.Sqrt(b.variance * t)
	arg := func(z float64) float64 { return (y - z - b.drift*t) / sd }
	sum := normalCDF(arg(0))
	const reflections = 12
	image := func(z, sign float64) {
		if z > 0 {
			sum += sign * math.Exp(2*c*z/2+logNormalCDF(arg(z)))
		} else {
			sum -= sign * math.Exp(2*c*z/2+logNormalCDF(-arg(z)))
		}
	}
	for n := 1; n <= reflections; n++ {
		image(2*float64(n)*w, 1)
		image(-2*float64(n)*w, 1)
	}
	for n := -reflections; n <= reflections; n++ {
		image(2*b.lower+2*float64(n)*w, -1)
	}
	return sum
}

// logNormalCDF returns ln Φ(x), by its asymptotic series far in the lower tail.
func logNormalCDF(x float64) float64 {
	if x > -20 {
		return math.Log(normalCDF(x))
	}
	x2 := x * x
	return -x2/2 - math.Log(-x*math.Sqrt(2*math.Pi)) + math.Log1p(-1/x2+3/(x2*x2)-15/(x2*x2*x2))
}
