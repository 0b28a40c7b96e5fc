package engines

import (
	"math/bits"

	"spar/engines/grid"
)

// walks describes the moves of a side's pieces on a flat board. Each kind of move is a shift of the whole set.
type walks struct {
	ways   []flatWay
	spread []grid.Hop // directions of cloning steps
}

// flatWay is a kind of move as a shift from the target back to the start.
type flatWay struct {
	back grid.Hop
	by   int8 // target cell minus start cell
	take bool // the target must be an enemy piece; otherwise a free cell
}

// mostWays is the maximum number of kinds of move for a side in runWalking.
const mostWays = 64

// flatWalks returns the kinds of move of both sides. It returns nil if one of them is not a single shift on a flat
// board, or is neither a step, a leap nor a capture by replacement.
func (g *Game) flatWalks() *[2]walks {
	if !g.grid.Flat || !g.moves || g.hands {
		return nil
	}
	var out [2]walks
	for side := range g.mover {
		m := &g.mover[side]
		for d, on := range m.steps {
			if on && m.clone {
				out[side].spread = append(out[side].spread, g.grid.Hops[d])
			}
		}
		for i := range m.ways {
			w := &m.ways[i]
			if w.kind == wayJump || len(w.back) > 1 {
				return nil
			}
			for _, b := range w.back { // none where the way leads nowhere
				out[side].ways = append(out[side].ways, flatWay{
					back: grid.Hop{Mask: b.Mask.Lo, Up: uint8(b.Up), Down: uint8(b.Down)},
					by:   int8(int(b.Down) - int(b.Up)),
					take: w.kind == wayTake,
				})
			}
		}
		if len(out[side].ways) > mostWays {
			return nil
		}
	}
	return &out
}

// runWalking plays games of pieces that step, leap, capture by replacement and clone, on flat boards. It draws the same
// numbers as State.Play.
func (p *Playouts) runWalking(from *State) (Result, int) {
	g := p.g
	if p.walks == nil {
		p.walks = g.flatWalks()
	}
	d := &p.digits
	side := int(from.side & 1)
	me, other := from.pieces[side].Lo, from.pieces[1-side].Lo
	ply, maxPlies, passed := from.ply, p.lastPly(from), from.passed
	var who [mostWays]uint64
	for {
		w := &p.walks[side&1]
		free := g.grid.Board.Lo &^ (me | other)
		var places uint64
		for i := range w.spread {
			places |= w.spread[i].Shift(me)
		}
		places &= free
		nPlaces := bits.OnesCount64(places)
		total := nPlaces
		for i := range w.ways {
			way := &w.ways[i]
			target := free
			if way.take {
				target = other
			}
			can := way.back.Shift(target) & me
			who[i&(mostWays-1)] = can
			total += bits.OnesCount64(can)
		}
		if total == 0 && g.rules.NoMoves != "pass" {
			if ply == from.ply {
				return p.runAny(from) // nothing that play leads to
			}
			return g.stuckEnd(side), int(ply - from.ply)
		}
		if ply >= maxPlies && ply > from.ply {
			return Drawn, int(ply - from.ply)
		}
		ply++
		if total == 0 {
			if passed {
				return g.counted(side, me, other), int(ply - from.ply)
			}
			passed = true
			me, other = other, me
			side ^= 1
			continue
		}
		passed = false
		k := d.below(total)
		var to int
		if k < nPlaces {
			to = grid.NthBit(places, k)
		} else {
			k -= nPlaces
			i := 0
			for n := bits.OnesCount64(who[0]); k >= n; n = bits.OnesCount64(who[i&(mostWays-1)]) {
				k -= n
				i++
			}
			at := grid.NthBit(who[i&(mostWays-1)], k)
			to = at + int(w.ways[i].by)
			me &^= 1 << (at & 63)
		}
		me |= 1 << (to & 63)
		other &^= me
		if g.threshold > 0 {
			me, other = g.surroundFlat(to, me, other)
		}
		if r := g.walked(side, me, other); r != Ongoing {
			return r, int(ply - from.ply)
		}
		if me|other == g.grid.Board.Lo && (g.majority || g.fullDraw) {
			return g.counted(side, me, other), int(ply - from.ply)
		}
		me, other = other, me
		side ^= 1
	}
}

// surroundFlat is State.surround without cascades, for flat boards.
func (g *Game) surroundFlat(to int, me, other uint64) (uint64, uint64) {
	hit := g.grid.Neighbours[to&CellMask].Lo & other
	if g.threshold > 1 {
		for b := hit; b != 0; b &= b - 1 {
			if c := bits.TrailingZeros64(b); bits.OnesCount64(g.grid.Neighbours[c&CellMask].Lo&me) < g.threshold {
				hit &^= 1 << (c & 63)
			}
		}
	}
	if g.convert {
		me |= hit
	}
	return me, other &^ hit
}

// walked is State.verdict for the goals that runWalking handles.
func (g *Game) walked(side int, me, other uint64) Result {
	t := &g.goal[side&1]
	if reach := t.reach.Lo; reach != 0 {
		there := me & reach
		if there != 0 && (t.count == 1 || bits.OnesCount64(there) >= t.count) {
			if t.misere {
				side = 1 - side
			}
			return Winner(side)
		}
	}
	if t.eliminate > 0 && bits.OnesCount64(other) < t.eliminate {
		return Winner(side)
	}
	if n := g.goal[(1-side)&1].eliminate; n > 0 && bits.OnesCount64(me) < n {
		return Winner(1 - side)
	}
	return Ongoing
}
