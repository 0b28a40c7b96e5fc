package playout

import (
	"math/bits"

	"spar/engines"
	"spar/engines/grid"
)

// runMoving plays games in which pieces step and jump on a flat board. It draws the same random numbers as runAny, so
// the games are equal. Its own loop plays nearly all plies, and State.Play plays the rest.
func (p *Random) runMoving(from *State) (Result, int) {
	t, s := &p.t, &p.state
	for side := range 2 {
		if t.line.Has(side, from.Pieces(side), noCell) {
			return p.runAny(from) // a position from a text, in which a line stands
		}
	}
	s.CopyFrom(from)
	p.begin(s)
	if p.nth == nil {
		p.nth = newSelector()
	}
	alternate := t.perTurn == 1 && !p.g.Rules().Turn.Pie.On()
	for until := int32(from.Ply()) + p.longest; !s.Over(); {
		if int32(s.Ply()) >= until {
			return engines.Drawn, int(p.longest)
		}
		m := engines.NoMove
		if int32(s.Ply()) >= t.timeless && (s.Moving() || alternate && s.PliesLeft() == 1) {
			var r Result
			if m, r = p.playMoves(s, until); r != engines.Ongoing {
				return r, s.Ply() - from.Ply()
			} else if m == engines.NoMove {
				continue
			}
		} else {
			m = p.Move(s)
		}
		s.Play(m)
		if p.repeats(s) {
			return engines.Drawn, s.Ply() - from.Ply()
		}
	}
	return s.Result(), s.Ply() - from.Ply()
}

