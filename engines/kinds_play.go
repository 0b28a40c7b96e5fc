package engines

// moveMan moves a piece of any kind to an empty cell.
func (s *State) moveMan(side int, from, to Cell) {
	kind := s.kindAt(from)
	s.key[side] ^= s.g.kinds.keys[kind][from] ^ s.g.kinds.keys[kind][to]
	s.setKind(from, 0)
	s.setKind(to, kind)
	s.relocate(side, from, to)
	s.vacate(from)
}

// vacate blocks a cell that a piece has left, if the rules say so.
func (s *State) vacate(c Cell) {
	if s.g.kinds.block == "left" && !s.g.kinds.spares.Has(c) {
		s.shut(c)
	}
}

// shut blocks a cell.
func (s *State) shut(c Cell) {
	s.blocked = s.blocked.With(c)
	s.key[First] ^= s.g.kinds.shot[c]
}

// takeMan removes a piece of any kind.
func (s *State) takeMan(side int, c Cell) {
	s.key[side] ^= s.g.kinds.keys[s.kindAt(c)][c]
	s.setKind(c, 0)
	s.take(side, c)
}

// become changes the kind of a piece.
func (s *State) become(side int, c Cell, kind int) {
	keys := &s.g.kinds.keys
	s.key[side] ^= keys[s.kindAt(c)][c] ^ keys[kind][c]
	s.setKind(c, kind)
}

// playKinds is playGeneral for rules with kinds.
func (s *State) playKinds(side int, m Move) {
	g, k := s.g, s.g.kinds
	passedBefore := s.passed
	s.passed, s.swap = false, false
	enemies := s.pieces[1-side].Count()
	if g.maxQuiet > 0 {
		s.quiet++
	}
	switch from, to := m.From(), m.To(); {
	case m.kind() == kindStep:
		s.moveMan(side, from, to)
		s.land(side, to, false, enemies)
	case m.kind() == kindJump && s.pieces[1-side].Has(to):
		s.seize(side, to)
		s.moveMan(side, from, to)
		s.land(side, to, false, enemies)
	case m.kind() == kindJump && k.of[side][s.kindAt(from)].rows():
		s.captureRow(side, from, to, enemies)
	case m.IsRemoval() && s.taking > 0:
		s.taking = 0
		d := int(s.heading) - 1
		if m.To() != g.grid.To[d][s.chain] {
			d ^= 4
		}
		s.takeRow(side, m.To(), d)
		s.land(side, s.chain, true, enemies)
	case m.kind() == kindJump:
		over := s.jumped(side, from, to)
		if k.late {
			s.dead = s.dead.With(over)
			s.key[1-side] ^= k.dead[over]
		} else {
			s.seize(side, over)
		}
		s.moveMan(side, from, to)
		s.land(side, to, true, enemies)
	case m.IsDrop():
		s.deal(side, m.drops(), -1)
		s.put(side, to)
		s.become(side, to, m.drops())
		s.quiet = 0
		s.encloseKinds(side, to)
		s.shootOrEnd(side, to, enemies)
	case m.becomes() >= 0:
		c := s.chain
		s.become(side, c, m.becomes())
		s.await(false, false)
		s.shootOrEnd(side, c, enemies)
	case m.IsRemoval():
		s.takeMan(side, m.To())
		s.vacate(m.To())
		s.arrive(side, side, NoCell, true, false, enemies)
	case m.IsShot():
		s.shut(m.To())
		s.await(false, false)
		s.arrive(side, side, s.chain, true, false, enemies)
	case m == Stop:
		s.finishTurn(side, s.chain, enemies)
	default:
		s.playWord(side, m, passedBefore)
	}
}

// land decides whether a piece that has arrived goes on in the same turn.
func (s *State) land(side int, c Cell, jumped bool, enemies int) {
	k := s.g.kinds
	of := &k.of[side][s.kindAt(c)]
	if of.promotes.Has(c) {
		switch {
		case of.when == "stops":
			jumped = false
		case of.when == "arrives" && len(of.becomes) == 1:
			s.become(side, c, of.becomes[0])
		}
	}
	if jumped && s.g.multiJump && s.capturesOn(side, c) {
		s.countCaptures(side, enemies)
		s.chain = c
		s.capPlies()
		return
	}
	s.finishTurn(side, c, enemies)
}

