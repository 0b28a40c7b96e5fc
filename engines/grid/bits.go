package grid

import "math/bits"

// CellSpace is the length of a table that is indexed by cell; its last entry is for NoCell. CellMask masks an
// index so that it is within the table.
const (
	CellSpace = 1 << CellBits
	CellMask  = CellSpace - 1
)

// Cell is the index of a cell, row by row from the top left: row*columns + column.
type Cell uint8

// NoCell means "no cell".
const NoCell Cell = CellMask

// NthBit finds the n-th set bit by halving the word with population counts until few bits are left.
func NthBit(w uint64, n int) int {
	base := 0
	if c := bits.OnesCount32(uint32(w)); n >= c {
		n, w, base = n-c, w>>32, 32
	}
	if c := bits.OnesCount16(uint16(w)); n >= c {
		n, w, base = n-c, w>>16, base+16
	}
	for ; n > 0; n-- {
		w &= w - 1
	}
	return base + bits.TrailingZeros64(w)
}

// Cells appends the cells of the set to dst, lowest first.
func (b Bits) Cells(dst []Cell) []Cell {
	for ; !b.Empty(); b = b.Rest() {
		dst = append(dst, b.First())
	}
	return dst
}

// FirstOr returns the lowest cell of the set; the given cell if the set is empty.
func (b Bits) FirstOr(c Cell) Cell {
	if b.Empty() {
		return c
	}
	return b.First()
}
