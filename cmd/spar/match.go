package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena"
	"spar/ratings"
)

func matchCommand() *cobra.Command {
	var (
		set      []string
		knobs    []string
		agentSet []string
		pairs    int
		plies    int
		seed     int64
		workers  int
		db       string
		sprt     bool
		model    string
		test     = ratings.SPRT{Elo1: 20}
		o        runOptions
	)
	var games func() []string
	c := &cobra.Command{
		Use:   "match A B",
		Short: "Play two agents against each other, with a sequential test if wanted",
		Long: `Plays pairs of games between two agents and rates them. With --sprt the match stops early, as soon as a
sequential test accepts one of two hypotheses about how much stronger A is (--elo0, --elo1). After an interrupt the
same command continues.

The test is a GSPRT on pairs (pentanomial), as in "spar sprt" and "spar plan".`,
		Example: `  spar match greedy random --rules vanishing --pairs 100 --db out/match.db
  spar match greedy random --rules vanishing --set pieces.cap=4 --agent-set greedy:ties=first --plan-set budget.iterations=500 --db out/four.db
  spar match minimax-2 greedy --rules checkerboard --sprt --elo0 0 --elo1 30 --db out/match2.db`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: agentNames,
		RunE: func(c *cobra.Command, args []string) error {
			var b strings.Builder
			byAgent, err := knobsByAgent(args, agentSet)
			if err != nil {
				return err
			}
			for _, name := range args {
				if _, err := loadAgent(name, byAgent[name]); err != nil {
					return err
				}
			}
			var played []string
			for _, name := range games() {
				if _, err := loadGame(name, knobs); err != nil {
					return err
				}
				name, own := ownOverrides(name, knobs)
				played = append(played, arena.RefText("rules", name, own))
			}
			if args[0] == args[1] {
				return usagef("both agents are %q: name two; a copy of an agent's file has another name", args[0])
			}
			fmt.Fprintf(&b, "name: %q\nformat: match\nagents: [%s, %s]\ngames: [%s]\npairs: %d\nseed: %d\n",
				strings.Join(args, " - "), arena.RefText("agent", args[0], byAgent[args[0]]),
				arena.RefText("agent", args[1], byAgent[args[1]]),
				strings.Join(played, ", "), pairs, seed)
			if c.Flags().Changed("opening-plies") || !slices.ContainsFunc(set, func(s string) bool {
				return strings.HasPrefix(s, "openings.lines=") || strings.HasPrefix(s, "openings.file=")
			}) {
				fmt.Fprintf(&b, "openings: {plies: %d}\n", plies)
			}
			if sprt {
				if err := readTest(&test, model); err != nil {
					return err
				}
				unit := ""
				if test.Model != ratings.BoundsLogistic { // the plan of a match that says nothing of it stays the same
					unit = ", model: " + model
				}
				fmt.Fprintf(&b, "stop: {sprt: {elo0: %g, elo1: %g, alpha: %g, beta: %g%s}}\n", test.Elo0, test.Elo1, test.Alpha,
					test.Beta, unit)
			}
			for i, s := range set { // the word alone would put the plies that were asked for aside
				if word, ok := strings.CutPrefix(s, "openings="); ok && c.Flags().Changed("opening-plies") &&
					!strings.HasPrefix(word, "{") {
					set[i] = "openings.draw=" + word
				}
			}
			t, err := arena.LoadPlan("match", []byte(b.String()), set...)
			if err != nil {
				return byFlags(c, err, map[string]string{
					"pairs": "pairs", "openings": "opening-plies", "stop.sprt.alpha": "alpha",
					"stop.sprt.beta": "beta",
				})
			}
			if workers > 0 {
				t.Workers = workers
			}
			if t.Database == "" || c.Flags().Changed("db") {
				t.Database = db
			}
			o.details = true
			return runTournament(c, t, o)
		},
	}
	games = gamesFlag(c)
	f := c.Flags()
	f.IntVar(&pairs, "pairs", 100, "pairs of games for each of the rules; with --sprt an upper limit")
	f.IntVar(&plies, "opening-plies", 2, "random plies at the start of each pair")
	everySeedFlag(c, &seed)
	workersFlag(c, &workers)
	f.StringVar(&db, "db", "out/match.db", "the study's file")
	f.BoolVar(&sprt, "sprt", false, "stop by a sequential test")
	testFlags(c, &test, &model)
	needs(c, []string{"elo0", "elo1", "model", "alpha", "beta"}, "sprt")
	f.StringArrayVar(&set, "plan-set", nil, "set a key of the tournament, like budget.iterations=500 (repeatable)")
	apartFrom(c, "plan-set", map[string]string{
		"games": "rules", "pairs": "pairs", "openings.plies": "opening-plies", "seed": "seed", "workers": "workers",
		"database":  "db",
		"stop.sprt": "sprt", "stop.sprt.elo0": "elo0", "stop.sprt.elo1": "elo1", "stop.sprt.model": "model",
		"stop.sprt.alpha": "alpha", "stop.sprt.beta": "beta",
	})
	further(c, "Sequential test", "elo0", "elo1", "model", "alpha", "beta")
	setFlag(c, &knobs)
	agentSetsFlag(c, &agentSet)
	f.BoolVar(&o.dry, "dry-run", false, "show what would be played, and play nothing")
	f.Int64Var(&o.limit, "limit", 0, "stop after this many games")
	jsonFlag(c)
	o.machines.flags(c)
	engineLogFlag(c)
	further(c, "Overrides", "agent-set", "plan-set")
	return c
}