// finishTurn applies what happens at the end of a turn by a piece on a cell.
func (s *State) finishTurn(side int, c Cell, enemies int) {
	k := s.g.kinds
	s.leaveTrail(Bits{})
	s.heading = 0
	for b := s.dead; !b.Empty(); b = b.Rest() {
		s.key[1-side] ^= k.dead[b.First()]
		s.seize(side, b.First())
	}
	s.dead = Bits{}
	s.encloseKinds(side, c)
	if of := &k.of[side][s.kindAt(c)]; of.promotes.Has(c) {
		if len(of.becomes) > 1 {
			s.countCaptures(side, enemies)
			s.chain = c
			s.await(true, false)
			s.capPlies()
			return
		}
		s.become(side, c, of.becomes[0])
	}
	s.shootOrEnd(side, c, enemies)
}

// await sets whether the player still chooses what a piece becomes, and whether it shoots.
func (s *State) await(grows, shoots bool) {
	if s.grows != grows {
		s.key[First] ^= s.g.kinds.grows
	}
	if s.shoots != shoots {
		s.key[First] ^= s.g.kinds.shoots
	}
	s.grows, s.shoots = grows, shoots
}

// shootOrEnd ends a turn by a piece on a cell, unless the player still blocks a cell.
func (s *State) shootOrEnd(side int, c Cell, enemies int) {
	k := s.g.kinds
	if (k.block == "shot" || k.block == "anywhere") && !s.shots(c).Empty() {
		s.countCaptures(side, enemies)
		s.chain = c
		s.await(false, true)
		s.capPlies()
		return
	}
	s.arrive(side, side, c, true, false, enemies)
}

// encloseKinds captures the enemy pieces that a piece which has arrived on a cell encloses.
func (s *State) encloseKinds(side int, c Cell) {
	g, k := s.g, s.g.kinds
	if g.custodian == 0 || !k.of[side][s.kindAt(c)].encloses {
		return
	}
	var hit Bits
	for d := range g.grid.To {
		if g.custodian>>d&1 == 0 {
			continue
		}
		var run Bits
		at, e := g.grid.Onward(c, d)
		for s.pieces[1-side].Has(at) && !run.Has(at) {
			if k.of[1-side][s.kindAt(at)].fourSides.Has(at) {
				if run.Empty() && s.shutIn(side, at) {
					hit = hit.With(at)
				}
				at = NoCell
				break
			}
			run = run.With(at)
			at, e = g.grid.Onward(at, e)
		}
		n := run.Count()
		if at != c && s.presses(side, at) && n > 0 && (g.enclosed == 0 || n == g.enclosed) {
			hit = hit.Or(run)
		}
	}
	for ; !hit.Empty(); hit = hit.Rest() {
		s.seize(side, hit.First())
	}
}

// presses reports whether a cell holds a piece of a side that helps to enclose, or is empty and hostile.
func (s *State) presses(side int, at Cell) bool {
	k := s.g.kinds
	switch {
	case at == NoCell:
		return false
	case s.pieces[side].Has(at):
		return k.of[side][s.kindAt(at)].helps
	}
	return k.hostile.Has(at) && !s.pieces[1-side].Or(s.blocked).Has(at)
}

// shutIn reports whether a piece is enclosed by a side on all four sides.
func (s *State) shutIn(by int, c Cell) bool {
	for d := 0; d < 8; d += 2 {
		if !s.presses(by, s.g.grid.To[d][c]) {
			return false
		}
	}
	return true
}

// bereft reports whether a side has lost the kind of piece whose loss decides.
func (s *State) bereft(side int) bool {
	kind := s.g.goal[1-side].take - 1
	return kind >= 0 && s.OfKind(side, kind).Empty()
}
