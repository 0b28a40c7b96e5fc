package engines

import "slices"

// hop is a jump from a given cell: over a piece, to an empty cell.
type hop struct{ over, to Cell }

// kindMove is the word that chooses a kind for a promotion.
func kindMove(kind int) Move { return kindWord<<kindShift | 8 + Move(kind) }

// becomes returns the kind that a move chooses for a promotion; -1 for other moves.
func (m Move) becomes() int {
	if m < kindMove(0) || m >= kindMove(8) {
		return -1
	}
	return int(m - kindMove(0))
}

// appendKinds is AppendMoves for rules with kinds.
func (s *State) appendKinds(dst []Move) []Move {
	start := len(dst)
	if dst = s.kindMoves(dst); s.swap {
		return append(dst, Swap)
	}
	if len(dst) == start {
		dst = append(dst, Pass)
	}
	return dst
}

// kindMoves appends all legal moves except a pass and a swap.
func (s *State) kindMoves(dst []Move) []Move {
	g, k, side, start := s.g, s.g.kinds, int(s.side), len(dst)
	own, enemy := s.pieces[side], s.pieces[1-side]
	free := g.grid.Board.AndNot(s.occupied())
	switch {
	case s.shoots:
		for b := s.shots(s.chain); !b.Empty(); b = b.Rest() {
			dst = append(dst, shotMove(b.First()))
		}
		return dst
	case s.grows:
		for _, kind := range k.of[side][s.kindAt(s.chain)].becomes {
			dst = append(dst, kindMove(kind))
		}
		return dst
	case s.taking > 0:
		return s.appendChoice(dst)
	case s.chain != NoCell:
		if k.of[side][s.kindAt(s.chain)].rows() {
			dst = s.appendRows(dst, side, s.chain)
		} else {
			dst, _ = s.appendHops(dst, start, s.chain, 0)
		}
		if !k.must {
			dst = append(dst, Stop)
		}
		return dst
	}
	best := 0
	for b := own; !b.Empty(); b = b.Rest() {
		c := b.First()
		of := &k.of[side][s.kindAt(c)]
		if of.rows() {
			dst = s.appendRows(dst, side, c)
		}
		if of.jumps != 0 {
			dst, best = s.appendHops(dst, start, c, best)
		}
		if best > 1 {
			continue // a replacement captures one piece
		}
		open := s.open(of, c, free)
		n := len(dst)
		if of.takeLeaps {
			for t := of.leaps[c].And(enemy).AndNot(of.closed); !t.Empty(); t = t.Rest() {
				dst = append(dst, jumpMove(c, t.First()))
			}
		}
		for d := range g.grid.To {
			if (of.takes|of.takeSlides)>>d&1 == 0 {
				continue
			}
			to, e := g.grid.Onward(c, d)
			for of.takeSlides>>d&1 != 0 && !of.line && to != NoCell && open.Has(to) {
				to, e = g.grid.Onward(to, e)
			}
			if of.line && of.takeSlides>>d&1 != 0 {
				end := s.lineEnd(open, c, d)
				if enemy.Has(end) && !of.closed.Has(end) {
					dst = g.appendOnce(dst, jumpMove(c, end))
				}
				if of.takes>>d&1 == 0 {
					continue
				}
			}
			if to != NoCell && enemy.Has(to) && !of.closed.Has(to) {
				dst = g.appendOnce(dst, jumpMove(c, to))
			}
		}
		if k.most && len(dst) > n {
			best = 1
		}
	}
	if dst = s.keepSafe(dst, start); k.forced && len(dst) > start {
		return dst
	}
	quiet := len(dst)
	for b := own; !b.Empty(); b = b.Rest() {
		dst = s.appendQuiet(dst, b.First(), free)
	}
	if k.drops {
		dst = s.appendDrops(dst, free)
	}
	return s.keepSafe(dst, quiet)
}

// appendOnce appends a move that may lead along several rays.
func (g *Game) appendOnce(dst []Move, m Move) []Move {
	if g.grid.Meets && slices.Contains(dst, m) {
		return dst
	}
	return append(dst, m)
}

// appendQuiet appends the moves of a piece to empty cells.
func (s *State) appendQuiet(dst []Move, c Cell, free Bits) []Move {
	g := s.g
	of := &g.kinds.of[s.side&1][s.kindAt(c)]
	for t := of.leaps[c].And(free).AndNot(of.closed); !t.Empty(); t = t.Rest() {
		dst = append(dst, stepMove(c, t.First()))
	}
	far := 1
	if of.first.Has(c) {
		far = of.firstSteps
	}
	open := s.open(of, c, free)
	for d := range g.grid.To {
		if of.steps>>d&1 == 0 {
			continue
		}
		end := NoCell // where the step must end
		to, e := g.grid.Onward(c, d)
		for n := 0; !of.line && to != NoCell && open.Has(to) && (of.slide || n < far); n++ {
			switch ends := free.Has(to) && !of.closed.Has(to); {
			case ends && of.toEnd:
				end = to
			case ends:
				dst = g.appendOnce(dst, stepMove(c, to))
			}
			to, e = g.grid.Onward(to, e)
		}
		if of.line {
			end = s.lineEnd(open, c, d)
		}
		if end != NoCell && free.Has(end) && !of.closed.Has(end) {
			dst = g.appendOnce(dst, stepMove(c, end))
		}
	}
	if of.leaves.Has(c) {
		dst = append(dst, removeMove(c))
	}
	return dst
}

