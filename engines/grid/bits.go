package grid

import "math/bits"

// The limits of a board. A set of cells is two words, and a move takes 16 bits.
const (
	MaxSide  = 16  // maximum number of columns, and of rows
	MaxCells = 121 // maximum number of cells of a board
	CellBits = 7   // width of a cell in an encoded move, in bits
)

// CellSpace is the length of a table that is indexed by cell; its last entry is for NoCell. CellMask masks an
// index so that it is within the table.
const (
	CellSpace = 1 << CellBits
	CellMask  = CellSpace - 1
)

// Cell is the index of a cell, row by row from the top left: row*columns + column.
type Cell uint8

// NoCell means "no cell". A set of cells of a board does not have it.
const NoCell Cell = CellMask

// Bits is a set of cells.
type Bits struct{ Lo, Hi uint64 }

// Everywhere returns the set of all cells, including those beyond the board.
func Everywhere() Bits { return Bits{^uint64(0), ^uint64(0)} }

// Has reports whether c is in the set.
func (b Bits) Has(c Cell) bool {
	if c < 64 {
		return b.Lo>>c&1 != 0
	}
	return b.Hi>>(c-64)&1 != 0
}

// With returns the set with c added.
func (b Bits) With(c Cell) Bits {
	if c < 64 {
		b.Lo |= 1 << c
	} else {
		b.Hi |= 1 << (c - 64)
	}
	return b
}

// Without returns the set without c.
func (b Bits) Without(c Cell) Bits {
	if c < 64 {
		b.Lo &^= 1 << c
	} else {
		b.Hi &^= 1 << (c - 64)
	}
	return b
}

// And returns the cells in both sets.
func (b Bits) And(o Bits) Bits { return Bits{b.Lo & o.Lo, b.Hi & o.Hi} }

// Or returns the cells in either set.
func (b Bits) Or(o Bits) Bits { return Bits{b.Lo | o.Lo, b.Hi | o.Hi} }

// Xor returns the cells that are in exactly one of the two sets.
func (b Bits) Xor(o Bits) Bits { return Bits{b.Lo ^ o.Lo, b.Hi ^ o.Hi} }

// AndNot returns the cells of b that are not in o.
func (b Bits) AndNot(o Bits) Bits { return Bits{b.Lo &^ o.Lo, b.Hi &^ o.Hi} }

// Complement returns the cells that are not in the set, including those beyond the board.
func (b Bits) Complement() Bits { return Bits{^b.Lo, ^b.Hi} }

// Empty reports whether the set has no cell.
func (b Bits) Empty() bool { return b.Lo|b.Hi == 0 }

// Contains reports whether every cell of o is in b.
func (b Bits) Contains(o Bits) bool { return o.Lo&^b.Lo|o.Hi&^b.Hi == 0 }

// Count returns the number of cells in the set.
func (b Bits) Count() int { return bits.OnesCount64(b.Lo) + bits.OnesCount64(b.Hi) }

// First returns the lowest-numbered cell of a set, which must not be empty.
func (b Bits) First() Cell {
	if b.Lo != 0 {
		return Cell(bits.TrailingZeros64(b.Lo))
	}
	return Cell(64 + bits.TrailingZeros64(b.Hi))
}

// Last returns the highest-numbered cell of a set, which must not be empty.
func (b Bits) Last() Cell {
	if b.Hi != 0 {
		return Cell(127 - bits.LeadingZeros64(b.Hi))
	}
	return Cell(63 - bits.LeadingZeros64(b.Lo))
}

// Rest returns the set without its lowest cell.
func (b Bits) Rest() Bits {
	if b.Lo != 0 {
		b.Lo &= b.Lo - 1
	} else {
		b.Hi &= b.Hi - 1
	}
	return b
}

// Nth returns the n-th lowest cell, n from 0, of a set that has more than n cells.
func (b Bits) Nth(n int) Cell {
	if low := bits.OnesCount64(b.Lo); n >= low {
		return 64 + Cell(NthBit(b.Hi, n-low))
	}
	return Cell(NthBit(b.Lo, n))
}

// shl shifts towards higher cells; 0 <= n < 128.
func (b Bits) shl(n uint) Bits {
	if n >= 64 {
		return Bits{0, b.Lo << (n - 64)}
	}
	return Bits{b.Lo << n, b.Hi<<n | b.Lo>>(64-n)}
}

// shr shifts towards lower cells; 0 <= n < 128.
func (b Bits) shr(n uint) Bits {
	if n >= 64 {
		return Bits{b.Hi >> (n - 64), 0}
	}
	return Bits{b.Lo>>n | b.Hi<<(64-n), b.Hi >> n}
}

// Back shifts the set towards lower cells by n, 0 to 63.
func (b Bits) Back(n uint) Bits {
	return Bits{b.Lo>>n | b.Hi<<((64-n)&63), b.Hi >> n}
}

// move shifts towards higher cells by up, then towards lower cells by down. Both are below 128 and one of them is 0.
func (b Bits) move(up, down uint) Bits {
	return Bits{
		b.Lo<<up>>down | b.Hi<<(64-down) | b.Hi>>(down-64),
		b.Hi<<up>>down | b.Lo>>(64-up) | b.Lo<<(up-64),
	}
}

// NthBit returns the index of the n-th set bit of w, n from 0. The word must have more than n set bits.
//
// It has no branch, because none could be predicted: it counts the bytes before the one with the bit, then the bits of
// that byte before it, from sums over all bytes at once (Vigna, Broadword Implementation of Rank/Select Queries, 2008).
func NthBit(w uint64, n int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	sums := w - w>>1&0x5555555555555555
	sums = sums&0x3333333333333333 + sums>>2&0x3333333333333333
	sums = (sums + sums>>4) & 0x0f0f0f0f0f0f0f0f * ones
	at := 8 * bits.OnesCount64(((uint64(n)*ones|tops)-sums)&tops) & 63
	left := uint64(n) - sums<<8>>at&0xff
	x := w >> at & 0xff * ones & 0x8040201008040201
	x = (x + 0x7f7f7f7f7f7f7f7f) >> 7 & ones * ones
	return at + bits.OnesCount64(((left*ones|tops)-x)&tops)
}

// Each yields the cells of the set, lowest first. Where speed matters, a loop over First and Rest is faster.
func (b Bits) Each(yield func(Cell) bool) {
	for ; !b.Empty() && yield(b.First()); b = b.Rest() {
	}
}

// Cells appends the cells of the set to dst, lowest first.
func (b Bits) Cells(dst []Cell) []Cell {
	for ; !b.Empty(); b = b.Rest() {
		dst = append(dst, b.First())
	}
	return dst
}

// FirstOr returns the lowest cell of the set, or the given cell if the set is empty.
func (b Bits) FirstOr(c Cell) Cell {
	if b.Empty() {
		return c
	}
	return b.First()
}
