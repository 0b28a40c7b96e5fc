package engines

// What a ply does under rules with mechanics beyond the plain ones: the same order as in finish, with more of it.

// ownerOf returns the side to which the pieces belong that a side places.
func (s *State) ownerOf(side int, m Move) int {
	switch {
	case s.g.shared:
		return First
	case s.g.chosen && m.place() == placeO:
		return Second
	case s.g.chosen:
		return First
	}
	return side
}

// placementsGeneral returns the cells on which the side to move can place now.
func (s *State) placementsGeneral() Bits {
	g := s.g
	switch {
	case g.kinds != nil || s.taking > 0 || s.removing():
		return Bits{}
	case s.phase == phaseMove && g.mover[s.side&1].clone:
		return s.clones()
	case s.phase != phasePlace && s.hand[s.side&1] == 0:
		return Bits{}
	}
	free := s.placeable()
	if g.must {
		free = free.And(s.brackets(int(s.side)))
	}
	return free
}

// clones returns the empty cells that a cloning step of the side to move can reach.
func (s *State) clones() Bits {
	var out Bits
	for d, on := range s.g.mover[s.side&1].steps {
		if on {
			out = out.Or(s.g.grid.Shift(s.pieces[s.side&1], d))
		}
	}
	return out.AndNot(s.all())
}

// removing reports whether a player takes an own piece off the board in this ply of the opening.
func (s *State) removing() bool { return int(s.ply) < len(s.g.removals) && s.g.removals[s.ply].on }

// removable returns the pieces that the side to move may take off now: its own in the opening, enemy pieces after
// a mill.
func (s *State) removable() Bits {
	g := s.g
	if s.taking > 0 {
		return s.millTargets(1 - int(s.side))
	}
	own := s.pieces[s.side&1]
	if g.removals[s.ply].beside {
		var beside Bits
		for b := s.free(); !b.Empty(); b = b.Rest() {
			beside = beside.Or(g.grid.Neighbours[b.First()])
		}
		own = own.And(beside)
	}
	return own.And(s.zoneNow())
}

// appendGeneral is AppendMoves for rules on the general path.
func (s *State) appendGeneral(dst []Move) []Move {
	g := s.g
	if g.kinds != nil {
		return s.appendKinds(dst)
	}
	start := len(dst)
	all := s.pieces[s.side&1]
	switch {
	case s.chain != NoCell:
		return append(s.appendWays(dst, g.grid.Bit[s.chain], true), Stop)
	case s.taking > 0 || s.removing():
		for b := s.removable(); !b.Empty(); b = b.Rest() {
			dst = append(dst, removeMove(b.First()))
		}
		if s.swap {
			dst = append(dst, Swap)
		}
		if len(dst) == start {
			dst = append(dst, Pass)
		}
		return dst
	}
	if s.phase == phaseMove {
		dst = s.appendWays(dst, all, true)
		if len(dst) > start && g.mover[s.side&1].forced {
			if s.swap {
				dst = append(dst, Swap)
			}
			return dst
		}
	}
	for b := s.placements(); !b.Empty(); b = b.Rest() {
		if c := b.First(); g.chosen {
			dst = append(dst, placeMove(c).as(placeX), placeMove(c).as(placeO))
		} else {
			dst = append(dst, placeMove(c))
		}
	}
	if s.swap {
		dst = append(dst, Swap)
	}
	if s.phase == phaseMove {
		dst = s.appendWays(dst, all, false)
	}
	if len(dst) == start {
		dst = append(dst, Pass)
	}
	return dst
}

// hasGeneralAction is hasAction for rules on the general path.
func (s *State) hasGeneralAction() bool {
	if s.g.kinds != nil {
		var space [256]Move
		return s.swap || len(s.kindMoves(space[:0])) > 0
	}
	if s.taking > 0 || s.removing() {
		return s.swap || !s.removable().Empty()
	}
	return s.swap || !s.placements().Empty() || s.phase == phaseMove && s.canGo()
}

// playGeneral is Play for rules on the general path, except that it does not count the ply.
func (s *State) playGeneral(side int, m Move) {
	g := s.g
	if g.kinds != nil {
		s.playKinds(side, m)
		return
	}
	passedBefore := s.passed
	s.passed, s.swap = false, false
	enemies := s.pieces[(1-side)&1].Count()
	if g.maxQuiet > 0 {
		s.quiet++
	}
	switch m.kind() {
	case kindPlace:
		s.quiet = 0
		c := m.To()
		if m.place() == placeRemove {
			s.playRemoval(side, c)
			return
		}
		owner := s.ownerOf(side, m)
		if g.reuse && s.pieces[owner].Has(c) {
			s.popOldest(owner)
		}
		s.put(owner, c)
		if s.phase != phasePlace && s.hand[side] > 0 { // clones come from nowhere
			s.hand[side]--
		}
		s.arrive(side, owner, c, s.captureAround(owner, c), true, enemies)
	case kindStep:
		from, to := m.From(), m.To()
		s.relocate(side, from, to)
		s.arrive(side, side, to, s.captureAround(side, to), false, enemies)
	case kindJump:
		s.playCapture(side, m.From(), m.To(), enemies)
	default:
		s.playWord(side, m, passedBefore)
	}
}

