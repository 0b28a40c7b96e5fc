package trial

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"spar/ratings"
	"spar/reports/screen"
	"spar/reports/standings"
)

// Verdict is the state of a sequential test. Its JSON form is public.
type Verdict struct {
	LLR   float64 `json:"llr" help:"log-likelihood ratio"`
	Lower float64 `json:"lower" help:"H0 is accepted at this or below"`
	Upper float64 `json:"upper" help:"H1 is accepted at this or above"`
	// median-unbiased estimate that allows for the stopping rule; only a bound if it is beyond 1000
	Elo   ratings.Estimate `json:"elo" estimate:"flat" help:"estimate in Elo of the score, corrected for stopping by the test"`
	LOS   float64          `json:"los" help:"likelihood that the candidate is stronger"`
	State string           `json:"state" help:"accept_h0, accept_h1 or continue"`

	Model string  `json:"model" help:"unit of elo0 and elo1: logistic or normalized"`
	Elo0  float64 `json:"elo0" help:"difference under H0"`
	Elo1  float64 `json:"elo1" help:"difference under H1"`
	Alpha float64 `json:"alpha" help:"probability of accepting H1 when H0 is true"`
	Beta  float64 `json:"beta" help:"probability of accepting H0 when H1 is true"`
	Level float64 `json:"level" help:"level of the intervals"`
	N     float64 `json:"n" help:"pairs or games"`
	Unit  string  `json:"unit" help:"what n counts"`
	Score float64 `json:"score" help:"mean score, 0 to 1"`
	Plain Plain   `json:"plain"`
	// (score - 1/2) in standard deviations of a game's score, times 800/ln 10; unknown if all scores are equal
	NElo   ratings.Estimate `json:"nelo,omitzero" help:"normalized Elo; omitted if all scores are equal"`
	*Pairs                  // the pairs, if they come from a study

	counts []float64
	worth  []float64 // counts of as many independent items
	result ratings.SPRTResult
	plain  ratings.Match
}

// MarshalJSON implements json.Marshaler.
func (v *Verdict) MarshalJSON() ([]byte, error) { return ratings.Flat(*v) }

// Plain is the estimate from the score that ignores the stopping rule.
type Plain struct {
	Elo ratings.Estimate `json:"elo" estimate:"flat" help:"estimate as if the number of games had been fixed"`
}

// MarshalJSON implements json.Marshaler.
func (p Plain) MarshalJSON() ([]byte, error) { return ratings.Flat(p) }

// Evaluate evaluates a test from its counts: pairs by points, or losses, draws and wins. It returns the errors of
// package ratings.
func Evaluate(test ratings.SPRT, counts []float64) (*Verdict, error) {
	r, err := test.Evaluate(counts)
	if err != nil {
		return nil, err
	}
	v, err := verdictOf(r, counts, counts, 0)
	if err == nil && 0 < r.Elo.N && r.Elo.N < ratings.FewItems && len(v.plain.Warnings) == 0 {
		v.plain.Warnings = []string{"few results: the interval of the strength assumes a known variance, so it is too narrow"}
	}
	return v, err
}

// verdictOf returns a verdict from counts, and from those of as many independent items as they are worth. Below few
// items, the interval allows for the estimated variance.
func verdictOf(r ratings.SPRTResult, counts, worth []float64, few int64) (*Verdict, error) {
	plain, err := ratings.AnalyzeMatch(worth, r.Elo.Level)
	if err != nil {
		return nil, err
	}
	r.Widen(plain, few)
	v := &Verdict{
		LLR:    r.LLR,
		Lower:  r.Lower,
		Upper:  r.Upper,
		Elo:    within(r.Elo, r.Score, mostStopped),
		LOS:    r.LOS,
		State:  string(r.State),
		Model:  r.Model.String(),
		Elo0:   r.Elo0,
		Elo1:   r.Elo1,
		Alpha:  r.Alpha,
		Beta:   r.Beta,
		Level:  r.Elo.Level,
		N:      float64(r.Elo.N),
		Unit:   r.Elo.Unit,
		Score:  r.Score,
		Plain:  Plain{plain.Elo},
		NElo:   plain.Normalized,
		counts: counts,
		worth:  worth,
		result: r,
		plain:  plain,
	}
	return v, nil
}

