package board

import (
	"fmt"
	"html/template"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/engines/rules"
)

// Class returns the CSS class of the table that draws the board; wide is the number of columns including ghost
// columns. The class contains the size, and hex or drawn if the board is not a grid of squares. The style sheet of
// package page uses it.
func Class(g *engines.Game, wide int) string {
	b := g.Rules().Board
	class := fmt.Sprintf("board w%d r%d", wide, b.Rows)
	switch {
	case b.Shape == "hex":
		class += " hex"
	case len(b.Lines) > 0:
		class += " drawn"
	}
	if g.Kinds() > 0 {
		class += " kinds"
	}
	if g.Mechanics().Has(rules.SharedPieces) {
		class += " shared"
	}
	return class
}

// Gaps returns the cells that the board does not have between others of their row. They would look like empty cells.
func Gaps(g *engines.Game) []int {
	var out, open []int
	columns := g.Columns()
	for c := range g.Cells() {
		if c%columns == 0 {
			open = nil
		}
		if !g.BoardCells().Has(engines.Cell(c)) {
			open = append(open, c)
			continue
		}
		if len(open) > 0 && open[0]%columns > 0 {
			out = append(out, open...)
		}
		open = nil
	}
	return plain.If(len(g.Rules().Board.Lines) == 0, out, nil)
}

// lines returns a drawing of the points of a board and the lines between them. It is inside the last cell and
// extends over the others, so it needs no size of its own. It is empty if the board has no drawn lines.
func (f *Frame) lines(g *engines.Game) template.HTML {
	b := g.Rules().Board
	if len(b.Lines) == 0 {
		return ""
	}
	var path strings.Builder
	at := func(command string, c engines.Cell) {
		fmt.Fprintf(&path, "%s%d %d", command, int(c)%b.Columns, int(c)/b.Columns)
	}
	for _, line := range b.Lines {
		command := "M"
		for _, name := range line {
			if c, err := g.ParseCell(name); err == nil { // the rules have been checked
				at(command, c)
				command = "L"
			}
		}
	}
	drawn := path.String()
	path.Reset()
	for c := range len(f.Board) {
		if f.Board[c] != '#' {
			at("M", engines.Cell(c))
			path.WriteString("h0")
		}
	}
	return template.HTML(
		fmt.Sprintf(
			`<svg class="lines" viewBox="%g %g 1 1" aria-hidden="true"><path d="%s"/><path class="points" d="%s"/></svg>`,
			float64(b.Columns)-1.5,
			float64(b.Rows)-1.5,
			drawn,
			path.String(),
		),
	)
}
