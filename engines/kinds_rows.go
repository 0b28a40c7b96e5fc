package engines

// Captures of rows (movement.line_capture): a step captures the enemies in front of where it ends, or behind where it
// began.

// rows reports whether a kind of piece captures rows.
func (of *pieceKind) rows() bool { return of.approach || of.withdraw }

// rowsAt returns the first piece of the rows that a step in a direction can capture; NoCell for none.
func (s *State) rowsAt(of *pieceKind, side int, from, to Cell, d int) (ahead, behind Cell) {
	g, enemy := s.g, s.pieces[(1-side)&1]
	ahead, behind = g.grid.To[d][to], g.grid.To[d^4][from]
	if !of.approach || !enemy.Has(ahead) {
		ahead = NoCell
	}
	if !of.withdraw || !enemy.Has(behind) {
		behind = NoCell
	}
	return ahead, behind
}

// appendRows appends the steps of a piece that capture a row.
func (s *State) appendRows(dst []Move, side int, c Cell) []Move {
	g := s.g
	of := &g.kinds.of[side&1][s.kindAt(c)]
	free := g.grid.Board.AndNot(s.occupied()).AndNot(s.trail)
	for d := range g.grid.To {
		to := g.grid.To[d][c]
		if of.steps>>d&1 == 0 || to == NoCell || !free.Has(to) || of.closed.Has(to) || int(s.heading) == d+1 {
			continue
		}
		if ahead, behind := s.rowsAt(of, side, c, to, d); ahead != NoCell || behind != NoCell {
			dst = append(dst, jumpMove(c, to))
		}
	}
	return dst
}

// capturesOn reports whether a piece that has captured can capture again in the same turn.
func (s *State) capturesOn(side int, c Cell) bool {
	if s.g.kinds.of[side&1][s.kindAt(c)].rows() {
		var space [8]Move
		return len(s.appendRows(space[:0], side, c)) > 0
	}
	var space [64]hop
	return len(s.hops(side, c, space[:0])) > 0
}

// captureRow plays a step that captures a row; if there are two, the player chooses one next.
func (s *State) captureRow(side int, from, to Cell, enemies int) {
	g, d := s.g, 0
	for g.grid.To[d][from] != to {
		d++
	}
	ahead, behind := s.rowsAt(&g.kinds.of[side][s.kindAt(from)], side, from, to, d)
	s.moveMan(side, from, to)
	s.leaveTrail(s.trail.With(from).With(to))
	s.heading = uint8(d + 1)
	switch {
	case ahead != NoCell && behind != NoCell:
		s.chain, s.taking = to, takingMoved
		s.capPlies()
		return
	case ahead != NoCell:
		s.takeRow(side, ahead, d)
	default:
		s.takeRow(side, behind, d^4)
	}
	s.land(side, to, true, enemies)
}

// takeRow takes the unbroken row of enemies that begins on a cell.
func (s *State) takeRow(side int, at Cell, d int) {
	for ; at != NoCell && s.pieces[(1-side)&1].Has(at); at = s.g.grid.To[d][at] {
		s.seize(side, at)
	}
}

// choosesRow reports whether the piece of the chain has two rows to choose from.
func (s *State) choosesRow() bool {
	d := int(s.heading) - 1
	if s.chain == NoCell || d < 0 || s.g.grid.To[d^4][s.chain] == NoCell {
		return false
	}
	of := &s.g.kinds.of[s.side&1][s.kindAt(s.chain)]
	ahead, behind := s.rowsAt(of, int(s.side), s.g.grid.To[d^4][s.chain], s.chain, d)
	return ahead != NoCell && behind != NoCell
}

// appendChoice appends the removals that choose one of two rows.
func (s *State) appendChoice(dst []Move) []Move {
	to, d := &s.g.grid.To, int(s.heading)-1
	return s.g.appendOnce(append(dst, removeMove(to[d][s.chain])), removeMove(to[d^4][to[d^4][s.chain]]))
}

// leaveTrail sets where the capturing piece has been.
func (s *State) leaveTrail(trail Bits) {
	for b := s.trail.Xor(trail); !b.Empty(); b = b.Rest() {
		s.key[First] ^= s.g.kinds.trail[b.First()]
	}
	s.trail = trail
}
