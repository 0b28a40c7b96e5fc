package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents/chooser"
	"spar/agents/ugi"
	"spar/configs/strict"
	"spar/engines/bulk"
)

func chooseCommand() *cobra.Command {
	var k chooser.Chooser
	c := &cobra.Command{
		Use:   "choose [FILE|-]",
		Short: "Let an agent choose moves in many positions",
		Long: `Reads positions, one JSON object per line, and prints the agent's move in each position, and all moves
that it might have chosen.

A line is {"id":…, "rules":"checkerboard", "set":{…}, "moves":[…]}, optionally with "agent":"checkerboard/hard" or
"level":"hard" (the level of that game's original program).`,
		Example: `  echo '{"id":1,"rules":"classic","moves":["a1"]}' | spar choose --agent minimax-6
  spar choose positions.jsonl --agent mcts-1k --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if k.Agent != "" {
				if _, err := k.Spec(k.Agent); err != nil {
					return strict.Bad(err)
				}
			}
			if err := checkGames(&k.Games); err != nil {
				return err
			}
			return errors.Join(chooseAll(c, &k, args), k.Close())
		},
	}
	declare(c, &k)
	printsJSON(c, "move", chooser.Choice{})
	return c
}

func chooseAll(c *cobra.Command, k *chooser.Chooser, args []string) error {
	return answerLines(c, args, bulk.Each, func(name string, number int, line []byte,
		out io.Writer,
	) (failed bool, err error) {
		var l chooser.Line
		var r chooser.Choice
		if err := bulk.Parse(line, "a position", &l); err != nil {
			r.Error = fmt.Sprintf("%s:%d: %v", name, number, err)
		} else if r, err = k.Choose(c.Context(), &l, uint64(number)); err != nil {
			if errors.Is(err, ugi.ErrNotAllowed) {
				return true, err
			}
			r.ID, r.Error = l.ID, fmt.Sprintf("%s:%d: %v", name, number, err)
		}
		switch {
		case wantsJSON(c):
			err = printJSON(out, "move", r)
		case r.Error != "" && len(r.ID) == 0:
			_, err = fmt.Fprintln(out, r.Error)
		case r.Error != "":
			_, err = fmt.Fprintf(out, "%s: %s\n", r.ID, r.Error)
		default:
			_, err = fmt.Fprintf(out, "%s: %s   of %s, %d nodes\n", r.ID, r.Move, strings.Join(r.Best, " "), r.Nodes)
		}
		return r.Error != "", errors.Join(err, c.Context().Err())
	})
}
