package playing

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"spar/engines"
	"spar/engines/rules"
	"spar/engines/solve"
	"spar/reports/board"
	"spar/reports/review"
)

// Cell is a cell of a board with buttons.
type Cell struct {
	board.Square
	Index   int    // of the cell; a ghost cell has the index of the cell that it repeats
	Name    string // name of the cell
	Label   string // for screen readers
	Field   string // name of the button in the form: move, or from if it selects a piece to move
	Send    string // value of the button
	Act     bool   // the button can be pressed
	Removes string // indices of the cells whose pieces the move removes, separated by spaces
	Value   string // value of the best move to the cell, if values are shown
	Ghost   bool   // the cell lies beyond a wrapped edge and repeats the cell on the opposite side
	First   bool   // the cell gets the keyboard focus first
}

// Row is a row of the board. Ghost rows repeat the opposite edge of a board that wraps.
type Row struct {
	Number int
	Ghost  bool
	Cells  []Cell
}

// Grid is a board with buttons.
type Grid struct {
	Columns []string // letters of the columns
	Ghosts  bool     // there are ghost columns at the left and right
	Class   string   // CSS class of the table
	Rows    []Row
	Words   []Word // buttons for moves without a cell: stop, swap, pass
	From    string // cell of the piece that was chosen to move
}

// Word is a button for a move without a target cell, or for choosing a piece to drop, like C@.
type Word struct {
	Move, Label string
	Chooses     bool // the button only chooses what to drop; a cell comes next
}

// Drawing is the input for drawing a board.
type Drawing struct {
	Pos    *engines.Position
	Frame  *board.Frame
	Play   bool           // it is the turn of the person on this page
	From   string         // cell of the piece that was chosen to move
	Rated  []review.Rated // values of the legal moves; nil if none are shown
	Values bool           // show values on the cells
	Region bool           // mark the region of the best moves: hint, level 1
	Best   bool           // mark the cells of the best moves: hint, level 2
}

// Shades is the number of steps of the colour scale of values.
const Shades = 9

// Percent writes a score from 0 to 1 in percent, without the percent sign.
func Percent(score float64) string { return fmt.Sprintf("%.0f", 100*score) }

// Worth writes the value of a move: W, D or L if it is exact, otherwise percent.
func Worth(r review.Rated) string {
	if !r.Exact {
		return Percent(r.Score)
	}
	far := ""
	if r.Value.DTW > 0 {
		far = strconv.Itoa(r.Value.DTW)
	}
	return map[solve.Outcome]string{solve.Win: "W", solve.Draw: "D", solve.Loss: "L"}[r.Value.Outcome] + far
}

// Grid makes the board. It has a button for every legal move.
func (d *Drawing) Grid() Grid {
	g := Grid{}
	columns, rows := d.Pos.Game().Columns(), d.Pos.Game().Rows()
	squares := d.Frame.Squares(d.Pos.Game())
	moves := []engines.Move(nil)
	if d.Play {
		moves = d.Pos.AppendMoves(nil)
	}
	chain := d.Pos.Chain()
	if chain != engines.NoCell && d.Play {
		d.From = d.Pos.Game().CellName(chain)
	}
	if !slices.ContainsFunc(moves, d.movesFrom) {
		d.From = ""
	}
	if g.From = d.From; strings.HasSuffix(d.From, "@") {
		g.From = "the " + d.kindName(d.From[0])
	}
	cells := make([]Cell, d.Pos.Game().Cells())
	for c := range cells {
		name := d.Pos.Game().CellName(engines.Cell(c))
		cells[c] = Cell{
			Square: squares[c/columns][c%columns],
			Index:  c,
			Name:   name,
			Field:  "move",
			Send:   name,
		}
		if strings.HasSuffix(d.From, "@") {
			cells[c].Send = d.From + name
		} else if d.From != "" && d.From != name {
			cells[c].Send = d.From + "-" + name
		}
	}
	d.ages(cells)
	reach := map[int]bool{} // cells to which the chosen piece may move
	for _, m := range moves {
		d.offer(&g, cells, m, reach)
	}
	if c, err := d.Pos.Game().ParseCell(d.From); err == nil {
		// pressing it again clears the choice, unless the piece must move on
		cells[c].Field, cells[c].Send, cells[c].Act = "from", "", chain == engines.NoCell
	}
	d.rate(cells)
	for side, class := range []string{" home1", " home2"} {
		for c := range d.Pos.Game().Home(side).Each {
			cells[c].Class += class
		}
	}
	focus := d.entry(cells)
	for c := range cells {
		cells[c].First = c == focus
		cells[c].Label = d.label(&cells[c])
	}
	g.layOut(d.Pos.Game(), cells, columns, rows)
	return g
}

