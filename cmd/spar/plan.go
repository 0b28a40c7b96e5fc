package main

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"spar/ratings"
	"spar/reports/screen"
)

func planCommand() *cobra.Command {
	var (
		p           ratings.Plan
		games       int64
		test        ratings.SPRT
		model, past string
		asJSON      bool
	)
	c := &cobra.Command{
		Use:   "plan",
		Short: "How many games a question needs",
		Long: `Sizes a match of two agents that play every opening twice with the seats swapped.

  --elo D            games that find a difference of D Elo with --power at --alpha (two-sided)
  --games N          the difference that N games find, and how wide their interval is
  --elo D --games N  the power of N games for a difference of D
  --elo0 A --elo1 B  expected lengths of a sequential test of B against A (also with --elo, as a true difference)

How much a pair's score varies decides: it follows from --draws (the share of draws between equals) and --pair-correlation
(of an agent's two scores in a pair: below 0 where openings favour a seat, above 0 where games repeat), or is measured:
--pair-variance, or --pentanomial, the counts of a past match. In those, draws and repeated games are already contained.`,
		Example: `  spar plan --elo 20 --draws 0.3
  spar plan --elo 20 --power 0.95 --pentanomial 10,40,95,52,13
  spar plan --games 2000 --draws 0.3 --pair-correlation -0.3 --json
  spar plan --elo0 0 --elo1 10 --alpha 0.05 --beta 0.1 --draws 0.3`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			given := c.Flags().Changed
			p.Alpha = test.Alpha
			if err := checkPlan(&p, given, past); err != nil {
				return err
			}
			var r planJSON
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
				if r, err = planTest(test, p, given("elo")); err != nil {
					return asUsage(err)
				}
			} else {
				if given("beta") || given("model") {
					return usagef("--beta and --model belong to a sequential test: give --elo0 and --elo1")
				}
				if !given("elo") && !given("games") {
					return usagef("nothing to plan: give --elo, --games, both, or --elo0 and --elo1")
				}
				if given("games") && (games < 2 || games > mostCount) {
					return usagef("--games %d: expected 2 to %d", games, int64(mostCount))
				}
				if given("elo") && given("games") && given("power") {
					return usagef("--elo, --games and --power: any two of them give the third")
				}
				var err error
				if r, err = planMatch(p, games, given("elo"), given("games")); err != nil {
					return asUsage(err)
				}
			}
			if given("pair-variance") || past != "" {
				r.PairVariance = &p.PairVariance
			} else {
				r.DrawRate, r.PairCorrelation = &p.DrawRate, &p.PairCorrelation
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), "match_plan", r)
			}
			return r.print(c.OutOrStdout())
		},
	}
	c.Flags().Float64Var(&p.Elo, "elo", 0, "the true difference in (logistic) Elo")
	c.Flags().Int64Var(&games, "games", 0, "games of the match, two a pair")
	c.Flags().Float64Var(&p.Power, "power", 0.8, "chance to find the difference")
	c.Flags().Float64Var(&p.DrawRate, "draws", 0, "share of draws between equals, from 0 to below 1")
	c.Flags().Float64Var(&p.PairCorrelation, "pair-correlation", 0, "correlation of an agent's two scores in a pair, between -1 and 1")
	c.Flags().Float64Var(&p.PairVariance, "pair-variance", 0, "variance of a pair's mean score, up to 0.25, in place of --draws and --pair-correlation")
	c.Flags().StringVar(&past, "pentanomial", "", "measure the pair variance from a past match: pairs with 0, 1/2, 1, 1 1/2, 2 points")
	testFlags(c, &test, &model)
	c.Flags().Lookup("alpha").Usage = "chance of a false alarm: two-sided for a match, to accept H1 when H0 is true for a sequential test"
	jsonFlag(c, &asJSON)
	return c
}

