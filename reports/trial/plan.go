// Package trial shows matches of two agents as statistical tests. A [Plan] has the number of games that a question
// needs. A [Verdict] says whether a sequential test has accepted a hypothesis. [Pairs] reads the results of a
// match from a study.
package trial

import (
	"fmt"
	"io"
	"math"

	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/screen"
	"spar/reports/table"
)

// Plan is the size of a match, or the expected outcome of a sequential test. Its JSON form is public; it omits what
// was not requested.
type Plan struct {
	Alpha           float64  `json:"alpha" help:"probability of a false positive; two-sided for a match"`
	Power           *float64 `json:"power,omitempty" help:"probability of detecting the difference"`
	DrawRate        *float64 `json:"draw_rate,omitempty" help:"share of draws between equal agents"`
	PairCorrelation *float64 `json:"pair_correlation,omitempty" help:"correlation of an agent's two scores in a pair"`
	PairVariance    *float64 `json:"pair_variance,omitempty" help:"variance of a pair's mean score, if given"`
	// the difference that the user gave
	Elo *float64 `json:"elo,omitempty" help:"the difference given"`
	// smallest detectable difference in Elo
	Detectable *float64 `json:"detectable,omitempty" help:"smallest difference that a match detects with that power, in Elo"`
	Games      int64    `json:"games,omitempty" help:"games of the match"`
	Pairs      int64    `json:"pairs,omitempty" help:"pairs: half the number of games"`
	HalfWidth  *float64 `json:"half_width,omitempty" help:"half the width of the interval, in Elo, between equal agents at level 1-alpha"`
	SPRT       *Test    `json:"sprt,omitempty"`
	Warning    string   `json:"warning,omitempty" help:"why the figures are not reliable"`

	gamesGiven bool
}

// Test is the expected outcome of a sequential test.
type Test struct {
	Model    string     `json:"model" help:"unit of elo0 and elo1: logistic or normalized"`
	Elo0     float64    `json:"elo0" help:"difference under H0"`
	Elo1     float64    `json:"elo1" help:"difference under H1"`
	Beta     float64    `json:"beta" help:"probability of accepting H0 when H1 is true"`
	Expected []Expected `json:"expected"`
}

// Expected is the expected outcome of a sequential test if the true difference is Elo.
type Expected struct {
	// elo0, between (the value at which the test is longest), elo1 or elo
	Truth    string  `json:"truth" help:"elo0, between (where the test is longest), elo1 or elo (as given)"`
	Elo      float64 `json:"elo" help:"the true difference, logistic"`
	AcceptH0 float64 `json:"accept_h0" help:"probability that H0 is accepted"`
	AcceptH1 float64 `json:"accept_h1" help:"probability that H1 is accepted"`
	Games    float64 `json:"games" help:"mean number of games"`
	Pairs    float64 `json:"pairs" help:"pairs: half the number of games"`
}

// newPlan returns a plan that contains only its assumptions.
func newPlan(p ratings.Plan) Plan {
	r := Plan{Alpha: p.Alpha}
	if p.PairVariance > 0 {
		r.PairVariance = &p.PairVariance
	} else {
		r.DrawRate = &p.DrawRate
		r.PairCorrelation = &p.PairCorrelation
	}
	return r
}

// Match plans a match of fixed length. Given only the difference, it computes the number of games; given both, the
// power; given only the games, the detectable difference.
func Match(p ratings.Plan, games int64, eloGiven, gamesGiven bool) (Plan, error) {
	r := newPlan(p)
	r.Games, r.gamesGiven = games-games%2, gamesGiven
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
	if r.Pairs = r.Games / 2; r.Pairs < ratings.FewItems {
		r.Warning = fmt.Sprintf("these figures assume a normal distribution: real matches of fewer than %d pairs differ from them",
			ratings.FewItems)
	}
	detectable, half, err := p.Detectable(r.Games)
	r.HalfWidth = &half
	if !eloGiven {
		r.Detectable = &detectable
	}
	return r, err
}

// Sequential computes the expected outcome of a sequential test if the true difference is one of its hypotheses,
// the value at which the test is longest, or a given value.
func Sequential(test ratings.SPRT, p ratings.Plan, eloGiven bool) (Plan, error) {
	r := newPlan(p)
	r.Warning = "mean lengths by the Brownian approximation, too short below 30 pairs; a single run is often twice as long"
	r.Alpha, r.SPRT = test.Alpha, &Test{
		Model: test.Model.String(),
		Elo0:  test.Elo0,
		Elo1:  test.Elo1,
		Beta:  test.Beta,
	}
	asked := p.Elo
	lower, upper := test.Bounds()
	for _, truth := range []struct {
		name     string
		acceptH1 float64
	}{{"elo0", test.Alpha}, {"between", lower / (lower - upper)}, {"elo1", 1 - test.Beta}} {
		var err error
		if p.Elo, err = test.TruthAt(p, truth.acceptH1); err != nil {
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

func (r *Test) expect(test ratings.SPRT, p ratings.Plan, truth string) error {
	e, err := test.Expect(p)
	if err != nil {
		return err
	}
	pairs := max(math.Ceil(e.Games/2), 1)
	r.Expected = append(r.Expected, Expected{truth, e.Elo, e.AcceptH0, e.AcceptH1, 2 * pairs, pairs})
	return nil
}

// scores describes the assumptions about scores in words.
func (r *Plan) scores() string {
	if r.PairVariance != nil {
		return fmt.Sprintf("pair variance %.4g, measured", *r.PairVariance)
	}
	return fmt.Sprintf("draw rate %.3g %% between equal agents, pair correlation %.3g", 100**r.DrawRate, *r.PairCorrelation)
}

// Text writes the plan for people.
func (r *Plan) Text(out io.Writer) error {
	var err error
	switch {
	case r.SPRT != nil:
		s := r.SPRT
		fmt.Fprintf(out, "sequential test of %g against %g %s Elo, error rates %g %% and %g %%; %s\n", s.Elo1, s.Elo0,
			s.Model, 100*r.Alpha, 100*s.Beta, r.scores())
		err = table.Rows(s.Expected, func(e Expected) []any {
			if e.Truth == "elo" {
				e.Truth = "as given"
			}
			return []any{
				"if the truth is", e.Truth, "Elo", table.Num(e.Elo, chart.Signed, 1),
				"ends for elo0", table.Num(e.AcceptH0, chart.Percent, 1), "ends for elo1", table.Num(e.AcceptH1, chart.Percent, 1),
				"pairs expected", int(e.Pairs), "games expected", int(e.Games),
			}
		}).Text(out, 0)
	default:
		found, chance := "", fmt.Sprintf("%.3g %%", 100**r.Power)
		if r.Elo != nil {
			found = fmt.Sprintf("%g Elo", *r.Elo)
		} else {
			found = fmt.Sprintf("%.1f Elo or more", *r.Detectable)
		}
		if !r.gamesGiven {
			chance = "at least " + chance
		}
		_, err = fmt.Fprintf(out, "%s (%s) detect a difference of %s with a probability of %s (two-sided alpha %g %%; %s)\n",
			screen.Plural(r.Games, "game"), screen.Plural(r.Pairs, "pair"), found, chance, 100*r.Alpha, r.scores())
	}
	if r.HalfWidth != nil {
		_, err = fmt.Fprintf(out, "between equal agents, the %.4g %% interval is about -%.1f to %.1f Elo\n", 100*(1-r.Alpha),
			*r.HalfWidth, *r.HalfWidth)
	}
	if r.Warning != "" {
		_, err = fmt.Fprintf(out, "note: %s\n", r.Warning)
	}
	return err
}
