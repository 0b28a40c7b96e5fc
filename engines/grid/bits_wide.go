//go:build wide

package grid

import "math/bits"

// MaxSide and the other limits of the build with the tag wide. A set of cells is four words, enough for 15x15 and
// 16x15 boards, and a move takes 32 bits.
const (
	MaxSide  = 16  // maximum number of columns, and of rows
	MaxCells = 240 // maximum number of cells of a board; values from 252 on have other meanings in a move
	CellBits = 8   // width of a cell in an encoded move, in bits
)

// LargerBoards is empty, because no build allows larger boards.
const LargerBoards = ""

// Bits is a set of cells, lowest word first.
type Bits struct{ Lo, Hi, Up, Top uint64 }

// everywhere is the set of all cells, including those beyond the board.
func everywhere() Bits { return Bits{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)} }

// word points to the word of a cell.
func (b *Bits) word(c Cell) *uint64 {
	return [4]*uint64{&b.Lo, &b.Hi, &b.Up, &b.Top}[c>>6]
}

// Has reports whether c is in the set.
func (b Bits) Has(c Cell) bool {
	w := b.Lo
	switch c >> 6 {
	case 1:
		w = b.Hi
	case 2:
		w = b.Up
	case 3:
		w = b.Top
	}
	return w>>(c&63)&1 != 0
}

// With returns the set and c.
func (b Bits) With(c Cell) Bits {
	*b.word(c) |= 1 << (c & 63)
	return b
}

// Without returns the set without c.
func (b Bits) Without(c Cell) Bits {
	*b.word(c) &^= 1 << (c & 63)
	return b
}

// And returns the cells in both sets.
func (b Bits) And(o Bits) Bits { return Bits{b.Lo & o.Lo, b.Hi & o.Hi, b.Up & o.Up, b.Top & o.Top} }

// Or returns the cells in either set.
func (b Bits) Or(o Bits) Bits { return Bits{b.Lo | o.Lo, b.Hi | o.Hi, b.Up | o.Up, b.Top | o.Top} }

// Xor returns the cells that are in exactly one of the two sets.
func (b Bits) Xor(o Bits) Bits { return Bits{b.Lo ^ o.Lo, b.Hi ^ o.Hi, b.Up ^ o.Up, b.Top ^ o.Top} }

// AndNot returns the cells of b that are not in o.
func (b Bits) AndNot(o Bits) Bits {
	return Bits{b.Lo &^ o.Lo, b.Hi &^ o.Hi, b.Up &^ o.Up, b.Top &^ o.Top}
}

// Complement returns the cells that are not in the set, including those beyond the board.
func (b Bits) Complement() Bits { return Bits{^b.Lo, ^b.Hi, ^b.Up, ^b.Top} }

// Empty reports whether the set has no cell.
func (b Bits) Empty() bool { return b.Lo|b.Hi|b.Up|b.Top == 0 }

// Contains reports whether every cell of o is in b.
func (b Bits) Contains(o Bits) bool { return o.AndNot(b).Empty() }

// Count returns the number of cells in the set.
func (b Bits) Count() int {
	return bits.OnesCount64(b.Lo) + bits.OnesCount64(b.Hi) + bits.OnesCount64(b.Up) + bits.OnesCount64(b.Top)
}

// First returns the lowest cell of a set that is not empty.
func (b Bits) First() Cell {
	switch {
	case b.Lo != 0:
		return Cell(bits.TrailingZeros64(b.Lo))
	case b.Hi != 0:
		return Cell(64 + bits.TrailingZeros64(b.Hi))
	case b.Up != 0:
		return Cell(128 + bits.TrailingZeros64(b.Up))
	}
	return Cell(192 + bits.TrailingZeros64(b.Top))
}

// Last returns the highest cell of a set that is not empty.
func (b Bits) Last() Cell {
	switch {
	case b.Top != 0:
		return Cell(255 - bits.LeadingZeros64(b.Top))
	case b.Up != 0:
		return Cell(191 - bits.LeadingZeros64(b.Up))
	case b.Hi != 0:
		return Cell(127 - bits.LeadingZeros64(b.Hi))
	}
	return Cell(63 - bits.LeadingZeros64(b.Lo))
}

// Rest returns the set without its lowest cell.
func (b Bits) Rest() Bits {
	switch {
	case b.Lo != 0:
		b.Lo &= b.Lo - 1
	case b.Hi != 0:
		b.Hi &= b.Hi - 1
	case b.Up != 0:
		b.Up &= b.Up - 1
	default:
		b.Top &= b.Top - 1
	}
	return b
}

// Nth returns the n-th lowest cell, n from 0, of a set that has more than n cells.
func (b Bits) Nth(n int) Cell {
	for i, w := range [...]uint64{b.Lo, b.Hi, b.Up} {
		in := bits.OnesCount64(w)
		if n < in {
			return Cell(64*i + NthBit(w, n))
		}
		n -= in
	}
	return Cell(192 + NthBit(b.Top, n))
}

// shl shifts towards higher cells; 0 <= n < 256.
func (b Bits) shl(n uint) Bits {
	for ; n >= 64; n -= 64 {
		b = Bits{0, b.Lo, b.Hi, b.Up}
	}
	m := 64 - n // shifting by 64 leaves nothing
	return Bits{b.Lo << n, b.Hi<<n | b.Lo>>m, b.Up<<n | b.Hi>>m, b.Top<<n | b.Up>>m}
}

// shr shifts towards lower cells; 0 <= n < 256.
func (b Bits) shr(n uint) Bits {
	for ; n >= 64; n -= 64 {
		b = Bits{b.Hi, b.Up, b.Top, 0}
	}
	return b.Back(n)
}

// Back is shr for 0 <= n < 64.
func (b Bits) Back(n uint) Bits {
	m := 64 - n
	return Bits{b.Lo>>n | b.Hi<<m, b.Hi>>n | b.Up<<m, b.Up>>n | b.Top<<m, b.Top >> n}
}

// move shifts towards higher cells by up, then towards lower cells by down. Both are below 256 and one of them is 0.
func (b Bits) move(up, down uint) Bits {
	if up > 0 {
		return b.shl(up)
	}
	return b.shr(down)
}
