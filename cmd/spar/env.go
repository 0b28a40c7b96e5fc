package main

import (
	"github.com/spf13/cobra"

	"spar/engines/env"
)

func envCommand() *cobra.Command {
	var (
		rules string
		set   []string
	)
	c := &cobra.Command{
		Use:   "env RULES",
		Short: "Play batches of games for a program in another language, as an environment for learning",
		Long: `Reads one request a line of JSON on standard input and answers each with one line: {"do":"info"}, {"do":"reset","games":100},
{"do":"step","actions":[4,0,...]} or "moves":["b2",...], {"do":"random","plies":3}, {"do":"undo"}, {"do":"state"},
{"do":"observe","as":"planes"}, {"do":"value"}, {"do":"quit"}. "index":[0,7] means these games of the batch, all when left out. Answers
have one entry a game in each list: to_move (0, 1, or -1 when it is over), rewards of both sides, legal actions. A request that cannot
be met is answered by {"error":"..."} and changes nothing.

configs/examples/spar.py wraps it for Python, without dependencies.`,
		Example: `  printf '{"do":"reset","games":2}\n{"do":"step","actions":[4,0]}\n' | spar env classic
  spar env ctor --set board.columns=6 --set board.rows=6`,
		RunE: func(c *cobra.Command, _ []string) error {
			g, err := loadGame(rules, set)
			if err != nil {
				return err
			}
			in, _, err := openInput(c, nil) // an interrupt ends the wait for a request
			if err != nil {
				return err
			}
			defer in.Close()
			return env.NewServer(g).Serve(c.Context(), in, c.OutOrStdout())
		},
	}
	rulesArgument(c, &rules)
	setFlag(c, &set)
	return c
}
