package main

import (
	"io"

	"github.com/spf13/cobra"

	"spar/engines"
	"spar/engines/bulk"
)

// positionsFile is a file of positions, one on each line.
type positionsFile struct {
	path  string
	games bulk.Games
}

// always returns a function that gives every answer the same kind.
func always(kind string) func(*engines.Position) string {
	return func(*engines.Position) string { return kind }
}

// each answers every position of the file with one line of JSON, whose kind depends on the position (nil for an
// unreadable one). For a position without an answer it prints the error, and the exit code is 1.
func (f *positionsFile) each(c *cobra.Command, kind func(*engines.Position) string, rules string, set []string,
	answer func(bulk.Asked, *engines.Position) (any, error),
) error {
	f.games.Rules, f.games.Set = rules, set
	if err := checkGames(&f.games); err != nil {
		return err
	}
	f.games.File = f.path
	return answerLines(c, []string{f.path}, bulk.EachLine, func(name string, number int, line []byte,
		out io.Writer,
	) (bool, error) {
		asked, p, err := f.games.Ask(number, line)
		var v any
		if err == nil {
			v, err = answer(asked, p)
		}
		if c.Context().Err() != nil {
			return true, c.Context().Err()
		}
		if err != nil {
			v = asked.Fail(name, err)
		}
		return err != nil, printJSON(out, kind(p), v)
	})
}
