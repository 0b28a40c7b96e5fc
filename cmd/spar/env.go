package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"spar/engines"
	"spar/engines/env"
)

func envCommand() *cobra.Command {
	var rules gameFlags
	var o struct {
		Actions bool `flag:"actions" help:"list the numbers of all moves"`
	}
	c := &cobra.Command{
		Use:   "env RULES",
		Short: "Play batches of games for a program in another language, as an environment for learning",
		Long: `Plays batches of games for a program in another language, as an environment for learning. Spar reads
one JSON request per line on standard input and answers each with one line. configs/examples/spar.py wraps it for
Python, OpenSpiel and PettingZoo.

Requests: {"do":"info"}, {"do":"reset","games":100}, {"do":"step","actions":[4,0,...]} or "moves":["b2",...],
{"do":"random","plies":3}, {"do":"undo"}, {"do":"state"}, {"do":"observe","as":"planes"}, {"do":"value"},
{"do":"quit"}. "index":[0,7] selects games of the batch; without it a request applies to all. "seed":7 in any
request seeds the random moves. Answers have one entry per game in each list: to_move (0, 1, or -1 when the game is
over), rewards of both sides, legal actions. Spar answers an invalid request with {"error":"..."} and changes nothing.

An action is the number of a move. The numbers start at 0 and have no gaps. Every move that is legal in some arrangement
of pieces on the board has its own number. The order is: placements of a chosen piece by cell, all =O, then all =X;
removals by cell; other placements by cell; steps by the cells that they leave and reach; jumps and captures likewise;
stop, swap, pass. Cells count row by row from the top left: a1, b1, ..., a2. --actions lists the numbers; they differ
between rules. Legal actions are listed in ascending order. action_code, in the answers to info and reset and in
exports, is the version of this numbering.

Observations hold planes, one after another, each row by row from the top left: the side's own pieces; enemy pieces;
under a cap own_leaves and enemy_leaves (1 for the next piece to leave, less for newer ones); chain, where a
piece may act again in the same turn (1 for that piece).
Own means the side to move, or the player that "side":0 or 1 selects. The board is never turned: row 1 comes first for
both players. Extras are the other numbers: second_to_move, placements_left in the turn, ply; then, where the rules
have them, own_hand, enemy_hand, moving (1 in the movement phase), taking (1 while a mill takes a piece), may_swap,
passed (1 after a pass), own_captures, enemy_captures, sides_exchanged. {"do":"info"} names the planes and extras of
the rules.`,
		Example: `  printf '{"do":"reset","games":2}\n{"do":"step","actions":[4,0]}\n' | spar env classic
  spar env ctor --set board.columns=6 --set board.rows=6
  spar env breakthrough --actions`,
		RunE: rules.run(func(c *cobra.Command, g *engines.Game) error {
			if o.Actions {
				list := env.Actions(g)
				return replyAll(c, "action", list, func(w io.Writer) error { return printActions(w, list) })
			}
			if wantsJSON(c) {
				return usagef("--json needs --actions")
			}
			in, _, err := openInput(c, nil) // an interrupt ends the wait for a request
			if err != nil {
				return err
			}
			defer in.Close()
			return env.NewServer(g).Serve(c.Context(), in, c.OutOrStdout())
		}),
	}
	declare(c, &rules, &o)
	printsJSON(c, "action --actions", env.Action{})
	return c
}

// printActions prints the numbered moves.
func printActions(out io.Writer, list []env.Action) error {
	fmt.Fprintln(out, "action  move    type")
	for _, a := range list {
		fmt.Fprintf(out, "%6d  %-6s  %s\n", a.Action, a.Move, a.Type)
	}
	return nil
}
