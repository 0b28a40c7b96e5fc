package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"spar/configs/strict"
	"spar/ratings"
	"spar/reports/standings"
)

// mostCount is the largest count that is exact as a float64.
const mostCount = 1 << 53

func sprtCommand() *cobra.Command {
	var (
		pentanomial, trinomial, model string
		test                          ratings.SPRT
		asJSON                        bool
	)
	c := &cobra.Command{
		Use:   "sprt",
		Short: "Evaluate a sequential test of two agents",
		Long: `Evaluates a sequential probability ratio test from counts: has the candidate strength elo1 (H1) or elo0 (H0)? The test says
accept_h1, accept_h0 or continue; looking after every pair is what it is for.

Count pairs (--pentanomial: pairs in which the candidate took 0, 1/2, 1, 1 1/2 and 2 points) whenever openings were played with
both seats: counts of single games (--trinomial: losses, draws, wins) are right only for independent games.

elo0 and elo1 are logistic Elo (400 points, by expected score) or, with --model normalized, normalized Elo (score above one half
in standard deviations of a game). The same numbers are different tests. The estimate takes the stopping rule into account and
differs from the plain score, which is biased after a stop.`,
		Example: `  spar sprt --pentanomial 10,40,95,52,13 --elo0 0 --elo1 10
  spar sprt --trinomial 120,60,150 --elo0 0 --elo1 30 --alpha 0.05 --beta 0.1 --json
  spar sprt --pentanomial 3,12,30,18,5 --elo0 -3 --elo1 3 --model normalized`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			for _, need := range []string{"elo0", "elo1"} {
				if !c.Flags().Changed(need) {
					return usagef("--%s is needed: the hypotheses of the test", need)
				}
			}
			counts, err := testCounts(pentanomial, trinomial, c.Flags().Changed("pentanomial"), c.Flags().Changed("trinomial"))
			if err != nil {
				return err
			}
			if err := readTest(&test, model); err != nil {
				return err
			}
			r, err := test.Evaluate(counts)
			if err != nil {
				return asUsage(err)
			}
			plain, err := ratings.AnalyzeMatch(counts, r.Level)
			if err != nil {
				return asUsage(err)
			}
			soften(&r, plain)
			if asJSON {
				return printJSON(c.OutOrStdout(), "sprt", sprtJSON{
					LLR: r.LLR, Lower: r.Lower, Upper: r.Upper, Elo: r.Elo, EloLo: standings.Bound(r.Interval.Lo, r.Interval.LoOpen), EloHi: standings.Bound(r.Interval.Hi, r.Interval.HiOpen),
					LOS: r.LOS, State: string(r.State), Model: r.Model.String(), Elo0: r.Elo0, Elo1: r.Elo1, Alpha: r.Alpha, Beta: r.Beta, Level: r.Level,
					N: r.N, Unit: r.Unit, Score: r.Score, PlainElo: plain.Elo, PlainLo: standings.Bound(plain.Interval.Lo, plain.Interval.LoOpen), PlainHi: standings.Bound(plain.Interval.Hi, plain.Interval.HiOpen),
				})
			}
			return printSPRT(c.OutOrStdout(), counts, r, plain)
		},
	}
	c.Flags().StringVar(&pentanomial, "pentanomial", "", "pairs by the candidate's points: 0, 1/2, 1, 1 1/2, 2, like 10,40,95,52,13")
	c.Flags().StringVar(&trinomial, "trinomial", "", "the candidate's losses, draws and wins, like 120,60,150")
	testFlags(c, &test, &model)
	jsonFlag(c, &asJSON)
	return c
}

// testFlags adds the flags of a sequential test.
func testFlags(c *cobra.Command, test *ratings.SPRT, model *string) {
	c.Flags().Float64Var(&test.Elo0, "elo0", 0, "strength under H0, in the unit of --model")
	c.Flags().Float64Var(&test.Elo1, "elo1", 0, "strength under H1, above elo0")
	c.Flags().StringVar(model, "model", "logistic", "unit of elo0 and elo1: logistic or normalized")
	c.Flags().Float64Var(&test.Alpha, "alpha", 0.05, "chance to accept H1 when H0 is true")
	c.Flags().Float64Var(&test.Beta, "beta", 0.05, "chance to accept H0 when H1 is true")
}

