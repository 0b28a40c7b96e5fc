package engines

import "spar/engines/grid"

// MoveSets counts the legal moves of a position and finds one by its number, mostly by operations on whole sets. It
// reuses its memory for the next position.
type MoveSets struct {
	g      *Game // not the position, which would have to live on the heap
	side   uint8
	places Bits
	each   int // moves for each cell of places
	swap   bool
	ways   int    // number of entries of goers
	listed int    // number of entries of list, under rules that sets do not cover
	goers  []Bits // pieces that can move, by way of moving, or by jumps (0 to 7) and steps (8 to 15) in each direction
	list   []Move // all moves
}

// CountMoves returns the number of legal moves, and prepares m for Nth. The count may omit a pass that is the only
// legal move.
func (s *State) CountMoves(m *MoveSets) int {
	m.g = s.g
	m.side = s.side & 1
	m.each = 1
	m.swap = s.swap
	m.ways = 0
	m.listed = 0
	g, way := s.g, &s.g.mover[s.side&1]
	moving := s.phase == phaseMove
	if g.kinds != nil || s.chain != NoCell || s.taking > 0 || s.removing() ||
		g.general && moving && (way.slide || way.forced || s.flies()) {
		m.list = s.AppendMoves(m.list[:0])
		m.listed = len(m.list)
		return m.listed
	}
	m.places = s.placements()
	n := 0
	switch {
	case !moving:
	case g.general:
		if m.ways = len(way.ways); m.ways > len(m.goers) {
			m.goers = make([]Bits, m.ways)
		}
		free := s.free()
		for i := range way.ways {
			w := &way.ways[i]
			var who Bits
			if w.kind == wayStep || w.kind == wayLeap {
				who = grid.ShiftAll(free, w.back).And(s.pieces[s.side&1])
			} else {
				who = s.goers(w)
			}
			m.goers[i] = who
			n += who.Count()
		}
	default:
		n = s.plainGoers(m)
	}
	if g.chosen {
		m.each = 2
	}
	if n += m.each * m.places.Count(); m.swap {
		n++
	}
	return n
}

// plainGoers finds the pieces that can jump and step outside the general path, and returns their number.
func (s *State) plainGoers(m *MoveSets) (n int) {
	g := s.g
	if m.ways = 16; len(m.goers) < 16 {
		m.goers = make([]Bits, 16)
	}
	goes := (*[16]Bits)(m.goers)
	own, enemy := s.pieces[s.side&1], s.pieces[(1-s.side)&1]
	free := s.free()
	jumps, steps := 0, 0
	for d := range g.grid.To {
		var jump, step Bits
		if g.grid.Flat {
			back := &g.grid.Hops[d^4]
			before := back.Shift(free.Lo)
			step.Lo = before & own.Lo
			jump.Lo = back.Shift(before&enemy.Lo) & own.Lo
		} else {
			before := g.grid.Shift(free, d^4)
			step = before.And(own)
			jump = g.grid.Shift(before.And(enemy), d^4).And(own)
		}
		if !g.capture {
			jump = Bits{}
		}
		if !g.stepDir[d] {
			step = Bits{}
		}
		goes[d], goes[8+d] = jump, step
		jumps, steps = jumps+jump.Count(), steps+step.Count()
	}
	if g.forced && jumps > 0 {
		m.places = Bits{}
		m.ways = 8
		steps = 0
	}
	return jumps + steps
}

// Nth returns move k, counted from 0: first placements, then the swap, then moves of pieces. If k is the number of
// moves, it returns Pass.
func (m *MoveSets) Nth(k int) Move {
	if k < m.listed {
		return m.list[k]
	}
	g := m.g
	if n := m.each * m.places.Count(); k < n {
		c := placeMove(m.places.Nth(k / m.each))
		if g.chosen {
			return c.as(placeX - Cell(k%2))
		}
		return c
	} else if k -= n; m.swap {
		if k == 0 {
			return Swap
		}
		k--
	}
	for i, who := range m.goers[:m.ways] {
		n := who.Count()
		if k >= n {
			k -= n
			continue
		}
		from := who.Nth(k)
		switch {
		case g.general:
			return g.mover[m.side&1].ways[i].move(from)
		case i >= 8:
			return stepMove(from, g.grid.To[i&7][from])
		}
		return jumpMove(from, g.grid.To[i&7][g.grid.To[i&7][from]&CellMask])
	}
	return Pass
}

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
