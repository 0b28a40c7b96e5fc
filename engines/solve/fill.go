package solve

import (
	"math/bits"

	"spar/engines"
	"spar/engines/rules"
)

// field describes a game in which pieces only fill the board. After the first turns, each turn places one piece,
// anywhere or on the lowest free cell of a column. Pieces never move or leave. Lines win (or lose, in misère games),
// and a full board ends the game. Such a game has no cycles, so alpha-beta with a table is safe, and two words describe
// a position.
type field struct {
	g       *engines.Game
	columns uint
	gravity bool
	misere  bool
	early   int // number of pieces on the board from which each turn places one piece
	board   uint64
	floor   uint64
	through [2][64][]uint64 // by side and cell: for each line through the cell, its other cells
	worth   [64]uint8       // number of lines through a cell, for the order of moves
	full    [2]int8         // value of a full board, for each side
	turns   []turned        // symmetries of the board except the identity
	keyBits uint
	extra   uint64 // bottom row of the board used in keys, which has one more row
}

// turned is a symmetry in the form of tables: the image of each byte of a board.
type turned [8][256]uint64

// newField returns nil if the board is too large, or if the game has a mechanic that is not listed here.
func newField(g *engines.Game) *field {
	r, uses := g.Rules(), g.Mechanics()
	known := uses.Only(
		rules.Wraps,
		rules.Falling,
		rules.FirstTurns,
		rules.SecondTurns,
		rules.Unequal,
		rules.Misere,
		rules.Lines,
		rules.LineRegions,
		rules.LineDirections,
		rules.Majorities,
		rules.FullBoards,
		rules.Repetitions,
		rules.PlyCaps,
		rules.Passes,
		rules.StuckDraws, // these cannot come up, or are omitted (Endless)
	)
	if !known || !uses.Has(rules.Lines) || !uses.Any(rules.Majorities, rules.FullBoards) {
		return nil
	}
	own, second := r.Win, r.Of(1).Win
	if own.Line < 2 || second.Line < 2 || own.Misere != second.Misere || own.Majority != second.Majority ||
		own.Majority && uses.Any(rules.FirstTurns, rules.SecondTurns) {
		return nil
	}
	size := g.Cells()
	f := &field{
		g:       g,
		columns: uint(g.Columns()),
		gravity: r.Placement.Gravity,
		misere:  own.Misere,
		keyBits: 64,
	}
	f.early = r.FirstTurn(0) - 1
	if more := r.FirstTurn(1); more > 1 {
		f.early += more
	}
	if f.gravity {
		size += g.Columns()
		f.keyBits = uint(size)
	} else if size > 32 {
		return nil
	}
	if size > 64 {
		return nil
	}
	f.board = 1<<g.Cells() - 1
	f.floor = f.board &^ (f.board >> f.columns)
	f.extra = f.floor << f.columns
	for side := range 2 {
		for _, w := range g.Windows(side) {
			for c := range w.Cells.Each {
				f.through[side][c] = append(f.through[side][c], w.Cells.Without(c).Lo)
				f.worth[c]++
			}
		}
	}
	if r.Win.Majority && g.Cells()%2 == 1 {
		f.full = [2]int8{1, -1} // the first player has one piece more
	}
	for _, p := range g.Symmetries()[1:] {
		var t turned
		for from, to := range p {
			for i := range 256 {
				if i>>(from%8)&1 != 0 {
					t[from/8][i] |= 1 << to
				}
			}
		}
		f.turns = append(f.turns, t)
	}
	return f
}

func (t *turned) apply(b uint64) uint64 {
	return t[0][b&255] | t[1][b>>8&255] | t[2][b>>16&255] | t[3][b>>24&255] |
		t[4][b>>32&255] | t[5][b>>40&255] | t[6][b>>48&255] | t[7][b>>56]
}

// filled is a position in the form that the search uses. Wins has the cells that complete a line of a side,
// including occupied ones. Since pieces never leave, these sets only grow.
type filled struct {
	own, other         uint64 // pieces of the side to move and of the other side
	ownWins, otherWins uint64
	side               uint8 // side to move
	empty              int8
}

// at converts a position.
func (f *field) at(s *engines.State) filled {
	side := s.Side()
	p := filled{own: s.Pieces(side).Lo, other: s.Pieces(1 - side).Lo, side: uint8(side)}
	p.empty = int8(bits.OnesCount64(f.board &^ (p.own | p.other)))
	for c := range f.g.Cells() {
		p.ownWins |= f.completes(side, c, p.own)
		p.otherWins |= f.completes(1-side, c, p.other)
	}
	return p
}

// completes returns the set that contains only cell c if c completes a line of the side; otherwise the empty set.
func (f *field) completes(side, c int, own uint64) uint64 {
	for _, rest := range f.through[side][c] {
		if rest&^own == 0 {
			return 1 << c
		}
	}
	return 0
}

// wins returns the cells that complete a line of a side after it places on a cell, for lines through that cell only.
func (f *field) wins(side uint8, c int, own uint64) (cells uint64) {
	for _, rest := range f.through[side&1][c&63] {
		if lack := rest &^ own; lack&(lack-1) == 0 {
			cells |= lack
		}
	}
	return cells
}

// open returns the cells on which a piece may be placed.
func (f *field) open(p *filled) uint64 {
	occupied := p.own | p.other
	if f.gravity {
		return f.board &^ occupied & (occupied>>f.columns | f.floor)
	}
	return f.board &^ occupied
}

// safe returns the cells on which the side to move can place without losing at once or letting the other side win on
// its next move.
func (f *field) safe(p *filled) uint64 {
	open := f.open(p)
	if f.misere {
		return open &^ p.ownWins
	}
	if direct := p.otherWins & open; direct != 0 {
		if open = direct; direct&(direct-1) != 0 {
			return 0
		}
	}
	if f.gravity {
		open &^= p.otherWins &^ (p.own | p.other) << f.columns
	}
	return open
}

// key encodes a position as a number of keyBits bits. With gravity it marks the lowest free cell of each column, on a
// board with one more row at the top, and below that mark the pieces of the side to move.
func (f *field) key(own, other uint64) uint64 {
	if f.gravity {
		occupied := own | other
		return own<<f.columns | (occupied|f.extra)&^(occupied<<f.columns)
	}
	return own | other<<32
}

// lowestKey returns the lowest key among the images of a position.
func (f *field) lowestKey(own, other uint64) uint64 {
	k := f.key(own, other)
	for i := range f.turns {
		t := &f.turns[i]
		k = min(k, f.key(t.apply(own), t.apply(other)))
	}
	return k
}
