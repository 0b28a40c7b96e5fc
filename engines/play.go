package engines

import "spar/engines/grid"

// Play makes a move, which must be legal. It allocates nothing.
func (s *State) Play(m Move) {
	g, side := s.g, int(s.side)
	s.ply++
	s.last = m
	if g.plain && m < Move(kindStep)<<kindShift {
		// the common case: a placement that neither moves, captures nor ages anything
		c := Cell(m & CellMask)
		own := s.pieces[side&1].Or(g.grid.Bit[c])
		s.pieces[side&1] = own
		s.key[side&1] ^= g.keys[side&1][c]
		s.passed = false
		line := false
		if t := g.line.Small[side&1]; t == nil {
			line = g.line.Has(side, own, c)
		} else {
			line = t[int(own.Lo>>6)&(len(t)-1)]>>(own.Lo&63)&1 != 0
		}
		if line {
			s.result, s.reason = Winner(side), ByLine
			return
		}
		s.side ^= 1
		if uint32(s.ply-g.quietFrom) >= g.quietFor {
			s.endPlain()
		}
		return
	}
	if g.general {
		s.playGeneral(side, m)
		return
	}
	passedBefore := s.passed
	s.passed, s.swap = false, false
	switch m.kind() {
	case kindPlace:
		s.playPlacement(side, m.To())
	case kindStep:
		s.relocate(side, m.From(), m.To())
		captured := g.threshold > 0 && s.surround(side, m.To())
		s.finish(side, m.To(), captured, true)
	case kindJump:
		s.playJump(side, m.From(), m.To())
	default:
		s.playWord(side, m, passedBefore)
	}
}

// endPlain finishes a ply of a plain game if no line has ended the game.
func (s *State) endPlain() {
	g := s.g
	if int(s.ply) >= g.grid.Cells && s.all() == g.grid.Board && (g.majority || g.fullDraw) {
		s.endFull()
		return
	}
	if (!g.fullEnds || int(s.ply) < len(g.opening[0])) && s.stuck() {
		return
	}
	if g.maxPlies > 0 && s.ply >= g.maxPlies {
		s.end(Drawn, ByPlyCap)
	}
}

func (s *State) playPlacement(side int, c Cell) {
	g := s.g
	if g.reuse && s.pieces[side].Has(c) {
		s.popOldest(side) // the only own piece that a placement may fall on
	}
	s.put(side, c)
	if s.phase != phasePlace {
		s.hand[side]--
	}
	captured := g.threshold > 0 && s.surround(side, c)
	if s.phase != phaseMove {
		s.left--
	}
	s.finish(side, c, captured, s.phase == phaseMove || s.left == 0)
}

func (s *State) playJump(side int, from, to Cell) {
	g := s.g
	over := g.jumpedOver(from, to)
	s.take(1-side, over)
	if g.returns {
		s.hand[1-side]++
	}
	s.relocate(side, from, to)
	captured := g.threshold > 0 && s.surround(side, to)
	if g.multiJump && s.canJump(side, to) {
		s.chain = to
		s.capPlies()
		return
	}
	s.finish(side, to, captured || s.chain != NoCell, true)
}

// jumpedOver returns the cell between the start and the end of a jump.
func (g *Game) jumpedOver(from, to Cell) Cell {
	for d := range g.grid.To {
		if over := g.grid.To[d][from]; over != NoCell && g.grid.To[d][over] == to {
			return over
		}
	}
	return NoCell
}

func (s *State) playWord(side int, m Move, passedBefore bool) {
	switch m {
	case Stop:
		if s.g.general {
			s.arrive(side, side, s.chain, true, false, s.pieces[1-side].Count())
			return
		}
		s.finish(side, s.chain, true, true)
		return
	case Swap:
		if s.g.others != nil {
			s.trade()
		} else {
			s.takePie()
		}
	case Pass:
		if passedBefore {
			if s.g.majority {
				s.endMajority()
			} else {
				s.end(Drawn, ByNoMoves)
			}
			return
		}
		s.passed = true
		s.nextTurn()
	}
	if !s.stuck() {
		s.capPlies()
	}
}

// takePie exchanges the stones and hands of the sides. The first player then moves.
func (s *State) takePie() {
	g := s.g
	s.exchange()
	for side := range 2 {
		s.pieces[side] = grid.Permute(s.pieces[side], g.image)
		for i := range s.age[side].n {
			s.age[side].set(i, g.image[s.age[side].at(i)])
		}
	}
	s.rehash()
	s.settle(NoCell)
	s.side = First
	s.left = g.perTurn
	if g.apart {
		s.startPhase()
	}
}

// finish applies the consequences of a move: ages, lines, full board and the next turn. Arrived is the cell of the
// piece that was placed or moved. Changed means that other cells have changed since the last test for lines.
func (s *State) finish(side int, arrived Cell, changed, turnOver bool) {
	g := s.g
	over := 0
	if g.fifo && s.ply >= g.removeFrom {
		over = int(s.age[side].n) - g.cap
	}
	if !g.afterWin {
		for ; over > 0; over-- {
			s.popOldest(side)
		}
	}
	if changed || g.unseen {
		arrived = NoCell
	}
	if g.line.Has(side, s.pieces[side], arrived) {
		s.end(Winner(side), ByLine)
		return
	}
	for ; over > 0; over-- {
		s.popOldest(side)
	}
	s.endPly(turnOver)
}

