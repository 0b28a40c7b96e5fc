package ratings

import "maps"

// ClusteredMean is the mean of values from 0 to 1 that come in clusters: trials of a game, scores of a pair of games, and
// pairs that share an opening. The zero value has no trials. The memory depends on the number of shared openings only.
type ClusteredMean struct {
	pairs    clusterSums
	free     clusterSums // those of pairs without an opening
	openings map[uint64]opened
	repeated bool // some opening has more than one pair
}

// opened is the sum and the number of values of one opening.
type opened struct{ sum, n float64 }

// clusterSums are sums over clusters: their number, values, sums of values, squares and products.
type clusterSums struct{ clusters, n, sum, nn, sn, ss float64 }

func (m *clusterSums) add(sum, n, clusters float64) {
	m.clusters += clusters
	m.n, m.sum = m.n+clusters*n, m.sum+clusters*sum
	m.nn, m.sn, m.ss = m.nn+clusters*n*n, m.sn+clusters*sum*n, m.ss+clusters*sum*sum
}

// Clone returns a copy.
func (c *ClusteredMean) Clone() *ClusteredMean {
	out := *c
	out.openings = maps.Clone(c.openings)
	return &out
}

// Add adds a cluster of n values with a sum, in an opening (see Game.Opening; 0 = independent of all others). It ignores
// an empty cluster.
func (c *ClusteredMean) Add(sum float64, n int64, opening uint64) { c.AddMany(sum, n, 1, opening) }

// AddMany adds equal clusters.
func (c *ClusteredMean) AddMany(sum float64, n, clusters int64, opening uint64) {
	if n <= 0 || clusters <= 0 {
		return
	}
	c.pairs.add(sum, float64(n), float64(clusters))
	if opening == 0 {
		c.free.add(sum, float64(n), float64(clusters))
		return
	}
	if c.openings == nil {
		c.openings = map[uint64]opened{}
	}
	o := c.openings[opening]
	c.repeated = c.repeated || o.n > 0 || clusters > 1
	c.openings[opening] = opened{o.sum + float64(clusters)*sum, o.n + float64(clusters*n)}
}

// spread returns the variance of the mean p from clusters, and the effective number of clusters, (Σn)²/Σn² for n values
// in each. The variance is that of a ratio estimate (Cochran, Sampling Techniques, 3rd ed., section 6.4), with the factor
// m/(m-1).
func (m *clusterSums) spread(p float64) (variance, units float64) {
	units = m.n * m.n / m.nn
	return max(0, m.ss-2*p*m.sn+p*p*m.nn) / (m.n * m.n) * enlarge(units), units
}

// Mean returns the mean with Wilson's interval for the number of independent trials that has the same variance (Korn and
// Graubard 1998), by Student's t on m-1 degrees for m clusters. It uses clusters by opening where at least five openings
// are shared, unless those by pair give a wider interval. If the clusters do not vary, each counts as one trial. N is the
// number of values, of which the unit is given.
func (c *ClusteredMean) Mean(level float64, unit string) Estimate {
	s := share(int64(c.pairs.n), unit, "wilson, clustered", level)
	if c.pairs.clusters == 0 || !(level > 0 && level < 1) {
		return s
	}
	s.Value = c.pairs.sum / c.pairs.n
	by := []*clusterSums{&c.pairs}
	if all := c.byOpening(); all != nil {
		by, s.Method = append(by, all), "wilson, clustered by opening"
	}
	widest := -1.0
	for _, m := range by {
		variance, units := m.spread(s.Value)
		z, trials := quantile(level, max(units-1, 1)), units
		if variance > 1e-15 {
			trials = max(s.Value*(1-s.Value)/variance, 1e-9)
		} else {
			z = quantile(level, 0)
		}
		se, v := wilson(s.Value, trials, z)
		if v.Hi-v.Lo > widest {
			widest, s.SE, s.Interval = v.Hi-v.Lo, se, v
		}
	}
	return s
}

// byOpening returns the sums over openings, or nil if pairs are the units.
func (c *ClusteredMean) byOpening() *clusterSums {
	if !c.repeated {
		return nil
	}
	all := c.free
	for _, o := range c.openings {
		all.add(o.sum, o.n, 1)
	}
	if all.clusters < minOpenings {
		return nil
	}
	return &all
}
