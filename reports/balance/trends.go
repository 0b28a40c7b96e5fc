package balance

import (
	"math"
	"slices"

	"spar/ratings"
)

// eloPerLogit converts logits (natural logarithms) of a score to Elo.
const eloPerLogit = 400 / math.Ln10

// tierGroup is a tier with the group of its mirror games from the true start.
type tierGroup struct {
	tier  Tier
	group *Group
}

// trends computes how scores and draws change over the tiers, in games from the true start. It also computes the
// advantage in units of the ladder.
func (m measurer) trends(tiers []tierGroup, ladder *Ladder) Trends {
	var out Trends
	out.Advantage = m.trend(tiers, "elo per doubling", func(g *Group) (ratings.Estimate, float64) {
		return g.Outcome.Elo, eloError(g.Outcome)
	})
	out.Score = m.trend(tiers, "score per doubling", func(g *Group) (ratings.Estimate, float64) {
		return g.Outcome.Score, max(half(g.Outcome.Score), 1e-9) / m.z
	})
	out.Draws = m.trend(tiers, "logit per doubling", func(g *Group) (ratings.Estimate, float64) {
		// The slope is of logits with half a game added to each side; the points shown are shares.
		k, n := float64(g.Outcome.Draws), float64(g.Games-g.Repeated-g.Forfeits)
		return g.Outcome.Draw, math.Sqrt(1/(k+0.5) + 1/(n-k+0.5))
	}, func(g *Group) float64 {
		k, n := float64(g.Outcome.Draws), float64(g.Games-g.Repeated-g.Forfeits)
		return math.Log((k + 0.5) / (n - k + 0.5))
	})
	out.Length = m.trend(tiers, "plies per doubling", func(g *Group) (ratings.Estimate, float64) {
		// A tier whose games all have the same length is not infinitely sure of it: a twelfth is the variance of
		// rounding.
		n := max(float64(g.Length.All.Mean.N), 1)
		return g.Length.All.Mean, max(half(g.Length.All.Mean)/m.z, 1/math.Sqrt(12*n))
	})
	out.Rungs = rungTrend(tiers, ladder)
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

// trend fits a line through the tiers that have a budget. If scale is given, it converts each number before the
// fit.
func (m measurer) trend(tiers []tierGroup, unit string, number func(*Group) (ratings.Estimate, float64),
	scale ...func(*Group) float64,
) Trend {
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
		value := n.Value
		if len(scale) > 0 {
			value = scale[0](t.group)
		}
		x, y, se = append(x, t.tier.Doubling), append(y, value), append(se, e)
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

// vague reports whether an interval includes both a steep rise and a steep fall per doubling: 100 Elo, 15
// percentage points, a factor of two in the odds, or ten plies.
func vague(slope ratings.Estimate, unit string) bool {
	steep := map[string]float64{
		"elo per doubling": 100, "score per doubling": 0.15, "logit per doubling": math.Ln2,
		"plies per doubling": 10,
	}[unit]
	return slope.Lo < -steep && slope.Hi > steep
}

// rungTrend returns, for each tier, the advantage divided by the gain of doubling the budget from that tier to the
// next. The top tier uses the doubling that leads to it. The error is by the delta method.
func rungTrend(tiers []tierGroup, ladder *Ladder) Trend {
	out := Trend{Points: []TierPoint{}, LackOfFit: 1}
	if ladder == nil {
		return out
	}
	for _, t := range tiers {
		a := t.group.Outcome.Elo
		var step *Rung
		for i := range ladder.Rungs {
			r := &ladder.Rungs[i]
			if r.Doubling > 0 && (r.Lower == t.tier.Name || step == nil && r.Upper == t.tier.Name) {
				step = r
			}
		}
		if step == nil || !a.Known() || half(a) == 0 || half(step.Elo) == 0 || step.Elo.Lo <= 0 {
			continue // the doubling gives nothing certain, so it is no unit
		}
		b := step.Elo.Value / step.Doubling
		v := a.Value / b
		half := math.Hypot(half(a)/b, v*half(step.Elo)/step.Elo.Value)
		out.Points = append(out.Points, TierPoint{
			Tier: t.tier.Index, Name: t.tier.Name, Doubling: t.tier.Doubling,
			Number: ratings.Estimate{
				Value: v, Interval: ratings.Interval{Lo: v - half, Hi: v + half}, N: a.N, Unit: a.Unit,
				Method: "delta", Note: a.Note,
			},
		})
	}
	return out
}