// readTest checks the flags of a sequential test.
func readTest(test *ratings.SPRT, model string) error {
	models := []string{ratings.BoundsLogistic.String(), ratings.BoundsNormalized.String()}
	at := slices.Index(models, model)
	if at < 0 {
		return usagef("--model: unknown model %q%s", model, strict.Suggest(model, models))
	}
	test.Model = []ratings.BoundsModel{ratings.BoundsLogistic, ratings.BoundsNormalized}[at]
	for _, rate := range []struct {
		flag  string
		value float64
	}{{"alpha", test.Alpha}, {"beta", test.Beta}} {
		if !(rate.value > 0 && rate.value < 1) {
			return usagef("--%s %v: expected an error rate above 0 and below 1", rate.flag, rate.value)
		}
	}
	if !(test.Alpha+test.Beta < 1) {
		return usagef("--alpha %v and --beta %v: their sum must be below 1", test.Alpha, test.Beta)
	}
	for _, elo := range []float64{test.Elo0, test.Elo1} {
		if !(math.Abs(elo) <= 2000) {
			return usagef("elo0 %v, elo1 %v: expected -2000 to 2000", test.Elo0, test.Elo1)
		}
	}
	if !(test.Elo0 < test.Elo1) {
		return usagef("elo1 (%v) must be above elo0 (%v)", test.Elo1, test.Elo0)
	}
	return nil
}

// testCounts reads one of the two ways to give counts.
func testCounts(pentanomial, trinomial string, five, three bool) ([]float64, error) {
	switch {
	case five && three:
		return nil, usagef("--pentanomial and --trinomial: give one of them")
	case five:
		return parseCounts("pentanomial", pentanomial, "0, 1/2, 1, 1 1/2, 2 points")
	case three:
		return parseCounts("trinomial", trinomial, "losses, draws, wins")
	}
	return nil, usagef("no counts: give --pentanomial (five counts of pairs) or --trinomial (losses, draws, wins)")
}

// soften widens the interval of a test to the plain one where results are too few or too uniform to have a variance, which
// the law of the stopped test needs.
func soften(r *ratings.SPRTResult, plain ratings.Match) {
	if len(plain.Warnings) == 0 || r.N == 0 {
		return
	}
	v := &r.Interval
	if plain.Interval.LoOpen || plain.Interval.Lo < v.Lo {
		v.Lo, v.LoOpen = plain.Interval.Lo, v.LoOpen || plain.Interval.LoOpen
	}
	if plain.Interval.HiOpen || plain.Interval.Hi > v.Hi {
		v.Hi, v.HiOpen = plain.Interval.Hi, v.HiOpen || plain.Interval.HiOpen
	}
	r.LOS = plain.LOS
}

// parseCounts reads whole numbers separated by commas, as many as the words have.
func parseCounts(flag, text, words string) ([]float64, error) {
	want := strings.Count(words, ",") + 1
	fields := strings.Split(text, ",")
	if len(fields) != want {
		return nil, usagef("--%s %s: %d counts, expected %d (%s)", flag, text, len(fields), want, words)
	}
	var counts []float64
	for i, f := range fields {
		n, err := strconv.ParseInt(strings.TrimSpace(f), 10, 64)
		if err != nil || n < 0 || n > mostCount {
			return nil, usagef("--%s %s: count %d, %q, is not a whole number from 0", flag, text, i+1, f)
		}
		counts = append(counts, float64(n))
	}
	return counts, nil
}

