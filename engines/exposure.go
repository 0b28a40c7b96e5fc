package engines

// Mobility returns the number of steps and of first jumps that a side could make if it were to move in the
// movement phase.
func (s *State) Mobility(side int) (steps, jumps int) {
	if s.g.general {
		return s.generalMobility(side)
	}
	g := s.g
	own, enemy := s.pieces[side&1], s.pieces[(1-side)&1]
	free := g.board.AndNot(own.Or(enemy))
	for d := range g.to {
		if g.flat {
			back := &g.hops[d^4]
			before := back.shift(free.Lo)
			if g.stepDir[d] {
				steps += Bits{Lo: before & own.Lo}.Count()
			}
			if g.capture {
				jumps += Bits{Lo: back.shift(before&enemy.Lo) & own.Lo}.Count()
			}
			continue
		}
		before := g.shift(free, d^4)
		if g.stepDir[d] {
			steps += before.And(own).Count()
		}
		if g.capture {
			jumps += g.shift(before.And(enemy), d^4).And(own).Count()
		}
	}
	return steps, jumps
}

// Around holds the number of pieces of each side around every cell. Several functions about a position can use the
// same counts. State.LookAround computes them.
type Around struct {
	s      *State
	pieces [2]Bits
	near   [2]counters // for each cell, the number of a side's pieces in the 3x3 box around it, including the cell
	beside Bits        // cells that have an empty cell in their 3x3 box
}

// LookAround counts the neighbours of all cells and writes the counts to a.
func (s *State) LookAround(a *Around) {
	a.s, a.pieces = s, s.pieces
	if g := s.g; g.boxCounts && g.threshold > 0 {
		a.near[0], a.near[1] = g.boxCount(s.pieces[0]), g.boxCount(s.pieces[1])
		a.beside = g.notFull(&a.near[0], &a.near[1])
	}
}

// Exposed returns two sets of a side's pieces. Hanging ones can be captured at once: they have an empty neighbour and
// at least threshold-1 enemy neighbours. Loose ones have one enemy neighbour fewer than that.
func (a *Around) Exposed(side int) (hanging, loose Bits) {
	g := a.s.g
	if g.threshold == 0 {
		return hanging, loose
	}
	if !g.boxCounts {
		return a.s.exposedOneByOne(side)
	}
	return a.pieces[side&1].And(a.beside).exposed(&a.near[(1-side)&1], g.threshold)
}

// Exposed is Around.Exposed for callers that have no Around.
func (s *State) Exposed(side int) (hanging, loose Bits) {
	g := s.g
	if g.threshold == 0 {
		return hanging, loose
	}
	if !g.boxCounts {
		return s.exposedOneByOne(side)
	}
	own, enemy := s.pieces[side&1], s.pieces[(1-side)&1]
	near := g.boxCount(enemy)
	return own.And(g.boxOr(g.board.AndNot(own.Or(enemy)))).exposed(&near, g.threshold)
}

// exposed divides pieces that have a free neighbour by the number of enemies near them.
func (b Bits) exposed(near *counters, threshold int) (hanging, loose Bits) {
	hanging = b.And(near.atLeast(threshold - 1))
	if threshold >= 2 {
		loose = b.And(near.atLeast(threshold - 2)).AndNot(hanging)
	}
	return hanging, loose
}

func (s *State) exposedOneByOne(side int) (hanging, loose Bits) {
	g := s.g
	own, enemy := s.pieces[side], s.pieces[1-side]
	free := g.board.AndNot(own.Or(enemy))
	for b := own; !b.Empty(); b = b.Rest() {
		c := b.First()
		if g.neighbours[c].And(free).Empty() {
			continue
		}
		switch n := g.neighbours[c].And(enemy).Count(); {
		case n >= g.threshold-1:
			hanging = hanging.With(c)
		case n == g.threshold-2:
			loose = loose.With(c)
		}
	}
	return hanging, loose
}