// offer makes a move a button: of a cell, of the piece that it moves, or of its own if it has no cell.
func (d *Drawing) offer(g *Grid, cells []Cell, m engines.Move, reach map[int]bool) {
	text, to := d.Pos.Game().MoveText(m), m.To()
	switch {
	case to == engines.NoCell:
		say := cmp.Or(map[string]string{
			"stop": "Stop here",
			"swap": "Swap: take over the first player's position", "pass": "Pass",
		}[text], "Promote to "+d.kindName(text[1]))
		g.Words = append(g.Words, Word{text, say, false})
	case m.IsRemoval() && d.Pos.Game().Mechanics().Has(rules.Exits):
		g.Words = append(g.Words, Word{text, "Leave the board from " + d.Pos.Game().CellName(to), false})
	case m.IsDrop() && !d.movesFrom(m):
		if w := (Word{d.source(m), "Drop: " + d.kindName(text[0]), true}); !slices.Contains(g.Words, w) {
			g.Words = append(g.Words, w)
		}
	case m.IsDrop():
		reach[int(to)] = true
		d.target(&cells[to], m, text)
	case m.IsPlacement() || m.IsRemoval() || m.IsShot():
		if !reach[int(to)] {
			d.target(&cells[to], m, text)
		}
	case d.movesFrom(m):
		reach[int(to)] = true
		d.target(&cells[to], m, text)
		cells[m.From()].Class += " chosen"
	case d.From == "" || d.Pos.Chain() == engines.NoCell:
		if at := &cells[m.From()]; !at.Act {
			at.Act, at.Field, at.Send = true, "from", at.Name
			at.Class += " can"
		}
	}
}

// kindName returns the name of the kind of piece with a letter.
func (d *Drawing) kindName(letter byte) string {
	r := d.Pos.Game().Rules()
	if len(r.Kinds) == 0 {
		return "piece"
	}
	_, kind, _ := r.KindAt(letter)
	return r.Kinds[kind].Name
}

func (d *Drawing) movesFrom(m engines.Move) bool {
	return d.From != "" && d.source(m) == d.From
}

// source returns what is chosen before the cell to which a move goes: the cell of its piece, or the kind of a drop, like
// C@.
func (d *Drawing) source(m engines.Move) string {
	switch {
	case m.IsDrop():
		kind, _, _ := strings.Cut(d.Pos.Game().MoveText(m), "@")
		return kind + "@"
	case m.From() == engines.NoCell:
		return ""
	}
	return d.Pos.Game().CellName(m.From())
}

// target makes a cell the target of a move, and lists the pieces that the move removes.
func (d *Drawing) target(c *Cell, m engines.Move, text string) {
	c.Act, c.Field, c.Send = true, "move", text
	c.Class += " legal"
	next := d.Pos.Clone()
	f := board.Play(next, m, d.Frame)
	var gone []string
	for _, cell := range append(f.Leaving(), f.Flips...) {
		gone = append(gone, fmt.Sprint(cell))
	}
	c.Removes = strings.Join(gone, " ")
	for _, effect := range f.Effects(d.Pos.Game(), "would capture ", "would turn over ", "would remove ") {
		c.Words = strings.TrimLeft(c.Words+", "+effect, ", ")
	}
}

