package serve

import (
	"fmt"
	"slices"
	"strings"

	"spar/engines"
	"spar/reports/board"
	"spar/reports/chart"
	"spar/reports/review"
	"spar/reports/serve/session"
)

// cell is a cell of a board that is played on.
type cell struct {
	board.Square
	Index   int    // of the cell; a ghost has the index of the cell that it repeats
	Name    string // like c2
	Label   string // for screen readers
	Field   string // name of the button: move, or from for a piece that may move
	Send    string
	Act     bool   // the button is enabled
	Removes string // indices of the cells whose pieces the move takes, separated by spaces
	Value   string // of the best move to the cell, if values are on
	Ghost   bool   // beyond a wrapped edge: repeats the cell on the opposite side
	First   bool   // gets the keyboard focus first
}

// row is a row of the board. Ghost rows repeat the opposite edge of a board that wraps.
type row struct {
	Number int
	Ghost  bool
	Cells  []cell
}

// grid is a board with buttons.
type grid struct {
	Columns []string // names of the columns
	Ghosts  bool     // left and right
	Class   string   // of the table
	Rows    []row
	Words   []word // moves without a cell: stop, swap, pass
	From    string // the piece that has been chosen to move
}

type word struct{ Move, Label string }

// drawing is the input for drawing a board.
type drawing struct {
	game   *engines.Game
	pos    *engines.Position
	frame  *board.Frame
	play   bool   // the player on this page is to move
	from   string // the piece that was chosen
	rating *session.Rating
	values bool // values on squares
	region bool // hint, step 1
	best   bool // step 2
}

func percentOf(score float64) string { return fmt.Sprintf("%.0f", 100*score) }

// worth is the value of a move as text: W, D or L if exact, else percent.
func worth(r review.Rated) string {
	if !r.Exact {
		return percentOf(r.Score)
	}
	switch r.Score {
	case 1:
		return fmt.Sprintf("W%d", r.Value.DTW)
	case 0:
		return fmt.Sprintf("L%d", r.Value.DTW)
	}
	return "D"
}

// grid draws the board. Every legal move can be reached from it.
func (d *drawing) grid() grid {
	g := grid{}
	columns, rows := d.game.Columns(), d.game.Rows()
	squares := d.frame.Squares(d.game)
	moves := []engines.Move(nil)
	if d.play {
		moves = d.pos.AppendMoves(nil)
	}
	chain := d.pos.Chain()
	if chain != engines.NoCell && d.play {
		d.from = d.game.CellName(chain)
	}
	if !slices.ContainsFunc(moves, func(m engines.Move) bool { return d.movesFrom(m) }) {
		d.from = ""
	}
	g.From = d.from
	cells := make([]cell, d.game.Cells())
	for c := range cells {
		name := d.game.CellName(engines.Cell(c))
		cells[c] = cell{Square: squares[c/columns][c%columns], Index: c, Name: name, Field: "move", Send: name}
		if d.from != "" && d.from != name {
			cells[c].Send = d.from + "-" + name
		}
	}
	d.ages(cells)
	reach := map[int]bool{} // cells to which the chosen piece may move
	for _, m := range moves {
		text := d.game.MoveText(m)
		switch {
		case m.To() == engines.NoCell:
			g.Words = append(g.Words, word{text, map[string]string{
				"stop": "Stop here",
				"swap": "Swap: take over the other side's turn", "pass": "Pass",
			}[text]})
		case m.IsPlacement() || m.IsRemoval():
			if !reach[int(m.To())] {
				d.target(&cells[m.To()], m, text)
			}
		case d.movesFrom(m):
			reach[int(m.To())] = true
			d.target(&cells[m.To()], m, text)
			cells[m.From()].Class += " chosen"
		case d.from == "" || chain == engines.NoCell:
			at := &cells[m.From()]
			if !at.Act {
				at.Act, at.Field, at.Send = true, "from", at.Name
				at.Class += " can"
			}
		}
	}
	if chosen := strings.TrimSpace(d.from); chosen != "" {
		if c, err := d.game.ParseCell(chosen); err == nil {
			// pressing it again clears the choice, unless the piece must move on
			cells[c].Field, cells[c].Send, cells[c].Act = "from", "", chain == engines.NoCell
		}
	}
	d.rate(cells)
	d.zones(cells)
	focus := d.entry(cells)
	for c := range cells {
		cells[c].First = c == focus
		cells[c].Label = d.label(&cells[c])
	}
	g.layOut(d.game, cells, columns, rows)
	return g
}

func (d *drawing) movesFrom(m engines.Move) bool {
	return d.from != "" && m.From() != engines.NoCell && !m.IsPlacement() && d.game.CellName(m.From()) == d.from
}

// target makes a cell the target of a move, and lists the pieces that the move removes.
func (d *drawing) target(c *cell, m engines.Move, text string) {
	c.Act, c.Field, c.Send = true, "move", text
	c.Class += " legal"
	next := d.pos.Clone()
	f := board.Play(next, m, d.frame)
	var gone []string
	for _, cell := range append(f.Leaving(), f.Flips...) {
		gone = append(gone, fmt.Sprint(cell))
	}
	c.Removes = strings.Join(gone, " ")
	for _, w := range []struct {
		cells []int
		what  string
	}{{f.Gone, "would capture"}, {f.Flips, "would turn over"}, {f.Old, "would remove"}} {
		if len(w.cells) > 0 {
			c.Words = strings.TrimLeft(c.Words+", "+w.what+" "+board.Names(d.game, w.cells), ", ")
		}
	}
}

