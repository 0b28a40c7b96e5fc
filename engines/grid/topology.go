// Package grid has the cells of a board and its geometry, without rules of play.
//
// A [Cell] is an index, and [Bits] is a set of cells: two words. [Board] has
// the knobs of a rules file that describe the board. [New] turns them into a [Grid]: the neighbours of each cell, the
// lines, the edges and the symmetries. A Grid must not be changed.
//
// # Files
//
//   - Sets of cells: bits*. Names of cells and start positions: cells.
//   - The Grid: board (knobs), topology (neighbours and shifts), drawn (boards with drawn lines), images (symmetries).
//   - What follows from it: runs (lines), shapes (patterns and leaps), areas (edges, regions, connections), boxes
//     (counts of neighbours).
package grid

// Direction is a unit step on the board. Elsewhere a direction d is an index into Directions; the opposite of d is d^4.
type Direction struct{ Dx, Dy int }

// Directions lists the eight directions in the order E, SE, S, SW, W, NW, N, NE. Lines use the first four.
func Directions() [8]Direction {
	return [8]Direction{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}
}

// Directions with a special meaning.
const (
	Down = 2 // the direction in which pieces fall
	Up   = Down ^ 4
)

// Grid is the shape of a board without the rules: the cells, their neighbours, the rays that lines and jumps follow,
// and the symmetries of all these. Mechanics use it and never compute with rows and columns themselves.
type Grid struct {
	Columns, Rows int // size of the grid, used only for names of cells
	wrapX, WrapY  bool
	hex           bool // cells are hexagons
	Cells         int
	Board         Bits               // set of all cells
	Order         [CellSpace]Cell    // all cells in order
	Bit           [CellSpace]Bits    // for each cell, the set with only this cell
	To            [8][CellSpace]Cell // neighbour in each direction, or NoCell beyond the edge
	Neighbours    [CellSpace]Bits    // for each cell, the neighbours that count as adjacent, up to eight
	Beside        [CellSpace]Bits    // for each cell, the neighbours in all directions
	Shifts        [8][]ShiftPart     // for each direction, the shifts that move a set of cells by one step
	Straight      bool               // each direction is a single shift of the whole set
	Flat          bool               // straight, and the board fits into one word
	Hops          [8]Hop             // the shifts on a flat board
	Degrees       []Degree           // the cells grouped by number of neighbours
	// neighbourhoods are 3x3 boxes, which two rounds of steps cover: along the rows, then along the columns
	Boxed  bool
	steps  [4]step              // steps of these rounds: E, W, N, S
	Falls  []Bits               // for each target cell, the cells that a falling piece passes
	Floor  Bits                 // cells on which pieces stop falling
	Half   [2]Bits              // for each side, the half of the board that is nearest to it
	Mirror []Cell               // permutation that exchanges the halves
	Drawn  [][]Cell             // drawn lines; nil if the lines are rows, columns and diagonals
	Bent   bool                 // a drawn line turns, or ends where another one goes on
	Meets  bool                 // rays in two directions may meet: drawn lines bend, or edges are joined
	onward *[8][CellSpace]uint8 // for each direction and cell of drawn lines, the direction of the line one cell on
}

// ShiftPart moves the cells of mask up or down by a number of bits. On a board with wraps, a direction has several
// parts.
type ShiftPart struct {
	Mask     Bits
	Up, Down uint
	low      bool // the cells and their targets are in the low word
}

// Degree is the set of cells that have the same number of neighbours.
type Degree struct {
	Neighbours int
	Cells      Bits
}

// Hop is a ShiftPart on a board that fits into one word.
type Hop struct {
	Mask     uint64
	Up, Down uint8
}

// Shift moves a set of cells.
func (h *Hop) Shift(b uint64) uint64 { return (b & h.Mask) << (h.Up & 63) >> (h.Down & 63) }

// New builds the tables of a board. It skips cell names that do not exist; package rules reports them.
func New(b Board) Grid {
	t := Grid{
		Columns: b.Columns,
		Rows:    b.Rows,
		Cells:   b.Columns * b.Rows,
		Mirror:  make([]Cell, b.Columns*b.Rows),
		Falls:   make([]Bits, b.Columns),
	}
	t.wrapX, t.WrapY = b.Joined()
	for c := range t.Cells {
		t.Bit[c], t.Order[c] = Bits{}.With(Cell(c)), Cell(c)
		t.Board = t.Board.Or(t.Bit[c])
	}
	for _, name := range b.Missing {
		if c, ok := t.CellNamed(name); ok {
			t.Board = t.Board.Without(c)
		}
	}
	t.Straight, t.hex = true, b.Shape == "hex"
	if len(b.Lines) > 0 {
		t.draw(b.Lines)
	} else {
		t.layGrid()
	}
	t.Meets = t.Bent || t.wrapX || t.WrapY
	for d := range t.To {
		t.direct(d, b.Neighbours == 4 && d%2 == 1)
	}
	t.Flat = t.Straight && t.Cells <= 64
	for d := range t.Hops {
		for _, p := range t.Shifts[d] { // the only part on a flat board
			t.Hops[d] = Hop{p.Mask.Lo, uint8(p.Up), uint8(p.Down)}
		}
	}
	for c := range t.Cells {
		x, y := c%t.Columns, c/t.Columns
		t.Mirror[c] = Cell((t.Rows-1-y)*t.Columns + x)
		t.Falls[x] = t.Falls[x].Or(t.Bit[c])
		if t.To[Down][c] == NoCell {
			t.Floor = t.Floor.Or(t.Bit[c])
		}
		if y < t.Rows/2 {
			t.Half[Second] = t.Half[Second].Or(t.Bit[c])
		}
		if y >= t.Rows-t.Rows/2 {
			t.Half[First] = t.Half[First].Or(t.Bit[c])
		}
	}
	for n := range 9 {
		d := Degree{Neighbours: n}
		for c := range t.Cells {
			if t.Board.Has(Cell(c)) && t.Neighbours[c].Count() == n {
				d.Cells = d.Cells.Or(t.Bit[c])
			}
		}
		if !d.Cells.Empty() {
			t.Degrees = append(t.Degrees, d)
		}
	}
	t.buildBox()
	return t
}

