package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"spar/reports/review"
)

func hintCommand() *cobra.Command {
	var (
		agent, position, moves, table string
		set                           []string
		asJSON                        bool
	)
	c := &cobra.Command{
		Use:   "hint RULES",
		Short: "Give every best move of a position",
		Long: `Prints all best moves of a position: the fastest wins, or else every move that draws, or else the slowest losses. Small games
are solved on the spot; for the others the moves are those with the highest score by an agent that searches the position
after each, and its name stands in the output.`,
		Example: `  spar hint classic --moves "b2 b1"
  spar hint checkerboard --moves "d5" --agent minimax-2 --json`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: gameNames,
		RunE: func(c *cobra.Command, args []string) error {
			g, err := loadGame(args[0], set)
			if err != nil {
				return err
			}
			spec, err := loadAgent(agent, nil)
			if err != nil {
				return err
			}
			p, err := readPosition(g, position, strings.Fields(moves))
			if err != nil {
				return usageError{err}
			}
			if p.Over() {
				return usagef("the game is over (%s by %s)", p.Result(), p.Reason())
			}
			j := newJudge(spec, table)
			defer j.Close()
			t, evaluator, source, err := j.means(c.Context(), g)
			if err != nil {
				return err
			}
			all, err := review.Moves(p, t, evaluator)
			if err != nil {
				return err
			}
			h := hint{Rules: g.Name(), Side: "XO"[p.Side() : p.Side()+1], Source: source}
			for _, r := range review.BestMoves(all) {
				h.Best = append(h.Best, g.MoveText(r.Move))
				h.Score, h.Rating = r.Score, r.Rating
				if r.Exact {
					h.Value, h.Plies = r.Value.Outcome.String(), r.Value.DTW
				}
			}
			out := c.OutOrStdout()
			if asJSON {
				return printJSON(out, "hint", h)
			}
			worth := fmt.Sprintf("expected score %.3f by %s", h.Score, h.Source)
			if t != nil {
				worth = h.Value
				if h.Plies > 0 {
					worth += fmt.Sprintf(" in %d plies", h.Plies)
				}
				worth += ", exact"
			}
			_, err = fmt.Fprintf(out, "%s: %s   (%s)\n", h.Side, strings.Join(h.Best, " "), worth)
			return err
		},
	}
	c.Flags().StringVarP(&agent, "agent", "a", "minimax-4", "whose scores count where the game is too large to be solved on the spot")
	c.Flags().StringVar(&table, "table", "", "file of spar solve --out with the game's exact values")
	c.Flags().StringVar(&position, "position", "", "position text")
	c.Flags().StringVar(&moves, "moves", "", "moves, space-separated")
	setFlag(c, &set)
	jsonFlag(c, &asJSON)
	if err := c.RegisterFlagCompletionFunc("agent", agentNames); err != nil {
		panic(err) // the flag stands just above
	}
	return c
}

// hint is the best moves of a position and their worth for the side to move.
type hint struct {
	Rules  string   `json:"rules"`
	Side   string   `json:"side"`
	Best   []string `json:"best"`
	Score  float64  `json:"score"`  // expected, 0 to 1
	Rating int      `json:"rating"` // as in a review
	Value  string   `json:"value,omitempty"`
	Plies  int      `json:"plies,omitempty"` // to the end, the move counted; left out for a draw
	Source string   `json:"source"`          // exact, or the agent's name
}
