package ratings

import (
	"fmt"
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

// WilsonPoints is Wilson for trials that can be half a success, like a drawn game. The interval is then slightly
// too wide, because halves vary less.
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
	z := quantile(level, 0)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return math.Sqrt(p * (1 - p) / m), Interval{Lo: max(0, min(mid-half, p)), Hi: min(1, max(mid+half, p))}
}

// ClusteredShare counts successes in trials that come in clusters, such as the decisions of a game, and are
// independent only between clusters. The zero value has no trials. The memory does not depend on the number of
// trials.
type ClusteredShare struct {
	k, n, kk, kn, nn float64
	clusters         int64
}

// Add adds a cluster of n trials with k successes. It ignores an empty cluster.
func (c *ClusteredShare) Add(k, n int64) { c.addMany(k, n, 1) }

// addMany adds n equal clusters.
func (c *ClusteredShare) addMany(k, n, clusters int64) {
	if n <= 0 || clusters <= 0 {
		return
	}
	x, m, w := float64(k), float64(n), float64(clusters)
	c.k, c.n, c.kk, c.kn, c.nn = c.k+w*x, c.n+w*m, c.kk+w*x*x, c.kn+w*x*m, c.nn+w*m*m
	c.clusters += clusters
}

// Share returns the share of all trials, with Wilson's interval for an effective number of independent trials: the
// number that has the variance of the ratio estimate (Cochran, Sampling Techniques, 3rd ed., section 9A.1; Korn and
// Graubard 1998), at most the number of trials. If all trials or none succeeded, it uses the number of clusters
// instead. N counts the trials.
func (c *ClusteredShare) Share(level float64) Estimate {
	s := share(int64(c.n), "trials", "wilson, clustered", level)
	if c.clusters == 0 || !(level > 0 && level < 1) {
		return s
	}
	p, g := c.k/c.n, float64(c.clusters)
	effective := g
	if variance := (c.kk - 2*p*c.kn + p*p*c.nn) / (c.n * c.n) * g / (g - 1); variance > 1e-15 && g > 1 {
		effective = min(c.n, p*(1-p)/variance)
	}
	s.Value = p
	s.SE, s.Interval = WilsonMean(p, effective, level)
	return s
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
	lo, hi := 0.0, 1.0
	for range 60 {
		if x = (lo + hi) / 2; d.CDF(x) < share {
			lo = x
		} else {
			hi = x
		}
	}
	return x
}

// FirstShare is the first player's share of the points in some games, in three forms. It is affected by
// differences of strength, unless each two players played equally often in both seats.
type FirstShare struct {
	Stratum string
	Games   Count
	// Decisive is the first player's share of the games with a winner; the two games of a pair are not independent.
	Decisive Estimate
	// Score is the first player's mean score, with the variance of scores over games. If there are draws this
	// interval is right, while Wilson's would be too wide.
	Score Estimate
	// PairScore is the same with the variance over pairs, which is valid if the two games of a pair depend on each
	// other. N is 0 if there are no pairs.
	PairScore Estimate
	// Balanced reports whether each match-up was played equally often in both seats.
	Balanced bool
}

// FirstShares returns the share of the first player over all games and, when the
// table has several strata, for each of them by name.
func (t *Table) FirstShares(level float64) ([]FirstShare, error) {
	if !(level > 0 && level < 1) {
		return nil, fmt.Errorf("ratings: %w: level %v", ErrOptions, level)
	}
	out := []FirstShare{t.firstShare(-1, level)}
	if len(t.strata) > 1 {
		for s := range t.strata {
			out = append(out, t.firstShare(s, level))
		}
	}
	return out, nil
}

func (t *Table) firstShare(stratum int, level float64) FirstShare {
	f := FirstShare{Balanced: true}
	if stratum >= 0 {
		f.Stratum = t.strata[stratum]
	}
	type seat struct{ a, b, s int }
	balance := make(map[seat]int64)
	for _, p := range t.pairings {
		if stratum < 0 || p.Stratum == stratum {
			f.Games = f.Games.plus(Count{p.Wins, p.Draws, p.Losses})
			if p.First < p.Second {
				balance[seat{p.First, p.Second, p.Stratum}] += p.Games()
			} else {
				balance[seat{p.Second, p.First, p.Stratum}] -= p.Games()
			}
		}
	}
	for _, d := range balance {
		f.Balanced = f.Balanced && d == 0
	}
	var games, pairs weighted
	var decisive ClusteredShare
	alone := f.Games // the games without a pair
	games.add(1, float64(f.Games.Wins))
	games.add(0.5, float64(f.Games.Draws))
	games.add(0, float64(f.Games.Losses))
	for _, x := range t.swaps {
		if stratum >= 0 && t.pairings[x.p].Stratum != stratum {
			continue
		}
		for a, row := range x.n {
			for b, n := range row {
				pairs.add(float64(a+b)/4, float64(n))
				wins, losses := int64(a/2+b/2), int64((2-a)/2+(2-b)/2) // of halves of a point
				decisive.addMany(wins, wins+losses, n)
				alone.Wins -= wins * n
				alone.Losses -= losses * n
			}
		}
	}
	if f.Decisive = Wilson(f.Games.Wins, f.Games.Wins+f.Games.Losses, level); decisive.clusters > 0 {
		decisive.addMany(1, 1, alone.Wins)
		decisive.addMany(0, 1, alone.Losses)
		f.Decisive = decisive.Share(level)
	}
	f.Decisive.Unit = "decisive games"
	f.Score = games.share(level, "games")
	f.PairScore = pairs.share(level, "pairs")
	return f
}

// weighted sums the moments of weighted scores in [0, 1].
type weighted struct{ n, sum, squares float64 }

func (w *weighted) add(x, n float64) {
	w.n += n
	w.sum += n * x
	w.squares += n * x * x
}

// share returns the mean with Student's t interval. If all scores are equal, the variance is unknown; then it
// returns Wilson's interval for a binomial score, which is wide enough for any score in [0, 1].
func (w *weighted) share(level float64, unit string) Estimate {
	n := int64(w.n)
	if n == 0 {
		s := Wilson(0, 0, level)
		s.Unit = unit
		return s
	}
	mean := w.sum / w.n
	variance := max(0, w.squares/w.n-mean*mean)
	if n < 2 || variance < 1e-15 {
		s := WilsonPoints(w.sum, n, level)
		s.Unit = unit
		return s
	}
	s := share(n, unit, "variance of scores", level)
	s.Value, s.SE = mean, math.Sqrt(variance/(w.n-1))
	h := quantile(level, w.n-1) * s.SE
	s.Interval = Interval{Lo: max(0, mean-h), Hi: min(1, mean+h)}
	return s
}
