package engines

import "math/bits"

// runMoving plays games in which pieces step and jump on a flat board. It draws as runAny does, digit by digit, so that the games
// are the same; what it does itself are steps and placements, nearly all plies of such games, and the rest is left to State.Play.
func (p *Playouts) runMoving(from *State) (Result, int) {
	g, s := p.g, &p.state
	s.CopyFrom(from)
	p.begin(s)
	for side := range 2 {
		if g.line.has(side, s.pieces[side], NoCell) {
			return p.runAny(from) // a position from a text, in which a line stands
		}
	}
	for s.result == Ongoing {
		if s.ply-from.ply >= p.longest {
			return Drawn, int(p.longest)
		}
		m := NoMove
		if s.phase == phaseMove && s.chain == NoCell {
			if m = p.playSteps(s, from.ply+p.longest); m == NoMove {
				continue
			}
		} else {
			m = p.Random(s)
		}
		s.Play(m)
		p.count(s)
	}
	return s.result, int(s.ply - from.ply)
}

// playSteps plays random steps and placements up to a ply, and returns the first move drawn that is neither, or NoMove where the game has ended or is
// given up. Draws are those of randomAction.
func (p *Playouts) playSteps(s *State, until int32) Move {
	g := p.g
	var list [2]pieceList
	list[0].set(s.pieces[0].Lo)
	list[1].set(s.pieces[1].Lo)
	side := int(s.side & 1)
	own, enemy := s.pieces[side].Lo, s.pieces[1-side].Lo
	ply, maxPlies := s.ply, p.lastPly(s)
	d := &p.digits
	for {
		pieces := &list[side&1]
		free := g.board.Lo &^ (own | enemy)
		var places Bits
		if s.hand[side&1] > 0 {
			places = s.placeable()
		}
		nPlaces := places.Count()
		bound := uint64(nPlaces + 8*pieces.n)
		m, at, to := NoMove, 0, NoCell
		for range 24 {
			if pieces.n == 0 {
				break
			}
			if d.unused == 0 {
				d.refill()
			}
			d.unused--
			var hi uint64
			hi, d.fraction = bits.Mul64(d.fraction, bound)
			k := int(hi) - nPlaces
			if k < 0 {
				to, at = places.Nth(int(hi)), pieces.n
				break
			}
			at = k >> 3
			toward := &g.to[k&7]
			to = toward[pieces.cell[at&63]&CellMask]
			if free>>to&1 != 0 { // NoCell shifts everything out
				if g.stepDir[k&7] {
					break
				}
			} else if g.capture && enemy>>to&1 != 0 {
				if over := toward[to&CellMask]; free>>over&1 != 0 {
					m = jumpMove(pieces.cell[at&63], over)
					break
				}
			}
			to = NoCell
		}
		if m != NoMove {
			return m
		}
		if to == NoCell {
			return p.listedAction(s, places)
		}
		free &^= 1 << (to & 63)
		if at == pieces.n && free == 0 {
			return placeMove(to) // the board is full
		}
		own |= 1 << (to & 63)
		s.key[side&1] ^= g.keys[side&1][to&CellMask]
		if at == pieces.n { // from the hand
			pieces.n++
			s.hand[side&1]--
			s.last = placeMove(to)
		} else {
			was := pieces.cell[at&63]
			free |= 1 << (was & 63)
			own &^= 1 << (was & 63)
			s.key[side&1] ^= g.keys[side&1][was&CellMask]
			s.last = stepMove(was, to)
		}
		pieces.move(at, to)
		ply++
		s.pieces[side&1].Lo = own
		s.ply, s.passed = ply, false
		if g.line.cells[side&1].Lo>>(to&63)&1 != 0 && g.line.has(side&1, Bits{Lo: own}, to) {
			s.end(Winner(side), ByLine)
			return NoMove
		}
		side ^= 1
		own, enemy = enemy, own
		s.side, s.left = uint8(side), 1
		if !g.canStep(own, free) && s.stuck() {
			return NoMove
		}
		if ply >= maxPlies {
			s.capPlies()
			return NoMove
		}
		if p.repeat > 0 {
			if p.count(s); s.result != Ongoing {
				return NoMove
			}
		}
		if ply >= until {
			return NoMove
		}
	}
}

// canStep tells whether some piece can step to a free cell of a flat board; it looks at one direction after the other.
func (g *Game) canStep(own, free uint64) bool {
	for d := range g.hops {
		if g.stepDir[d] && g.hops[d^4].shift(free)&own != 0 {
			return true
		}
	}
	return false
}

// pieceList is the cells of a side's pieces, lowest first.
type pieceList struct {
	cell [64]Cell
	n    int
}

func (l *pieceList) set(b uint64) {
	l.n = 0
	for ; b != 0; b &= b - 1 {
		l.cell[l.n&63] = Cell(bits.TrailingZeros64(b))
		l.n++
	}
}

// move changes the cell of a piece and keeps the order.
func (l *pieceList) move(at int, to Cell) {
	for ; at+1 < l.n && l.cell[(at+1)&63] < to; at++ {
		l.cell[at&63] = l.cell[(at+1)&63]
	}
	for ; at > 0 && l.cell[(at-1)&63] > to; at-- {
		l.cell[at&63] = l.cell[(at-1)&63]
	}
	l.cell[at&63] = to
}