// ages marks the second oldest piece of a side that is at its cap. The board marks the oldest.
func (d *drawing) ages(cells []cell) {
	limit := d.game.Rules().Pieces.Cap
	for side := range 2 {
		if own := d.pos.Ages(side, nil); limit > 1 && len(own) >= limit {
			cells[own[1]].Class += " second"
			cells[own[1]].Words = strings.TrimLeft(cells[own[1]].Words+", leaves after that", ", ")
		}
	}
}

// rate shows the values or hints that are switched on.
func (d *drawing) rate(cells []cell) {
	if d.rating == nil || d.rating.Err != nil || !d.play {
		return
	}
	best := review.BestMoves(d.rating.All)
	for _, r := range best {
		c := r.Move.To()
		if c == engines.NoCell {
			continue
		}
		if d.best {
			cells[c].Class += " best"
			cells[c].Words += ", a best move"
		} else if d.region {
			for i := range cells {
				if near(d.game, i, int(c)) {
					cells[i].Class += " near"
				}
			}
			break // the hint is one region
		}
	}
	if !d.values {
		return
	}
	top := map[engines.Cell]float64{}
	for _, r := range d.rating.All {
		c := r.Move.To()
		if c == engines.NoCell || d.from != "" && !d.movesFrom(r.Move) && !r.Move.IsPlacement() {
			continue
		}
		if old, ok := top[c]; !ok || r.Score > old {
			top[c] = r.Score
			cells[c].Value = worth(r)
		}
	}
	for c, score := range top {
		cells[c].Class += fmt.Sprintf(" worth%d", shade(score, chart.Steps))
	}
}

// shade is the step of a colour scale for a score from 0 to 1.
func shade(score float64, steps int) int { return max(0, min(steps-1, int(score*float64(steps)))) }

// near reports whether two cells are equal or neighbours, across wrapped edges too. Hexagons have six neighbours,
// squares eight.
func near(g *engines.Game, a, b int) bool {
	wrap := g.Rules().Board.Wrap
	step := func(from, to, size int, meet bool) int {
		d := to - from
		if meet && d == size-1 {
			return -1
		}
		if meet && d == 1-size {
			return 1
		}
		return d
	}
	dc := step(a%g.Columns(), b%g.Columns(), g.Columns(), wrap == "torus" || wrap == "columns")
	dr := step(a/g.Columns(), b/g.Columns(), g.Rows(), wrap == "torus" || wrap == "rows")
	if g.Rules().Board.Shape == "hex" && dc == dr && dc != 0 {
		return false
	}
	return max(dc, -dc) <= 1 && max(dr, -dr) <= 1
}

// zones marks the homes and the cells that the current stage of an opening allows.
func (d *drawing) zones(cells []cell) {
	for side, class := range []string{" home1", " home2"} {
		for _, c := range d.game.Home(side).Cells(nil) {
			cells[c].Class += class
		}
	}
}

// entry is the cell that gets the keyboard focus first: the chosen piece, the first legal cell, or the last move.
func (d *drawing) entry(cells []cell) int {
	for _, want := range []func(*cell) bool{
		func(c *cell) bool { return d.from != "" && c.Name == d.from },
		func(c *cell) bool { return c.Act },
		func(c *cell) bool { return c.Index == d.frame.To },
	} {
		if at := slices.IndexFunc(cells, func(c cell) bool { return want(&c) }); at >= 0 {
			return at
		}
	}
	return 0
}

// label describes a cell for screen readers: "b6, X, leaves next", "empty, legal, would remove e2".
func (d *drawing) label(c *cell) string {
	words := []string{c.Name}
	if strings.Contains(c.Class, "hole") {
		return c.Name + ", no cell"
	}
	if c.Piece == "" {
		words = append(words, "empty")
	} else {
		words = append(words, c.Piece)
		if c.Age != "" {
			words = append(words, "age "+c.Age)
		}
	}
	switch {
	case c.Act && c.Field == "from" && c.Send == "":
		words = append(words, "chosen")
	case c.Act && c.Field == "from":
		words = append(words, "can move")
	case c.Act:
		words = append(words, "legal")
	}
	if c.Words != "" {
		words = append(words, c.Words)
	}
	if c.Value != "" {
		words = append(words, "value "+c.Value)
	}
	return strings.Join(words, ", ")
}

// layOut arranges the cells in rows, with ghost cells beyond wrapped edges.
func (g *grid) layOut(game *engines.Game, cells []cell, columns, rows int) {
	wrap := game.Rules().Board.Wrap
	across, down := wrap == "torus" || wrap == "columns", wrap == "torus" || wrap == "rows"
	wide := columns
	if across {
		wide += 2
	}
	g.Ghosts, g.Class = across, board.Class(game, wide)
	for c := range columns {
		g.Columns = append(g.Columns, string(rune('a'+c)))
	}
	ghost := func(c cell) cell {
		c.Ghost, c.First = true, false
		return c
	}
	line := func(r int, beyond bool) row {
		out := row{Number: r + 1, Ghost: beyond}
		own := cells[r*columns : (r+1)*columns]
		if across {
			out.Cells = append(out.Cells, ghost(own[columns-1]))
		}
		for _, c := range own {
			if beyond {
				c = ghost(c)
			}
			out.Cells = append(out.Cells, c)
		}
		if across {
			out.Cells = append(out.Cells, ghost(own[0]))
		}
		return out
	}
	if down {
		g.Rows = append(g.Rows, line(rows-1, true))
	}
	for r := range rows {
		g.Rows = append(g.Rows, line(r, false))
	}
	if down {
		g.Rows = append(g.Rows, line(0, true))
	}
}
