package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"spar/engines"
	"spar/engines/bulk"
	"spar/reports/review"
)

// hintLine is the answer to a line of --file.
type hintLine struct {
	bulk.Asked
	review.Hint
}

func hintCommand() *cobra.Command {
	var (
		rules                  gameFlags
		position, moves, table string

		agent    = defaultJudge
		agentSet []string
		many     positionsFile
	)
	c := &cobra.Command{
		Use:   "hint RULES",
		Short: "Print every best move of a position",
		Long: `Prints all best moves of a position: the fastest wins; if there are none, all moves that draw; otherwise the
slowest losses. Small games are solved at once. In other games an agent searches the position after each move; the
output names the agent.

--file takes many positions, one JSON object per line.`,
		Example: `  printf 'b2 a1\n{"id":7,"rules":"vanishing","moves":["b2"]}\n' | spar hint classic --file -
  spar hint classic --moves "b2 b1"
  spar hint checkerboard --moves "d5" --agent minimax-2 --json`,
		RunE: func(c *cobra.Command, _ []string) error {
			spec, err := loadAgent(agent, agentSet)
			if err != nil {
				return err
			}
			j := review.NewJudge(spec, table)
			if many.path != "" {
				err := many.each(c, always("hint"), rules.name, rules.set, func(a bulk.Asked, p *engines.Position) (any, error) {
					if err := bulk.Open(p); err != nil {
						return nil, err
					}
					h, err := j.Hint(c.Context(), p)
					return hintLine{a, h}, err
				})
				return errors.Join(err, j.Close())
			}
			g, err := rules.load()
			if err != nil {
				return err
			}
			p, err := bulk.OpenPosition(g, position, strings.Fields(moves))
			if err != nil {
				return usageError{err}
			}
			h, err := j.Hint(c.Context(), p)
			if err := errors.Join(err, j.Close()); err != nil {
				return err
			}
			return replyf(c, "hint", h, "%s: %s   (%s)\n", h.Side, strings.Join(h.Best, " "), h.Worth())
		},
	}
	rules.argument(c)
	positionFlags(c, &position, &moves)
	many.fileFlag(c, &rules.name)
	judgeFlags(c, &agent, &agentSet, &table)
	jsonFlag(c)
	return c
}
