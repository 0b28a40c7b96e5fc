package playout

import (
	"math/bits"

	"spar/engines"
	"spar/engines/grid"
)

// draughts is how pieces of up to two kinds step and jump on a flat board. A kind has all bits set in a word if its
// pieces move in a direction, and none otherwise.
type draughts struct {
	steps, jumps [2][8][2]uint64 // by side, direction and kind
	promotes     [2][2]uint64    // by side and kind
	becomes      [2]int
	stops        [2]bool
}

// newDraughts returns nil if runDraughts does not play the rules.
func newDraughts(g *engines.Game) *draughts {
	movers, ok := g.ShortMovers()
	if r := g.Rules(); !ok || len(movers[0]) > 2 || !g.Grid().Flat || r.NoMoves == "pass" {
		return nil
	}
	d := &draughts{}
	for side := range movers {
		for i, m := range movers[side] {
			for to := range 8 {
				d.steps[side][to][i], d.jumps[side][to][i] = -uint64(m.Steps>>to&1), -uint64(m.Jumps>>to&1)
			}
			d.promotes[side][i], d.becomes[i], d.stops[i] = m.Promotes.Lo, m.Becomes, m.Stops
		}
	}
	return d
}

// runDraughts plays games in which pieces of up to two kinds step, jump and are promoted. Each direction is a shift of
// the whole set.
func (p *Random) runDraughts(from *State) (Result, int) {
	if p.draughts == nil {
		p.draughts = newDraughts(p.g)
	}
	t, r, of := &p.t, p.g.Rules(), p.draughts
	forced, multi := r.Movement.ForcedCapture.On(), r.Movement.MultiJump.On()
	side, start, quiet, chain := from.Side()&1, from.Ply(), from.Quiet(), from.Chain()
	me, other, second := from.Pieces(side).Lo, from.Pieces(1-side).Lo, uint64(0)
	if p.g.Kinds() > 1 {
		second = from.OfKind(0, 1).Lo | from.OfKind(1, 1).Lo
	}
	p.tally.begin()
	maxPlies, board := int(p.lastPly(from)), t.grid.Board.Lo
	var targets [16]uint64 // of jumps and of steps, by direction
	for ply := start; ; ply++ {
		if p.repeat > 0 && chain == noCell &&
			p.tally.add(engines.Scatter(me+other*0x9e3779b97f4a7c15+(second^-uint64(side))*0xd1b54a32d192ed03)) >= p.repeat {
			return engines.Drawn, ply - start
		}
		free, movers := board&^(me|other), me
		if chain != noCell {
			movers = 1 << (chain & 63)
		}
		kinds := [2]uint64{movers &^ second, movers & second}
		total := 0
		for d := range 8 {
			m := &of.jumps[side&1][d]
			src := kinds[0]&m[0] | kinds[1]&m[1]
			if src != 0 {
				src = t.grid.Hops[d].Shift(t.grid.Hops[d].Shift(src)&other) & free
				total += bits.OnesCount64(src)
			}
			targets[d] = src
		}
		jumps := total
		if chain != noCell || forced && total > 0 {
			clear(targets[8:])
		} else {
			for d := range 8 {
				m := &of.steps[side&1][d]
				src := t.grid.Hops[d].Shift(kinds[0]&m[0]|kinds[1]&m[1]) & free
				total += bits.OnesCount64(src)
				targets[8+d] = src
			}
		}
		switch {
		case total == 0:
			return p.g.StuckEnd(side), ply - start
		case ply > start && (ply >= maxPlies || r.Draw.Quiet > 0 && quiet >= r.Draw.Quiet):
			return engines.Drawn, ply - start
		}
		n := p.below(total)
		i := 0
		if n >= jumps {
			i, n = 8, n-jumps
		}
		for c := bits.OnesCount64(targets[i&15]); n >= c; c = bits.OnesCount64(targets[i&15]) {
			n -= c
			i++
		}
		to := grid.NthBit(targets[i&15], n)
		back := &t.grid.To[i&7^4]
		was, jumped := back[to&cellMask], i < 8
		if jumped {
			over := uint64(1) << (was & 63)
			other, second = other&^over, second&^over
			was, quiet = back[was&cellMask], 0
		} else {
			quiet++
		}
		kind := int(second >> (was & 63) & 1)
		bit := uint64(1) << (to & 63)
		me = me&^(1<<(was&63)) | bit
		second = second&^(1<<(was&63)) | bit&-uint64(kind)
		promoted := of.promotes[side&1][kind&1]&bit != 0
		if jumped && multi && !(promoted && of.stops[kind&1]) && of.jumpsOn(t.grid, side, kind, bit, other, board&^(me|other)) {
			chain = Cell(to)
			continue
		}
		if promoted {
			second = second&^bit | bit&-uint64(of.becomes[kind&1]&1)
		}
		chain = noCell
		me, other = other, me
		side ^= 1
	}
}

// jumpsOn reports whether a piece of a kind can jump.
func (d *draughts) jumpsOn(g *grid.Grid, side, kind int, bit, enemy, free uint64) bool {
	can := uint64(0)
	for to := range 8 {
		can |= g.Hops[to].Shift(g.Hops[to].Shift(bit&d.jumps[side&1][to][kind&1])&enemy) & free
	}
	return can != 0
}
