package threats

import (
	"spar/engines"
	"spar/engines/grid"
)

// board holds the lines of both sides in a position: how many cells each lacks, and the cells of lines that lack one or
// two. Placing a piece updates it.
type board struct {
	sides   [2]half
	cells   engines.Bits
	floor   engines.Bits // of the lowest row, if pieces fall; otherwise all cells
	columns uint         // if pieces fall; otherwise 0
}

// half are the lines of one side.
type half struct {
	pieces  engines.Bits
	lines   []engines.Bits
	state   []uint16 // by line: lacking cells, and 32 for each piece that keeps it from being completed
	through [engines.CellSpace][]uint16
	guarded [engines.CellSpace][]uint16 // lines that a piece of this side on the cell makes too long
	// by number of lacking cells, minus one: for each cell the lines through it, and the cells that have any
	count [2][engines.CellSpace]uint8
	near  [2]engines.Bits
}

// newBoard returns an empty board. The guards of a side's line are cells on which its pieces make the line too long.
func newBoard(cells engines.Bits, lines [2][]grid.Window) *board {
	b := &board{cells: cells, floor: cells}
	for side := range b.sides {
		h := &b.sides[side]
		for i, w := range lines[side] {
			h.lines = append(h.lines, w.Cells)
			h.state = append(h.state, 0)
			for c := w.Cells; !c.Empty(); c = c.Rest() {
				h.through[c.First()] = append(h.through[c.First()], uint16(i))
			}
			for c := w.Guard; !c.Empty(); c = c.Rest() {
				h.guarded[c.First()] = append(h.guarded[c.First()], uint16(i))
			}
			h.change([]uint16{uint16(i)}, uint16(w.Cells.Count())) // those of one or two cells are near from the start
		}
	}
	return b
}

// change adds to the state of lines. The counts have those that lack one cell or two and can be completed.
func (h *half) change(lines []uint16, by uint16) {
	for _, l := range lines {
		old := h.state[l]
		now := old + by
		if h.state[l] = now; old-1 <= 1 {
			h.mark(l, old-1, -1)
		}
		if now-1 <= 1 {
			h.mark(l, now-1, 1)
		}
	}
}

// mark adds a line to the counts of those that lack so many cells, minus one, or removes it (by = -1).
func (h *half) mark(line, lack uint16, by int8) {
	count, near := &h.count[lack&1], &h.near[lack&1]
	for c := h.lines[line]; !c.Empty(); c = c.Rest() {
		x := c.First() & engines.CellMask
		if count[x] += uint8(by); count[x] == 0 {
			*near = near.Without(x)
		} else {
			*near = near.With(x)
		}
	}
}

// place puts a piece on a cell, or takes it away (by = -1).
func (b *board) place(side int, c engines.Cell, by int8) {
	h, other := &b.sides[side&1], &b.sides[1-side&1]
	c &= engines.CellMask
	h.change(h.through[c], -uint16(by))
	h.change(h.guarded[c], 32*uint16(by))
	other.change(other.through[c], 32*uint16(by))
	if h.pieces = h.pieces.With(c); by < 0 {
		h.pieces = h.pieces.Without(c)
	}
}

// set makes the board that of a position with these pieces.
func (b *board) set(pieces [2]engines.Bits) {
	for side, now := range pieces {
		for c := b.sides[side].pieces.AndNot(now); !c.Empty(); c = c.Rest() {
			b.place(side, c.First(), -1)
		}
	}
	for side, now := range pieces {
		for c := now.AndNot(b.sides[side].pieces); !c.Empty(); c = c.Rest() {
			b.place(side, c.First(), 1)
		}
	}
}

// open returns the cells on which a piece can be placed.
func (b *board) open() engines.Bits {
	taken := b.sides[0].pieces.Or(b.sides[1].pieces)
	free := b.cells.AndNot(taken)
	if b.columns > 0 {
		free = free.And(b.floor.Or(taken.Back(b.columns)))
	}
	return free
}
