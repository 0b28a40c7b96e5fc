package engines

import (
	"math/bits"

	"spar/engines/grid"
)

// encloser holds the directions of captures by enclosing on a flat board.
type encloser struct {
	hops [8]grid.Hop
	n    int
}

// runEnclosing plays games of placements that must convert enclosed pieces, on flat boards. It draws the same
// random numbers as State.Play does.
func (p *Playouts) runEnclosing(from *State) (Result, int) {
	g := p.g
	e := encloser{}
	for d := range g.grid.Hops {
		if g.custodian>>d&1 != 0 {
			e.hops[e.n] = g.grid.Hops[d]
			e.n++
		}
	}
	d := &p.digits
	side := int(from.side & 1)
	me, other := from.pieces[side].Lo, from.pieces[1-side].Lo
	board := g.grid.Board.Lo
	ply, maxPlies, passed := from.ply, p.lastPly(from), from.passed

	for {
		where := e.brackets(me, other) & board &^ (me | other)
		if where == 0 && g.rules.NoMoves != "pass" {
			if ply == from.ply {
				return p.runAny(from) // nothing that play leads to
			}
			return g.stuckEnd(side), int(ply - from.ply)
		}
		if ply >= maxPlies && ply > from.ply {
			return Drawn, int(ply - from.ply)
		}
		ply++
		if where == 0 {
			if passed {
				return g.counted(side, me, other), int(ply - from.ply)
			}
			passed = true
		} else {
			passed = false
			c := grid.NthBit(where, d.below(bits.OnesCount64(where)))
			turned := e.enclosed(1<<(c&63), me, other)
			me, other = me|turned|1<<(c&63), other&^turned
			if me|other == board && (g.majority || g.fullDraw) {
				return g.counted(side, me, other), int(ply - from.ply)
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
