package main

import (
	"bufio"
	"errors"
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
		if interrupted(c) {
			return true, c.Context().Err()
		}
		if err != nil {
			v = asked.Fail(name, err)
		}
		return err != nil, printJSON(out, kind(p), v)
	})
}

// checkGames returns an error if the rules of lines that name none are wrong. It splits their label.
func checkGames(games *bulk.Games) (err error) {
	games.Rules, games.Set = ownOverrides(games.Rules, games.Set)
	if games.Rules != "" {
		_, err = loadGame(games.Rules, games.Set)
	}
	return err
}

// eachLine is the type of bulk.Each and bulk.EachLine.
type eachLine func(in io.Reader, name string, do func(number int, line []byte) error) error

// answerLines answers each line of a bulk input, whose name it passes on. If a line has no answer, the exit code is 1,
// but later lines are still answered.
func answerLines(c *cobra.Command, args []string, each eachLine,
	answer func(name string, number int, line []byte, out io.Writer) (failed bool, err error),
) error {
	in, name, err := openInput(c, args)
	if err != nil {
		return err
	}
	defer in.Close()
	buffered := bufio.NewWriter(c.OutOrStdout())
	bad, some := false, false
	if err := each(in, name, func(number int, line []byte) error {
		some = true
		failed, err := answer(name, number, line, buffered)
		bad = bad || failed
		return errors.Join(err, buffered.Flush()) // who asks on a pipe waits for the answer
	}); err != nil {
		return err
	}
	switch {
	case bad:
		return errSaid
	case !some:
		return usagef("%s is empty: expected games or positions, one per line", name)
	}
	return nil
}
