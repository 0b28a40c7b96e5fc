package engines

import "spar/engines/grid"

// Mobility returns the number of steps and of first jumps that a side could make if it were to move in the
// movement phase.
func (s *State) Mobility(side int) (steps, jumps int) {
	if s.g.general {
		return s.generalMobility(side)
	}
	g := s.g
	own, enemy := s.pieces[side&1], s.pieces[(1-side)&1]
	free := s.free()
	for d := range g.grid.To {
		if g.grid.Flat {
			back := &g.grid.Hops[d^4]
			before := back.Shift(free.Lo)
			if g.stepDir[d] {
				steps += Bits{Lo: before & own.Lo}.Count()
			}
			if g.capture {
				jumps += Bits{Lo: back.Shift(before&enemy.Lo) & own.Lo}.Count()
			}
			continue
		}
		before := g.grid.Shift(free, d^4)
		if g.stepDir[d] {
			steps += before.And(own).Count()
		}
		if g.capture {
			jumps += g.grid.Shift(before.And(enemy), d^4).And(own).Count()
		}
	}
	return steps, jumps
}

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

// Exposed returns two sets of a side's pieces. Hanging pieces can be captured at once: they have an empty neighbour and
// at least threshold-1 enemy neighbours. Loose pieces have one enemy neighbour fewer than that.
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