// playMoves plays random steps, jumps and placements of moving pieces up to a ply. It returns the first move that
// State.Play has to make, or NoMove and how the game has ended, if it has. It draws the same numbers as Move. It holds
// what changes in every ply in registers, and updates the state only when it has to.
func (p *Random) playMoves(s *State, until int32) (Move, Result) {
	t, d, at := &p.t, p.digits, s.Course()
	side, chain, deploying, hand, last := at.Side&1, at.Chain, !at.Moving, at.Hand, at.Last
	own, enemy := at.Pieces[side].Lo, at.Pieces[1-side].Lo
	ownKey, enemyKey := at.Keys[side], at.Keys[1-side]
	free := t.grid.Board.Lo &^ (own | enemy)
	ply, maxPlies, keys := at.Ply, p.lastPly(s), p.g.Keys()
	var zone [2]uint64 // where the sides may place; empty without pieces in hand
	for i, n := range hand {
		if n > 0 {
			zone[i] = t.zone[i].Lo
		}
	}
	lists := [2]cellList{listOf(at.Pieces[0].Lo), listOf(at.Pieces[1].Lo)}
	short := max(at.Pieces[0].Count()+int(hand[0]), at.Pieces[1].Count()+int(hand[1])) <= cellListMax
	pause := min(maxPlies, until)
	for {
		m, r, can, few := engines.NoMove, engines.Ongoing, true, false
	plies:
		for {
			places := free & zone[side&1]
			pieces, nPlaces := bits.OnesCount64(own), bits.OnesCount64(places)
			bound, ways := nPlaces+8*pieces, uint64(0)
			switch {
			case deploying:
				bound = nPlaces
			case chain != noCell:
				ways = t.jumpsOn(chain, enemy, free)
				bound = bits.OnesCount64(ways) + 1
			}
			was, to, over := noCell, noCell, noCell
			tries := 24
			if pieces == 0 && !deploying || bound == 0 {
				tries = 0
			}
			for range tries {
				if d.unused == 0 {
					d = digits{p.src.Uint64(), p.perWord}
				}
				var drawn int
				drawn, d = d.draw(bound)
				if chain != noCell { // the same piece goes on, or stops
					if drawn < bound-1 {
						toward := &t.grid.To[grid.NthBit(ways, drawn)&7]
						was, over = chain, toward[chain&cellMask]
						to = toward[over&cellMask]
					}
					break
				}
				k := drawn - nPlaces
				if k < 0 {
					was, to = noCell, p.nth.of(places, byteRanks(places), uint64(drawn))
					break
				}
				if short {
					was = lists[side&1].at(k >> 3)
				} else {
					was = p.nth.of(own, byteRanks(own), uint64(k>>3))
				}
				toward := &t.grid.To[k&7]
				next := toward[was&cellMask]
				if free&(1<<(next&63)) != 0 && next < 64 { // noCell is off the board
					if t.steps>>(k&7)&1 != 0 {
						to = next
						break
					}
				} else if enemy&(1<<(next&63)) != 0 && next < 64 && t.capture {
					if beyond := toward[next&cellMask]; free>>beyond&1 != 0 {
						to, over = beyond, next
						break
					}
				}
			}
			switch {
			case to == noCell && chain != noCell:
				last = engines.Stop
			case to == noCell:
				if few = true; deploying {
					m = engines.Pass
				}
				break plies
			case was == noCell: // from the hand
				if free &^= 1 << (to & 63); free == 0 {
					m = engines.PlaceMove(to) // the board is full
					break plies
				}
				own |= 1 << (to & 63)
				lists[side&1] = lists[side&1].with(to, own)
				ownKey ^= keys[side&1][to&cellMask]
				if hand[side&1]--; hand[side&1] == 0 {
					zone[side&1] = 0
				}
				deploying = deploying && hand != [2]uint8{}
				last = engines.PlaceMove(to)
			default:
				free = free&^(1<<(to&63)) | 1<<(was&63)
				lists[side&1] = lists[side&1].without(was, own)
				own = own&^(1<<(was&63)) | 1<<(to&63)
				lists[side&1] = lists[side&1].with(to, own)
				ownKey ^= keys[side&1][to&cellMask] ^ keys[side&1][was&cellMask]
				last = engines.StepMove(was, to)
				if over != noCell {
					free |= 1 << (over & 63)
					lists[(1-side)&1] = lists[(1-side)&1].without(over, enemy)
					enemy &^= 1 << (over & 63)
					enemyKey ^= keys[(1-side)&1][over&cellMask]
					if t.returns {
						hand[(1-side)&1]++
						zone[(1-side)&1] = t.zone[(1-side)&1].Lo
					}
					last = engines.JumpMove(was, to)
				}
			}
			ply++
			can = true
			if over != noCell && t.multiJump && t.jumpsOn(to, enemy, free) != 0 {
				chain = to
			} else {
				if to == noCell {
					to = chain // it stops there
				}
				chain = noCell
				// Few moves bring together enough pieces for a line: what has to be examined, and is hard to foresee,
				// becomes rare.
				near := t.line.Around[side&1][to&cellMask].Lo & own
				if bits.OnesCount64(near) >= t.line.Length &&
					t.line.Has(side&1, Bits{Lo: own}, to) {
					r = engines.Winner(side)
					break plies
				}
				if !deploying || hand[(1-side)&1] > 0 {
					side ^= 1
					own, enemy, ownKey, enemyKey = enemy, own, enemyKey, ownKey
				}
				if can = free&zone[side&1] != 0; !deploying {
					can = t.canStep(own, free)
				}
			}
			if !can || ply >= pause {
				break
			}
			if p.repeat > 0 {
				first, second := ownKey, enemyKey
				if side != 0 {
					first, second = second, first
				}
				if p.tally.add(s.HashAfter(first, second, side, !deploying, chain, hand, ply)) >= p.repeat {
					r = engines.Drawn
					break plies
				}
			}
		}
		if ply != int32(s.Ply()) {
			at.Side, at.Ply, at.Last, at.Chain, at.Moving = side, ply, last, chain, !deploying
			at.Hand[0], at.Hand[1] = hand[0], hand[1]
			at.Pieces[side&1].Lo, at.Pieces[(1-side)&1].Lo = own, enemy
			at.Keys[side&1], at.Keys[(1-side)&1] = ownKey, enemyKey
			s.Resume(&at)
		}
		if few || m != engines.NoMove || r != engines.Ongoing {
			if p.digits = d; few && m == engines.NoMove {
				m = p.counted(s)
			}
			return m, r
		}
		if !can && s.CountMoves(&p.sets) == 0 {
			r = p.g.StuckEnd(side)
		}
		if r == engines.Ongoing && (t.maxPlies > 0 && ply >= t.maxPlies || p.repeats(s)) {
			r = engines.Drawn
		}
		if r != engines.Ongoing || ply >= until {
			p.digits = d
			return m, r
		}
	}
}

// jumpsOn returns a bit for each direction in which a piece on a flat board can jump over an enemy.
func (t *tables) jumpsOn(from Cell, enemy, free uint64) (ways uint64) {
	if t.grid.Beside[from].Lo&enemy == 0 {
		return 0
	}
	for d := range t.grid.To {
		over := t.grid.To[d][from&cellMask]
		if enemy>>over&1 != 0 && free>>t.grid.To[d][over&cellMask]&1 != 0 {
			ways |= 1 << d
		}
	}
	return ways
}

// canStep reports whether any piece on a flat board can step to a free cell. It tests one direction after the other.
func (t *tables) canStep(own, free uint64) bool {
	for d := range t.grid.Hops {
		if t.steps>>d&1 != 0 && t.grid.Hops[d^4].Shift(free)&own != 0 {
			return true
		}
	}
	return false
}
