package engines

import "spar/engines/rules"

// placesSurrounding returns the mechanics under which a placement adds one piece, converts neighbouring enemy pieces,
// and changes nothing else.
func placesSurrounding() rules.Mechanics {
	return rules.MechanicsOf(rules.Wraps, rules.AnyTurns(), rules.Surrounds, rules.BoardEnds(), rules.StuckEnds())
}

// LookAroundPlacements is like LookAround, for positions in which the next move is a placement. It also prepares a
// for After. It returns false if a placement may change more than After updates, or if the next ply ends the game.
func (s *State) LookAroundPlacements(a *Around) bool {
	g := s.g
	if !g.aroundDeltas || !s.goesOn() {
		return false
	}
	s.LookAround(a)
	return true
}

// goesOn reports whether the next ply neither fills the board nor reaches the ply cap.
func (s *State) goesOn() bool {
	g := s.g
	return s.all().Count()+1 < g.grid.Cells && (g.maxPlies == 0 || s.ply+1 < g.maxPlies)
}

// After sets a to the neighbour counts after the side to move has placed a piece on c, starting from base. It returns
// the side to move after that.
func (a *Around) After(base *Around, c Cell) (next int) {
	s := base.s
	g := s.g
	*a = *base
	side := int(s.side & 1)
	own, enemy := &a.near[side], &a.near[1-side]
	own.Add(g.grid.Neighbours[c&CellMask].Or(g.grid.Bit[c&CellMask]))
	a.pieces[side] = a.pieces[side].Or(g.grid.Bit[c&CellMask])
	near := g.grid.Neighbours[c&CellMask].And(a.pieces[1-side])
	if hit := near.And(own.AtLeast(g.threshold)); !hit.Empty() {
		for b := hit; !b.Empty(); b = b.Rest() {
			box := g.grid.Neighbours[b.First()&CellMask].Or(g.grid.Bit[b.First()&CellMask])
			own.Add(box)
			enemy.Sub(box)
		}
		a.pieces[side], a.pieces[1-side] = a.pieces[side].Or(hit), a.pieces[1-side].AndNot(hit)
	}
	a.beside = g.grid.NotFull(own, enemy)
	if s.left > 1 {
		return side
	}
	return 1 - side
}

// Pieces returns the set of a side's pieces.
func (a *Around) Pieces(side int) Bits { return a.pieces[side&1] }
