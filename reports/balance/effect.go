package balance

import "math"

// design returns the design effect of a value: the factor by which dependence between games increases the
// variance. It is 1 if games are independent.
func (d *groupData) design(e effect) float64 {
	if !d.paired {
		return 1
	}
	return e.value()
}

// effect computes the design effect of a value that is clustered.
type effect struct {
	units, games, sum, square float64 // sums over single games
	clusters, cross, sizes    float64 // sums over clusters of total², total times size, and size²
}

// add adds n equal clusters, given their size and the sum and the sum of squares of the value in each.
func (e *effect) add(times, games, sum, square float64) {
	e.units, e.games, e.sum, e.square = e.units+times, e.games+times*games, e.sum+times*sum, e.square+times*square
	e.clusters, e.cross, e.sizes = e.clusters+times*sum*sum, e.cross+times*sum*games, e.sizes+times*games*games
}

// value returns the variance of the mean divided by the variance for independent games. It is at least 1, and
// exactly 1 if there are fewer than ten clusters.
func (e *effect) value() float64 {
	if e.units < 10 || e.flat() {
		return 1
	}
	mean := e.sum / e.games
	single := e.square - e.games*mean*mean
	return max((e.clusters-2*mean*e.cross+mean*mean*e.sizes)/single, 1)
}

// flat reports whether the value is equal in all games. Then the data do not show how dependent the games of a cluster
// are.
func (e *effect) flat() bool {
	mean := e.sum / e.games
	return !(e.square-e.games*mean*mean > 1e-9*e.square)
}

// trials returns the effective number of independent games among k games. It is the number of clusters if the
// value never varies.
func (e *effect) trials(k int64) int64 {
	if e.games == 0 || !e.flat() {
		return k
	}
	return int64(math.Round(float64(k) * e.units / e.games))
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