// endPly applies the consequences of a move that does not decide the game: full board and next turn.
func (s *State) endPly(turnOver bool) {
	g := s.g
	if g.endsFull && s.occupied() == g.grid.Board {
		if turnOver {
			s.nextTurn()
		}
		s.endFull()
		return
	}
	if turnOver || s.placements().Empty() { // without a piece to place, or a cell to place it on, a turn is over early
		s.nextTurn()
		if s.stuck() {
			return
		}
	}
	s.capPlies()
}

// nextTurn gives the turn to the other side.
func (s *State) nextTurn() {
	g, mover := s.g, s.side
	s.side = 1 - mover
	s.chain, s.heading = NoCell, 0
	s.left = g.perTurn
	switch {
	case g.apart:
		s.startPhase()
	case s.phase == phaseDeploy:
		switch {
		case s.hand[0] == 0 && s.hand[1] == 0:
			s.phase = phaseMove
		case s.hand[s.side] == 0:
			s.side = mover
		}
	}
	if !s.begun {
		s.begun = true
		if s.side == Second && mover == First {
			s.left = g.firstTurn[Second]
		}
		s.swap = g.pie && (g.others != nil || s.last.IsPlacement()) && s.side == Second
	}
	if s.phase == phaseMove {
		s.left = 1
	}
}

// startPhase sets the phase of the side to move where it depends on its own hand.
func (s *State) startPhase() {
	if s.phase = phaseMove; s.hand[s.side&1] > 0 {
		s.phase = phaseDeploy
	} else {
		s.left = 1
	}
}

// stuck applies the rule no_moves to the side whose turn begins. It reports whether the game is over.
func (s *State) stuck() bool {
	if s.result != Ongoing || s.g.stuckPass || s.hasAction() {
		return s.result != Ongoing
	}
	if s.Check() >= 0 {
		s.end(Winner(1-int(s.side)), ByMate)
		return true
	}
	r := s.g.StuckEnd(int(s.side))
	if r != Ongoing {
		s.end(r, ByNoMoves)
	}
	return r != Ongoing
}

// StuckEnd returns how a game ends if a side has no legal action at the start of its turn, or Ongoing if it passes.
func (g *Game) StuckEnd(side int) Result {
	switch g.rules.NoMoves {
	case "loss":
		return Winner(1 - side)
	case "win":
		return Winner(side)
	case "draw":
		return Drawn
	}
	return Ongoing
}

// capPlies applies draw.quiet and the ply cap. It is small enough to be inlined.
func (s *State) capPlies() {
	if s.ply >= s.g.cappedFrom {
		s.endCapped()
	}
}

// endCapped ends a game that has reached draw.quiet or the ply cap.
func (s *State) endCapped() {
	g := s.g
	switch {
	case s.result != Ongoing || s.capped:
	case g.maxQuiet > 0 && s.quiet >= g.maxQuiet:
		s.end(Drawn, ByQuiet)
	case g.maxPlies > 0 && s.ply >= g.maxPlies:
		s.end(Drawn, ByPlyCap)
	}
}

func (s *State) end(r Result, why Reason) {
	s.result, s.reason = r, why
	s.swap, s.chain, s.taking, s.heading = false, NoCell, 0, 0
	if s.g.kinds != nil {
		s.await(false, false)
		s.leaveTrail(Bits{})
	}
}

func (s *State) endFull() {
	for side := range s.g.goal {
		if s.g.general && s.g.goal[side].full {
			s.end(Winner(side), ByFullBoard)
			return
		}
	}
	if s.g.majority {
		s.endMajority()
	} else {
		s.end(Drawn, ByFullBoard)
	}
}

func (s *State) endMajority() {
	s.end(MoreWins(First, s.Counted(First), s.Counted(Second)), ByMajority)
}

// Counted returns the number of pieces that win.majority counts for a side: those on the board, plus the komi.
func (s *State) Counted(side int) int {
	n := s.pieces[side].Count()
	if side == Second {
		n += s.g.komi
	}
	return n
}

// MoreWins returns the result of counting pieces: a win for the side that has more, or a draw.
func MoreWins(side, own, enemy int) Result {
	switch {
	case own > enemy:
		return Winner(side)
	case own < enemy:
		return Winner(1 - side)
	}
	return Drawn
}

// surround captures around a cell on which a piece of side has arrived, or over the whole board with cascade. It
// reports whether it captured a piece.
func (s *State) surround(side int, c Cell) bool {
	g := s.g
	candidates := g.grid.Neighbours[c]
	any := false
	for {
		if g.rules.Surround.Cascade {
			candidates = g.grid.Board
		}
		hit := s.Surrounded(side, candidates)
		if hit.Empty() {
			return any
		}
		any = true
		for b := hit; !b.Empty(); b = b.Rest() {
			c := b.First()
			s.take(1-side, c)
			if g.convert {
				s.put(side, c)
			}
		}
		if !g.rules.Surround.Cascade {
			return any
		}
	}
}

// Surrounded returns those candidates (pieces of the other side) that the given side would now capture by
// surrounding.
func (s *State) Surrounded(side int, candidates Bits) Bits {
	g := s.g
	var hit Bits
	own := s.pieces[side]
	for b := candidates.And(s.pieces[1-side]); !b.Empty(); b = b.Rest() {
		c := b.First()
		if g.grid.Neighbours[c].And(own).Count() >= g.threshold {
			hit = hit.With(c)
		}
	}
	return hit
}
