package ratings

import "cmp"

// FirstPlayer returns the first player's score over the games of the strata that among selects, clustered as
// [ClusteredMean] does. Differences of strength affect it, unless every two players met equally often in both seats.
func (t *Table) FirstPlayer(level float64, among func(stratum string) bool) Estimate {
	return t.mean(level, func(p Pairing, o Outcome) (float64, bool) {
		return o.Score(), among(t.strata[p.Stratum])
	})
}

// Balanced reports whether each match-up in the strata that among selects was played equally often in both seats.
func (t *Table) Balanced(among func(stratum string) bool) bool {
	type seats struct{ a, b, s int }
	more := map[seats]int64{} // games in which a, the lower of the two, was first, minus the others
	for _, p := range t.pairings {
		k, n := seats{p.First, p.Second, p.Stratum}, p.Games()
		if k.a > k.b {
			k.a, k.b, n = k.b, k.a, -n
		}
		if among(t.strata[p.Stratum]) {
			more[k] += n
		}
	}
	for _, n := range more {
		if n != 0 {
			return false
		}
	}
	return true
}

// FirstDecisive returns the first player's share of the games with a winner, clustered like FirstPlayer.
func (t *Table) FirstDecisive(level float64, among func(stratum string) bool) Estimate {
	e := t.mean(level, func(p Pairing, o Outcome) (float64, bool) {
		return o.Score(), o != Draw && among(t.strata[p.Stratum])
	})
	e.Unit = "decisive games"
	return e
}

// MatchScores returns the mean score of each agent against each later one of [Table.Players], by the indexes of both, over
// all their games, clustered as [ClusteredMean] does. Agents that did not meet have no entry.
func (t *Table) MatchScores(level float64) map[[2]int]Estimate {
	out := map[[2]int]Estimate{}
	for k, c := range t.clusteredMeans(t.values(func(p Pairing, o Outcome) (k [2]int, x float64, ok bool) {
		if p.First > p.Second {
			return [2]int{p.Second, p.First}, 1 - o.Score(), true
		}
		return [2]int{p.First, p.Second}, o.Score(), true
	})) {
		out[k] = c.Mean(level, "games")
	}
	return out
}

// mean returns the mean of a value that some games have.
func (t *Table) mean(level float64, value func(Pairing, Outcome) (x float64, ok bool)) Estimate {
	return t.clusteredMean(level, "games", t.values(func(p Pairing, o Outcome) (k [2]int, x float64, ok bool) {
		x, ok = value(p, o)
		return k, x, ok
	}))
}

// tally adds the values in a cluster to empty sums by key.
type tally func(terms []term, opening bool, sums map[[2]int]openingSums)

// values returns the tally of a value that some games have, and its key.
func (t *Table) values(of func(Pairing, Outcome) (key [2]int, x float64, ok bool)) tally {
	return func(terms []term, _ bool, sums map[[2]int]openingSums) {
		for _, m := range terms {
			for o, n := range m.n {
				if k, x, ok := of(t.pairings[m.pairing], Outcome(o)); ok && n > 0 {
					s := sums[k]
					sums[k] = openingSums{s.sum + x*float64(n), s.n + float64(n)}
				}
			}
		}
	}
}

// clusteredMean returns the mean of values without keys that come in clusters, by pair and by opening.
func (t *Table) clusteredMean(level float64, unit string, add tally) Estimate {
	return cmp.Or(t.clusteredMeans(add)[[2]int{}], &ClusteredMean{}).Mean(level, unit)
}

// clusteredMeans returns the means of values by key.
func (t *Table) clusteredMeans(add tally) map[[2]int]*ClusteredMean {
	out, sums := map[[2]int]*ClusteredMean{}, map[[2]int]openingSums{}
	collect := func(c *clusters, opening bool, to func(c *ClusteredMean, s openingSums, times int64)) {
		c.each(func(terms []term, times int64) {
			clear(sums)
			add(terms, opening, sums)
			for k, s := range sums {
				if out[k] == nil {
					out[k] = &ClusteredMean{}
				}
				to(out[k], s, times)
			}
		})
	}
	collect(&t.pairs, false, func(c *ClusteredMean, s openingSums, times int64) { c.AddMany(s.sum, int64(s.n), times, 0) })
	if t.openings != nil {
		for _, c := range out {
			c.repeated, c.wide = true, clusterSums{}
		}
		collect(t.openings, true, func(c *ClusteredMean, s openingSums, times int64) { c.wide.add(s.sum, s.n, float64(times)) })
	}
	return out
}
