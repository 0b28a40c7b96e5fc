package main

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"spar/configs/files"
	"spar/engines"
	"spar/engines/bulk"
	"spar/reports/chart"
	"spar/reports/diagram"
)

func diagramCommand() *cobra.Command {
	var (
		rules                gameFlags
		position, moves, out string
		marks, arrows        []string
		style, paper         = "screen", "a4"
		seconds, size        = 1.0, 25.0
		animate, sheets      bool
	)
	c := &cobra.Command{
		Use:   "diagram RULES",
		Short: "Draw a position as SVG, PNG or PDF; animate a game; print a board and its pieces",
		Long: `Draws the start of a game, a --position, or the position after --moves: each piece shows the number of its move,
and an arrow shows the last move of a piece. --mark and --arrow add rings and arrows. The picture contains an
alternative text.

--animate writes the moves as an animated SVG. --board writes a PDF to print at 100 %: the board, on several
sheets if necessary, and pieces to cut out.`,
		Example: `  spar diagram vanishing --moves "b2 a1 c3" --out position.svg
  spar diagram hex5 --moves "c3 b4" --mark d2 --style print --out hex.pdf
  spar diagram classic --moves "a1 b1 a2 b2 a3" --animate --out game.svg
  spar diagram reversi6 --board --size 20 --paper letter --out board.pdf`,
		RunE: rules.run(func(c *cobra.Command, g *engines.Game) error {
			ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(out)), ".")
			switch {
			case animate && ending != "svg", sheets && ending != "pdf":
				return usagef("--out %s: expected a name ending in %s", out,
					map[bool]string{true: ".svg for --animate", false: ".pdf for --board"}[animate])
			case animate && !(seconds >= 0.1 && seconds <= 60):
				return usagef("--seconds %g: expected 0.1 to 60", seconds)
			}
			p := g.NewPosition()
			if position != "" {
				var err error
				if p, err = bulk.OpenPosition(g, position, nil); err != nil {
					return usageError{err}
				}
			}
			d, err := diagram.Of(p.Clone(), strings.Fields(moves))
			if err != nil {
				return usageError{err}
			}
			d.Print = style == "print"
			if err := decorate(d, marks, arrows); err != nil {
				return err
			}
			var b bytes.Buffer
			switch {
			case animate:
				err = diagram.Animate(&b, p, strings.Fields(moves), seconds, d.Print)
			case sheets:
				err = diagram.Sheets(&b, g, size, paper)
			default:
				err = chart.Write(&b, d, ending, d.Alt())
			}
			if err == nil {
				err = files.WriteBytes(out, b.Bytes())
			}
			if err != nil {
				return err
			}
			return replyf(c, "diagram", drawnDiagram{out, g.Name(), d.Alt()}, "wrote %s\n%s\n", out, d.Alt())
		}),
	}
	rules.argument(c)
	oneOf(c, "style", "screen", "print")
	positionFlags(c, &position, &moves)
	f := c.Flags()
	f.StringSliceVar(&marks, "mark", nil, "cells with a ring, like b2,c3")
	f.StringSliceVar(&arrows, "arrow", nil, "arrows from cell to cell, like b2-c3")
	f.StringVar(&style, "style", style, "screen, with the players' colours, or print, black on white")
	f.BoolVar(&animate, "animate", false, "write the moves as an animated SVG")
	f.Float64Var(&seconds, "seconds", seconds, "--animate: seconds per move")
	f.BoolVar(&sheets, "board", false, "write a PDF with the board and pieces to cut out")
	f.Float64Var(&size, "size", size, "--board: width of a cell in millimetres")
	f.StringVar(&paper, "paper", paper, "--board: a4 or letter")
	needs(c, []string{"seconds"}, "animate")
	needs(c, []string{"size", "paper"}, "board")
	out = "diagram.svg"
	outFlag(c, &out, "the file", ".svg", ".png", ".pdf")
	jsonFlag(c)
	return c
}

// decorate adds the requested marks and arrows.
func decorate(d *diagram.Diagram, marks, arrows []string) error {
	cell := func(flag, name string) (int, error) {
		at, err := d.Game.ParseCell(name)
		if err != nil {
			return 0, usagef("--%s %s: %w", flag, name, err)
		}
		return int(at), nil
	}
	for _, name := range marks {
		at, err := cell("mark", name)
		if err != nil {
			return err
		}
		d.Marks = append(d.Marks, at)
	}
	for _, text := range arrows {
		a, b, ok := strings.Cut(text, "-")
		if !ok {
			return usagef("--arrow %s: expected two cells, like b2-c3", text)
		}
		from, err := cell("arrow", a)
		if err != nil {
			return err
		}
		to, err := cell("arrow", b)
		if err != nil {
			return err
		}
		d.Arrows = append(d.Arrows, [2]int{from, to})
	}
	return nil
}

// drawnDiagram is the output of kind diagram.
type drawnDiagram struct {
	File  string `json:"file" help:"written"`
	Rules string `json:"rules" help:"name of the rules"`
	Text  string `json:"text" help:"what it shows, in words"`
}
