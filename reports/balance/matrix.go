package balance

import (
	"cmp"
	"math"
	"slices"

	"spar/ratings"
)

// matrix computes scores and ratings of all agents from all games between different agents. It returns nil if fewer
// than two agents met.
func (m measurer) matrix(p *pass) (*Matrix, *ratings.Fit, error) {
	duels := p.duels(func(int32) bool { return true })
	if len(duels) == 0 {
		return nil, nil, nil
	}
	table, err := p.table(duels)
	if err != nil {
		return nil, nil, err
	}
	fit, err := table.Fit(ratings.Options{Level: m.level})
	if err != nil {
		return nil, nil, err
	}
	out := &Matrix{Cycles: [][]string{}, LackOfFit: 1}
	for _, row := range fit.Players {
		out.Ratings = append(out.Ratings, Rated{Agent: row.Name, Group: row.Group, Elo: rated(row)})
	}
	slices.SortStableFunc(out.Ratings, func(a, b Rated) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(b.Elo.Value, a.Elo.Value))
	})
	for _, r := range out.Ratings {
		out.Agents = append(out.Agents, r.Agent)
	}
	residual := map[[2]string]float64{}
	lack := fit.LackOfFit()
	if lack.DF > 0 {
		out.LackOfFit = lack.P
	}
	for _, r := range lack.Pairs {
		residual[[2]string{r.A, r.B}], residual[[2]string{r.B, r.A}] = finite(r.Z), finite(-r.Z)
	}
	beats := map[[2]string]bool{}
	met := map[[2]string]bool{}
	for _, d := range duels {
		for _, side := range []duel{*d, d.from(d.b)} {
			_, score := m.duel(side)
			pair := [2]string{p.names[side.a], p.names[side.b]}
			out.Cells = append(out.Cells, Cell{Agent: pair[0], Opponent: pair[1], Score: score, Residual: residual[pair]})
			met[pair], beats[pair] = true, score.Lo > 0.5
		}
	}
	rank := map[string]int{}
	for i, name := range out.Agents {
		rank[name] = i
	}
	slices.SortFunc(out.Cells, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(rank[a.Agent], rank[b.Agent]), cmp.Compare(rank[a.Opponent], rank[b.Opponent]))
	})
	for i, a := range out.Agents {
		for j, b := range out.Agents[i+1:] {
			for _, c := range out.Agents[i+1+j+1:] {
				if !met[[2]string{a, b}] || !met[[2]string{b, c}] || !met[[2]string{a, c}] {
					continue
				}
				out.Triples++
				switch {
				case beats[[2]string{a, b}] && beats[[2]string{b, c}] && beats[[2]string{c, a}]:
					out.Cycles = append(out.Cycles, []string{a, b, c})
				case beats[[2]string{a, c}] && beats[[2]string{c, b}] && beats[[2]string{b, a}]:
					out.Cycles = append(out.Cycles, []string{a, c, b})
				}
			}
		}
	}
	out.NonTransitive = m.share(int64(len(out.Cycles)), out.Triples, "triples")
	return out, fit, nil
}

// finite replaces infinite and undefined values by 0. Small tables can give such values.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x + 0 // -0 is 0
}

// rated converts the rating of an agent from a fit to a number.
func rated(row ratings.PlayerRow) ratings.Estimate {
	n := row.Elo
	n.N, n.Unit = row.Total().Games(), "games"
	if row.Elo.Prior {
		n.Note = "the level comes from a prior: the results alone give only a bound"
	}
	return warnThin(n)
}

// joint computes the first-player advantage if agents of different strength met: one fit of the strengths and the
// first-player advantage.
func (m measurer) joint(fit *ratings.Fit) *JointAdvantage {
	if fit == nil || len(fit.Advantages) == 0 {
		return nil
	}
	a := fit.Advantages[0]
	out := &JointAdvantage{Agents: len(fit.Players), Games: a.Games.Games(), Warnings: fit.Warnings, ByAgent: []AsFirst{}}
	out.Elo = a.Elo
	if out.Elo.N, out.Elo.Unit = a.Games.Games(), "games"; fit.Errors == ratings.ErrorPair {
		out.Elo.N, out.Elo.Unit = fit.Clusters, "pairs"
	}
	out.Elo = warnThin(out.Elo)
	out.Score = out.Elo
	out.Score.Scale, out.Score.Value = ratings.ScaleShare, ratings.ExpectedScore(out.Elo.Value)
	out.Score.Lo, out.Score.Hi = 0, 1
	if !a.Elo.Interval.LoOpen {
		out.Score.Lo = ratings.ExpectedScore(out.Elo.Lo)
	}
	if !a.Elo.Interval.HiOpen {
		out.Score.Hi = ratings.ExpectedScore(out.Elo.Hi)
	}
	out.Score.LoOpen, out.Score.HiOpen = false, false
	if x := fit.Interactions(func(string) bool { return true }); x.Seat.DF > 1 {
		p := finite(x.Seat.P)
		if out.SeatP = &p; p < 0.05 {
			out.Uneven = x.Player
		}
	}
	for _, row := range fit.Players {
		out.Separated = out.Separated || row.Elo.Prior
		out.ByAgent = append(out.ByAgent, AsFirst{
			Agent:    row.Name,
			AsFirst:  m.score(row.AsFirst.Wins, row.AsFirst.Draws, row.AsFirst.Losses),
			AsSecond: m.score(row.AsSecond.Wins, row.AsSecond.Draws, row.AsSecond.Losses),
		})
	}
	return out
}
