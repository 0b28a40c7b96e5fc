package ratings

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

// MatchScore returns a's mean score against b over all their games, clustered as [ClusteredMean] does.
func (t *Table) MatchScore(a, b string, level float64) Estimate {
	return t.mean(level, func(p Pairing, o Outcome) (float64, bool) {
		switch first, second := t.players[p.First], t.players[p.Second]; {
		case first == a && second == b:
			return o.Score(), true
		case first == b && second == a:
			return 1 - o.Score(), true
		}
		return 0, false
	})
}

// mean returns the mean of a value that some games have.
func (t *Table) mean(level float64, value func(Pairing, Outcome) (x float64, ok bool)) Estimate {
	return t.clusteredMean(level, "games", func(terms []term, _ bool) (sum float64, games int64) {
		for _, m := range terms {
			for o, k := range m.n {
				if x, ok := value(t.pairings[m.pairing], Outcome(o)); ok {
					sum, games = sum+x*float64(k), games+k
				}
			}
		}
		return sum, games
	})
}

// clusteredMean returns the mean of values that come in clusters, by pair and by opening: count returns the sum and the
// number of those in a cluster.
func (t *Table) clusteredMean(level float64, unit string,
	count func(terms []term, opening bool) (sum float64, n int64),
) Estimate {
	var c ClusteredMean
	t.pairs.each(func(terms []term, times int64) {
		sum, n := count(terms, false)
		c.AddMany(sum, n, times, 0)
	})
	if t.openings != nil {
		c.repeated, c.wide = true, clusterSums{}
		t.openings.each(func(terms []term, times int64) {
			if sum, n := count(terms, true); n > 0 {
				c.wide.add(sum, float64(n), float64(times))
			}
		})
	}
	return c.Mean(level, unit)
}
