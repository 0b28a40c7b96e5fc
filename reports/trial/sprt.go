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
	// median-unbiased estimate that allows for the stopping rule, in Elo of the score; null beyond 1000
	Elo   *float64 `json:"elo" help:"estimate, corrected for stopping by the test"`
	Lo    *float64 `json:"lo" help:"lower end of its interval"`
	Hi    *float64 `json:"hi" help:"upper end"`
	LOS   float64  `json:"los" help:"likelihood that the candidate is stronger"`
	State string   `json:"state" help:"accept_h0, accept_h1 or continue"`

	Model  string  `json:"model" help:"unit of elo0 and elo1: logistic or normalized"`
	Elo0   float64 `json:"elo0" help:"difference under H0"`
	Elo1   float64 `json:"elo1" help:"difference under H1"`
	Alpha  float64 `json:"alpha" help:"probability of accepting H1 when H0 is true"`
	Beta   float64 `json:"beta" help:"probability of accepting H0 when H1 is true"`
	Level  float64 `json:"level" help:"level of the intervals"`
	N      float64 `json:"n" help:"pairs or games"`
	Unit   string  `json:"unit" help:"what n counts"`
	Score  float64 `json:"score" help:"mean score, 0 to 1"`
	Plain  Plain   `json:"plain"`
	NElo   *NElo   `json:"nelo,omitempty"` // null if all scores are equal
	*Pairs         // the pairs, if they come from a study

	counts []float64
	worth  []float64 // counts of as many independent items
	result ratings.SPRTResult
	plain  ratings.Match
}

// Plain is the estimate from the score that ignores the stopping rule.
type Plain struct {
	// null if one side won all games
	Elo *float64 `json:"elo" help:"estimate as if the number of games had been fixed"`
	Lo  *float64 `json:"lo" help:"lower end of its interval"`
	Hi  *float64 `json:"hi" help:"upper end"`
}

// Evaluate evaluates a test from its counts: pairs by points, or losses, draws and wins. It returns the errors of
// package ratings.
func Evaluate(test ratings.SPRT, counts []float64) (*Verdict, error) {
	r, err := test.Evaluate(counts)
	if err != nil {
		return nil, err
	}
	return verdictOf(r, counts, counts)
}

// verdictOf returns a verdict from counts, and from those of as many independent items as they are worth.
func verdictOf(r ratings.SPRTResult, counts, worth []float64) (*Verdict, error) {
	plain, err := ratings.AnalyzeMatch(worth, r.Elo.Level)
	if err != nil {
		return nil, err
	}
	r.Widen(plain)
	v := &Verdict{
		LLR: r.LLR, Lower: r.Lower, Upper: r.Upper, Elo: known(r.Elo, r.Score, mostStopped), LOS: r.LOS, State: string(r.State),
		Model: r.Model.String(), Elo0: r.Elo0, Elo1: r.Elo1, Alpha: r.Alpha, Beta: r.Beta, Level: r.Elo.Level,
		N: float64(r.Elo.N), Unit: r.Elo.Unit, Score: r.Score, counts: counts, worth: worth, result: r, plain: plain,
	}
	v.Lo, v.Hi = standings.Ends(r.Elo.Interval)
	v.Plain.Elo = known(plain.Elo, r.Score, mostPlain)
	v.Plain.Lo, v.Plain.Hi = standings.Ends(plain.Elo.Interval)
	v.nElo(plain)
	return v, nil
}

// Text writes the verdict for people.
func (v *Verdict) Text(out io.Writer) error {
	counts, r, plain := v.counts, v.result, v.plain
	v.header(out)
	verdict := map[ratings.State]string{
		ratings.StateContinue: "continue: neither is accepted yet",
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
	fmt.Fprintf(out, "%s\n", verdict)
	wald := ratings.SPRT{Model: r.Model, Elo0: r.Elo0, Elo1: r.Elo1, Alpha: r.Alpha, Beta: r.Beta}
	if lower, upper := wald.Bounds(); math.Abs(lower-r.Lower) > 5e-4 || math.Abs(upper-r.Upper) > 5e-4 {
		fmt.Fprintf(out, "Wald's bounds are %.3f and %.3f. The bounds above correct for two effects: the test stops "+
			"only after whole %s, so it exceeds a bound by a random amount, and with few %s its "+
			"likelihoods are inexact.\n", lower, upper, r.Elo.Unit,
			r.Elo.Unit)
	}
	if r.Elo.N == 0 {
		return nil
	}
	fmt.Fprintf(out, "strength, given the stopping rule: %s, LOS %s %%\n", eloText(r.Elo, v.Elo != nil),
		standings.Likelihood(r.LOS))
	fmt.Fprintf(out, "plain score: %.2f %% of %s, %s\n", 100*r.Score, items, eloText(plain.Elo, v.Plain.Elo != nil))
	_, err := fmt.Fprintln(out, "The two Elo differ: the first allows for a test that stops because of its result, the "+
		"plain score does not.")
	if v.NElo != nil {
		_, err = fmt.Fprintf(out, "normalized: %+.1f nElo (95 %%: %+.1f to %+.1f)\n", v.NElo.Value, v.NElo.Lo, v.NElo.Hi)
	}
	for _, w := range plain.Warnings {
		_, err = fmt.Fprintf(out, "note: %s\n", w)
	}
	if len(counts) == 3 {
		_, err = fmt.Fprintln(out, "note: counts of single games assume that games are independent; count pairs if openings "+
			"were played with both seats")
	}
	return err
}

// Limits of the estimates from the score and with the stopping rule, in Elo. A value at a limit is not printed.
const (
	mostPlain   = 4000
	mostStopped = 1000
)

// known returns the value of an estimate; nil if one side won every game or the value is at a limit.
func known(e ratings.Estimate, score, limit float64) *float64 {
	return standings.Bound(e.Value, e.N > 0 && (score <= 0 || score >= 1) || !(math.Abs(e.Value) < limit))
}

// eloText writes an estimate in Elo with its interval, or only the bound if there is no value.
func eloText(e ratings.Estimate, known bool) string {
	tenth := func(x float64) string { return screen.Signed(x, 1) }
	switch v := e.Interval; {
	case v.LoOpen && v.HiOpen:
		return "no bound on Elo"
	case !known:
		return fmt.Sprintf("%s Elo (%.0f %%)", e.Range(), 100*e.Level)
	case v.LoOpen:
		return fmt.Sprintf("%s Elo (%.0f %%: < %s)", tenth(e.Value), 100*e.Level, tenth(v.Hi))
	case v.HiOpen:
		return fmt.Sprintf("%s Elo (%.0f %%: > %s)", tenth(e.Value), 100*e.Level, tenth(v.Lo))
	default:
		return fmt.Sprintf("%s Elo (%.0f %%: %s to %s)", tenth(e.Value), 100*e.Level, tenth(v.Lo), tenth(v.Hi))
	}
}
