package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func perftCommand() *cobra.Command {
	var (
		depth  int
		set    []string
		moves  string
		asJSON bool
	)
	c := &cobra.Command{
		Use:   "perft RULES",
		Short: "Count move sequences of an exact length",
		Long: `Counts the move sequences of exactly N plies from the start, or after given moves. A finished game has no continuation;
a sequence whose last ply ends the game counts. Draws by repetition and by the ply cap play no part.`,
		Example: `  spar perft connect4 --depth 8
  spar perft vanishing --depth 9 --set pieces.reuse_vacated=true --moves "b2 a1"`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: gameNames,
		RunE: func(c *cobra.Command, args []string) error {
			if depth < 0 || depth > 64 {
				return usagef("--depth %d: expected 0 to 64", depth)
			}
			g, err := loadGame(args[0], set)
			if err != nil {
				return err
			}
			p := g.NewPosition()
			if err := p.PlayText(strings.Fields(moves)); err != nil {
				return usagef("--moves: %w", err)
			}
			out := c.OutOrStdout()
			if asJSON {
				return printJSON(out, struct {
					Rules string `json:"rules"`
					Depth int    `json:"depth"`
					Nodes uint64 `json:"nodes"`
				}{g.Name(), depth, p.Perft(depth)})
			}
			for d := min(1, depth); d <= depth; d++ {
				began := time.Now()
				n := p.Perft(d)
				fmt.Fprintf(out, "perft %-2d %15d  %8.3f s\n", d, n, time.Since(began).Seconds())
			}
			return nil
		},
	}
	c.Flags().IntVarP(&depth, "depth", "d", 5, "plies")
	c.Flags().StringVar(&moves, "moves", "", "moves to play first, space-separated")
	setFlag(c, &set)
	jsonFlag(c, &asJSON)
	return c
}
