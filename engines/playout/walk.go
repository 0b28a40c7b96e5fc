package playout

import (
	"math/bits"

	"spar/engines"
	"spar/engines/grid"
)

// walks are the moves of a side's pieces on a flat board. Each kind of move is a shift of the whole set.
type walks struct {
	ways   []engines.FlatWay
	spread []grid.Hop // directions of cloning steps
}

// mostWays is the maximum number of kinds of move for a side in runWalking.
const mostWays = 64

// flatWalks returns the kinds of move of both sides, and whether runWalking plays them.
func flatWalks(g *engines.Game) (out [2]walks, ok bool) {
	ok = true
	for side := range out {
		ways, spread, flat := g.FlatWays(side)
		out[side], ok = walks{ways, spread}, ok && flat && len(ways) <= mostWays
	}
	return out, ok
}

// runWalking plays games of pieces that step, leap, capture by replacement and clone, on flat boards. It draws the same
// numbers as State.Play.
func (p *Random) runWalking(from *State) (Result, int) {
	t := &p.t
	if p.walks[0].ways == nil && p.walks[0].spread == nil {
		p.walks, _ = flatWalks(p.g)
	}
	side, start := from.Side()&1, int32(from.Ply())
	me, other := from.Pieces(side).Lo, from.Pieces(1-side).Lo
	ply, maxPlies, passed := start, p.lastPly(from), from.Passed()
	var who [mostWays]uint64
	board := t.grid.Board.Lo
	for {
		w := &p.walks[side&1]
		free, ways := board&^(me|other), w.ways
		var places uint64
		for i := range w.spread {
			places |= w.spread[i].Shift(me)
		}
		places &= free
		nPlaces := bits.OnesCount64(places)
		total := nPlaces
		for i := range ways {
			way := &ways[i]
			target := free
			if way.Take {
				target = other
			}
			can := way.Back.Shift(target) & me
			who[i&(mostWays-1)] = can
			total += bits.OnesCount64(can)
		}
		if total == 0 && !t.passes {
			if ply == start {
				return p.runAny(from) // nothing that play leads to
			}
			return p.g.StuckEnd(side), int(ply - start)
		}
		if ply >= maxPlies && ply > start {
			return engines.Drawn, int(ply - start)
		}
		ply++
		if total == 0 {
			if passed {
				return t.counted(side, me, other), int(ply - start)
			}
			passed = true
			me, other = other, me
			side ^= 1
			continue
		}
		passed = false
		k := p.below(total)
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
			to = at + int(ways[i].By)
			me &^= 1 << (at & 63)
		}
		me |= 1 << (to & 63)
		other &^= me
		if t.threshold > 0 {
			me, other = t.surroundFlat(to, me, other)
		}
		if r := t.walked(side, me, other); r != engines.Ongoing {
			return r, int(ply - start)
		}
		if me|other == board && (t.majority || t.fullDraw) {
			return t.counted(side, me, other), int(ply - start)
		}
		me, other = other, me
		side ^= 1
	}
}

// surroundFlat is State.surround without cascades, for flat boards.
func (t *tables) surroundFlat(to int, me, other uint64) (uint64, uint64) {
	hit := t.grid.Neighbours[to&cellMask].Lo & other
	if t.threshold > 1 {
		for b := hit; b != 0; b &= b - 1 {
			c := bits.TrailingZeros64(b)
			if bits.OnesCount64(t.grid.Neighbours[c&cellMask].Lo&me) < t.threshold {
				hit &^= 1 << (c & 63)
			}
		}
	}
	if t.convert {
		me |= hit
	}
	return me, other &^ hit
}

// walked is State.verdict for the goals that runWalking handles.
func (t *tables) walked(side int, me, other uint64) Result {
	goal := &t.goal[side&1]
	if reach := goal.reach.Lo; reach != 0 {
		there := me & reach
		if there != 0 && (goal.count == 1 || bits.OnesCount64(there) >= goal.count) {
			if goal.misere {
				side = 1 - side
			}
			return engines.Winner(side)
		}
	}
	if goal.eliminate > 0 && bits.OnesCount64(other) < goal.eliminate {
		return engines.Winner(side)
	}
	if n := t.goal[(1-side)&1].eliminate; n > 0 && bits.OnesCount64(me) < n {
		return engines.Winner(1 - side)
	}
	return engines.Ongoing
}
