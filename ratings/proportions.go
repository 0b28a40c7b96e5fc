package ratings

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// share estimates the mean score of n games. Without games the value is 1/2, with an interval from 0 to 1.
func share(n int64, unit, method string, level float64) Estimate {
	return Estimate{
		Value: 0.5, Interval: Interval{Lo: 0, Hi: 1}, Level: level, Scale: ScaleShare,
		N: max(n, 0), Unit: unit, Method: method,
	}
}

// Wilson returns the Wilson interval of k successes in n trials at the given level (Wilson 1927, JASA 22:209).
// Without trials it is [0, 1].
func Wilson(k, n int64, level float64) Estimate { return WilsonPoints(float64(k), n, level) }

// WilsonPoints is like Wilson, for trials that can be half a success, like a drawn game. The interval is then slightly
// too wide, because half points lower the variance.
func WilsonPoints(points float64, n int64, level float64) Estimate {
	s := share(n, "games", "wilson", level)
	if n <= 0 || !(level > 0 && level < 1) {
		return s
	}
	s.Value = min(max(points/float64(n), 0), 1)
	s.SE, s.Interval = WilsonMean(s.Value, float64(n), level)
	return s
}

// WilsonMean returns the standard error and the interval of a fraction p of m independent trials; m need not be an
// integer.
func WilsonMean(p, m, level float64) (se float64, v Interval) {
	return wilson(p, m, quantile(level, 0))
}

// wilson is WilsonMean for a quantile instead of a level.
func wilson(p, m, z float64) (se float64, v Interval) {
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return math.Sqrt(p * (1 - p) / m), Interval{Lo: max(0, min(mid-half, p)), Hi: min(1, max(mid+half, p))}
}

// ClopperPearson returns the exact interval of k successes in n trials, whose coverage is at least the given level
// (Clopper & Pearson 1934, Biometrika 26:404).
func ClopperPearson(k, n int64, level float64) Estimate {
	s := share(n, "games", "clopper-pearson", level)
	if n <= 0 || !(level > 0 && level < 1) {
		return s
	}
	k = min(max(k, 0), n)
	s.Value = float64(k) / float64(n)
	s.SE, s.Interval = clopperPearson(float64(k), float64(n), level)
	return s
}

// clopperPearson returns the interval for k successes in n > 0 trials, 0 <= k <= n. Since a draw is half a
// success, k need not be an integer. Its ends then lie between those of the neighbouring integers. A score and its
// mirror image have mirrored intervals.
func clopperPearson(k, n, level float64) (se float64, v Interval) {
	v = Interval{Lo: 0, Hi: 1}
	tail := (1 - level) / 2
	if k > 0 {
		v.Lo = betaTail(k, n-k+1, tail)
	}
	if k < n {
		v.Hi = distuv.Beta{Alpha: k + 1, Beta: n - k}.Quantile(1 - tail)
		mirror := distuv.Beta{Alpha: n - k, Beta: k + 1}
		if !near1(mirror.CDF(1-v.Hi) / tail) {
			v.Hi = 1 - betaTail(mirror.Alpha, mirror.Beta, tail)
		}
	}
	return math.Sqrt(k / n * (1 - k/n) / n), v
}

// near1 reports whether two numbers agree closely. Gonum's inverse of the beta distribution is inexact far in the tail:
// at a level of 0.999999 it gives 0.9999986 as the upper end for 0 in 1,000, which is 0.0144.
func near1(x float64) bool { return math.Abs(x-1) < 1e-3 }

// betaTail returns the quantile of a beta distribution. It uses bisection if gonum's result is inexact.
func betaTail(alpha, beta, share float64) float64 {
	d := distuv.Beta{Alpha: alpha, Beta: beta}
	x := d.Quantile(share)
	if near1(d.CDF(x) / share) {
		return x
	}
	return bisect(0, 1, func(x float64) bool { return d.CDF(x) < share })
}
