package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/agents/book"
	"spar/configs/files"
	"spar/engines"
	"spar/engines/bulk"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/tuning"
)

func bookCommand() *cobra.Command {
	var (
		agent            = agentFlags{name: "minimax-4"}
		rules            gameFlags
		side, moves, out string
		o                book.Options
		bare             bool
	)
	c := &cobra.Command{
		Use:   "book RULES",
		Short: "Build an opening book with an agent",
		Long: `Builds a tree of opening moves. The agent rates every move; the best --width moves of each position are
followed for --plies plies. The values at the ends are backed up, so a move that turns out bad drops in rank.

With --side first or second the agent chooses for that side only, and the book answers every move of the other side.
Positions that are equal by transposition or symmetry are searched once.

--out writes an agent file with the book in it. --lines prints only the lines, which a tournament takes as openings
(openings: {file: ...}).`,
		Example: `  spar book rolling --agent perfect --plies 3 --side first
  spar book checkerboard --agent minimax-2 --plies 2 --width 2
  spar book connect4 --agent minimax-2 --plies 2 --lines`,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Sides = [2]bool{side != "second", side != "first"}
			if out != "" {
				if _, err := os.Stat(out); err == nil {
					return usagef("--out %s: the file is there already", out)
				}
			}
			g, spec, a, err := startAgent(c.Context(), &rules, &agent)
			if err != nil {
				return err
			}
			defer closeAgent(a)
			p, err := bulk.OpenPosition(g, "", strings.Fields(moves))
			if err != nil {
				return usageError{err}
			}
			shown := newDisplay(c)
			o.Report = func(n int) { shown.Show(func() string { return fmt.Sprintf("%d positions searched", n) }) }
			b, err := book.Build(c.Context(), a, spec.Budget, p, o)
			var limit *book.LimitError
			if errors.As(err, &limit) || errors.Is(err, agents.ErrNoScores) {
				return usageError{fmt.Errorf("%s: %w (fewer --plies, a smaller --width or a larger --limit)", spec.Name, err)}
			}
			if err != nil {
				return err
			}
			if out != "" {
				if err := writeBook(out, spec, g, p, b); err != nil {
					return err
				}
			}
			v := b.View(spec.Name, p)
			return reply(c, "book", v, func(w io.Writer) error { return printBook(w, &v, bare) })
		},
	}
	rules.argument(c)
	oneOf(c, "side", "first", "second", "both")
	positive(c, "plies", "width", "limit")
	agent.flags(c, "the agent that rates the moves")
	f := c.Flags()
	f.IntVar(&o.Plies, "plies", 4, "depth of the tree")
	f.IntVar(&o.Width, "width", 1, "moves kept in a position where the agent chooses")
	f.StringVar(&side, "side", "both", "side for which the agent chooses: first, second or both")
	f.StringVar(&moves, "moves", "", "moves before the book starts, separated by spaces")
	f.IntVar(&o.Most, "limit", 20_000, "maximum number of positions to search")
	outFlag(c, &out, "write the agent with the book to this .yaml file", yamlEndings()...)
	f.BoolVar(&bare, "lines", false, "print only the lines, one per row")
	jsonFlag(c)
	return c
}

func printBook(out io.Writer, v *book.View, bare bool) error {
	if bare {
		for _, l := range v.Lines {
			fmt.Fprintln(out, strings.Join(l.Moves, " "))
		}
		return nil
	}
	fmt.Fprintf(out, "%s by %s: %s, %d positions searched\n", v.Rules, v.Agent, screen.Plural(int64(len(v.Lines)), "line"),
		v.Searched)
	t := table.To(out, []string{"first player", "line"}, 1)
	for _, l := range v.Lines {
		t.Add(fmt.Sprintf("%.3f", l.Score), strings.Join(l.Moves, " "))
	}
	t.Write()
	return nil
}

// writeBook writes the agent's file, with the lines in its opening book.
func writeBook(path string, spec agents.Spec, g *engines.Game, p *engines.Position, b *book.Book) error {
	spec.Mixture.OpeningBook = nil
	for _, l := range b.Lines() {
		spec.Mixture.OpeningBook = append(spec.Mixture.OpeningBook, g.JoinMoves(append(p.Played(), l.Moves...)))
	}
	text, err := tuning.AgentYAML(spec, fmt.Sprintf("%s with an opening book for %s, made "+
		"by spar book.", spec.Name, g.Name()))
	if err != nil {
		return err
	}
	return files.WriteBytes(path, text)
}
