package engines

// Mobility is the number of steps and of first jumps that a side could make in the movement phase if it were to move.
func (s *State) Mobility(side int) (steps, jumps int) {
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

// Exposed returns the pieces of a side that one enemy placement next to them would capture by surrounding (they have an
// empty neighbour and at least threshold-1 enemy neighbours), and those one neighbour short of that.
func (s *State) Exposed(side int) (hanging, loose Bits) {
	g := s.g
	if g.threshold == 0 {
		return hanging, loose
	}
	own, enemy := s.pieces[side&1], s.pieces[(1-side)&1]
	free := g.board.AndNot(own.Or(enemy))
	if g.doubled { // count neighbours as sets
		return s.exposedOneByOne(side)
	}
	var near counters
	beside := Bits{}
	for d := range g.to {
		near.add(g.shift(enemy, d))
		beside = beside.Or(g.shift(free, d))
	}
	open := own.And(beside)
	hanging = open.And(near.atLeast(g.threshold - 1))
	if g.threshold >= 2 {
		loose = open.And(near.atLeast(g.threshold - 2)).AndNot(hanging)
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

// Backed returns the pieces of a side that no enemy placement can capture by surrounding as long as their neighbours of their
// own side stay, and the number of neighbouring pairs among the side's pieces. Both are empty under rules without surrounding.
func (s *State) Backed(side int) (secure Bits, links int) {
	g := s.g
	own := s.pieces[side&1]
	if g.threshold == 0 {
		return secure, links
	}
	if g.doubled { // count neighbours as sets
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
	var others counters
	rest := g.board.AndNot(own)
	for d := range g.to {
		links += g.shift(own, d).And(own).Count()
		others.add(g.shift(rest, d))
	}
	return own.AndNot(others.atLeast(g.threshold)), links / 2
}

// atLeast returns the cells whose count is at least n.
func (c *counters) atLeast(n int) Bits {
	if n <= 0 {
		return Bits{^uint64(0), ^uint64(0)}
	}
	// Compare from the highest plane down: greater so far, equal so far.
	var greater Bits
	equal := Bits{^uint64(0), ^uint64(0)}
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