// checkPlan checks the flags that describe a match, and measures the variance if a past match is given.
func checkPlan(p *ratings.Plan, given func(string) bool, past string) error {
	switch {
	case !(p.Alpha > 0 && p.Alpha < 1):
		return usagef("--alpha %v: expected an error rate above 0 and below 1", p.Alpha)
	case !(p.Power > p.Alpha/2 && p.Power < 1):
		return usagef("--power %v: expected a chance above half of alpha (%v) and below 1", p.Power, p.Alpha/2)
	case !(p.DrawRate >= 0 && p.DrawRate < 1):
		return usagef("--draws %v: expected a share from 0 to below 1 (0.3 is 30 %%)", p.DrawRate)
	case !(p.PairCorrelation > -1 && p.PairCorrelation < 1):
		return usagef("--pair-correlation %v: expected a number between -1 and 1", p.PairCorrelation)
	case given("pair-variance") && !(p.PairVariance > 0 && p.PairVariance <= 0.25):
		return usagef("--pair-variance %v: expected a number above 0 and up to 0.25", p.PairVariance)
	case !(math.Abs(p.Elo) <= 2000):
		return usagef("--elo %v: expected -2000 to 2000", p.Elo)
	case given("elo") && p.Elo == 0 && !given("elo0"):
		return usagef("--elo 0: no number of games finds a difference of nothing")
	}
	measured := given("pair-variance") || given("pentanomial")
	if measured && (given("draws") || given("pair-correlation")) {
		return usagef("--draws and --pair-correlation are contained in a measured variance: leave them out")
	}
	if !given("pentanomial") {
		return nil
	}
	if given("pair-variance") {
		return usagef("--pair-variance and --pentanomial: give one of them")
	}
	counts, err := parseCounts("pentanomial", past, "0, 1/2, 1, 1 1/2, 2 points")
	if err != nil {
		return err
	}
	var n, sum, squares float64
	for i, c := range counts {
		x := float64(i) / 4
		n, sum, squares = n+c, sum+c*x, squares+c*x*x
	}
	if n < 2 {
		return usagef("--pentanomial %s: %.0f pairs have no variance", past, n)
	}
	p.PairVariance = (squares - sum*sum/n) / (n - 1)
	if !(p.PairVariance > 1e-9) {
		return usagef("--pentanomial %s: the pairs all scored the same, so their variance is not known", past)
	}
	p.PairVariance = min(p.PairVariance, 0.25)
	return nil
}

// planJSON is the object of "spar plan --json". What was not asked for is left out.
type planJSON struct {
	Alpha           float64  `json:"alpha"`
	Power           *float64 `json:"power,omitempty"`
	DrawRate        *float64 `json:"draw_rate,omitempty"`
	PairCorrelation *float64 `json:"pair_correlation,omitempty"`
	PairVariance    *float64 `json:"pair_variance,omitempty"`
	Elo             *float64 `json:"elo,omitempty"`        // given
	Detectable      *float64 `json:"detectable,omitempty"` // Elo
	Games           int64    `json:"games,omitempty"`
	Pairs           int64    `json:"pairs,omitempty"`
	HalfWidth       *float64 `json:"half_width,omitempty"` // of the interval with level 1-alpha at equality, Elo
	SPRT            *testRun `json:"sprt,omitempty"`

	gamesGiven bool
}

// testRun is what to expect of a sequential test.
type testRun struct {
	Model    string         `json:"model"`
	Elo0     float64        `json:"elo0"`
	Elo1     float64        `json:"elo1"`
	Beta     float64        `json:"beta"`
	Expected []expectedTest `json:"expected"`
}

// expectedTest is a sequential test when the true difference is Elo.
type expectedTest struct {
	Truth    string  `json:"truth"` // elo0, between (where the test is longest), elo1 or elo
	Elo      float64 `json:"elo"`   // logistic
	AcceptH0 float64 `json:"accept_h0"`
	AcceptH1 float64 `json:"accept_h1"`
	Games    float64 `json:"games"`
	Pairs    float64 `json:"pairs"`
}

// planMatch sizes a match of fixed length.
func planMatch(p ratings.Plan, games int64, eloGiven, gamesGiven bool) (planJSON, error) {
	r := planJSON{Alpha: p.Alpha, Games: games - games%2, gamesGiven: gamesGiven}
	var err error
	switch {
	case eloGiven && gamesGiven:
		var power float64
		power, err = p.PowerOf(r.Games)
		r.Elo, r.Power = &p.Elo, &power
	case eloGiven:
		r.Games, err = p.GamesNeeded()
		r.Elo, r.Power = &p.Elo, &p.Power
	default:
		r.Power = &p.Power
	}
	if err != nil {
		return r, err
	}
	r.Pairs = r.Games / 2
	detectable, half, err := p.Detectable(r.Games)
	r.HalfWidth = &half
	if !eloGiven {
		r.Detectable = &detectable
	}
	return r, err
}

// planTest looks ahead at a sequential test, at its hypotheses, where it is longest and at a given true difference.
func planTest(test ratings.SPRT, p ratings.Plan, eloGiven bool) (planJSON, error) {
	r := planJSON{Alpha: test.Alpha, SPRT: &testRun{Model: test.Model.String(), Elo0: test.Elo0, Elo1: test.Elo1, Beta: test.Beta}}
	asked := p.Elo
	lower, upper := test.Bounds()
	for _, truth := range []struct {
		name     string
		acceptH1 float64
	}{{"elo0", test.Alpha}, {"between", lower / (lower - upper)}, {"elo1", 1 - test.Beta}} {
		var err error
		if p.Elo, err = truthOf(test, p, truth.acceptH1); err != nil {
			return r, err
		}
		if err := r.SPRT.expect(test, p, truth.name); err != nil {
			return r, err
		}
	}
	if eloGiven {
		p.Elo = asked
		return r, r.SPRT.expect(test, p, "elo")
	}
	return r, nil
}

