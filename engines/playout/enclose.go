package playout

import (
	"math/bits"

	"spar/engines"
	"spar/engines/grid"
)

// runEnclosing plays games of placements that must convert enclosed pieces, on flat boards. It draws the same
// random numbers as State.Play does.
func (p *Random) runEnclosing(from *State) (Result, int) {
	t, e := &p.t, p.g.Encloser()
	side, start := from.Side()&1, int32(from.Ply())
	me, other := from.Pieces(side).Lo, from.Pieces(1-side).Lo
	board := t.grid.Board.Lo
	ply, maxPlies, passed := start, p.lastPly(from), from.Passed()

	for {
		where := e.Brackets(me, other) & board &^ (me | other)
		if where == 0 && !t.passes {
			if ply == start {
				return p.runAny(from) // nothing that play leads to
			}
			return p.g.StuckEnd(side), int(ply - start)
		}
		if ply >= maxPlies && ply > start {
			return engines.Drawn, int(ply - start)
		}
		ply++
		if where == 0 {
			if passed {
				return t.counted(side, me, other), int(ply - start)
			}
			passed = true
		} else {
			passed = false
			c := grid.NthBit(where, p.below(bits.OnesCount64(where)))
			turned := e.Enclosed(1<<(c&63), me, other)
			me, other = me|turned|1<<(c&63), other&^turned
			if me|other == board && (t.majority || t.fullDraw) {
				return t.counted(side, me, other), int(ply - start)
			}
		}
		me, other = other, me
		side ^= 1
	}
}
