package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"spar/engines/bulk"
	"spar/reports/screen"
)

func replayCommand() *cobra.Command {
	var games bulk.Games
	c := &cobra.Command{
		Use:   "replay [FILE|-]",
		Short: "Replay games given as move lists and check every move",
		Long: `Reads games, one JSON object per line, {"id":…, "rules":"vanishing", "set":{"pieces.cap":4},
"moves":["b2",…]}, plays their moves and prints the number of legal moves before each ply, who moved, the result and
the final board.

For an illegal move it prints the ply and the reason, continues with the next line, and ends with exit code 1.`,
		Example: `  echo '{"id":1,"rules":"classic","moves":["b2","a1","b1","b3","c3"]}' | spar replay
  spar replay games.jsonl --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkGames(&games); err != nil {
				return err
			}
			return answerLines(c, args, bulk.Each, func(name string, number int, line []byte, out io.Writer) (bool, error) {
				var l bulk.Line
				var r bulk.Replayed
				if err := bulk.Parse(line, "a game", &l); err != nil {
					r = bulk.NoGame(nil, fmt.Errorf("%s:%d: %w", name, number, err))
				} else {
					r = games.Replay(&l)
				}
				if wantsJSON(c) {
					return r.Error != "", printJSON(out, "replay", r)
				}
				return r.Error != "", printReplay(out, number, &r)
			})
		},
	}
	declare(c, &games)
	printsJSON(c, "replay", bulk.Replayed{})
	return c
}

func printReplay(out io.Writer, number int, r *bulk.Replayed) error {
	id := string(r.ID)
	if id == "" {
		id = fmt.Sprintf("line %d", number)
	}
	if r.Error != "" {
		_, err := fmt.Fprintf(out, "%s: %s\n", id, r.Error)
		return err
	}
	reason := ""
	if r.Reason != "" {
		reason = " by " + r.Reason
	}
	hands := ""
	if r.Hands != "" {
		hands = "   in hand: " + r.Hands
	}
	_, err := fmt.Fprintf(out, "%s: %s%s after %s   %s%s\n", id, r.Result, reason, screen.Plural(r.Plies, "ply"),
		strings.Join(r.Board, "/"), hands)
	return err
}
