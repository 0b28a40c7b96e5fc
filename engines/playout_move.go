package engines

import (
	"math/bits"

	"spar/engines/grid"
)

// runMoving plays games in which pieces step and jump on a flat board. It draws the same random numbers as runAny, so
// the games are equal. Its own loop plays nearly all plies, and State.Play plays the rest.
func (p *Playouts) runMoving(from *State) (Result, int) {
	g, s := p.g, &p.state
	s.CopyFrom(from)
	p.begin(s)
	for side := range 2 {
		if g.line.has(side, s.pieces[side], NoCell) {
			return p.runAny(from) // a position from a text, in which a line stands
		}
	}
	if p.nth == nil {
		p.nth = newSelector()
	}
	for s.result == Ongoing {
		if s.ply-from.ply >= p.longest {
			return Drawn, int(p.longest)
		}
		m := NoMove
		if s.ply >= g.timeless &&
			(s.phase == phaseMove || s.phase == phaseDeploy && g.perTurn == 1 && s.left == 1 && !g.pie) {
			if m = p.playMoves(s, from.ply+p.longest); m == NoMove {
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

// playMoves plays random steps, jumps and placements of moving pieces up to a ply. It returns the first move that
// State.Play has to make, or NoMove if the game has ended. It draws the same numbers as Random. It holds what
// changes in every ply in registers, and updates the state only when it has to.
func (p *Playouts) playMoves(s *State, until int32) Move {
	g, d := p.g, p.digits
	side, chain, deploying := int(s.side&1), s.chain, s.phase == phaseDeploy
	own, enemy := s.pieces[side].Lo, s.pieces[1-side].Lo
	ownKey, enemyKey := s.key[side], s.key[1-side]
	free := g.grid.Board.Lo &^ (own | enemy)
	ply, maxPlies := s.ply, p.lastPly(s)
	var zone [2]uint64 // where the sides may place; empty without pieces in hand
	for i, n := range s.hand {
		if n > 0 {
			zone[i] = g.zone[i].Lo
		}
	}
	lists := [2]cellList{listOf(s.pieces[0].Lo), listOf(s.pieces[1].Lo)}
	short := max(s.pieces[0].Count()+int(s.hand[0]), s.pieces[1].Count()+int(s.hand[1])) <= cellListMax
	pause := min(maxPlies, until)
	if p.repeat > 0 {
		pause = 0
	}
	for {
		places := free & zone[side&1]
		pieces, nPlaces := bits.OnesCount64(own), bits.OnesCount64(places)
		bound, ways := uint64(nPlaces+8*pieces), uint64(0)
		switch {
		case deploying:
			bound = uint64(nPlaces)
		case chain != NoCell:
			ways = g.jumpsOn(chain, enemy, free)
			bound = uint64(bits.OnesCount64(ways)) + 1
		}
		was, to, over := NoCell, NoCell, NoCell
		tries := 24
		if pieces == 0 && !deploying || bound == 0 {
			tries = 0
		}
		for range tries {
			if d.unused == 0 {
				d.fraction, d.unused = d.src.Uint64(), d.perWord
			}
			d.unused--
			var drawn uint64
			drawn, d.fraction = bits.Mul64(d.fraction, bound)
			if chain != NoCell { // the same piece goes on, or stops
				if drawn < bound-1 {
					toward := &g.grid.To[grid.NthBit(ways, int(drawn))&7]
					was, over = chain, toward[chain&CellMask]
					to = toward[over&CellMask]
				}
				break
			}
			k := int(drawn) - nPlaces
			if k < 0 {
				was, to = NoCell, p.nth.of(places, byteRanks(places), drawn)
				break
			}
			if short {
				was = lists[side&1].at(k >> 3)
			} else {
				was = p.nth.of(own, byteRanks(own), uint64(k>>3))
			}
			toward := &g.grid.To[k&7]
			next := toward[was&CellMask]
			if free&(1<<(next&63)) != 0 && next < 64 { // NoCell is off the board
				if g.stepDir[k&7] {
					to = next
					break
				}
			} else if enemy&(1<<(next&63)) != 0 && next < 64 && g.capture {
				if beyond := toward[next&CellMask]; free>>beyond&1 != 0 {
					to, over = beyond, next
					break
				}
			}
		}
		switch {
		case to == NoCell && chain != NoCell:
			s.last = Stop
		case to == NoCell:
			p.digits = d
			if s.moved(side, own, enemy, ownKey, enemyKey, ply, chain, deploying); deploying {
				return Pass
			}
			return p.listedAction(s, Bits{Lo: places})
		case was == NoCell: // from the hand
			if free &^= 1 << (to & 63); free == 0 {
				p.digits = d
				s.moved(side, own, enemy, ownKey, enemyKey, ply, chain, deploying)
				return placeMove(to) // the board is full
			}
			own |= 1 << (to & 63)
			lists[side&1] = lists[side&1].with(to, own)
			ownKey ^= g.keys[side&1][to&CellMask]
			if s.hand[side&1]--; s.hand[side&1] == 0 {
				zone[side&1] = 0
			}
			deploying = deploying && s.hand != [2]uint8{}
			s.last = placeMove(to)
		default:
			free = free&^(1<<(to&63)) | 1<<(was&63)
			lists[side&1] = lists[side&1].without(was, own)
			own = own&^(1<<(was&63)) | 1<<(to&63)
			lists[side&1] = lists[side&1].with(to, own)
			ownKey ^= g.keys[side&1][to&CellMask] ^ g.keys[side&1][was&CellMask]
			s.last = stepMove(was, to)
			if over != NoCell {
				free |= 1 << (over & 63)
				lists[(1-side)&1] = lists[(1-side)&1].without(over, enemy)
				enemy &^= 1 << (over & 63)
				enemyKey ^= g.keys[(1-side)&1][over&CellMask]
				if g.returns {
					s.hand[(1-side)&1]++
					zone[(1-side)&1] = g.zone[(1-side)&1].Lo
				}
				s.last = jumpMove(was, to)
			}
		}
		ply++
		can := true
		if over != NoCell && g.multiJump && g.jumpsOn(to, enemy, free) != 0 {
			chain = to
		} else {
			if to == NoCell {
				to = chain // it stops there
			}
			// Few moves bring together enough pieces for a line: what has to be examined, and is hard to foresee,
			// becomes rare.
			if near := g.line.around[side&1][to&CellMask].Lo & own; bits.OnesCount64(near) >= g.line.length &&
				g.line.has(side&1, Bits{Lo: own}, to) {
				p.digits = d
				s.moved(side, own, enemy, ownKey, enemyKey, ply, NoCell, deploying)
				s.end(Winner(side), ByLine)
				return NoMove
			}
			chain = NoCell
			if !deploying || s.hand[(1-side)&1] > 0 {
				side ^= 1
				own, enemy, ownKey, enemyKey = enemy, own, enemyKey, ownKey
			}
			if can = free&zone[side&1] != 0; !deploying {
				can = g.canStep(own, free)
			}
		}
		if can && ply < pause {
			continue
		}
		s.moved(side, own, enemy, ownKey, enemyKey, ply, chain, deploying)
		if can || !s.stuck() {
			s.capPlies()
			p.count(s)
		}
		if s.result != Ongoing || ply >= until {
			p.digits = d
			return NoMove
		}
	}
}

// moved updates a state after moves of pieces, apart from its last move and the hands. The parameter own has the
// pieces of the side to move.
func (s *State) moved(side int, own, enemy, ownKey, enemyKey uint64, ply int32, chain Cell, deploying bool) {
	if ply == s.ply {
		return // nothing has
	}
	s.pieces[side&1].Lo, s.pieces[(1-side)&1].Lo = own, enemy
	s.key[side&1], s.key[(1-side)&1] = ownKey, enemyKey
	s.side, s.ply, s.passed, s.left, s.chain = uint8(side), ply, false, 1, chain
	if s.phase = phaseMove; deploying {
		s.phase = phaseDeploy
	}
}

// jumpsOn returns a bit for each direction in which a piece on a flat board can jump over an enemy.
func (g *Game) jumpsOn(from Cell, enemy, free uint64) (ways uint64) {
	if g.grid.Beside[from].Lo&enemy == 0 {
		return 0
	}
	for d := range g.grid.To {
		if over := g.grid.To[d][from&CellMask]; enemy>>over&1 != 0 && free>>g.grid.To[d][over&CellMask]&1 != 0 {
			ways |= 1 << d
		}
	}
	return ways
}

// canStep reports whether any piece on a flat board can step to a free cell. It tests one direction after the other.
func (g *Game) canStep(own, free uint64) bool {
	for d := range g.grid.Hops {
		if g.stepDir[d] && g.grid.Hops[d^4].Shift(free)&own != 0 {
			return true
		}
	}
	return false
}