// ages marks the second oldest piece of a side that has reached its cap. The board already marks the oldest.
func (d *Drawing) ages(cells []Cell) {
	limit := d.Pos.Game().Rules().Pieces.Cap
	for side := range 2 {
		if own := d.Pos.Ages(side, nil); limit > 1 && len(own) >= limit {
			cells[own[1]].Class += " second"
			cells[own[1]].Words = strings.TrimLeft(cells[own[1]].Words+", leaves after that", ", ")
		}
	}
}

// rate adds the values or hints that are switched on.
func (d *Drawing) rate(cells []Cell) {
	if d.Rated == nil || !d.Play {
		return
	}
	best := review.BestMoves(d.Rated)
	for _, r := range best {
		c := r.Move.To()
		if c == engines.NoCell {
			continue
		}
		if d.Best {
			cells[c].Class += " best"
			cells[c].Words += ", a best move"
		} else if d.Region {
			for i := range cells {
				if near(d.Pos.Game(), i, int(c)) {
					cells[i].Class += " near"
				}
			}
			break // the hint is one region
		}
	}
	if !d.Values {
		return
	}
	top := map[engines.Cell]float64{}
	for _, r := range d.Rated {
		c := r.Move.To()
		if c == engines.NoCell || d.From != "" && !d.movesFrom(r.Move) && (r.Move.IsDrop() || !r.Move.IsPlacement()) {
			continue
		}
		if old, ok := top[c]; !ok || r.Score > old {
			top[c] = r.Score
			cells[c].Value = Worth(r)
		}
	}
	for c, score := range top {
		cells[c].Class += fmt.Sprintf(" worth%d", Shade(score))
	}
}

// Shade returns the step of the colour scale for a score from 0 to 1.
func Shade(score float64) int { return max(0, min(Shades-1, int(score*Shades))) }

// near reports whether two cells are equal or neighbours. Wrapped edges count.
func near(g *engines.Game, a, b int) bool {
	return a == b || g.Grid().Beside[a].Has(engines.Cell(b))
}

// entry returns the cell that gets the keyboard focus first: the chosen piece, the first legal cell, or the last
// move.
func (d *Drawing) entry(cells []Cell) int {
	for _, want := range []func(*Cell) bool{
		func(c *Cell) bool { return d.From != "" && c.Name == d.From },
		func(c *Cell) bool { return c.Act },
		func(c *Cell) bool { return c.Index == d.Frame.To },
	} {
		if at := slices.IndexFunc(cells, func(c Cell) bool { return want(&c) }); at >= 0 {
			return at
		}
	}
	return 0
}

// label describes a cell for screen readers, like "b6, X, leaves next" or "empty, legal, would remove e2".
func (d *Drawing) label(c *Cell) string {
	words := []string{c.Name}
	if strings.Contains(c.Class, "hole") {
		return c.Name + ", no cell"
	}
	if c.Piece == "" {
		words = append(words, "empty")
	} else {
		words = append(words, d.Frame.PieceName(d.Pos.Game(), c.Index))
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
func (g *Grid) layOut(game *engines.Game, cells []Cell, columns, rows int) {
	across, down := game.Rules().Board.Joined()
	wide := columns
	if across {
		wide += 2
	}
	g.Ghosts, g.Class = across, board.Class(game, wide)
	for c := range columns {
		g.Columns = append(g.Columns, string(rune('a'+c)))
	}
	for r, beyond := range around(rows, down) {
		row := Row{Number: r + 1, Ghost: beyond}
		for c, aside := range around(columns, across) {
			cell := cells[r*columns+c]
			if beyond || aside {
				cell.Ghost, cell.First = true, false
			}
			row.Cells = append(row.Cells, cell)
		}
		g.Rows = append(g.Rows, row)
	}
}

// around yields the rows or columns in order, and whether each is a ghost: if they wrap, the last one is also before the
// first, and the first also after the last.
func around(n int, wraps bool) iter.Seq2[int, bool] {
	return func(yield func(int, bool) bool) {
		first, last := 0, n-1
		if wraps {
			first, last = -1, n
		}
		for i := first; i <= last && yield((i+n)%n, i < 0 || i == n); i++ {
		}
	}
}