// playRemoval takes a piece off: the second half of a ply that made a mill, or a ply of the opening.
func (s *State) playRemoval(side int, c Cell) {
	owner, placed := side, false
	if s.taking > 0 {
		owner, placed = 1-side, s.taking == takingPlaced
		s.taking = 0
	}
	enemies := s.pieces[1-side].Count()
	s.take(owner, c)
	s.arrive(side, side, NoCell, true, placed, enemies)
}

// playCapture plays a jump, or a capture by replacement.
func (s *State) playCapture(side int, from, to Cell, enemies int) {
	g, m := s.g, &s.g.mover[side]
	taken, heading := to, 0
	if !s.pieces[1-side].Has(to) {
		for d := range g.grid.To {
			if !g.grid.Bent {
				if over := g.grid.To[d][from]; over != NoCell && g.grid.To[d][over] == to {
					taken, heading = over, d
				}
			} else if over, behind, onward := g.grid.Behind(from, d); behind == to {
				taken, heading = over, onward
			}
		}
	}
	if s.pieces[1-side].Has(taken) && !m.stays {
		s.take(1-side, taken)
		if m.returns {
			s.hand[1-side]++
		}
	}
	s.relocate(side, from, to)
	changed := s.captureAround(side, to) || s.chain != NoCell
	if taken != to && m.multi && s.pieces[side].Has(to) && s.jumpsOn(side, to, heading) {
		s.countCaptures(side, enemies)
		s.chain, s.heading = to, 0
		if m.straight {
			s.heading = uint8(heading + 1)
		}
		s.capPlies()
		return
	}
	s.arrive(side, side, to, changed, false, enemies)
}

// captureAround captures enemy pieces around a piece of owner that has arrived on a cell. It reports whether there
// were any.
func (s *State) captureAround(owner int, c Cell) bool {
	any := s.g.threshold > 0 && s.surround(owner, c)
	return s.enclose(owner, c) || any
}

// arrive is finish for the general path: it applies the consequences of moves and captures. The parameter changed
// means that cells other than the target have changed, placed that the ply counts as a placement of the turn;
// enemies is the enemy's number of pieces before the ply.
func (s *State) arrive(side, owner int, c Cell, changed, placed bool, enemies int) {
	g := s.g
	s.countCaptures(side, enemies)
	over := 0
	if g.fifo && s.ply >= g.removeFrom {
		over = int(s.age[owner].n) - g.cap
	}
	if !g.afterWin {
		for ; over > 0; over-- {
			s.popOldest(owner)
		}
	}
	fell := false
	if g.settles {
		c, fell = s.settle(c)
	}
	arrived := c
	if changed || fell || g.pie { // a swap may have made a goal that no move has tested
		arrived = NoCell
	}
	v := s.verdict(side, arrived)
	if fell && v.reason == NoReason {
		v = s.verdictFallen(side)
	}
	if over > 0 && v.reason == NoReason {
		for ; over > 0; over-- {
			s.popOldest(owner)
		}
		if c, fell = s.settle(c); fell {
			v = s.verdictFallen(side)
		}
	}
	if v.reason != NoReason {
		s.end(v.result, v.reason)
		return
	}
	if c != NoCell && s.closesMill(side, c, placed) {
		s.chain, s.heading, s.taking = NoCell, 0, takingMoved
		if placed && s.phase != phaseMove {
			s.taking = takingPlaced
		}
		s.capPlies()
		return
	}
	turnOver := true
	if placed && s.phase != phaseMove {
		s.left--
		turnOver = s.left == 0
	}
	s.endPly(turnOver)
}

// countCaptures adds the pieces that the enemy has lost in this ply.
func (s *State) countCaptures(side, enemies int) {
	lost := enemies - s.pieces[1-side].Count()
	if lost > 0 {
		s.quiet = 0
	}
	goal := s.g.goal[side].captures
	if goal == 0 {
		return
	}
	s.captures[side] = uint8(min(goal, int(s.captures[side])+max(0, lost)))
}
