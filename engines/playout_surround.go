package engines

import "math/bits"

// planes holds, for each of 64 cells, the number of neighbours that belong to a side. Plane i has bit i of all
// counts, so adding a neighbourhood takes a few operations for all cells.
type planes [4]uint64

// add increases the counts of the cells of m by one. It returns the highest plane.
func (p *planes) add(m uint64) uint64 {
	c := p[0] & m
	p[0] ^= m
	m = p[1] & c
	p[1] ^= c
	c = p[2] & m
	p[2] ^= m
	p[3] ^= c
	return p[3]
}

func (p *planes) subtract(m uint64) {
	c := m &^ p[0]
	p[0] ^= m
	m = c &^ p[1]
	p[1] ^= c
	c = m &^ p[2]
	p[2] ^= m
	p[3] ^= c
}

// surrounder is one side in a game with surround capture on at most 128 cells: its pieces, and how many of them
// are adjacent to each cell.
type surrounder struct {
	lo, hi planes
	pieces Bits
}

// runSurround plays games of free placements with surround capture and conversion that end with the full board. Counts
// start with a bias so that one plane marks the surrounded cells: threshold + bias = 8, and at most 8 neighbours add up
// to 15.
func (p *Playouts) runSurround(from *State) (Result, int) {
	g := p.g
	n := p.listFree(from)
	plies := min(n, int(p.lastPly(from)-from.ply))
	p.shuffle(n, plies)
	side, left := int(from.side&1), from.left
	var sides [2]surrounder
	for i := range sides {
		s := &sides[i]
		for plane := range s.lo {
			if (8-g.threshold)>>plane&1 != 0 {
				s.lo[plane], s.hi[plane] = g.grid.Board.Lo, g.grid.Board.Hi
			}
		}
		s.pieces = from.pieces[i]
		for b := s.pieces; !b.Empty(); b = b.Rest() {
			around := &g.grid.Neighbours[b.First()&CellMask]
			s.lo.add(around.Lo)
			s.hi.add(around.Hi)
		}
	}
	own, enemy := &sides[side], &sides[1-side]
	for i := n - 1; i >= n-plies; i-- {
		c := p.free[i&CellMask] & CellMask
		near := g.grid.Neighbours[c]
		lo := own.lo.add(near.Lo) & near.Lo & enemy.pieces.Lo
		hi := own.hi.add(near.Hi) & near.Hi & enemy.pieces.Hi
		own.pieces = own.pieces.Or(g.grid.Bit[c])
		if hit := (Bits{Lo: lo, Hi: hi}); !hit.Empty() {
			own.pieces, enemy.pieces = own.pieces.Or(hit), enemy.pieces.AndNot(hit)
			for ; !hit.Empty(); hit = hit.Rest() {
				around := &g.grid.Neighbours[hit.First()&CellMask]
				own.lo.add(around.Lo)
				own.hi.add(around.Hi)
				enemy.lo.subtract(around.Lo)
				enemy.hi.subtract(around.Hi)
			}
		}
		if left--; left == 0 {
			left = g.perTurn
			own, enemy = enemy, own
		}
	}
	result := Drawn
	if plies == n && g.majority {
		result = majority(0, sides[0].pieces.Count(), sides[1].pieces.Count())
	}
	return result, plies
}

// listFree lists the free cells of a position and returns their number.
func (p *Playouts) listFree(from *State) int {
	p.free = p.g.grid.Order
	all := from.pieces[0].Or(from.pieces[1])
	if all.Empty() {
		return p.g.grid.Cells
	}
	n := 0
	for b := p.g.grid.Board.AndNot(all); !b.Empty(); b = b.Rest() {
		p.free[n&CellMask] = b.First()
		n++
	}
	return n
}

// shuffle draws the cells of all plies of a game in which every free cell is always legal, from a list of n cells.
// The first ply comes last in the list. A separate loop can hold the data for drawing in registers.
func (p *Playouts) shuffle(n, plies int) {
	src, fraction, digits := p.digits.src, uint64(0), int8(0)
	free := &p.free
	for end := n - plies; n > end; {
		if digits == 0 {
			fraction, digits = src.Uint64(), p.digits.perWord
		}
		digits--
		var k uint64
		k, fraction = bits.Mul64(fraction, uint64(n))
		n--
		free[k&CellMask], free[n&CellMask] = free[n&CellMask], free[k&CellMask]
	}
}
