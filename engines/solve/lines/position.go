package lines

import (
	"math/rand/v2"

	"spar/engines/grid"
)

// position is a position of a game, with all counts that the tests and the search use. Moves update the counts.
type position struct {
	g       *Game
	through [2][][]int32 // by side and cell: the lines through the cell
	owner   []int8       // by cell: a side, or -1
	pieces  [2]grid.Bits
	lack    [2][]int8 // by side and line: number of cells on which the side has no piece
	blocked [2][]int8 // by side and line: number of cells on which the other side has a piece
	mover   int
	left    int     // number of pieces to be placed in this turn
	moved   [2]bool // the side has placed a piece
	empty   int     // number of empty cells
	done    [2]int  // number of complete lines, by side

	// Counts of live lines, which are those without a piece of the other side.
	alive   [2]int     // number of live lines, by side
	lacking [2][]int16 // by side and n: number of live lines that lack n cells
	live    [2][]int16 // by side and cell: number of live lines through the cell
	// by side and cell: sum of 2^-lack over the live lines through the cell, in units of 1/one
	worth   [2][]int64
	total   [2]int64   // by side: the same sum over all its live lines
	closing [2][]int16 // by side and cell: number of live lines that lack only this cell
	close   [2]Set     // the cells with a positive count in closing

	kind   []uint8 // kind of each cell
	open   int     // number of open cells
	hashes []hash  // for each symmetry, a hash of the kinds of all cells
	keys   *keys
}

const one = 1 << 24

// Kinds of cells, apart from pieces of the two sides.
const (
	dead = 2
	open = 3
)

// hash identifies a position; two different positions have the same hash with a probability of about 2^-100.
type hash [2]uint64

func (h *hash) flip(by hash) { h[0], h[1] = h[0]^by[0], h[1]^by[1] }

// keys are random numbers that hashes are combined from.
type keys struct {
	cells [4][maxCells]hash // by kind of cell and cell; zero for open cells
	rest  [4096]hash        // for everything else that the rest of the game depends on
	tags  [128]hash         // one for each search
}

func newKeys() *keys {
	k := &keys{}
	r := rand.New(rand.NewPCG(1, 2))
	for kind := range open {
		for c := range k.cells[kind] {
			k.cells[kind][c] = hash{r.Uint64(), r.Uint64()}
		}
	}
	for i := range k.tags {
		k.tags[i] = hash{r.Uint64(), r.Uint64()}
	}
	for i := range k.rest {
		k.rest[i] = hash{r.Uint64(), r.Uint64()}
	}
	return k
}

func newPosition(g *Game, k *keys) *position {
	p := &position{
		g:      g,
		keys:   k,
		owner:  make([]int8, g.Cells),
		empty:  g.Cells,
		left:   g.First[0],
		kind:   make([]uint8, g.Cells),
		hashes: make([]hash, len(g.Symmetries)),
		open:   g.Cells,
	}
	for c := range p.owner {
		p.owner[c], p.kind[c] = -1, open
	}
	for side := range 2 {
		p.through[side] = make([][]int32, g.Cells)
		p.lack[side] = make([]int8, len(g.Lines[side]))
		p.blocked[side] = make([]int8, len(g.Lines[side]))
		p.live[side] = make([]int16, g.Cells)
		p.closing[side] = make([]int16, g.Cells)
		p.worth[side] = make([]int64, g.Cells)
		p.lacking[side] = make([]int16, g.Cells+1)
		for i, l := range g.Lines[side] {
			p.lack[side][i] = int8(len(l))
			for _, c := range l {
				p.through[side][c] = append(p.through[side][c], int32(i))
			}
			p.count(side, int32(i), 1)
		}
	}
	for c := range g.Cells {
		p.sort(uint8(c))
	}
	return p
}

// count adds a live line to the counts (by = 1) or removes it (by = -1).
func (p *position) count(side int, line int32, by int16) {
	lack, cells := p.lack[side][line], p.g.Lines[side][line]
	w := int64(one) >> lack * int64(by)
	p.total[side] += w
	p.alive[side] += int(by)
	p.lacking[side][lack] += by
	live, worth := p.live[side], p.worth[side]
	for _, c := range cells {
		live[c] += by
		worth[c] += w
	}
	if lack == 1 {
		p.closes(side, cells, by)
	}
}

// closes updates the counts for a live line that lacks one cell.
func (p *position) closes(side int, cells []uint8, by int16) {
	for _, c := range cells {
		if p.owner[c] >= 0 {
			continue
		}
		if p.closing[side][c] += by; p.closing[side][c] == 0 {
			p.close[side].remove(c)
		} else {
			p.close[side].add(c)
		}
	}
}

// grow updates the counts for a live line that lacks one cell less (by = 1) or more (by = -1).
func (p *position) grow(side int, line int32, by int8) {
	lack, cells := &p.lack[side][line], p.g.Lines[side][line]
	before := int64(one) >> *lack
	p.lacking[side][*lack]--
	*lack -= by
	p.lacking[side][*lack]++
	w := int64(one)>>*lack - before
	p.total[side] += w
	worth := p.worth[side]
	for _, c := range cells {
		worth[c] += w
	}
}

