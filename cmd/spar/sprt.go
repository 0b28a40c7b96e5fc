package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"spar/configs/strict"
	"spar/ratings"
	"spar/reports/trial"
)

// mostCount is the largest count that a float64 represents exactly.
const mostCount = 1 << 53

func sprtCommand() *cobra.Command {
	var flags testFlags
	var o struct {
		Pentanomial string   `flag:"pentanomial" not:"trinomial" help:"numbers of pairs in which the candidate took 0, 1/2, 1, 1 1/2, 2 points, like 10,40,95,52,13"`
		Trinomial   string   `flag:"trinomial" help:"the candidate's losses, draws and wins, like 120,60,150"`
		DB          string   `flag:"db" not:"pentanomial trinomial" help:"the study that the pairs come from, instead of counts"`
		Event       string   `flag:"event" needs:"db" help:"with --db: use only this event of the study"`
		Agents      []string `flag:"agent,a" needs:"db" help:"with --db: an agent; give the flag twice, first for the candidate, then for its opponent"`
		Pool        bool     `flag:"pool" needs:"db" help:"with --db: one test over all rules, instead of one for each"`
	}
	c := &cobra.Command{
		Use:   "sprt",
		Short: "Evaluate a sequential test of two agents",
		Long: `Evaluates a sequential probability ratio test: is the candidate stronger by elo1 (H1) or only by elo0
(H0)?
The answer is accept_h1, accept_h0 or continue. You may test after every pair. Give counts, or the study of a match
(--db).

Count pairs if each opening is played twice, with seats swapped (--pentanomial: pairs in which the candidate took 0, 1/2, 1, 1
1/2 and 2 points). Counts of single games (--trinomial: losses, draws, wins) are right only for independent games.

elo0 and elo1 are logistic Elo (400 points, by expected score) or, with --model normalized, normalized Elo (score
above one half in standard deviations of a game). The same numbers mean different tests. The estimate allows for
early stopping and differs from the unadjusted score, which is biased after a stop. LLR is the log-likelihood ratio
of H1 to H0, LOS (likelihood of superiority) the probability that the candidate is the stronger agent.

With --db, --agent A --agent B name the candidate and its opponent; if the study has only two agents, the first of its
match is the candidate. Hypotheses that you leave out are taken from the match. Each set of rules of the study has its
own test; --pool makes one test over all.`,
		Example: `  spar sprt --pentanomial 10,40,95,52,13 --elo0 0 --elo1 10
  spar sprt --trinomial 120,60,150 --elo0 0 --elo1 30 --alpha 0.05 --beta 0.1 --json
  spar sprt --pentanomial 3,12,30,18,5 --elo0 -3 --elo1 3 --model normalized
  spar sprt --db out/match2.db
  spar sprt --db out/match2.db --agent minimax-2 --agent greedy --elo0 0 --elo1 20`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			stated := changed(c, "elo0") || changed(c, "elo1")
			for _, need := range []string{"elo0", "elo1"} {
				if !changed(c, need) && (stated || o.DB == "") {
					return usagef("--%s is missing: the test needs both hypotheses", need)
				}
			}
			test, err := flags.read()
			if err != nil && stated {
				return err
			}
			if o.DB != "" {
				all, planned, err := contestOf(c, o.DB, o.Event, o.Agents)
				if err != nil {
					return err
				}
				if o.Pool {
					all = []*trial.Pairs{trial.Pool(all)}
				}
				if !stated && planned == nil {
					return usagef("give --elo0 and --elo1: %s has no match of these two agents with a sequential test", o.DB)
				}
				if !stated {
					test = *planned
				}
				return printTests(c, test, all)
			}
			counts, err := testCounts(o.Pentanomial, o.Trinomial, changed(c, "pentanomial"), changed(c, "trinomial"))
			if err != nil {
				return err
			}
			v, err := trial.Evaluate(test, counts)
			if err != nil {
				return asUsage(err)
			}
			return reply(c, "sprt", v, v.Text)
		},
	}
	declare(c, &o, &flags)
	printsJSON(c, "sprt", trial.Verdict{})
	return c
}