// sprtJSON is the object of "spar sprt --json".
type sprtJSON struct {
	LLR   float64  `json:"llr"`
	Lower float64  `json:"lower"`
	Upper float64  `json:"upper"`
	Elo   float64  `json:"elo"` // median-unbiased given the stopping rule, score-Elo
	EloLo *float64 `json:"elo_lo"`
	EloHi *float64 `json:"elo_hi"`
	LOS   float64  `json:"los"`
	State string   `json:"state"`

	Model    string   `json:"model"`
	Elo0     float64  `json:"elo0"`
	Elo1     float64  `json:"elo1"`
	Alpha    float64  `json:"alpha"`
	Beta     float64  `json:"beta"`
	Level    float64  `json:"level"`
	N        float64  `json:"n"`
	Unit     string   `json:"unit"`
	Score    float64  `json:"score"`
	PlainElo float64  `json:"plain_elo"` // of the score, without the stopping rule
	PlainLo  *float64 `json:"plain_elo_lo"`
	PlainHi  *float64 `json:"plain_elo_hi"`
}

func printSPRT(out io.Writer, counts []float64, r ratings.SPRTResult, plain ratings.Match) error {
	verdict := map[ratings.State]string{
		ratings.StateContinue: "continue: neither is accepted yet",
		ratings.StateAcceptH0: fmt.Sprintf("accept H0: %g rather than %g", r.Elo0, r.Elo1),
		ratings.StateAcceptH1: fmt.Sprintf("accept H1: %g rather than %g", r.Elo1, r.Elo0),
	}[r.State]
	fmt.Fprintf(out, "H0: %g, H1: %g %s Elo; error rates %g %% and %g %%\n", r.Elo0, r.Elo1, r.Model, 100*r.Alpha, 100*r.Beta)
	what := "losses/draws/wins"
	if len(counts) == 5 {
		what = "with 0, 1/2, 1, 1 1/2, 2 points"
	}
	var each []string
	for _, n := range counts {
		each = append(each, strconv.FormatFloat(n, 'f', -1, 64))
	}
	fmt.Fprintf(out, "LLR %.3f between %.3f (H0) and %.3f (H1), %.0f %s (%s: %s)\n", math.Round(1000*r.LLR)/1000+0, r.Lower, r.Upper, r.N, r.Unit, what, strings.Join(each, "/"))
	fmt.Fprintf(out, "%s\n", verdict)
	if r.N == 0 {
		return nil
	}
	fmt.Fprintf(out, "strength, given the stopping rule: %s Elo (%.0f %%: %s), LOS %.1f %%\n", eloPoint(r.Elo, 1000), 100*r.Level, eloBounds(r.Interval), 100*r.LOS)
	_, err := fmt.Fprintf(out, "plain score: %.2f %% of %.0f %s, %s Elo (%.0f %%: %s)\n", 100*r.Score, r.N, r.Unit, eloPoint(plain.Elo, 4000), 100*plain.Level, eloBounds(plain.Interval))
	for _, w := range plain.Warnings {
		_, err = fmt.Fprintf(out, "note: %s\n", w)
	}
	if len(counts) == 3 {
		_, err = fmt.Fprintln(out, "note: counts of games take them as independent; count pairs if openings were played with both seats")
	}
	return err
}

// eloPoint writes an estimate, which is cut off at a limit.
func eloPoint(elo, limit float64) string {
	switch {
	case elo >= limit:
		return fmt.Sprintf("over %+.0f", limit)
	case elo <= -limit:
		return fmt.Sprintf("under %+.0f", -limit)
	}
	return fmt.Sprintf("%+.1f", math.Round(10*elo)/10+0)
}

// eloBounds writes an interval with both of its ends.
func eloBounds(v ratings.Interval) string {
	switch {
	case v.LoOpen && v.HiOpen:
		return "no bounds"
	case v.LoOpen:
		return fmt.Sprintf("below %+.1f", v.Hi)
	case v.HiOpen:
		return fmt.Sprintf("above %+.1f", v.Lo)
	}
	return fmt.Sprintf("%+.1f to %+.1f", v.Lo, v.Hi)
}
