package playout

import "spar/engines"

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
func (p *Random) runSurround(from *State) (Result, int) {
	t := &p.t
	n := p.list(from.Pieces(0).Or(from.Pieces(1)))
	plies := min(n, int(p.lastPly(from))-from.Ply())
	p.shuffle(n, plies)
	side, left := from.Side()&1, from.PliesLeft()
	var sides [2]surrounder
	for i := range sides {
		s := &sides[i]
		for plane := range s.lo {
			if (8-t.threshold)>>plane&1 != 0 {
				s.lo[plane], s.hi[plane] = t.grid.Board.Lo, t.grid.Board.Hi
			}
		}
		s.pieces = from.Pieces(i)
		for b := s.pieces; !b.Empty(); b = b.Rest() {
			around := &t.grid.Neighbours[b.First()&cellMask]
			s.lo.add(around.Lo)
			s.hi.add(around.Hi)
		}
	}
	own, enemy := &sides[side], &sides[1-side]
	for i := n - 1; i >= n-plies; i-- {
		c := p.free[i&cellMask] & cellMask
		near := t.grid.Neighbours[c]
		lo := own.lo.add(near.Lo) & near.Lo & enemy.pieces.Lo
		hi := own.hi.add(near.Hi) & near.Hi & enemy.pieces.Hi
		own.pieces = own.pieces.Or(t.grid.Bit[c])
		if hit := (Bits{Lo: lo, Hi: hi}); !hit.Empty() {
			own.pieces, enemy.pieces = own.pieces.Or(hit), enemy.pieces.AndNot(hit)
			for ; !hit.Empty(); hit = hit.Rest() {
				around := &t.grid.Neighbours[hit.First()&cellMask]
				own.lo.add(around.Lo)
				own.hi.add(around.Hi)
				enemy.lo.subtract(around.Lo)
				enemy.hi.subtract(around.Hi)
			}
		}
		if left--; left == 0 {
			left = t.perTurn
			own, enemy = enemy, own
		}
	}
	result := engines.Drawn
	if plies == n && t.majority {
		result = engines.MoreWins(0, sides[0].pieces.Count(), sides[1].pieces.Count())
	}
	return result, plies
}

// shuffle draws the cells of all plies of a game in which every free cell is always legal, from a list of n cells.
// The first ply comes last in the list. A separate loop can hold the data for drawing in registers.
func (p *Random) shuffle(n, plies int) {
	d, k, free := digits{}, 0, &p.free
	for end := n - plies; n > end; {
		if d.unused == 0 {
			d = digits{p.src.Uint64(), p.perWord}
		}
		k, d = d.draw(n)
		n--
		free[k&cellMask], free[n&cellMask] = free[n&cellMask], free[k&cellMask]
	}
}