// contestOf reads the pairs of two agents from a study, and the sequential test of a match between them; the test
// is nil if there was none.
func contestOf(c *cobra.Command, path, event string, agents []string) ([]*trial.Pairs, *ratings.SPRT, error) {
	db, err := openStudy(c.Context(), path)
	if err != nil {
		return nil, nil, err
	}
	defer db.Close()
	names, err := db.Names(c.Context(), "agents")
	if err != nil {
		return nil, nil, err
	}
	events, err := db.Events(c.Context())
	if err != nil {
		return nil, nil, err
	}
	var known []string
	for _, e := range events {
		known = append(known, e.Name)
	}
	if event != "" && !slices.Contains(known, event) {
		return nil, nil, usagef("--event: %s has no event %q%s", path, event, strict.Suggest(event, known))
	}
	two := agents
	if len(agents) == 0 {
		two = names
	}
	if len(two) != 2 {
		return nil, nil, usagef("--agent: name the candidate and its opponent, two of %s", strings.Join(names, ", "))
	}
	for _, name := range two {
		if !slices.Contains(names, name) {
			return nil, nil, usagef("--agent: %s holds no games of %q%s", path, name, strict.Suggest(name, names))
		}
	}
	return trial.Between(c.Context(), db, event, [2]string(two), len(agents) == 0)
}

// printTests prints the state of a test for each of several sets of pairs.
func printTests(c *cobra.Command, test ratings.SPRT, all []*trial.Pairs) error {
	for i, p := range all {
		v, err := p.Judge(test)
		if err != nil {
			return asUsage(err)
		}
		switch {
		case wantsJSON(c):
			err = sayJSON(c, "sprt", v)
		case i > 0:
			fmt.Fprintln(c.OutOrStdout())
			fallthrough
		default:
			err = v.Text(c.OutOrStdout())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// testFlags are the flags of a sequential test.
type testFlags struct {
	Elo0  float64 `flag:"elo0" key:"stop.sprt.elo0" range:"[-2000,2000]" help:"strength under H0, in the unit of --model"`
	Elo1  float64 `flag:"elo1" key:"stop.sprt.elo1" range:"[-2000,2000]" help:"strength under H1, above elo0"`
	Model string  `flag:"model=logistic" key:"stop.sprt.model" needs:"elo0 elo1" one:"logistic normalized" help:"unit of elo0 and elo1: logistic or normalized"`
	Alpha float64 `flag:"alpha=0.05" key:"stop.sprt.alpha" range:"(0,1)" help:"probability of accepting H1 when H0 is true (false positive)"`
	Beta  float64 `flag:"beta=0.05" key:"stop.sprt.beta" needs:"elo0 elo1" range:"(0,1)" help:"probability of accepting H0 when H1 is true"`
}

// read returns the sequential test that the flags describe.
func (o *testFlags) read() (ratings.SPRT, error) {
	test := ratings.SPRT{Elo0: o.Elo0, Elo1: o.Elo1, Alpha: o.Alpha, Beta: o.Beta}
	if o.Model == ratings.BoundsNormalized.String() {
		test.Model = ratings.BoundsNormalized
	}
	if !(test.Alpha+test.Beta < 1) {
		return test, usagef("--alpha %v and --beta %v: their sum must be below 1", test.Alpha, test.Beta)
	}
	if !(test.Elo0 < test.Elo1) {
		return test, usagef("--elo1 %v: expected more than --elo0, which is %v", test.Elo1, test.Elo0)
	}
	return test, nil
}

// testCounts reads the counts from one of the two flags.
func testCounts(pentanomial, trinomial string, five, three bool) ([]float64, error) {
	switch {
	case five:
		return parseCounts("pentanomial", pentanomial, "0, 1/2, 1, 1 1/2, 2 points")
	case three:
		return parseCounts("trinomial", trinomial, "losses, draws, wins")
	}
	return nil, usagef("no counts: give --pentanomial (five counts of pairs) or --trinomial (losses, draws, wins)")
}

// parseCounts parses integers separated by commas, one for each word.
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
			return nil, usagef("--%s %s: count %d, %q, is not a whole number of at least 0", flag, text, i+1, f)
		}
		counts = append(counts, float64(n))
	}
	return counts, nil
}
