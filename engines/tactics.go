package engines

import "slices"

// WinningPlacements returns cells on which a placement now completes a line of the side to move. It may be incomplete
// if pieces leave because of their age, or are captured, in the same ply.
func (s *State) WinningPlacements() Bits {
	if s.g.line.Length == 0 || s.pieces[s.side&1].Count() < s.g.line.Lengths[s.side&1]-1 ||
		s.phase != phasePlace && s.hand[s.side&1] == 0 {
		return Bits{}
	}
	return s.Completing(s.ThreatCells(int(s.side)))
}

// Completing returns those of the given cells (from CountLines of the side to move) on which the side may place now.
func (s *State) Completing(cells Bits) Bits {
	g := s.g
	if cells.Empty() || !g.completes || s.result != Ongoing || s.chain != NoCell || g.forced && s.phase == phaseMove {
		return Bits{}
	}
	return cells.And(s.placements())
}

// AppendCaptures appends to dst the moves that capture immediately: jumps, and placements that capture neighbouring
// pieces by surrounding. During a chain of jumps it also appends Stop, which ends the chain.
func (s *State) AppendCaptures(dst []Move) []Move {
	g := s.g
	switch {
	case s.result != Ongoing:
		return dst
	case g.general:
		return s.generalCaptures(dst)
	case s.chain != NoCell:
		return append(s.appendJumps(dst, g.grid.Bit[s.chain]), Stop)
	}
	if s.phase == phaseMove && g.capture {
		dst = s.appendJumps(dst, s.pieces[s.side])
		if g.forced {
			return dst
		}
	}
	if g.threshold > 0 {
		hanging, _ := s.Exposed(1 - int(s.side))
		if hanging.Empty() {
			return dst
		}
		var beside Bits
		for d := range g.grid.To {
			beside = beside.Or(g.grid.Shift(hanging, d))
		}
		for b := beside.And(s.placements()); !b.Empty(); b = b.Rest() {
			dst = append(dst, placeMove(b.First()))
		}
	}
	return dst
}

// generalCaptures is AppendCaptures for the general path: captures by moving, removals, and placements that enclose.
func (s *State) generalCaptures(dst []Move) []Move {
	g := s.g
	start := len(dst)
	if g.kinds != nil {
		dst = s.kindMoves(dst)
		if s.chain != NoCell {
			return dst
		}
		rest := slices.DeleteFunc(dst[start:], func(m Move) bool { return !m.IsJump() })
		return dst[:start+len(rest)]
	}
	if s.chain != NoCell || s.taking > 0 || s.phase == phaseMove && g.mover[s.side&1].forced {
		dst = s.appendGeneral(dst)
		if s.chain != NoCell || s.taking > 0 || dst[start].IsJump() {
			return dst
		}
		return dst[:start]
	}
	if s.phase == phaseMove {
		dst = s.appendWays(dst, s.pieces[s.side&1], true)
	}
	if g.custodian != 0 && !g.chosen {
		for b := s.placements().And(s.brackets(int(s.side))); !b.Empty(); b = b.Rest() {
			dst = append(dst, placeMove(b.First()))
		}
	}
	return dst
}

// BlockingPlacements returns the cells where the side to move can place and the other side could complete a line.
func (s *State) BlockingPlacements() Bits {
	if s.result != Ongoing || s.g.general && !s.g.completes || s.g.line.Length == 0 || s.chain != NoCell ||
		s.pieces[1-s.side].Count() < s.g.line.Lengths[1-s.side]-1 {
		return Bits{}
	}
	b := s.ThreatCells(1 - int(s.side))
	if b.Empty() {
		return b
	}
	return b.And(s.placements())
}

// SafePlacements returns the cells on which the side to move can place without completing a line, under rules in
// which lines lose. It is empty under other rules.
func (s *State) SafePlacements() Bits {
	if !s.g.avoids || s.result != Ongoing || !s.g.goal[s.side&1].misere {
		return Bits{}
	}
	return s.placements().AndNot(s.ThreatCells(int(s.side)))
}
