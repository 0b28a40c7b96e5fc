package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"spar/agents/bench"
	"spar/configs"
	"spar/ratings"
)

func benchLateCommand() *cobra.Command {
	var (
		agent      = agentFlags{name: "mcts-1k"}
		rules, set []string
		limit      time.Duration
		decisions  int
	)
	c := &cobra.Command{
		Use:   "late [RULES...]",
		Short: "Count the decisions of an agent that end later than their time limit",
		Long: `An agent plays games against itself with the same time for each decision. A decision is late if it ends
more than 2 % or 1 ms, whichever is more, after its limit. The count is meaningful only on an otherwise idle machine.`,
		Example: `  spar bench late connect4 --time 50ms
  spar bench late --agent minimax-4`,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit <= 0 || decisions < 1 {
				return usagef("--time and --decisions must be above 0")
			}
			if len(rules) == 0 {
				rules = configs.Names(configs.Games)
			}
			spec, err := agent.load()
			if err != nil {
				return err
			}
			t := newListing(c, "lateness", []string{"rules", "decisions", "late", "latest, ms after the limit"}, 2, 3, 4)
			all := bench.Lateness{}
			for _, name := range rules {
				g, err := loadGame(name, set)
				if err != nil {
					return err
				}
				r, err := bench.Late(c.Context(), g, spec, processClock(), limit.Seconds(), decisions)
				if err := errors.Join(t.add(r, r.Rules, r.Decisions, r.Late, fmt.Sprintf("%.2f", r.Worst)), err); err != nil {
					return err
				}
				all.Decisions, all.Late = all.Decisions+r.Decisions, all.Late+r.Late
			}
			in := ratings.Wilson(int64(all.Decisions-all.Late), int64(all.Decisions), 0.95)
			return t.end("%.1f %% of %d decisions ended in time (95 %%: %.1f to %.1f)\n",
				100*in.Value, in.N, 100*in.Lo, 100*in.Hi)
		},
	}
	rulesArguments(c, &rules, 0)
	agent.flags(c, "the agent")
	c.Flags().DurationVar(&limit, "time", 10*time.Millisecond, "time limit of each decision, like 50ms")
	c.Flags().IntVar(&decisions, "decisions", 24, "decisions to measure under each of the rules")
	setFlag(c, &set)
	jsonFlag(c)
	return c
}
