package engines

// direction is a unit step on the board; the opposite of direction d is d^4.
type direction struct{ dx, dy int }

// directions lists the eight in the order E, SE, S, SW, W, NW, N, NE. The first four are those of lines.
func directions() [8]direction {
	return [8]direction{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}
}

// Directions with a meaning of their own.
const (
	down = 2 // pieces fall this way
	up   = down ^ 4
)

// topology is the shape of a board and nothing of the rules: the cells, what lies beside what, the rays that lines and
// jumps follow, and the permutations that keep all that. The mechanics ask it and never compute with rows and columns
// themselves.
type topology struct {
	columns, rows int // of the grid, for the names of cells
	wrapX, wrapY  bool
	cells         int
	board         Bits               // every cell
	order         [CellSpace]Cell    // every cell, in order
	bit           [CellSpace]Bits    // the set of one cell
	to            [8][CellSpace]Cell // neighbour in a direction, NoCell beyond the edge
	neighbours    [CellSpace]Bits    // the neighbours that count as adjacent, up to eight
	beside        [CellSpace]Bits    // the neighbours in all directions
	shifts        [8][]shiftPart     // moves a whole set of cells one step in a direction
	straight      bool               // every direction is one shift of the whole set
	flat          bool               // and the set is one word
	hops          [8]hop             // the same on a flat board
	degrees       []degree           // the cells by the number of their neighbours
	// neighbours are what two rounds of steps reach, along the rows and then along the columns
	boxed  bool
	steps  [4]step  // those of the box: E, W, N, S
	falls  []Bits   // the cells that a piece falls through, for each place where it may be let go
	floor  Bits     // where falling ends
	half   [2]Bits  // the half of the board that is nearest to a side
	mirror []Cell   // exchanges the halves
	drawn  [][]Cell // the drawn lines; nil if rows, columns and diagonals are the lines
}

// shiftPart moves the cells of Mask by Up or by Down places; a direction of a wrapped board has several parts.
type shiftPart struct {
	mask     Bits
	up, down uint
}

// degree is the cells that have so many neighbours.
type degree struct {
	neighbours int
	cells      Bits
}

// hop is a shiftPart in one word.
type hop struct {
	mask     uint64
	up, down uint8
}

func (h *hop) shift(b uint64) uint64 { return (b & h.mask) << (h.up & 63) >> (h.down & 63) }

// newTopology lays out a board. Names of cells that are none are omitted; Validate refuses them.
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

// layGrid sets the neighbours on a grid of squares or, without two of the diagonals, of hexagons.
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

// at is the cell so many columns and rows away, NoCell if there is none.
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

// direct fills in the tables that follow from the neighbours in one direction. Apart says that they do not count as
// adjacent.
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

// shift moves every cell of b one step in direction d; what leaves the board is lost.
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
// reflections and, on wrapped boards, translations. Entry i of a permutation is where cell i goes.
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

// centrality is Game.Centrality.
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

// step is one step of the whole set in a direction that has at most two parts.
type step struct {
	ahead, around        Bits // cells that go on, and those that wrap around
	aheadUp, aheadDown   uint
	aroundUp, aroundDown uint
}

// apply moves a set; what leaves the board is lost.
func (t *step) apply(b Bits) Bits {
	a, r := b.And(t.ahead), b.And(t.around)
	return a.move(t.aheadUp, t.aheadDown).Or(r.move(t.aroundUp, t.aroundDown))
}

// buildBox prepares the steps whose sums are sums over neighbourhoods, and asks of every cell whether they are.
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
