package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena"
	"spar/configs"
	"spar/ratings"
)

func matchCommand() *cobra.Command {
	var games playedGames
	var o runOptions
	var own struct {
		Pairs    int      `flag:"pairs=100" key:"pairs" range:"[1,10000000]" help:"pairs of games under each set of rules; with --sprt the maximum"`
		Plies    int      `flag:"opening-plies=2" key:"openings.plies" help:"random plies at the start of each pair"`
		Seed     int64    `flag:"seed=1" key:"seed"`
		Workers  int      `flag:"workers" key:"workers"`
		DB       string   `flag:"db=out/match.db" key:"database" help:"the study's file"`
		SPRT     bool     `flag:"sprt" key:"stop.sprt" help:"stop by a sequential test"`
		Set      []string `flag:"plan-set" in:"Overrides"`
		AgentSet []string `flag:"agent-set" in:"Overrides" help:"override a knob of an agent, like mcts-1k:budget.iterations=500 (repeatable)"`
	}
	test := testFlags{Elo1: 20}
	c := &cobra.Command{
		Use:   "match A B",
		Short: "Play two agents against each other, optionally with a sequential test",
		Long: `Plays pairs of games between two agents and rates them. With --sprt the match stops early, as soon as a
sequential test accepts one of two hypotheses about how much stronger A is (--elo0, --elo1). To continue after an
interrupt, run the same command again.

The test is a GSPRT on pairs (pentanomial), as in "spar sprt" and "spar plan".`,
		Example: `  spar match greedy random --rules vanishing --pairs 100 --db out/match.db
  spar match greedy random --rules vanishing --set pieces.cap=4 --agent-set greedy:ties=first --plan-set budget.iterations=500 --db out/four.db
  spar match minimax-2 greedy --rules checkerboard --sprt --elo0 0 --elo1 30 --db out/match2.db`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: shipped(configs.Agents),
		RunE: func(c *cobra.Command, args []string) error {
			var b strings.Builder
			byAgent, err := knobsByAgent(args, own.AgentSet)
			if err != nil {
				return err
			}
			for _, name := range args {
				if _, err := loadAgent(name, byAgent[name]); err != nil {
					return err
				}
			}
			var played []string
			for _, name := range games.names() {
				if _, err := loadGame(name, games.Set); err != nil {
					return err
				}
				name, own := ownOverrides(name, games.Set)
				played = append(played, arena.RefText("rules", name, own))
			}
			if args[0] == args[1] {
				return usagef("both agents are %q: name two different agents, or copy the agent's file and change its name",
					args[0])
			}
			fmt.Fprintf(&b, "name: %q\nformat: match\nagents: [%s, %s]\ngames: [%s]\npairs: %d\nseed: %d\n",
				strings.Join(args, " - "), arena.RefText("agent", args[0], byAgent[args[0]]),
				arena.RefText("agent", args[1], byAgent[args[1]]),
				strings.Join(played, ", "), own.Pairs, own.Seed)
			if changed(c, "opening-plies") || !slices.ContainsFunc(own.Set, func(s string) bool {
				return strings.HasPrefix(s, "openings.lines=") || strings.HasPrefix(s, "openings.file=")
			}) {
				fmt.Fprintf(&b, "openings: {plies: %d}\n", own.Plies)
			}
			if own.SPRT {
				s, err := test.read()
				if err != nil {
					return err
				}
				unit := ""
				if s.Model != ratings.BoundsLogistic { // the plan of a match that says nothing of it stays the same
					unit = ", model: " + test.Model
				}
				fmt.Fprintf(&b, "stop: {sprt: {elo0: %g, elo1: %g, alpha: %g, beta: %g%s}}\n", s.Elo0, s.Elo1, s.Alpha, s.Beta, unit)
			}
			for i, s := range own.Set { // the word alone would put the plies that were asked for aside
				word, ok := strings.CutPrefix(s, "openings=")
				if ok && changed(c, "opening-plies") && !strings.HasPrefix(word, "{") {
					own.Set[i] = "openings.draw=" + word
				}
			}
			t, err := arena.LoadPlan("match", []byte(b.String()), own.Set...)
			if err != nil {
				return byFlags(c, err)
			}
			if own.Workers > 0 {
				t.Workers = own.Workers
			}
			if t.Database == "" || changed(c, "db") {
				t.Database = own.DB
			}
			o.details = true
			return runTournament(c, t, o)
		},
	}
	declare(c, &games, &own, &test, &o)
	playKinds(c)
	for _, name := range strings.Fields("elo0 elo1 model alpha beta") {
		f := c.Flags().Lookup(name)
		f.Annotations[tagsOf][0] = `in:"Sequential test" needs:"sprt" ` + string(tags(f))
	}
	return c
}
