package ratings

import "math"

// ClusteredMean is the mean of values from 0 to 1 that come in clusters, such as the decisions in a game, the games of
// a pair, or pairs that share an opening. The zero value has no trials. The memory depends on the number of openings
// only.
type ClusteredMean struct {
	pairs    clusterSums
	wide     clusterSums // by opening
	openings map[uint64]openingSums
	repeated bool // some opening has more than one pair
}

// openingSums is the sum and the number of values of one opening.
type openingSums struct{ sum, n float64 }

// clusterSums are sums over clusters: their number, values, sums of values, squares and products.
type clusterSums struct{ clusters, n, sum, nn, sn, ss float64 }

func (m *clusterSums) add(sum, n, clusters float64) {
	m.clusters += clusters
	m.n += clusters * n
	m.sum += clusters * sum
	m.nn += clusters * n * n
	m.sn += clusters * sum * n
	m.ss += clusters * sum * sum
}

// Add adds a cluster of n values with the given sum, in an opening (see Game.Opening; 0 = independent of all others).
// It ignores an empty cluster.
func (c *ClusteredMean) Add(sum float64, n int64, opening uint64) { c.AddMany(sum, n, 1, opening) }

// AddMany adds several clusters at once, each of n values with the given sum.
func (c *ClusteredMean) AddMany(sum float64, n, clusters int64, opening uint64) {
	if n <= 0 || clusters <= 0 {
		return
	}
	c.pairs.add(sum, float64(n), float64(clusters))
	if opening == 0 {
		c.wide.add(sum, float64(n), float64(clusters))
		return
	}
	if c.openings == nil {
		c.openings = map[uint64]openingSums{}
	}
	o := c.openings[opening]
	if o.n > 0 {
		c.wide.add(o.sum, o.n, -1)
	}
	c.repeated = c.repeated || o.n > 0 || clusters > 1
	o = openingSums{o.sum + float64(clusters)*sum, o.n + float64(clusters*n)}
	c.wide.add(o.sum, o.n, 1)
	c.openings[opening] = o
}

// spread returns the variance of the mean p from clusters, and the effective number of clusters, (Σn)²/Σn² for n values
// in each. The variance is that of a ratio estimate (Cochran, Sampling Techniques, 3rd ed., section 6.4), with the
// factor m/(m-1).
func (m *clusterSums) spread(p float64) (variance, units float64) {
	units = m.n * m.n / m.nn
	return max(0, m.ss-2*p*m.sn+p*p*m.nn) / (m.n * m.n) * enlarge(units), units
}

// rare is the number of pairs of either extreme that might as well have come. With it, intervals of games that are nearly
// always drawn hold in 95 %.
const rare = 1.5

// byOpening reports whether openings are the units: at least five, some of which have several pairs.
func (c *ClusteredMean) byOpening() bool { return c.repeated && c.wide.clusters >= MinOpenings }

// Effect returns the factor, at least 1, by which the dependence within openings increases the variance of the mean
// over that of independent pairs.
func (c *ClusteredMean) Effect() float64 {
	if !c.byOpening() {
		return 1
	}
	p := c.pairs.sum / c.pairs.n
	pairs, _ := c.pairs.spread(p)
	openings, _ := c.wide.spread(p)
	if pairs < 1e-15 {
		return 1
	}
	return max(1, openings/pairs)
}

// Mean returns the mean with Wilson's interval, for the number of independent trials with the same variance (Korn and
// Graubard 1998). It uses Student's t on m-1 degrees of freedom for m clusters. It uses clusters by opening if at least
// five openings are shared, unless clusters by pair give a wider interval. For independent values of 0 and 1 this is
// the ordinary Wilson interval. The variance is at least that of three imaginary pairs, half of which score 0 and half
// 1, so that uniform pairs do not seem certain. If all values are 0 or all are 1, each cluster counts as one trial. N
// is the number of values in the given unit.
func (c *ClusteredMean) Mean(level float64, unit string) Estimate {
	s := share(int64(c.pairs.n), unit, "wilson, clustered", level)
	if c.pairs.clusters == 0 || !(level > 0 && level < 1) {
		return s
	}
	s.Value = c.pairs.sum / c.pairs.n
	by := []*clusterSums{&c.pairs}
	if c.byOpening() {
		by = append(by, &c.wide)
		s.Method = "wilson, clustered by opening"
	}
	p, widest := s.Value, -1.0
	most := c.pairs.clusters * c.pairs.n / (2 * rare) * c.pairs.n / c.pairs.nn // trials
	for _, m := range by {
		variance, units := m.spread(p)
		z, trials := quantile(level, 0), units
		if independent := m.nn == m.n && m.ss == m.sum; p > 0 && p < 1 && !independent {
			z = quantile(level, max(units-1, 1))
			trials = min(p*(1-p)/max(variance, 1e-15), most)
		}
		se, v := wilson(s.Value, trials, z)
		if v.Hi-v.Lo > widest {
			widest = v.Hi - v.Lo
			s.SE = se
			s.Interval = v
		}
	}
	return s
}

// Average returns the mean of counts, such as lengths of games, with Student's interval. It uses the clusters that
// Mean uses. If all values are 0, the upper end is the Poisson limit for an event that was never observed. Fewer than
// two clusters have no interval. N is the number of values.
func (c *ClusteredMean) Average(level float64) Estimate {
	if c.pairs.clusters == 0 {
		return Estimate{}
	}
	s := Estimate{
		Value:  c.pairs.sum / c.pairs.n,
		Level:  level,
		N:      int64(c.pairs.n),
		Unit:   "games",
		Method: "student, clustered",
		Scale:  ScaleCount,
	}
	by := []*clusterSums{&c.pairs}
	if c.byOpening() {
		by = append(by, &c.wide)
		s.Method = "student, clustered by opening"
	}
	for _, m := range by {
		variance, units := m.spread(s.Value)
		s.SE = max(s.SE, math.Sqrt(variance))
		half := quantile(level, max(units-1, 1)) * math.Sqrt(variance)
		if half >= s.Hi-s.Value {
			s.Interval = Interval{Lo: max(0, s.Value-half), Hi: s.Value + half}
		}
	}
	switch {
	case c.pairs.clusters < 2:
		s.Interval, s.Note = unbounded, "too few games for an interval"
	case s.Value == 0:
		s.Hi = -math.Log((1-level)/2) / c.pairs.n
	}
	return s
}

// PairScores counts pairs of games by one agent's points, with their openings. The zero value has no pairs.
type PairScores struct {
	Counts [5]float64 // pairs with 0, 1/2, 1, 3/2 and 2 points
	mean   ClusteredMean
}

// Add adds a pair with the given number of half points, 0 to 4, in an opening (see Game.Opening).
func (p *PairScores) Add(halves int, opening uint64) {
	p.Counts[halves]++
	p.mean.Add(float64(halves)/4, 1, opening)
}

// Effect returns the factor, at least 1, by which repeated openings increase the variance.
func (p *PairScores) Effect() float64 { return p.mean.Effect() }

// Effective returns the counts divided by Effect, because pairs with repeated openings are worth fewer independent
// pairs.
func (p *PairScores) Effective() []float64 {
	effect := p.Effect()
	out := make([]float64, len(p.Counts))
	for i, n := range p.Counts {
		out[i] = n / effect
	}
	return out
}