// open returns the cells over which a piece on a cell can go.
func (s *State) open(of *pieceKind, c Cell, free Bits) Bits {
	if of.over {
		free = free.Or(s.pieces[s.side&1].Without(c))
	}
	return free.AndNot(of.walls)
}

// lineEnd returns where a step ends that goes as many cells as there are pieces on its line; NoCell if it cannot.
func (s *State) lineEnd(open Bits, c Cell, d int) Cell {
	to := &s.g.grid.To
	n := s.all().And(s.g.kinds.along[d&3][c]).Count()
	for c = to[d][c]; n > 1 && c != NoCell; n-- {
		if !open.Has(c) {
			return NoCell
		}
		c = to[d][c]
	}
	return c
}

// shots returns the cells that the side to move, whose piece has moved to a cell, can block.
func (s *State) shots(from Cell) (to Bits) {
	g := s.g
	free := g.grid.Board.AndNot(s.occupied())
	if g.kinds.block == "anywhere" {
		return free.AndNot(g.kinds.spares)
	}
	var space [128]Move
	for _, m := range s.appendQuiet(space[:0], from, free) {
		to = to.With(m.To())
	}
	return to.And(free).AndNot(g.kinds.spares)
}

// appendHops appends the jumps of a piece. If a turn must capture most, best is the most that the moves from start on
// capture, and fewer is not enough.
func (s *State) appendHops(dst []Move, start int, from Cell, best int) ([]Move, int) {
	g, side, kind := s.g, int(s.side), s.kindAt(from)
	occupied := s.occupied().Without(from)
	targets := s.pieces[1-side].AndNot(s.dead)
	var space [64]hop
	hops := s.hops(side, from, space[:0])
	var onward Bits // the pieces over which a long jump can end where the chain goes on: it must then end there
	for _, h := range hops {
		if g.kinds.must && !g.kinds.most && g.kinds.of[side][kind].long && g.reach(side, kind, h, occupied, targets) > 1 {
			onward = onward.With(h.over)
		}
	}
	for _, h := range hops {
		if onward.Has(h.over) && g.reach(side, kind, h, occupied, targets) == 1 {
			continue
		}
		if g.kinds.most {
			n := g.reach(side, kind, h, occupied, targets)
			if n < best {
				continue
			}
			if n > best {
				dst, best = dst[:start], n
			}
		}
		dst = append(dst, jumpMove(from, h.to))
	}
	return dst, best
}

// hops appends the jumps that a piece can make now.
func (s *State) hops(side int, from Cell, dst []hop) []hop {
	of := &s.g.kinds.of[side&1][s.kindAt(from)]
	return s.g.hopsOf(of, from, s.occupied(), s.pieces[(1-side)&1].AndNot(s.dead), dst)
}

func (g *Game) hopsOf(of *pieceKind, from Cell, occupied, targets Bits, dst []hop) []hop {
	for d := range g.grid.To {
		if of.jumps>>d&1 == 0 {
			continue
		}
		over, e := g.grid.Onward(from, d)
		for of.long && over != NoCell && !occupied.Has(over) && !of.walls.Has(over) {
			over, e = g.grid.Onward(over, e)
		}
		if !targets.AndNot(of.closed).Has(over) {
			continue
		}
		for to, e := g.grid.Onward(over, e); to != NoCell && !occupied.Has(to); to, e = g.grid.Onward(to, e) {
			if of.walls.Has(to) {
				break
			}
			if !of.closed.Has(to) {
				dst = append(dst, hop{over, to})
			}
			if !of.long || of.next {
				break
			}
		}
	}
	return dst
}

// reach returns the most pieces that a chain captures that begins with a jump. Occupied does not have the cell of the
// jumping piece.
func (g *Game) reach(side, kind int, h hop, occupied, targets Bits) int {
	of := &g.kinds.of[side&1][kind]
	if of.promotes.Has(h.to) && of.when != "turn_end" {
		if of.when == "stops" {
			return 1
		}
		if len(of.becomes) == 1 {
			kind = of.becomes[0]
		}
	}
	if !g.multiJump {
		return 1
	}
	targets = targets.Without(h.over)
	if !g.kinds.late {
		occupied = occupied.Without(h.over)
	}
	var space [64]hop
	best := 0
	for _, next := range g.hopsOf(&g.kinds.of[side&1][kind], h.to, occupied, targets, space[:0]) {
		best = max(best, g.reach(side, kind, next, occupied, targets))
	}
	return best + 1
}

