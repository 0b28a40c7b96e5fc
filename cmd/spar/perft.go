package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// perftCount is a number of move sequences as JSON.
type perftCount struct {
	Rules string `json:"rules" help:"name of the rules"`
	Depth int    `json:"depth" help:"length of the sequences in plies"`
	Nodes uint64 `json:"nodes" help:"number of move sequences of exactly this many plies"`
}

func perftCommand() *cobra.Command {
	var rules gameFlags
	var o struct {
		Depth int    `flag:"depth,d=5" range:"[0,64]" help:"length of the sequences in plies"`
		Moves string `flag:"moves" help:"moves to play first, separated by spaces"`
		Turns bool   `flag:"turns" help:"count turns instead of plies"`
	}
	c := &cobra.Command{
		Use:   "perft RULES",
		Short: "Count move sequences of an exact length",
		Long: `Counts the move sequences of exactly N plies from the start, or after given moves. A game that has
ended has no continuation; a sequence whose last ply ends the game counts. Draws by repetition and by the ply limit
are ignored. With --turns it counts turns: a chain of captures is one turn, whatever the order of its captures.`,
		Example: `  spar perft connect4 --depth 8
  spar perft vanishing --depth 9 --set pieces.reuse_vacated=true --moves "b2 a1"`,
		RunE: func(c *cobra.Command, _ []string) error {
			g, err := rules.load()
			if err != nil {
				return err
			}
			p := g.NewPosition()
			if err := p.PlayText(strings.Fields(o.Moves)); err != nil {
				return usagef("--moves: %w", err)
			}
			out := c.OutOrStdout()
			count := p.Perft
			if o.Turns {
				count = p.PerftTurns
			}
			first := min(1, o.Depth)
			if wantsJSON(c) {
				first = o.Depth
			}
			for d := first; d <= o.Depth; d++ {
				began := time.Now()
				n, err := untilDone(c.Context(), func() (uint64, error) { return count(d), nil })
				if err == nil && wantsJSON(c) {
					err = printJSON(out, "perft", perftCount{g.Name(), d, n})
				} else if err == nil {
					_, err = fmt.Fprintf(out, "perft %-2d %15d  %8.3f s\n", d, n, time.Since(began).Seconds())
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	declare(c, &rules, &o)
	printsJSON(c, "perft", perftCount{})
	return c
}
