package engines

import (
	"spar/engines/grid"
	"spar/engines/rules"
)

// Around holds the number of pieces of each side around every cell. Several functions about a position can use the
// same counts. State.LookAround computes them.
type Around struct {
	s      *State
	pieces [2]Bits
	near   [2]grid.Counters // for each cell, the number of a side's pieces in the 3x3 box around it, including the cell
	beside Bits             // cells that have an empty cell in their 3x3 box
}

// LookAround counts the neighbours of all cells and writes the counts to a.
func (s *State) LookAround(a *Around) {
	a.s, a.pieces = s, s.pieces
	if g := s.g; g.boxCounts && g.threshold > 0 {
		a.near[0], a.near[1] = g.grid.BoxCount(s.pieces[0]), g.grid.BoxCount(s.pieces[1])
		a.beside = g.grid.NotFull(&a.near[0], &a.near[1])
	}
}

// Exposed returns two sets of a side's pieces. Hanging pieces can be captured by the next placement: they have an empty
// neighbour and at least threshold-1 enemy neighbours. Loose pieces have one enemy neighbour fewer than that.
func (a *Around) Exposed(side int) (hanging, loose Bits) {
	g := a.s.g
	if g.threshold == 0 {
		return hanging, loose
	}
	if !g.boxCounts {
		return a.s.exposedOneByOne(side)
	}
	return exposed(a.pieces[side&1].And(a.beside), &a.near[(1-side)&1], g.threshold)
}

// Exposed returns the same as Around.Exposed, for callers that have no Around.
func (s *State) Exposed(side int) (hanging, loose Bits) {
	g := s.g
	if g.threshold == 0 {
		return hanging, loose
	}
	if !g.boxCounts {
		return s.exposedOneByOne(side)
	}
	own, enemy := s.pieces[side&1], s.pieces[(1-side)&1]
	near := g.grid.BoxCount(enemy)
	return exposed(own.And(g.grid.BoxOr(s.free())), &near, g.threshold)
}

// exposed divides pieces that have a free neighbour by the number of enemies near them.
func exposed(b Bits, near *grid.Counters, threshold int) (hanging, loose Bits) {
	hanging = b.And(near.AtLeast(threshold - 1))
	if threshold >= 2 {
		loose = b.And(near.AtLeast(threshold - 2)).AndNot(hanging)
	}
	return hanging, loose
}

func (s *State) exposedOneByOne(side int) (hanging, loose Bits) {
	g := s.g
	own, enemy := s.pieces[side], s.pieces[1-side]
	free := s.free()
	for b := own; !b.Empty(); b = b.Rest() {
		c := b.First()
		if g.grid.Neighbours[c].And(free).Empty() {
			continue
		}
		switch n := g.grid.Neighbours[c].And(enemy).Count(); {
		case n >= g.threshold-1:
			hanging = hanging.With(c)
		case n == g.threshold-2:
			loose = loose.With(c)
		}
	}
	return hanging, loose
}

// Backed returns the secure pieces of a side: those with too many neighbours of their own side to be captured by
// surrounding. It also returns links, the number of neighbouring pairs of the side's pieces. Without surround
// capture, the set is empty and links is 0.
func (a *Around) Backed(side int) (secure Bits, links int) {
	g := a.s.g
	own := a.pieces[side&1]
	switch {
	case g.threshold == 0:
		return secure, links
	case !g.boxCounts:
		return a.s.backedOneByOne(side)
	}
	near := &a.near[side&1]
	for i, plane := range near.Planes() {
		links += plane.And(own).Count() << i
	}
	for i := range g.grid.Degrees { // a piece counts itself, too
		d := &g.grid.Degrees[i]
		secure = secure.Or(d.Cells.And(near.AtLeast(d.Neighbours + 2 - g.threshold)))
	}
	return secure.And(own), (links - own.Count()) / 2
}

func (s *State) backedOneByOne(side int) (secure Bits, links int) {
	g := s.g
	own := s.pieces[side&1]
	for b := own; !b.Empty(); b = b.Rest() {
		c := b.First()
		n := g.grid.Neighbours[c].And(own).Count()
		links += n
		if g.grid.Neighbours[c].Count()-n < g.threshold {
			secure = secure.With(c)
		}
	}
	return secure, links / 2
}

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
