package engines

import "spar/engines/grid"

// randomGeneral returns a random legal move on the general path. It finds the pieces that can move in each way by
// operations on whole sets.
func (p *Playouts) randomGeneral(s *State) Move {
	g, side := s.g, s.side&1
	m := &g.mover[side]
	moving := s.phase == phaseMove
	if s.chain != NoCell || s.taking > 0 || s.removing() || moving && (m.slide || m.forced || s.flies()) {
		moves := s.appendGeneral(p.moves[:0])
		return moves[p.digits.below(len(moves))]
	}
	places := s.placements()
	each := 1
	if g.chosen {
		each = 2
	}
	nPlaces := each * places.Count()
	total := nPlaces
	if s.swap {
		total++
	}
	if moving {
		free := g.grid.Board.AndNot(s.pieces[0].Or(s.pieces[1]))
		for i := range m.ways {
			w := &m.ways[i]
			var who Bits
			if w.kind == wayStep || w.kind == wayLeap {
				who = grid.ShiftAll(free, w.back).And(s.pieces[side])
			} else {
				who = s.goers(w)
			}
			p.goers[i] = who
			total += who.Count()
		}
	}
	if total == 0 {
		return Pass
	}
	k := p.digits.below(total)
	if k < nPlaces {
		c := placeMove(places.Nth(k / each))
		if g.chosen {
			return c.as(placeX - Cell(k%2))
		}
		return c
	}
	if k -= nPlaces; s.swap {
		if k == 0 {
			return Swap
		}
		k--
	}
	for i := range m.ways {
		n := p.goers[i].Count()
		if k < n {
			return m.ways[i].move(p.goers[i].Nth(k))
		}
		k -= n
	}
	return Pass
}
