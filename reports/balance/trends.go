package balance

import "spar/ratings"

// Trends holds trends over tiers, in games from the start position.
type Trends struct {
	Score Trend `json:"score"`
	// score of the first player at the strongest tier that searches minus that at the weakest
	Rise ratings.Estimate `json:"rise"`
}

// Trend describes how a measure depends on strength.
type Trend struct {
	Points []TierPoint `json:"points"`
}

// TierPoint is the value of a measure at one tier.
type TierPoint struct {
	Tier int    `json:"tier"`
	Name string `json:"agent"`
	// log2 of the budget relative to the weakest tier that has one; -1 for a tier without a budget
	Doubling float64          `json:"doubling"`
	InFit    bool             `json:"in_fit"` // the tier searches
	Number   ratings.Estimate `json:"number"`
}

// trends sets how the score changes over the tiers, in games from the start position.
func (r *Report) trends() {
	r.Trends.Score.Points = []TierPoint{}
	var searching []ratings.Estimate
	for i := range r.Groups {
		g := &r.Groups[i]
		if g.Kind != "mirror" || g.Tier < 0 || !g.Outcome.Score.Known() {
			continue
		}
		t := r.Tiers[g.Tier]
		r.Trends.Score.Points = append(r.Trends.Score.Points,
			TierPoint{t.Index, t.Name, t.Doubling, t.Doubling >= 0, g.Outcome.Score})
		if t.Doubling >= 0 {
			searching = append(searching, g.Outcome.Score)
		}
	}
	if n := len(searching); n > 1 {
		r.Trends.Rise = combine([]ratings.Estimate{searching[n-1], searching[0]}, []float64{1, -1}, "games", "score")
	}
}
