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
	"spar/engines"
	"spar/engines/bulk"
	"spar/reports/screen"
	"spar/reports/table"
)

func bookCommand() *cobra.Command {
	var (
		agent = agentFlags{Name: "minimax-4"}
		rules gameFlags

		o book.Options
	)
	var own struct {
		Side  string `flag:"side=both" one:"first second both" help:"side for which the agent chooses: first, second or both"`
		Moves string `flag:"moves" help:"moves before the book starts, separated by spaces"`
		Out   string `flag:"out,o" file:".yaml .yml" help:"write the agent with the book to this .yaml file"`
		Bare  bool   `flag:"lines" help:"print only the opening lines, one per row"`
	}
	c := &cobra.Command{
		Use:   "book RULES",
		Short: "Build an opening book with an agent",
		Long: `Builds a tree of opening moves. The agent rates every move; the best --width moves of each position are
followed for --plies plies. The values at the ends are backed up, so a move that turns out bad drops in rank.

With --side first or second the agent chooses for that side only, and the book answers every move of the other side.
Positions that are equal by transposition or symmetry are searched once.

--out writes an agent file with the book in it. --lines prints only the opening lines, which a tournament can use as
openings (openings: {file: ...}).`,
		Example: `  spar book rolling --agent perfect --plies 3 --side first
  spar book checkerboard --agent minimax-2 --plies 2 --width 2
  spar book connect4 --agent minimax-2 --plies 2 --lines`,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Sides = [2]bool{own.Side != "second", own.Side != "first"}
			if own.Out != "" {
				if _, err := os.Stat(own.Out); err == nil {
					return usagef("--out %s: the file already exists", own.Out)
				}
			}
			g, spec, a, err := startAgent(c.Context(), &rules, &agent)
			if err != nil {
				return err
			}
			defer closeAgent(a)
			p, err := bulk.OpenPosition(g, "", strings.Fields(own.Moves))
			if err != nil {
				return err
			}
			shown := newDisplay(c)
			o.Report = func(n int) {
				shown.Show(func() string { return fmt.Sprintf("%d positions searched", n) })
			}
			b, err := book.Build(c.Context(), a, spec.Budget, p, o)
			var limit *book.LimitError
			if errors.Is(err, agents.ErrNoScores) {
				return usagef("%s: %w (use an agent that searches, like minimax-4)", spec.Name, err)
			}
			if errors.As(err, &limit) {
				return usagef("%s: %w (try fewer --plies, a smaller --width or a larger --limit)", spec.Name, err)
			}
			if err != nil {
				return err
			}
			if own.Out != "" {
				if err := writeBook(own.Out, spec, g, p, b); err != nil {
					return err
				}
			}
			v := b.View(spec.Name, p)
			return reply(c, "book", v, func(w io.Writer) error { return printBook(w, &v, own.Bare) })
		},
	}
	declare(c, &rules, &agent, &own, &o)
	printsJSON(c, "book", book.View{})
	return c
}

func printBook(out io.Writer, v *book.View, bare bool) error {
	if bare {
		for _, l := range v.Lines {
			fmt.Fprintln(out, strings.Join(l.Moves, " "))
		}
		return nil
	}
	fmt.Fprintf(out, "%s by %s: %s, %d positions searched\n", v.Rules, v.Agent, screen.Plural(len(v.Lines), "line"),
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
	return writeAgent(path, spec, fmt.Sprintf("%s with an opening book for %s, made by spar book.", spec.Name, g.Name()))
}
