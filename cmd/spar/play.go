package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/agents/human"
	"spar/agents/sources"
	"spar/arena"
	"spar/engines"
)

func playCommand() *cobra.Command {
	var (
		rules = "classic"
		set   []string
		seed  int64
		quiet bool
	)
	c := &cobra.Command{
		Use:   "play FIRST SECOND",
		Short: "Play one game between two agents, or against one, the board after each ply",
		Long: `Plays one game between two agents and shows the board after each ply. The name "human" is you: type moves like b2, or
c2-d3 and c2xe4 where pieces move. A clock in the game's file counts here (rolling has 180 seconds for the whole game), and
against the levels of rolling the score of that program is shown.`,
		Example: `  spar play --rules vanishing greedy random
  spar play --rules rolling human rolling/hard
  spar play --rules checkerboard --set pieces.cap=6 greedy greedy --seed 7`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: agentNames,
		RunE: func(c *cobra.Command, args []string) error {
			g, err := loadGame(rules, set)
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			var person *human.Player
			var seats [2]arena.Seat
			var levels [2]string
			for i, name := range args {
				if name == "human" {
					if person == nil {
						person = newHuman(c.InOrStdin(), out)
					}
					seats[i] = arena.Seat{Name: name, Agent: person}
					continue
				}
				s, err := loadAgent(name, nil)
				if err != nil {
					return err
				}
				a, err := agents.New(s, g)
				if err != nil {
					return usageError{err}
				}
				seats[i], levels[i] = arena.Seat{Name: s.Name, Agent: a, Budget: s.Budget}, s.Level
			}
			fmt.Fprintf(out, "%s: %s (X) against %s (O), seed %d\n\n", g.Name(), seats[0].Name, seats[1].Name, seed)
			mover := engines.First
			r, err := arena.Play(c.Context(), g, arena.Conditions{
				Seed: seed, GameLimit: time.Duration(g.Rules().Clock.Seconds * float64(time.Second)),
				Each: func(p *engines.Position, d agents.Decision) {
					if !quiet {
						_ = printPly(out, p, mover, g.MoveText(d.Move), seats[mover].Name) // a closed terminal ends the command anyway
					}
					mover = p.Side()
				},
			}, seats)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s by %s after %d plies\n", r.Outcome, r.Reason, r.Plies)
			if r.Detail != "" {
				fmt.Fprintln(out, r.Detail)
			}
			return printScores(out, [2]string{seats[0].Name, seats[1].Name}, levels, r.Outcome, r.Plies, (r.Spent[0] + r.Spent[1]).Seconds())
		},
	}
	rulesFlag(c, &rules, "the game")
	c.Flags().Int64Var(&seed, "seed", 1, "seed of the agents' random choices")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print the result only")
	setFlag(c, &set)
	return c
}

// printScores shows the score that the rolling program gives whoever plays against one of its levels.
func printScores(out io.Writer, names, levels [2]string, result engines.Result, plies int, seconds float64) error {
	for side, name := range names {
		score, ok := sources.RollingScore(levels[1-side], result, side, plies, seconds)
		if !ok {
			continue
		}
		if _, err := fmt.Fprintf(out, "score of %s against %s: %d (%d plies, %.3f s)\n", name, levels[1-side], score, plies, seconds); err != nil {
			return err
		}
	}
	return nil
}
