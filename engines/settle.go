package engines

import "spar/engines/grid"

// Falling returns the number of pieces that would fall if exactly the given cells were occupied: pieces with a free
// cell below, and all pieces above them.
func (g *Game) Falling(occupied Bits) (n int) {
	for air := g.grid.Floating(occupied); !air.Empty(); air = g.grid.Shift(air, grid.Up).And(occupied) {
		n += air.Count()
	}
	return n
}

// settle drops pieces to the lowest free cells of their columns if the rules have gravity. Pieces keep their ages. It
// returns the new cell of the piece on c, and whether any piece has fallen.
func (s *State) settle(c Cell) (Cell, bool) {
	g := s.g
	occupied := s.all()
	if !g.settles || g.grid.Floating(occupied).Empty() {
		return c, false
	}
	at := c
	for bottom := g.grid.Floor; !bottom.Empty(); bottom = bottom.Rest() {
		gap := 0
		for from := bottom.First(); from != NoCell; from = g.grid.To[grid.Up][from] {
			if !occupied.Has(from) {
				gap++
				continue
			}
			if gap == 0 {
				continue
			}
			to, side := from+Cell(gap*g.grid.Columns), First
			if s.pieces[Second].Has(from) {
				side = Second
			}
			s.relocate(side, from, to)
			if from == c {
				at = to
			}
		}
	}
	return at, true
}

// verdictFallen returns how the game ends by goals that falling pieces have completed; the mover's come first.
func (s *State) verdictFallen(side int) verdict {
	if s.g.shared || s.g.chosen {
		return s.verdict(side, NoCell)
	}
	for _, of := range [2]int{side, 1 - side} {
		if v := s.made(of, of, NoCell); v.reason != NoReason {
			return v
		}
	}
	return verdict{}
}