// Backed returns the pieces of a side that have too many own neighbours to be captured by surrounding (secure), and
// the number of neighbouring pairs of the side's pieces (links). Both are empty if the rules have no surround
// capture.
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
	for i, plane := range [4]Bits{near.p0, near.p1, near.p2, near.p3} {
		links += plane.And(own).Count() << i
	}
	for i := range g.degrees { // a piece counts itself, too
		d := &g.degrees[i]
		secure = secure.Or(d.cells.And(near.atLeast(d.neighbours + 2 - g.threshold)))
	}
	return secure.And(own), (links - own.Count()) / 2
}

func (s *State) backedOneByOne(side int) (secure Bits, links int) {
	g := s.g
	own := s.pieces[side&1]
	for b := own; !b.Empty(); b = b.Rest() {
		c := b.First()
		n := g.neighbours[c].And(own).Count()
		links += n
		if g.neighbours[c].Count()-n < g.threshold {
			secure = secure.With(c)
		}
	}
	return secure, links / 2
}

// boxCount counts the cells of a set in the 3x3 box of each cell: first along the rows, then along the columns.
func (t *topology) boxCount(b Bits) counters {
	r0, r1 := add3(b, t.steps[0].apply(b), t.steps[1].apply(b))
	p0, c := add3(r0, t.steps[2].apply(r0), t.steps[3].apply(r0))
	q, m := add3(r1, t.steps[2].apply(r1), t.steps[3].apply(r1))
	h := q.And(c)
	return counters{p0: p0, p1: q.xor(c), p2: m.xor(h), p3: m.And(h)}
}

// notFull returns the cells whose box has an empty cell.
func (t *topology) notFull(x, o *counters) Bits {
	p0, c := x.p0.xor(o.p0), x.p0.And(o.p0)
	p1, c := add3(x.p1, o.p1, c)
	p2, c := add3(x.p2, o.p2, c)
	p3 := x.p3.xor(o.p3).xor(c)
	var full Bits
	for i := range t.degrees {
		is := t.degrees[i].cells
		for j, plane := range [4]Bits{p0, p1, p2, p3} {
			if (t.degrees[i].neighbours+1)>>j&1 != 0 {
				is = is.And(plane)
			} else {
				is = is.AndNot(plane)
			}
		}
		full = full.Or(is)
	}
	return t.board.AndNot(full)
}

// boxOr returns the cells of a set and their neighbours.
func (t *topology) boxOr(b Bits) Bits {
	row := b.Or(t.steps[0].apply(b)).Or(t.steps[1].apply(b))
	return row.Or(t.steps[2].apply(row)).Or(t.steps[3].apply(row))
}

// add3 adds three bits for every cell at once.
func add3(a, b, c Bits) (sum, carry Bits) {
	x := a.xor(b)
	return x.xor(c), a.And(b).Or(x.And(c))
}

// atLeast returns the cells whose count is n or more.
func (c *counters) atLeast(n int) Bits {
	if n <= 0 {
		return everywhere()
	}
	// Compare from the highest plane down: greater so far, equal so far.
	var greater Bits
	equal := everywhere()
	for i, plane := range [4]Bits{c.p3, c.p2, c.p1, c.p0} {
		if n>>(3-i)&1 != 0 {
			equal = equal.And(plane)
		} else {
			greater = greater.Or(equal.And(plane))
			equal = equal.AndNot(plane)
		}
	}
	return greater.Or(equal)
}

// counters holds, for every cell, the number of neighbours that belong to a side. Plane i holds bit i of all
// counts, so adding a neighbourhood takes a few operations for the whole board.
type counters struct {
	p0, p1, p2, p3 Bits
}

func (c *counters) add(m Bits) {
	carry := c.p0.And(m)
	c.p0 = c.p0.xor(m)
	m = c.p1.And(carry)
	c.p1 = c.p1.xor(carry)
	carry = c.p2.And(m)
	c.p2 = c.p2.xor(m)
	c.p3 = c.p3.xor(carry)
}

func (c *counters) sub(m Bits) {
	borrow := m.AndNot(c.p0)
	c.p0 = c.p0.xor(m)
	m = borrow.AndNot(c.p1)
	c.p1 = c.p1.xor(borrow)
	borrow = m.AndNot(c.p2)
	c.p2 = c.p2.xor(m)
	c.p3 = c.p3.xor(borrow)
}
