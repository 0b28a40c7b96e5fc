package ratings

import (
	"maps"
	"math"
	"slices"
)

// Interactions test the two assumptions of a fit with one rating for each player and one advantage: that two
// players score the same against each other in every stratum (game), and that the first-player advantage is the
// same for every player.
type Interactions struct {
	// Game compares each match-up's score in each stratum with its score over all strata. A cell is a match-up in one
	// stratum. The statistic is X² of the cells minus X² of the match-ups, and its degrees of freedom are the number of
	// cells minus the number of match-ups. DF is 0 if no match-up was played in two strata.
	Game Interaction
	// Seat compares each player's points as first player with the points that the common advantage predicts. P is the
	// smallest p-value over the players, adjusted by Holm; Player is the player with this p-value.
	Seat   Interaction
	Player string
}

// Interaction is the result of one test of whether strength depends on something.
type Interaction struct {
	ChiSquare float64
	DF        int
	P         float64 // p-value; 1 if there is nothing to test
}

// meeting is a match-up in one stratum. It has the points of the player with the lower index, and those of the
// first player, in the games whose likelihood has a maximum.
type meeting struct {
	n                  int64
	obs, exp, variance float64
	first, firstExp    float64
	all                PairResidual // of all games
	// the clusters of two and more games, those games, the variance of their points, and moments over the clusters of
	// the excess points: of that player, and of the first player
	clusters               float64
	clustered              int64
	within                 float64
	diff, diffs, sum, sums float64
}

// Interactions runs both tests on the strata that among selects. Variances are computed as in LackOfFit: the variance
// of games, times the design effect of openings or pairs, which is pooled over all cells with two or more openings or
// pairs. The tests then use Student's t and Fisher's F with the pooled degrees of freedom.
func (f *Fit) Interactions(among func(stratum string) bool) Interactions {
	cells := f.cells(among)
	order := inOrder(cells)
	var diff, sum, expected, free float64
	for _, k := range order {
		if c := cells[k]; c.clusters >= 2 {
			diff += c.diffs - c.diff*c.diff/c.clusters
			sum += c.sums - c.sum*c.sum/c.clusters
			expected += c.within * (c.clusters - 1) / c.clusters
			free += c.clusters - 1
		}
	}
	byDiff, bySum := designEffect(diff, expected), designEffect(sum, expected)
	out := Interactions{Game: Interaction{P: 1}, Seat: Interaction{P: 1}}
	type total struct{ excess, variance float64 }
	matches := map[[3]int]total{}
	seats := make([]total, len(f.Players))
	for _, k := range order {
		c := cells[k]
		if c.variance <= 1e-12 {
			continue
		}
		m := matches[[3]int{k[0], k[1]}]
		matches[[3]int{k[0], k[1]}] = total{m.excess + c.obs - c.exp, m.variance + c.variance*byDiff}
		out.Game.ChiSquare += (c.obs - c.exp) * (c.obs - c.exp) / (c.variance * byDiff)
		out.Game.DF++
		for _, i := range k[:2] {
			seats[i].excess += c.first - c.firstExp
			seats[i].variance += c.variance * bySum
		}
	}
	for _, k := range inOrder(matches) {
		m := matches[k]
		out.Game.ChiSquare -= m.excess * m.excess / m.variance
		out.Game.DF--
	}
	if out.Game.DF > 0 {
		out.Game.P = survival(out.Game.ChiSquare, out.Game.DF, free)
	}
	var ps []float64
	var who []int
	for i, s := range seats {
		if s.variance > 0 {
			z := s.excess / math.Sqrt(s.variance)
			ps = append(ps, twoSided(z, free))
			who = append(who, i)
			out.Seat.ChiSquare = max(out.Seat.ChiSquare, z*z)
		}
	}
	if out.Seat.DF = len(who) - 1; out.Seat.DF > 1 { // two players have all their games in common
		for i, p := range Holm(ps) {
			if out.Player == "" || p < out.Seat.P {
				out.Seat.P, out.Player = p, f.Players[who[i]].Name
			}
		}
	}
	return out
}

// cells returns the match-ups by stratum.
func (f *Fit) cells(among func(stratum string) bool) map[[3]int]*meeting {
	out := map[[3]int]*meeting{}
	at := func(x int) (p Pairing, c *meeting, straight bool, mean, variance float64) {
		p = f.t.pairings[x]
		k := [3]int{min(p.First, p.Second), max(p.First, p.Second), p.Stratum}
		if out[k] == nil {
			out[k] = &meeting{}
		}
		mean, variance = f.scoreMoments(f.Advantages[f.strataOf[p.Stratum]], f.theta[p.First]-f.theta[p.Second])
		return p, out[k], p.First < p.Second, mean, variance
	}
	for x := range f.t.pairings {
		if !among(f.t.strata[f.t.pairings[x].Stratum]) {
			continue
		}
		p, c, straight, e, v := at(x)
		games, points := float64(p.Games()), p.Points()
		if f.parts.active[x] {
			c.first += points
			c.firstExp += games * e
		}
		if !straight {
			e, points = 1-e, games-points
		}
		a := &c.all
		a.Games += p.Games()
		a.Observed += points
		a.Expected += games * e
		if f.parts.active[x] {
			c.n += p.Games()
			c.obs += points
			c.exp += games * e
			c.variance += games * v
		}
	}
	of := &f.t.pairs
	if f.t.Openings() >= MinOpenings { // they may repeat within a match-up
		of = f.t.openings
	}
	type part struct {
		*meeting
		games                  int64
		diff, points, variance float64
	}
	var parts []part // of a cluster, by cell
	of.each(func(terms []term, count int64) {
		parts = parts[:0]
		for _, m := range terms {
			if !f.parts.active[m.pairing] || !among(f.t.strata[f.t.pairings[m.pairing].Stratum]) {
				continue
			}
			_, c, straight, e, v := at(m.pairing)
			i := slices.IndexFunc(parts, func(p part) bool { return p.meeting == c })
			if i < 0 {
				i = len(parts)
				parts = append(parts, part{meeting: c})
			}
			p, n := &parts[i], float64(m.games())
			excess := float64(m.n[FirstWins]) + float64(m.n[Draw])/2 - n*e
			p.games += m.games()
			p.points += excess
			p.variance += n * v
			if straight {
				p.diff += excess
			} else {
				p.diff -= excess
			}
		}
		w := float64(count)
		for _, p := range parts {
			if c := p.meeting; p.games > 1 {
				c.clusters += w
				c.clustered += count * p.games
				c.within += w * p.variance
				c.diff, c.diffs = c.diff+w*p.diff, c.diffs+w*p.diff*p.diff
				c.sum += w * p.points
				c.sums += w * p.points * p.points
			}
		}
	})
	return out
}

// inOrder returns the keys of a map in the order of the players' names and strata, so that sums over them are the same
// to the last bit in every run.
func inOrder[V any](m map[[3]int]V) [][3]int {
	return slices.SortedFunc(maps.Keys(m), func(a, b [3]int) int { return slices.Compare(a[:], b[:]) })
}

// scoreMoments returns mean and variance of one game's score under the fitted model, if the first player is stronger by
// a difference in natural units.
func (f *Fit) scoreMoments(a AdvantageRow, difference float64) (mean, variance float64) {
	eta := a.Raw*eloUnit + difference
	mean = logistic(eta)
	draw := drawShare(mean, a.DrawRate)
	if f.Model == ModelDavidson {
		var win float64
		win, draw, _, _ = davidson{}.probabilities(eta, math.Log(a.DrawParameter))
		mean = win + draw/2
	}
	return mean, max(0, mean*(1-mean)-draw/4)
}