// layGrid sets the neighbours on a grid of squares, or of hexagons (which lack two of the diagonals).
func (t *Grid) layGrid() {
	for d, dir := range Directions() {
		for c := range t.To[d] {
			t.To[d][c] = NoCell
			if c < t.Cells && t.Board.Has(Cell(c)) && !(t.hex && (d == 1 || d == 5)) {
				t.To[d][c] = t.At(Cell(c), dir.Dx, dir.Dy)
			}
		}
	}
}

// At returns the cell dx columns and dy rows from c, or NoCell if there is none.
func (t *Grid) At(c Cell, dx, dy int) Cell {
	if to := t.Place(c, dx, dy); t.Board.Has(to) {
		return to
	}
	return NoCell
}

// Place is At for a board that has all cells.
func (t *Grid) Place(c Cell, dx, dy int) Cell {
	x, y := int(c)%t.Columns+dx, int(c)/t.Columns+dy
	if t.wrapX {
		x = (x%t.Columns + t.Columns) % t.Columns
	}
	if t.WrapY {
		y = (y%t.Rows + t.Rows) % t.Rows
	}
	if x < 0 || y < 0 || x >= t.Columns || y >= t.Rows {
		return NoCell
	}
	return Cell(y*t.Columns + x)
}

// direct builds the tables that follow from the neighbours in one direction. If apart is set, neighbours in this
// direction do not count as adjacent.
func (t *Grid) direct(d int, apart bool) {
	parts := map[int]Bits{}
	for c := range t.Cells {
		n := t.To[d][c]
		if n == NoCell {
			continue
		}
		t.Beside[c] = t.Beside[c].Or(t.Bit[n])
		if !apart {
			t.Neighbours[c] = t.Neighbours[c].Or(t.Bit[n])
		}
		parts[int(n)-c] = parts[int(n)-c].Or(t.Bit[c])
	}
	t.Shifts[d] = t.Parts(parts)
	if t.Shifts[d] == nil { // on a board of one row or column
		t.Shifts[d] = []ShiftPart{{}}
	}
	t.Straight = t.Straight && len(t.Shifts[d]) == 1
}

// Shift moves every cell of b one step in direction d; cells beyond the edge are lost.
func (t *Grid) Shift(b Bits, d int) Bits { return ShiftAll(b, t.Shifts[d]) }

// Parts returns the shifts that move each set by its distance, the key, in a fixed order.
func (t *Grid) Parts(by map[int]Bits) (out []ShiftPart) {
	for n := -t.Cells; n <= t.Cells; n++ {
		if mask, ok := by[n]; ok {
			p := ShiftPart{Mask: mask, Up: uint(max(n, 0)), Down: uint(max(-n, 0))}
			p.low = mask.Hi == 0 && mask.shl(p.Up).Hi == 0
			out = append(out, p)
		}
	}
	return out
}

// ShiftAll moves the cells of a set by the parts that contain them, and drops other cells.
func ShiftAll(b Bits, parts []ShiftPart) (out Bits) {
	for i := range parts {
		p := &parts[i]
		if p.low {
			out.Lo |= (b.Lo & p.Mask.Lo) << (p.Up & 63) >> (p.Down & 63)
			continue
		}
		m := b.And(p.Mask)
		if p.Up > 0 {
			m = m.shl(p.Up)
		} else {
			m = m.shr(p.Down)
		}
		out = out.Or(m)
	}
	return out
}

// EmptyDirections returns the directions in which no cell has a neighbour, as bits: bit d is direction d.
func (t *Grid) EmptyDirections() (mask uint8) {
	for d := range t.To {
		any := false
		for _, n := range t.To[d] {
			any = any || n != NoCell
		}
		if !any {
			mask |= 1 << d
		}
	}
	return mask
}

// Back moves a set one cell against direction d, 0 to 3, on a board without wraps. Cells that leave the board may
// reappear at the end of another row, but no line starts there.
func (t *Grid) Back(b Bits, d int) Bits {
	return b.Back(t.Shifts[d][0].Up & 63)
}
