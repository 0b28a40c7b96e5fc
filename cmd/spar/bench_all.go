package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"spar/agents/bench"
	"spar/configs"
)

func benchAllCommand() *cobra.Command {
	var (
		rules, set []string
		seconds    float64
		rounds     int
	)
	c := &cobra.Command{
		Use:   "all [RULES...]",
		Short: "Print one table of speeds: random games, UCT, PUCT and alpha-beta of every shipped game",
		Long: `Measures random games from the start, and the simulations or nodes of uct-1k, mcts-1k and minimax-2
per CPU-second, on one thread. Each figure is the median of the rounds, with the lowest and the highest in brackets.

The searches begin 8 random plies into the game (fewer on small boards). A round measures everything once.`,
		Example: `  spar bench all
  spar bench all ctor gomoku9 --rounds 5 --seconds 1 --json`,
		RunE: func(c *cobra.Command, _ []string) error {
			if len(rules) == 0 {
				rules = configs.Names(configs.Games)
			}
			t := newListing(c, "speeds", []string{"rules", "playouts/s", "UCT/s", "PUCT/s", "alpha-beta/s"}, 2, 3, 4, 5)
			for _, name := range rules {
				g, err := loadGame(name, set)
				if err != nil {
					return err
				}
				r, err := bench.All(c.Context(), g, processClock(), seconds, rounds)
				if err != nil {
					return err
				}
				if err := t.add(r, r.Rules, rateText(r.Playouts), rateText(r.UCT), rateText(r.PUCT),
					rateText(r.AlphaBeta)); err != nil {
					return err
				}
			}
			return t.end("")
		},
	}
	rulesArguments(c, &rules, 0)
	c.Flags().Float64Var(&seconds, "seconds", 0.3, "seconds for each figure of a round")
	c.Flags().IntVar(&rounds, "rounds", 3, "rounds of measurements")
	setFlag(c, &set)
	positive(c, "seconds", "rounds")
	jsonFlag(c)
	return c
}

// rateText writes a rate in thousands, with its lowest and highest round.
func rateText(r bench.Rate) string {
	k := func(x float64) string {
		if x < 100_000 {
			return fmt.Sprintf("%.1f", x/1e3)
		}
		return fmt.Sprintf("%.0f", x/1e3)
	}
	return fmt.Sprintf("%sk (%s to %s)", k(r.PerS), k(r.Lo), k(r.Hi))
}
