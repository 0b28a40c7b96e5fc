package balance

import (
	"math"
	"slices"

	"spar/ratings"
)

// Trends is trends over the tiers, in games from the true start.
type Trends struct {
	Advantage Trend `json:"advantage"` // first-player advantage in Elo, against doublings of the budget
	Score     Trend `json:"score"`
	// score of the first player at the strongest tier minus that at the weakest
	Rise ratings.Estimate `json:"rise"`
}

// Trend describes how a measure depends on strength.
type Trend struct {
	Points []TierPoint `json:"points"`
	// per doubling, by weighted least squares; tiers without a budget are skipped
	Slope     ratings.Estimate `json:"slope"`
	Intercept float64          `json:"intercept"`
	// p-value of the hypothesis that the points lie on a line; 1 if it cannot be tested
	LackOfFit float64 `json:"lack_of_fit_p"`
}

// TierPoint is the value at one tier.
type TierPoint struct {
	Tier int    `json:"tier"`
	Name string `json:"name"`
	// log2 of the budget relative to the weakest tier that has one; -1 for a tier without a budget
	Doubling float64          `json:"doubling"`
	InFit    bool             `json:"in_fit"`
	Number   ratings.Estimate `json:"number"`
}

// eloPerLogit converts logits (natural logarithms) of a score to Elo.
const eloPerLogit = 400 / math.Ln10

// tierGroup is a tier with the group of its mirror games from the true start.
type tierGroup struct {
	tier  Tier
	group *Group
}

// trends computes how the score changes over the tiers, in games from the true start.
func (m measurer) trends(tiers []tierGroup) Trends {
	var out Trends
	out.Advantage = m.trend(tiers, "elo per doubling", func(g *Group) (ratings.Estimate, float64) {
		return g.Outcome.Elo, eloError(g.Outcome)
	})
	out.Score = m.trend(tiers, "score per doubling", func(g *Group) (ratings.Estimate, float64) {
		return g.Outcome.Score, max(half(g.Outcome.Score), 1e-9) / m.z
	})
	searching := slices.DeleteFunc(slices.Clone(tiers), func(t tierGroup) bool { return t.tier.Doubling < 0 })
	if n := len(searching); n > 1 {
		last, first := searching[n-1].group.Outcome.Score, searching[0].group.Outcome.Score
		out.Rise = combine([]ratings.Estimate{last, first}, []float64{1, -1}, "games", "score")
	}
	return out
}

// eloError returns the standard error of the advantage in Elo. It adds half a point to each side, so that it
// exists for scores of 0 and 1.
func eloError(o Outcome) float64 {
	wins, draws, losses := float64(o.FirstWins)+0.25, float64(o.Draws+o.Caps), float64(o.SecondWins)+0.25
	n := wins + draws + losses
	s := (wins + draws/2) / n
	variance := max((wins+draws/4)/n-s*s, 0)
	return eloPerLogit * math.Sqrt(variance/n) / (s * (1 - s))
}

// trend fits a line through the tiers that have a budget.
func (m measurer) trend(tiers []tierGroup, unit string, number func(*Group) (ratings.Estimate, float64)) Trend {
	out := Trend{Points: []TierPoint{}, LackOfFit: 1}
	var x, y, se []float64
	for _, t := range tiers {
		n, e := number(t.group)
		if !n.Known() {
			continue
		}
		in := t.tier.Doubling >= 0
		out.Points = append(out.Points, TierPoint{
			Tier: t.tier.Index, Name: t.tier.Name, Doubling: t.tier.Doubling, InFit: in,
			Number: n,
		})
		if !in {
			continue
		}
		x, y, se = append(x, t.tier.Doubling), append(y, n.Value), append(se, e)
	}
	out.Slope, out.Intercept, out.LackOfFit = m.line(x, y, se)
	if out.Slope.Known() {
		out.Slope.Scale = scaleOf(unit)
		if len(x) == 2 {
			out.Slope.Note = "two tiers only: they cannot show whether the trend is linear"
		} else if vague(out.Slope, unit) {
			out.Slope.Note = "no significant trend"
		} else if out.LackOfFit < 1-m.level {
			out.Slope.Note = "the trend is not linear"
		}
	}
	return out
}

// vague reports whether an interval includes both a steep rise and a steep fall per doubling: 100 Elo, or 15
// percentage points.
func vague(slope ratings.Estimate, unit string) bool {
	steep := map[string]float64{"elo per doubling": 100, "score per doubling": 0.15}[unit]
	return slope.Lo < -steep && slope.Hi > steep
}
