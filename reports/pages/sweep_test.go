package pages

import (
	"fmt"

	"spar/ratings"
	"spar/tuning/target"
	"spar/tuning/variants"
)

func measured(v float64) ratings.Estimate {
	return ratings.Estimate{Value: v, Interval: ratings.Interval{Lo: v - 0.04, Hi: v + 0.04}, N: 200, Unit: "games"}
}

// result is a made-up sweep over as many knobs as are named, each with the values 1 and 2; without depth when that is
// wanted.
func result(depth bool, knobs ...string) *variants.Result {
	r := &variants.Result{
		Name: "made-up", Rules: "classic", Design: "grid", DB: "out/x.db", Seed: 1, Tiers: []string{"mcts-5v", "mcts-10v"},
		Level:   0.95,
		Targets: []string{"fpa<=0.05"}, Games: 4000, Skipped: []variants.Skipped{{Rules: "win.line=9", Reason: "does not fit"}},
	}
	combinations := [][]string{nil}
	for _, k := range knobs {
		r.Knobs = append(r.Knobs, variants.KnobInfo{Path: k, Values: []string{"1", "2"}, Base: "1"})
		var next [][]string
		for _, c := range combinations {
			next = append(next, append(append([]string{}, c...), "1"), append(append([]string{}, c...), "2"))
		}
		combinations = next
	}
	for i, values := range combinations {
		n := variants.Numbers{
			"score": measured(0.5 + 0.1*float64(i)), "fpa": measured(0.1 * float64(i)), "draws": measured(0.2),
			"completion": measured(0.95), "length": measured(12),
		}
		tiers := []variants.Numbers{n, n}
		if depth {
			n = variants.Numbers{
				"depth": measured(3 + float64(i)), "score": n["score"], "fpa": n["fpa"], "draws": n["draws"],
				"completion": n["completion"], "length": n["length"],
			}
		}
		r.Variants = append(r.Variants, variants.Cell{
			Rules: fmt.Sprintf("classic[%d]", i), Values: values, Base: i == 0,
			Numbers: n, ByTier: tiers, Verdict: target.Undecided,
		})
	}
	r.Tried = len(r.Variants)
	best := r.Variants[0]
	r.Again = []variants.Again{{
		Cell:   variants.Cell{Rules: best.Rules, Values: best.Values, Numbers: best.Numbers, ByTier: best.ByTier, Verdict: target.Met},
		Before: best.Numbers,
	}}
	return r
}