// sort determines the kind of a cell.
func (p *position) sort(c uint8) {
	kind := uint8(dead)
	switch o := p.owner[c]; {
	case o < 0:
		if p.live[0][c]|p.live[1][c] != 0 {
			kind = open
		}
	case p.live[o][c] != 0:
		kind = uint8(o)
	}
	old := p.kind[c]
	if kind == old {
		return
	}
	if old == open {
		p.open--
	} else if kind == open {
		p.open++
	}
	p.kind[c] = kind
	for i, to := range p.g.Symmetries {
		a, b := &p.keys.cells[old][to[c]], &p.keys.cells[kind][to[c]]
		p.hashes[i][0] ^= a[0] ^ b[0]
		p.hashes[i][1] ^= a[1] ^ b[1]
	}
}

// undo holds what is needed to take back a move.
type undo struct {
	cell  uint8
	mover int
	left  int
	moved [2]bool
}

// place puts a piece of the mover on an empty cell.
func (p *position) place(c uint8) undo {
	u := undo{c, p.mover, p.left, p.moved}
	me, other := p.mover, 1-p.mover
	for _, l := range p.through[other][c] {
		if p.blocked[other][l]++; p.blocked[other][l] == 1 {
			p.count(other, l, -1)
		}
	}
	for _, l := range p.through[me][c] {
		if p.blocked[me][l] != 0 {
			p.lack[me][l]--
			continue
		}
		if p.lack[me][l] == 1 {
			p.closes(me, p.g.Lines[me][l], -1)
			p.done[me]++
		}
		p.grow(me, l, 1)
	}
	p.owner[c], p.pieces[me] = int8(me), p.pieces[me].With(grid.Cell(c))
	p.empty--
	p.closers(me, c, 1)
	p.resort(other, c, 1)
	p.moved[me] = true
	if p.left--; p.left == 0 {
		p.mover = other
		p.left = p.turn(other)
	}
	return u
}

// resort sorts a cell, and those on lines of a side through it on which so many cells are blocked.
func (p *position) resort(side int, c uint8, blocked int8) {
	p.sort(c)
	for _, l := range p.through[side][c] {
		if p.blocked[side][l] == blocked {
			for _, x := range p.g.Lines[side][l] {
				p.sort(x)
			}
		}
	}
}

// closers counts, with a sign, the cells that would complete a line through a cell.
func (p *position) closers(me int, c uint8, sign int16) {
	for _, l := range p.through[me][c] {
		if p.blocked[me][l] == 0 && p.lack[me][l] == 1 {
			p.closes(me, p.g.Lines[me][l], sign)
		}
	}
}

// take takes back the last piece.
func (p *position) take(u undo) {
	p.mover = u.mover
	p.left = u.left
	p.moved = u.moved
	c, me, other := u.cell, u.mover, 1-u.mover
	p.closers(me, c, -1)
	p.owner[c], p.pieces[me] = -1, p.pieces[me].Without(grid.Cell(c))
	p.empty++
	for _, l := range p.through[me][c] {
		if p.blocked[me][l] != 0 {
			p.lack[me][l]++
			continue
		}
		if p.grow(me, l, -1); p.lack[me][l] == 1 {
			p.closes(me, p.g.Lines[me][l], 1)
			p.done[me]--
		}
	}
	for _, l := range p.through[other][c] {
		if p.blocked[other][l]--; p.blocked[other][l] == 0 {
			p.count(other, l, 1)
		}
	}
	p.resort(other, c, 0)
}

// turn returns the number of pieces that a side places in its next turn.
func (p *position) turn(side int) int {
	if p.moved[side] {
		return 1
	}
	return p.g.First[side]
}

// single reports whether the sides place one piece in each turn from now on.
func (p *position) single() bool { return p.left == 1 && p.turn(1-p.mover) == 1 }

// soon returns the least number of cells that a live line of a side lacks, or more than the board has if there is none.
func (p *position) soon(side int) int {
	for lack, n := range p.lacking[side] {
		if n > 0 {
			return lack
		}
	}
	return p.g.Cells + 1
}

// hash returns a hash that is the same for positions that differ only by a symmetry, or by dead cells.
func (p *position) hash() hash {
	best := p.hashes[0]
	for _, h := range p.hashes[1:] {
		if h[0] < best[0] {
			best = h
		}
	}
	rest := p.mover | p.left<<1 // left is at most 8
	if !p.moved[0] {
		rest |= 32
	}
	if !p.moved[1] {
		rest |= 64
	}
	if p.g.Misere { // two dead cells cancel: a player who must waste a move is answered by another
		dead := p.empty - p.open
		if p.single() {
			dead &= 1
		}
		rest |= dead & 31 << 7
	}
	best.flip(p.keys.rest[rest&4095])
	return best
}
