package playout

import (
	"math/bits"

	"spar/engines"
	"spar/engines/grid"
)

// encloser holds the directions of captures by enclosing on a flat board.
type encloser struct {
	hops [8]grid.Hop
	n    int
}

// runEnclosing plays games of placements that must convert enclosed pieces, on flat boards. It draws the same
// random numbers as State.Play does.
func (p *Random) runEnclosing(from *State) (Result, int) {
	t, e := &p.t, encloser{}
	for d := range t.grid.Hops {
		if t.custodian>>d&1 != 0 {
			e.hops[e.n] = t.grid.Hops[d]
			e.n++
		}
	}
	side, start := from.Side()&1, int32(from.Ply())
	me, other := from.Pieces(side).Lo, from.Pieces(1-side).Lo
	board := t.grid.Board.Lo
	ply, maxPlies, passed := start, p.lastPly(from), from.Passed()

	for {
		where := e.brackets(me, other) & board &^ (me | other)
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
			turned := e.enclosed(1<<(c&63), me, other)
			me, other = me|turned|1<<(c&63), other&^turned
			if me|other == board && (t.majority || t.fullDraw) {
				return t.counted(side, me, other), int(ply - start)
			}
		}
		me, other = other, me
		side ^= 1
	}
}

// brackets is State.brackets, except that it does not exclude occupied cells.
func (e *encloser) brackets(me, other uint64) (out uint64) {
	for i := range e.n {
		h := &e.hops[i&7]
		for t := h.Shift(me) & other; t != 0; {
			next := h.Shift(t)
			out |= next
			t = next & other
		}
	}
	return out
}

// enclosed returns the enemy pieces between a placed piece and another piece of its side.
func (e *encloser) enclosed(at, me, other uint64) (out uint64) {
	for i := range e.n {
		h := &e.hops[i&7]
		var run uint64
		t := h.Shift(at)
		for t&other != 0 {
			run |= t
			t = h.Shift(t)
		}
		if t&me != 0 {
			out |= run
		}
	}
	return out
}