// Text writes the verdict for people, with all estimates.
func (v *Verdict) Text(out io.Writer) error { return v.write(out, false, false) }

// Short writes the verdict of a match for people, with only the estimate that allows for the stopping rule. Over
// means that all pairs have been played.
func (v *Verdict) Short(out io.Writer, over bool) error { return v.write(out, true, over) }

func (v *Verdict) write(out io.Writer, short, over bool) error {
	counts, r, plain := v.counts, v.result, v.plain
	v.header(out)
	verdict := map[ratings.State]string{
		ratings.StateContinue: "undecided: neither hypothesis is accepted yet",
		ratings.StateAcceptH0: fmt.Sprintf("accept H0: %g rather than %g", r.Elo0, r.Elo1),
		ratings.StateAcceptH1: fmt.Sprintf("accept H1: %g rather than %g", r.Elo1, r.Elo0),
	}[r.State]
	fmt.Fprintf(out, "H0: %g, H1: %g %s Elo; error rates %g %% and %g %%\n", r.Elo0, r.Elo1, r.Model, 100*r.Alpha,
		100*r.Beta)
	what := "losses/draws/wins"
	if len(counts) == 5 {
		what = "with 0, 1/2, 1, 1 1/2, 2 points"
	}
	var each []string
	for _, n := range counts {
		each = append(each, strconv.FormatFloat(n, 'f', -1, 64))
	}
	items := screen.Plural(r.Elo.N, strings.TrimSuffix(r.Elo.Unit, "s"))
	fmt.Fprintf(out, "LLR %.3f between %.3f (H0) and %.3f (H1), %s (%s: %s)\n", math.Round(1000*r.LLR)/1000+0, r.Lower,
		r.Upper, items, what, strings.Join(each, "/"))
	if n := floats.Sum(v.worth); n < 0.99*floats.Sum(counts) {
		fmt.Fprintf(out, "Openings repeat: these pairs are worth %.0f independent ones.\n", n)
	}
	if over && r.State == ratings.StateContinue {
		verdict = fmt.Sprintf("undecided after all %s: play more in a new study (--pairs N --db NEW.db)", items)
	}
	fmt.Fprintf(out, "%s\n", verdict)
	if r.Elo.N == 0 {
		return nil
	}
	fmt.Fprintf(out, "strength, allowing for a stop after any pair: %s, LOS %s %%\n", v.Elo.Words(), standings.Likelihood(r.LOS))
	if short {
		return nil
	}
	fmt.Fprintf(out, "unadjusted score: %s of %s, %s\n", plain.Score.Words(), items, plain.Elo.Words())
	_, err := fmt.Fprintln(out, "The strength above allows for the stopping rule, the unadjusted score does not; standings also "+
		"model what moving first brings, so their Elo differs.")
	if lower, upper := r.Bounds(); lower != r.Lower || upper != r.Upper {
		_, err = fmt.Fprintf(out, "The bounds are Wald's, %.3f and %.3f, corrected for overshoot and few pairs.\n",
			lower, upper)
	}
	if v.NElo.Known() {
		_, err = fmt.Fprintf(out, "normalized: %s nElo (%s)\n", v.NElo.Point(), v.NElo.Range())
	}
	for _, w := range plain.Warnings {
		_, err = fmt.Fprintf(out, "note: %s\n", w)
	}
	if len(counts) == 3 {
		_, err = fmt.Fprintln(out, "note: counts of single games assume that games are independent; count pairs if openings "+
			"were played twice, with seats swapped")
	}
	return err
}

// mostStopped is the limit of the estimate that allows for the stopping rule, in Elo.
const mostStopped = 1000

// within returns an estimate that is only a bound if one side won every game or the value is at a limit.
func within(e ratings.Estimate, score, limit float64) ratings.Estimate {
	if e.N == 0 || score > 0 && score < 1 && math.Abs(e.Value) < limit {
		return e
	}
	e.Prior, e.Value = true, ratings.EloOfScore(math.Round(score))
	return e
}
