package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/arena"
	"spar/engines"
)

func playCommand() *cobra.Command {
	var (
		rules string
		set   []string
		seed  int64
		quiet bool
	)
	c := &cobra.Command{
		Use:   "play FIRST SECOND",
		Short: "Play one game between two agents, the board after each ply",
		Example: `  spar play --rules vanishing greedy random
  spar play --rules checkerboard --set pieces.cap=6 greedy greedy --seed 7`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: agentNames,
		RunE: func(c *cobra.Command, args []string) error {
			g, err := loadGame(rules, set)
			if err != nil {
				return err
			}
			var seats [2]arena.Seat
			for i, name := range args {
				s, err := loadAgent(name, nil)
				if err != nil {
					return err
				}
				a, err := agents.New(s, g)
				if err != nil {
					return usageError{err}
				}
				seats[i] = arena.Seat{Name: s.Name, Agent: a, Budget: s.Budget}
			}
			out := c.OutOrStdout()
			fmt.Fprintf(out, "%s: %s (X) against %s (O), seed %d\n\n", g.Name(), seats[0].Name, seats[1].Name, seed)
			mover := engines.First
			r, err := arena.Play(c.Context(), g, arena.Job{}, arena.Conditions{Seed: seed, Each: func(p *engines.Position, d agents.Decision) {
				if !quiet {
					_ = printPly(out, p, mover, g.MoveText(d.Move), seats[mover].Name) // a closed terminal ends the command anyway
				}
				mover = p.Side()
			}}, seats)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s by %s after %d plies\n", r.Result, r.Reason, r.Plies)
			if r.Detail != "" {
				fmt.Fprintln(out, r.Detail)
			}
			return nil
		},
	}
	c.Flags().StringVarP(&rules, "rules", "r", "classic", "the game")
	c.Flags().Int64Var(&seed, "seed", 1, "seed of the agents' random choices")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print the result only")
	setFlag(c, &set)
	if err := c.RegisterFlagCompletionFunc("rules", gameNames); err != nil {
		panic(err) // the flag stands three lines above
	}
	return c
}
