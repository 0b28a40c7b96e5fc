package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"spar/configs/files"
	"spar/engines"
	"spar/engines/bulk"
	"spar/reports/chart"
	"spar/reports/diagram"
	"spar/reports/sheet"
)

func diagramCommand() *cobra.Command {
	var rules gameFlags
	var o struct {
		Position string `flag:"position" help:"text of the position"`
		Moves    string `flag:"moves"`
		Style    string `flag:"style=screen" one:"screen print" help:"screen (in the players' colours) or print (black on white)"`
		Out      string `flag:"out,o" file:".svg .png .pdf .html" help:"write to this file"`
	}
	c := &cobra.Command{
		Use:   "diagram RULES",
		Short: "Draw a position as SVG, PNG or PDF, or as a page to print",
		Long: `Draws the start of a game, a --position, or the position after --moves. Each piece shows the number of
its last move, and an arrow shows the last move if it moved a piece. The picture contains alternative text. The
extension of --out selects the format; .html is a page with the board as large as the paper.`,
		Example: `  spar diagram vanishing --moves "b2 a1 c3" --out position.svg
  spar diagram hex5 --moves "c3 b4" --style print --out hex.pdf
  spar diagram reversi6 --style print --out board.html`,
		RunE: rules.run(func(c *cobra.Command, g *engines.Game) error {
			ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(o.Out)), ".")
			if kinds := append(chart.Formats(), "html"); !slices.Contains(kinds, ending) {
				return usagef("--out %q: expected a file that ends in .%s", o.Out, strings.Join(kinds, ", ."))
			}
			p := g.NewPosition()
			if o.Position != "" {
				var err error
				if p, err = bulk.OpenPosition(g, o.Position, nil); err != nil {
					return err
				}
			}
			d, err := diagram.Of(p, strings.Fields(o.Moves))
			if err != nil {
				return usagef("--moves: %w", err)
			}
			d.Print = o.Style == "print"
			var b bytes.Buffer
			if ending == "html" {
				err = sheet.Board(d).HTML(&b)
			} else {
				err = chart.Write(&b, d, ending, d.Alt())
			}
			if err == nil {
				err = files.WriteBytes(o.Out, b.Bytes())
			}
			if err != nil {
				return err
			}
			return replyf(c, "diagram", drawnDiagram{o.Out, g.Name(), d.Alt()}, "wrote %s\n%s\n", o.Out, d.Alt())
		}),
	}
	declare(c, &rules, &o)
	printsJSON(c, "diagram", drawnDiagram{})
	return c
}

// drawnDiagram is the output of kind diagram.
type drawnDiagram struct {
	File  string `json:"file" help:"written"`
	Rules string `json:"rules" help:"name of the rules"`
	Text  string `json:"text" help:"what it shows, in words"`
}
