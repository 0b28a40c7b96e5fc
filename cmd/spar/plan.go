package main

import (
	"math"

	"github.com/spf13/cobra"

	"spar/ratings"
	"spar/reports/trial"
)

func planCommand() *cobra.Command {
	var (
		p           ratings.Plan
		games       int64
		test        ratings.SPRT
		model, past string
	)
	c := &cobra.Command{
		Use:   "plan",
		Short: "Compute how many games a comparison needs",
		Long: `Computes how many games of a match detect a difference in strength, what difference a number of games detects, or
how long a sequential test takes. The two agents play every opening twice, with the seats exchanged.

  --elo D            games that find a difference of D Elo with --power at --alpha (two-sided)
  --games N          the difference that N games find, and how wide their interval is
  --elo D --games N  the power of N games for a difference of D
  --elo0 A --elo1 B  expected lengths of a sequential test of B against A (also with --elo, as a true difference)

The variance of a pair's score decides. It follows from --draws (the share of draws between equals) and
--pair-correlation (of an agent's two scores in a pair: below 0 where openings favour a seat, above 0 where games
repeat), or comes from --pair-variance, or from the counts of a past match (--pentanomial), which already contain
draws and repeated games.`,
		Example: `  spar plan --elo 20 --draws 0.3
  spar plan --elo 20 --power 0.95 --pentanomial 10,40,95,52,13
  spar plan --games 2000 --draws 0.3 --pair-correlation -0.3 --json
  spar plan --elo0 0 --elo1 10 --alpha 0.05 --beta 0.1 --draws 0.3`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			given := c.Flags().Changed
			p.Alpha = test.Alpha
			if err := checkPlan(&p, given, past); err != nil {
				return err
			}
			var r trial.Plan
			if given("elo0") || given("elo1") {
				if !given("elo0") || !given("elo1") {
					return usagef("--elo0 and --elo1: a sequential test needs both")
				}
				if given("games") || given("power") {
					return usagef("--games and --power are for a match of fixed length: leave out --elo0 and --elo1")
				}
				if err := readTest(&test, model); err != nil {
					return err
				}
				var err error
				if r, err = trial.Sequential(test, p, given("elo")); err != nil {
					return asUsage(err)
				}
			} else {
				if !given("elo") && !given("games") {
					return usagef("nothing to plan: give --elo, --games, both, or --elo0 and --elo1")
				}
				if given("games") && (games < 2 || games > mostCount) {
					return usagef("--games %d: expected 2 to %d", games, int64(mostCount))
				}
				if given("elo") && given("games") && given("power") {
					return usagef("give at most two of --elo, --games and --power: the third follows from them")
				}
				var err error
				if r, err = trial.Match(p, games, given("elo"), given("games")); err != nil {
					return asUsage(err)
				}
			}
			return reply(c, "match_plan", r, r.Text)
		},
	}
	f := c.Flags()
	f.Float64Var(&p.Elo, "elo", 0, "the true difference in (logistic) Elo")
	f.Int64Var(&games, "games", 0, "games of the match, two a pair")
	f.Float64Var(&p.Power, "power", 0.8, "probability of detecting the difference")
	f.Float64Var(&p.DrawRate, "draws", 0, "probability of a draw between equal agents, from 0 to below 1")
	f.Float64Var(&p.PairCorrelation, "pair-correlation", 0, "correlation of an agent's two scores in a pair, "+
		"between -1 and 1")
	f.Float64Var(&p.PairVariance, "pair-variance", 0, "variance of a pair's mean score, up to 0.25, instead of "+
		"--draws and --pair-correlation")
	f.StringVar(&past, "pentanomial", "", "measure the pair variance from a past match: pairs with 0, 1/2, 1, 1 "+
		"1/2, 2 points")
	testFlags(c, &test, &model)
	needs(c, []string{"beta", "model"}, "elo0", "elo1")
	c.MarkFlagsMutuallyExclusive("pair-variance", "pentanomial")
	f.Lookup("alpha").Usage = "probability of a false positive: two-sided for a match; for a sequential test, of " +
		"accepting H1 " +
		"when H0 is true"
	jsonFlag(c)
	return c
}

// checkPlan checks the flags that describe a match. If a past match is given, it measures its variance.
func checkPlan(p *ratings.Plan, given func(string) bool, past string) error {
	switch {
	case !(p.Alpha > 0 && p.Alpha < 1):
		return usagef("--alpha %v: expected an error rate above 0 and below 1", p.Alpha)
	case !(p.Power > p.Alpha/2 && p.Power < 1):
		return usagef("--power %v: expected a chance above half of alpha (%v) and below 1", p.Power, p.Alpha/2)
	case !(p.DrawRate >= 0 && p.DrawRate < 1):
		return usagef("--draws %v: expected a fraction from 0 to below 1 (0.3 is 30 %%)", p.DrawRate)
	case !(p.PairCorrelation > -1 && p.PairCorrelation < 1):
		return usagef("--pair-correlation %v: expected a number between -1 and 1", p.PairCorrelation)
	case given("pair-variance") && !(p.PairVariance > 0 && p.PairVariance <= 0.25):
		return usagef("--pair-variance %v: expected a number above 0 and up to 0.25", p.PairVariance)
	case !(math.Abs(p.Elo) <= 2000):
		return usagef("--elo %v: expected -2000 to 2000", p.Elo)
	case given("elo") && p.Elo == 0 && !given("elo0"):
		return usagef("--elo 0: no number of games can detect a difference of 0")
	}
	measured := given("pair-variance") || given("pentanomial")
	if measured && (given("draws") || given("pair-correlation")) {
		return usagef("--draws and --pair-correlation are contained in a measured variance: leave them out")
	}
	if !given("pentanomial") {
		return nil
	}
	counts, err := parseCounts("pentanomial", past, "0, 1/2, 1, 1 1/2, 2 points")
	if err != nil {
		return err
	}
	var n float64
	p.PairVariance, n = ratings.PairVariance(counts)
	if n < 2 {
		return usagef("--pentanomial %s: %.0f pairs have no variance", past, n)
	}
	if !(p.PairVariance > 1e-9) {
		return usagef("--pentanomial %s: the pairs all scored the same, so their variance is not known", past)
	}
	return nil
}
