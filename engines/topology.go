package engines

// direction is a unit step on the board. The opposite of direction d is d^4.
type direction struct{ dx, dy int }

// directions lists the eight directions in the order E, SE, S, SW, W, NW, N, NE. Lines use the first four.
func directions() [8]direction {
	return [8]direction{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}
}

// Directions with a special meaning.
const (
	down = 2 // the direction in which pieces fall
	up   = down ^ 4
)

// topology is the shape of a board without the rules: the cells, their neighbours, the rays along which lines and
// jumps go, and the symmetries of these. Mechanics use it and never compute with rows and columns themselves.
type topology struct {
	columns, rows int // size of the grid, used only for names of cells
	wrapX, wrapY  bool
	cells         int
	board         Bits               // set of all cells
	order         [CellSpace]Cell    // all cells in order
	bit           [CellSpace]Bits    // for each cell, the set with only this cell
	to            [8][CellSpace]Cell // neighbour in each direction, or NoCell beyond the edge
	neighbours    [CellSpace]Bits    // for each cell, the neighbours that count as adjacent, up to eight
	beside        [CellSpace]Bits    // for each cell, the neighbours in all directions
	shifts        [8][]shiftPart     // for each direction, the shifts that move a set of cells by one step
	straight      bool               // each direction is a single shift of the whole set
	flat          bool               // straight, and the board fits into one word
	hops          [8]hop             // the shifts on a flat board
	degrees       []degree           // the cells grouped by number of neighbours
	// neighbourhoods are 3x3 boxes, which two rounds of steps cover: along the rows, then along the columns
	boxed  bool
	steps  [4]step  // steps of these rounds: E, W, N, S
	falls  []Bits   // for each target cell, the cells that a falling piece passes
	floor  Bits     // cells on which pieces stop falling
	half   [2]Bits  // for each side, the half of the board that is nearest to it
	mirror []Cell   // permutation that exchanges the halves
	drawn  [][]Cell // drawn lines; nil if the lines are rows, columns and diagonals
}

// shiftPart moves the cells of mask up or down by a number of bits. On a board with wraps, a direction has several
// parts.
type shiftPart struct {
	mask     Bits
	up, down uint
}

// degree is the set of cells that have n neighbours.
type degree struct {
	neighbours int
	cells      Bits
}

// hop is a shiftPart on a board that fits into one word.
type hop struct {
	mask     uint64
	up, down uint8
}

func (h *hop) shift(b uint64) uint64 { return (b & h.mask) << (h.up & 63) >> (h.down & 63) }

// newTopology builds the tables of a board. It skips cell names that do not exist; Validate reports them.
func newTopology(b Board) topology {
	t := topology{
		columns: b.Columns, rows: b.Rows, cells: b.Columns * b.Rows,
		wrapX: b.Wrap == "columns" || b.Wrap == "torus", wrapY: b.Wrap == "rows" || b.Wrap == "torus",
		mirror: make([]Cell, b.Columns*b.Rows), falls: make([]Bits, b.Columns),
	}
	for c := range t.cells {
		t.bit[c], t.order[c] = Bits{}.With(Cell(c)), Cell(c)
		t.board = t.board.Or(t.bit[c])
	}
	for _, name := range b.Missing {
		if c, ok := t.cellNamed(name); ok {
			t.board = t.board.Without(c)
		}
	}
	t.straight = true
	if len(b.Lines) > 0 {
		t.draw(b.Lines)
	} else {
		t.layGrid(b.Shape == "hex")
	}
	for d := range t.to {
		t.direct(d, b.Neighbours == 4 && d%2 == 1)
	}
	t.flat = t.straight && t.cells <= 64
	for d := range t.hops {
		for _, p := range t.shifts[d] { // the only part on a flat board
			t.hops[d] = hop{p.mask.Lo, uint8(p.up), uint8(p.down)}
		}
	}
	for c := range t.cells {
		x, y := c%t.columns, c/t.columns
		t.mirror[c] = Cell((t.rows-1-y)*t.columns + x)
		t.falls[x] = t.falls[x].Or(t.bit[c])
		if t.to[down][c] == NoCell {
			t.floor = t.floor.Or(t.bit[c])
		}
		if y < t.rows/2 {
			t.half[Second] = t.half[Second].Or(t.bit[c])
		}
		if y >= t.rows-t.rows/2 {
			t.half[First] = t.half[First].Or(t.bit[c])
		}
	}
	for n := range 9 {
		d := degree{neighbours: n}
		for c := range t.cells {
			if t.board.Has(Cell(c)) && t.neighbours[c].Count() == n {
				d.cells = d.cells.Or(t.bit[c])
			}
		}
		if !d.cells.Empty() {
			t.degrees = append(t.degrees, d)
		}
	}
	t.buildBox()
	return t
}

// layGrid sets the neighbours on a grid of squares, or of hexagons (which lack two of the diagonals).
func (t *topology) layGrid(hex bool) {
	for d, dir := range directions() {
		for c := range t.to[d] {
			t.to[d][c] = NoCell
			if c < t.cells && t.board.Has(Cell(c)) && !(hex && (d == 1 || d == 5)) {
				t.to[d][c] = t.at(Cell(c), dir.dx, dir.dy)
			}
		}
	}
}