// truthOf finds the logistic difference at which a test accepts H1 with the given chance. It is elo0 at alpha and elo1 at
// 1-beta, in whatever unit they are.
func truthOf(test ratings.SPRT, p ratings.Plan, acceptH1 float64) (float64, error) {
	lo, hi := -2000.0, 2000.0
	if test.Model == ratings.BoundsLogistic {
		lo, hi = test.Elo0, test.Elo1
		switch acceptH1 {
		case test.Alpha:
			return lo, nil
		case 1 - test.Beta:
			return hi, nil
		}
	}
	for range 60 {
		p.Elo = (lo + hi) / 2
		e, err := test.Expect(p)
		if err != nil {
			return 0, err
		}
		if e.AcceptH1 < acceptH1 {
			lo = p.Elo
		} else {
			hi = p.Elo
		}
	}
	return (lo + hi) / 2, nil
}

func (r *testRun) expect(test ratings.SPRT, p ratings.Plan, truth string) error {
	e, err := test.Expect(p)
	if err != nil {
		return err
	}
	pairs := max(math.Ceil(e.Games/2), 1)
	r.Expected = append(r.Expected, expectedTest{truth, e.Elo, e.AcceptH0, e.AcceptH1, 2 * pairs, pairs})
	return nil
}

// scores says what the numbers rest on.
func (r *planJSON) scores() string {
	if r.PairVariance != nil {
		return fmt.Sprintf("pair variance %.4g, measured", *r.PairVariance)
	}
	return fmt.Sprintf("draws between equals %.3g %%, pair correlation %.3g", 100**r.DrawRate, *r.PairCorrelation)
}

func (r *planJSON) print(out io.Writer) error {
	var err error
	switch {
	case r.SPRT != nil:
		s := r.SPRT
		fmt.Fprintf(out, "sequential test of %g against %g %s Elo, error rates %g %% and %g %%; %s\n", s.Elo1, s.Elo0, s.Model, 100*r.Alpha, 100*s.Beta, r.scores())
		t := screen.NewTable(out, screen.Row{"if the truth is", "Elo", "accepts H0", "accepts H1", "pairs expected", "games expected"}, 2, 3, 4, 5, 6)
		words := map[string]string{"elo0": "elo0", "between": "between", "elo1": "elo1", "elo": "as given"}
		for _, e := range s.Expected {
			t.AppendRow(screen.Row{words[e.Truth], fmt.Sprintf("%+.1f", math.Round(10*e.Elo)/10+0), fmt.Sprintf("%.1f %%", 100*e.AcceptH0), fmt.Sprintf("%.1f %%", 100*e.AcceptH1), fmt.Sprintf("%.0f", e.Pairs), fmt.Sprintf("%.0f", e.Games)})
		}
		screen.Render(t)
		_, err = fmt.Fprintln(out, "note: mean lengths in the Brownian approximation; single runs are often twice as long")
	case r.gamesGiven && r.Elo != nil:
		_, err = fmt.Fprintf(out, "%s (%s) find a difference of %g Elo with a chance of %.1f %% (two-sided alpha %g %%; %s)\n",
			screen.Plural(r.Games, "game"), screen.Plural(r.Pairs, "pair"), *r.Elo, 100**r.Power, 100*r.Alpha, r.scores())
	case r.gamesGiven:
		_, err = fmt.Fprintf(out, "%s (%s) find a difference of %.1f Elo or more with a chance of %g %% (two-sided alpha %g %%; %s)\n",
			screen.Plural(r.Games, "game"), screen.Plural(r.Pairs, "pair"), *r.Detectable, 100**r.Power, 100*r.Alpha, r.scores())
	default:
		_, err = fmt.Fprintf(out, "%s (%s) find a difference of %g Elo with a chance of at least %g %% (two-sided alpha %g %%; %s)\n",
			screen.Plural(r.Games, "game"), screen.Plural(r.Pairs, "pair"), *r.Elo, 100**r.Power, 100*r.Alpha, r.scores())
	}
	if r.HalfWidth != nil {
		_, err = fmt.Fprintf(out, "their %.4g %% interval is about ±%.1f Elo between equals\n", 100*(1-r.Alpha), *r.HalfWidth)
	}
	return err
}
