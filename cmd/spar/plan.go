package main

import (
	"github.com/spf13/cobra"

	"spar/ratings"
	"spar/reports/trial"
)

func planCommand() *cobra.Command {
	var o planOptions
	c := &cobra.Command{
		Use:   "plan",
		Short: "Compute how many games a comparison needs",
		Long: `Computes how many games a match needs to detect a difference in strength, what difference a number of
games detects, or how long a sequential test takes. The two agents play every opening twice, with the seats swapped.

  --elo D            games that detect a difference of D Elo (two-sided)
  --games N          the difference that N games detect, and their interval
  --elo D --games N  the power of N games for a difference of D
  --elo0 A --elo1 B  expected lengths of a sequential test of B against A

With --elo0, --elo is the true difference. The answer depends on the variance of a pair's score. It follows from
--draws (the share of draws between equal agents) and --pair-correlation (of an agent's two scores in a pair: below 0
where openings favour a seat, above 0 where games repeat), or comes from --pair-variance, or from the counts of a past
match (--pentanomial), which already contain draws and repeated games.`,
		Example: `  spar plan --elo 20 --draws 0.3
  spar plan --elo 20 --power 0.95 --pentanomial 10,40,95,52,13
  spar plan --games 2000 --draws 0.3 --pair-correlation -0.3 --json
  spar plan --elo0 0 --elo1 10 --alpha 0.05 --beta 0.1 --draws 0.3`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			given := c.Flags().Changed
			p, err := o.match(given)
			if err != nil {
				return err
			}
			var r trial.Plan
			if given("elo0") || given("elo1") {
				if !given("elo0") || !given("elo1") {
					return usagef("--elo0 and --elo1: a sequential test needs both")
				}
				if given("games") || given("power") {
					return usagef("--games and --power need a match of fixed length; leave out --elo0 and --elo1")
				}
				test, err := o.Test.read()
				if err != nil {
					return err
				}
				if r, err = trial.Sequential(test, p, given("elo")); err != nil {
					return asUsage(err)
				}
			} else {
				if !given("elo") && !given("games") {
					return usagef("nothing to plan: give --elo, --games, both, or --elo0 and --elo1")
				}
				if given("elo") && given("games") && given("power") {
					return usagef("give at most two of --elo, --games and --power: the third follows from them")
				}
				if r, err = trial.Match(p, o.Games, given("elo"), given("games")); err != nil {
					return asUsage(err)
				}
			}
			return reply(c, "match_plan", r, r.Text)
		},
	}
	declare(c, &o)
	printsJSON(c, "match_plan", trial.Plan{})
	return c
}

// planOptions are the flags of plan.
type planOptions struct {
	Elo         float64 `flag:"elo" range:"[-2000,2000]" help:"the true difference in (logistic) Elo"`
	Games       int64   `flag:"games" range:"[2,9007199254740992]" help:"games of the match, two for each pair"`
	Power       float64 `flag:"power=0.8" range:"(0,1)" help:"probability of detecting the difference"`
	Draws       float64 `flag:"draws" range:"[0,1)" help:"probability of a draw between equal agents, from 0 to below 1"`
	Correlation float64 `flag:"pair-correlation" range:"(-1,1)" help:"correlation of an agent's two scores in a pair, between -1 and 1"`
	Variance    float64 `flag:"pair-variance" not:"pentanomial draws pair-correlation" range:"(0,0.25]" help:"variance of a pair's mean score, up to 0.25"`
	Past        string  `flag:"pentanomial" not:"draws pair-correlation" help:"take the pair variance from a past match: its counts of pairs with 0, 1/2, 1, 1 1/2, 2 points"`
	Test        testFlags
}

// match checks the flags that describe a match. If a past match is given, it measures its variance.
func (o *planOptions) match(given func(string) bool) (p ratings.Plan, err error) {
	p = ratings.Plan{
		Elo:             o.Elo,
		DrawRate:        o.Draws,
		PairCorrelation: o.Correlation,
		PairVariance:    o.Variance,
		Alpha:           o.Test.Alpha,
		Power:           o.Power,
	}
	switch {
	case p.Power <= p.Alpha/2:
		return p, usagef("--power %v: expected a probability above half of alpha (%v)", p.Power, p.Alpha/2)
	case given("elo") && p.Elo == 0 && !given("elo0"):
		return p, usagef("--elo 0: no number of games can detect a difference of 0")
	case !given("pentanomial"):
		return p, nil
	}
	counts, err := parseCounts("pentanomial", o.Past, "0, 1/2, 1, 1 1/2, 2 points")
	if err != nil {
		return p, err
	}
	var n float64
	p.PairVariance, n = ratings.PairVariance(counts)
	if n < 2 {
		return p, usagef("--pentanomial %s: a variance needs at least 2 pairs, not %.0f", o.Past, n)
	}
	if !(p.PairVariance > 1e-9) {
		return p, usagef("--pentanomial %s: the pairs all scored the same, so their variance is not known", o.Past)
	}
	return p, nil
}