// at returns the cell at an offset of columns and rows, or NoCell if there is none.
func (t *topology) at(c Cell, dx, dy int) Cell {
	x, y := int(c)%t.columns+dx, int(c)/t.columns+dy
	if t.wrapX {
		x = (x%t.columns + t.columns) % t.columns
	}
	if t.wrapY {
		y = (y%t.rows + t.rows) % t.rows
	}
	if x < 0 || y < 0 || x >= t.columns || y >= t.rows || !t.board.Has(Cell(y*t.columns+x)) {
		return NoCell
	}
	return Cell(y*t.columns + x)
}

// direct builds the tables that follow from the neighbours in one direction. If apart is set, neighbours in this
// direction do not count as adjacent.
func (t *topology) direct(d int, apart bool) {
	parts := map[int]Bits{}
	for c := range t.cells {
		n := t.to[d][c]
		if n == NoCell {
			continue
		}
		t.beside[c] = t.beside[c].Or(t.bit[n])
		if !apart {
			t.neighbours[c] = t.neighbours[c].Or(t.bit[n])
		}
		parts[int(n)-c] = parts[int(n)-c].Or(t.bit[c])
	}
	for by := -t.cells; by <= t.cells; by++ { // in a fixed order, so that a Game is the same every time
		mask, ok := parts[by]
		switch {
		case ok && by >= 0:
			t.shifts[d] = append(t.shifts[d], shiftPart{mask: mask, up: uint(by)})
		case ok:
			t.shifts[d] = append(t.shifts[d], shiftPart{mask: mask, down: uint(-by)})
		}
	}
	if t.shifts[d] == nil { // on a board of one row or column
		t.shifts[d] = []shiftPart{{}}
	}
	t.straight = t.straight && len(t.shifts[d]) == 1
}

// shift moves every cell of b one step in direction d; cells beyond the edge are lost.
func (t *topology) shift(b Bits, d int) Bits {
	var out Bits
	for i := range t.shifts[d] {
		p := &t.shifts[d][i]
		m := b.And(p.mask)
		if p.up > 0 {
			m = m.shl(p.up)
		} else {
			m = m.shr(p.down)
		}
		out = out.Or(m)
	}
	return out
}

// images returns the permutations of the cells that keep neighbours and rays, the identity first: rotations,
// reflections and, on boards with wraps, translations. Entry i of a permutation is the image of cell i.
func (t *topology) images() [][]Cell {
	var found [][]Cell
	shiftX, shiftY := 1, 1
	if t.wrapX {
		shiftX = t.columns
	}
	if t.wrapY {
		shiftY = t.rows
	}
	for turn := range 8 { // bit 0 mirrors columns, bit 1 mirrors rows, bit 2 exchanges them
		if turn&4 != 0 && (t.columns != t.rows || t.wrapX != t.wrapY) {
			continue
		}
		for dy := range shiftY {
			for dx := range shiftX {
				p := make([]Cell, t.cells)
				for c := range p {
					x, y := c%t.columns, c/t.columns
					if turn&4 != 0 {
						x, y = y, x
					}
					if turn&1 != 0 {
						x = t.columns - 1 - x
					}
					if turn&2 != 0 {
						y = t.rows - 1 - y
					}
					p[c] = Cell((y+dy)%t.rows*t.columns + (x+dx)%t.columns)
				}
				found = append(found, p)
			}
		}
	}
	return found
}

// centrality is the implementation of Game.Centrality.
func (t *topology) centrality(c Cell) float64 {
	off := func(at, n int, wrapped bool) float64 {
		middle := float64(n-1) / 2
		if wrapped || middle == 0 {
			return 0
		}
		return max(float64(at)-middle, middle-float64(at)) / middle
	}
	return 1 - (off(int(c)%t.columns, t.columns, t.wrapX)+off(int(c)/t.columns, t.rows, t.wrapY))/2
}

// step moves a whole set one step in a direction with at most two parts.
type step struct {
	ahead, around        Bits // cells that move on, and cells that wrap around
	aheadUp, aheadDown   uint
	aroundUp, aroundDown uint
}

// apply moves a set one step; cells beyond the edge are lost.
func (t *step) apply(b Bits) Bits {
	a, r := b.And(t.ahead), b.And(t.around)
	return a.move(t.aheadUp, t.aheadDown).Or(r.move(t.aroundUp, t.aroundDown))
}

// buildBox prepares the steps that sum over 3x3 neighbourhoods, and checks that they give the neighbours of every cell.
func (t *topology) buildBox() {
	t.boxed = true
	for i, d := range [4]int{0, 4, 6, 2} {
		parts := t.shifts[d]
		if t.boxed = t.boxed && len(parts) <= 2; !t.boxed {
			return
		}
		if len(parts) > 0 {
			t.steps[i].ahead, t.steps[i].aheadUp, t.steps[i].aheadDown = parts[0].mask, parts[0].up, parts[0].down
		}
		if len(parts) > 1 {
			t.steps[i].around, t.steps[i].aroundUp, t.steps[i].aroundDown = parts[1].mask, parts[1].up, parts[1].down
		}
	}
	for c := range t.cells {
		row := t.bit[c].Or(t.steps[0].apply(t.bit[c])).Or(t.steps[1].apply(t.bit[c]))
		t.boxed = t.boxed && row.Or(t.steps[2].apply(row)).Or(t.steps[3].apply(row)).AndNot(t.bit[c]) == t.neighbours[c]
	}
}