// jumped returns the cell that a jump goes over.
func (s *State) jumped(side int, from, to Cell) Cell {
	var space [64]hop
	for _, h := range s.hops(side, from, space[:0]) {
		if h.to == to {
			return h.over
		}
	}
	return NoCell
}

// keepSafe removes the moves from start on that leave an own piece attacked which must be safe.
func (s *State) keepSafe(dst []Move, start int) []Move {
	if s.g.kinds.safe[s.side&1] < 0 {
		return dst
	}
	kept := start
	for _, m := range dst[start:] {
		if !s.exposes(m) {
			dst[kept] = m
			kept++
		}
	}
	return dst[:kept]
}

// exposes reports whether a move leaves an own piece attacked which must be safe.
func (s *State) exposes(m Move) bool {
	side := int(s.side)
	from, to := m.From(), m.To()
	royal := s.OfKind(side, s.g.kinds.safe[side])
	if royal.Has(from) || m.IsDrop() && m.drops() == s.g.kinds.safe[side] {
		royal = royal.Without(from).With(to)
	}
	return s.attacked(side, royal, s.pieces[1-side].Without(to), s.all().Without(from).With(to))
}

// Check returns the kind of the side to move that must be safe and is attacked, or -1.
func (s *State) Check() int {
	if side := int(s.side); s.g.kinds != nil {
		kind := s.g.kinds.safe[side]
		if kind >= 0 && s.attacked(side, s.OfKind(side, kind), s.pieces[1-side], s.all()) {
			return kind
		}
	}
	return -1
}

// attacked reports whether the enemies of a side could capture a piece on one of some cells by replacement.
func (s *State) attacked(side int, cells, enemy, occupied Bits) bool {
	g, by := s.g, (1-side)&1
	of := g.kinds.of[by]
	for ; !cells.Empty(); cells = cells.Rest() {
		c := cells.First()
		for i := range of {
			if of[i].takeLeaps && !of[i].leaps[c].And(enemy).And(s.OfKind(by, i)).Empty() {
				return true
			}
		}
		for d := range g.grid.To {
			at := g.grid.To[d^4][c]
			if at != NoCell && enemy.Has(at) && of[s.kindAt(at)].takes>>d&1 != 0 {
				return true
			}
			if g.kinds.sliders[by]>>d&1 == 0 {
				continue
			}
			for at != NoCell && !occupied.Has(at) {
				at = g.grid.To[d^4][at]
			}
			if at != NoCell && enemy.Has(at) && of[s.kindAt(at)].takeSlides>>d&1 != 0 {
				return true
			}
		}
	}
	return false
}

// kindMobility is Mobility for rules with kinds.
func (s *State) kindMobility(side int) (steps, jumps int) {
	t := *s
	t.side = uint8(side & 1)
	t.chain = NoCell
	t.grows = false
	t.shoots = false
	t.taking = 0
	t.heading = 0
	t.trail = Bits{}
	var space [256]Move
	for _, m := range t.kindMoves(space[:0]) {
		if m.IsJump() {
			jumps++
		} else {
			steps++
		}
	}
	return steps, jumps
}

// possibleKinds adds the moves of a side's pieces that are legal in some position.
func (g *Game) possibleKinds(side int, seen map[Move]bool) {
	for i := range g.kinds.of[side] {
		of := &g.kinds.of[side][i]
		for _, kind := range of.becomes {
			seen[kindMove(kind)] = len(of.becomes) > 1 || seen[kindMove(kind)]
		}
		for c := range g.grid.Board.Each {
			if g.kinds.drops && !g.kinds.of[side][of.inHand].shunned.Has(c) {
				seen[dropMove(of.inHand, c)] = true
			}
			if b := g.kinds.block; (b == "shot" || b == "anywhere") && !g.kinds.spares.Has(c) {
				seen[shotMove(c)] = true
			}
			if of.leaves.Has(c) || of.approach && of.withdraw {
				seen[removeMove(c)] = true
			}
			for to := range of.leaps[c].Each {
				seen[stepMove(c, to)] = true
				if of.takeLeaps {
					seen[jumpMove(c, to)] = true
				}
			}
			for d := range g.grid.To {
				bit := func(mask uint8) bool { return mask>>d&1 != 0 }
				n := 1
				for to, e := g.grid.Onward(c, d); to != NoCell && to != c && n < CellSpace; to, e = g.grid.Onward(to, e) {
					if bit(of.steps) && (n == 1 || of.slide || of.line || of.first.Has(c) && n <= of.firstSteps) {
						seen[stepMove(c, to)] = true
					}
					if bit(of.takeSlides) || n == 1 && of.rows() && bit(of.steps) || n == 1 && bit(of.takes) ||
						bit(of.jumps) && (n == 2 || n > 2 && of.long) {
						seen[jumpMove(c, to)] = true
					}
					n++
				}
			}
		}
	}
	for m, on := range seen {
		if !on {
			delete(seen, m)
		}
	}
}
