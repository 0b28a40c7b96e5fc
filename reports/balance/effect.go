package balance

import "spar/ratings"

// design returns the design effect of a value: the factor by which dependence between games increases the
// variance. It is 1 if games are independent.
func (d *groupData) design(e effect) float64 {
	if !d.paired {
		return 1
	}
	return e.value()
}

// effect computes the design effect of a value whose games come in units, and units in clusters.
type effect struct {
	square        float64      // sum of squares over single games
	units, shared effectSums   // over units, and over clusters
	clusters      [][2]float64 // games and sum of each cluster
	repeated      bool         // some cluster has several units
}

// effectSums are the number of units, games and their sum, and sums over units of total², total times size, and size².
type effectSums struct{ units, games, sum, totals, cross, sizes float64 }

func (e *effectSums) add(times, games, sum float64) {
	e.units, e.games, e.sum = e.units+times, e.games+times*games, e.sum+times*sum
	e.totals, e.cross, e.sizes = e.totals+times*sum*sum, e.cross+times*sum*games, e.sizes+times*games*games
}

// value returns the variance of the mean divided by the variance single for independent games.
func (e *effectSums) value(single float64) float64 {
	mean := e.sum / e.games
	return (e.totals - 2*mean*e.cross + mean*mean*e.sizes) / single
}

// add adds a unit of a cluster, given its size and the sum and the sum of squares of the value. A negative number means
// that the unit is a cluster of its own.
func (e *effect) add(cluster int, games, sum, square float64) {
	e.square += square
	e.units.add(1, games, sum)
	if cluster >= 0 {
		e.clusters = append(e.clusters, make([][2]float64, max(0, cluster+1-len(e.clusters)))...)
		c := &e.clusters[cluster]
		if c[0] > 0 {
			e.shared.add(-1, c[0], c[1])
			e.repeated = true
		}
		c[0], c[1] = c[0]+games, c[1]+sum
		games, sum = c[0], c[1]
	}
	e.shared.add(1, games, sum)
}

// value returns the variance of the mean divided by the variance for independent games, for units or for clusters,
// whichever is greater. It is at least 1, and exactly 1 if there are fewer than ten units, or the value is equal in all
// games.
func (e *effect) value() float64 {
	mean := e.units.sum / e.units.games
	single := e.square - e.units.games*mean*mean
	if e.units.units < 10 || !(single > 1e-9*e.square) {
		return 1
	}
	out := max(1, e.units.value(single))
	if e.repeated && e.shared.units >= ratings.MinOpenings {
		out = max(out, e.shared.value(single))
	}
	return out
}

// dist counts how often each integer from 0 occurred.
type dist struct {
	n      int64
	counts []int64
}

func (d *dist) add(x int) {
	for len(d.counts) <= x {
		d.counts = append(d.counts, 0)
	}
	d.counts[x]++
	d.n++
}

// count returns how often a number occurred.
func (d *dist) count(x int) int64 {
	if x >= len(d.counts) {
		return 0
	}
	return d.counts[x]
}

// at returns the number with the given rank. Ranks start at 0.
func (d *dist) at(rank int) float64 {
	left := int64(rank)
	for x, n := range d.counts {
		if left < n {
			return float64(x)
		}
		left -= n
	}
	return float64(len(d.counts) - 1)
}
