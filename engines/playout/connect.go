package playout

import (
	"spar/engines"
	"spar/engines/grid"
)

// groups joins connected pieces of each side as they are placed. It is a union-find structure, with union by size
// and path halving.
type groups struct {
	root  [grid.CellSpace]Cell
	size  [grid.CellSpace]uint8
	touch [grid.CellSpace]uint8    // at a root: bits 0 and 1 are set if the group touches the first and second edge
	edge  [2][grid.CellSpace]uint8 // the same bits for single cells, by side
}

func (u *groups) find(c Cell) Cell {
	for u.root[c&cellMask] != c {
		up := u.root[u.root[c&cellMask]&cellMask]
		u.root[c&cellMask] = up
		c = up
	}
	return c
}

// add places a piece, joins it with adjacent pieces of its side, and reports whether its group touches both edges.
func (u *groups) add(side int, c Cell, beside Bits) bool {
	c &= cellMask
	u.root[c], u.size[c], u.touch[c] = c, 1, u.edge[side&1][c]
	at := c
	for ; !beside.Empty(); beside = beside.Rest() {
		r := u.find(beside.First())
		if r == at {
			continue
		}
		if u.size[r&cellMask] > u.size[at&cellMask] {
			r, at = at, r
		}
		u.root[r&cellMask] = at
		u.size[at&cellMask] += u.size[r&cellMask]
		u.touch[at&cellMask] |= u.touch[r&cellMask]
	}
	return u.touch[at&cellMask] == 3
}

// runConnecting plays games of placements on free cells that end with a connection between two edges.
func (p *Random) runConnecting(start *State) (Result, int) {
	t, from := &p.t, start
	if start.PieOpen() { // until it is taken or not
		from = &p.state
		from.CopyFrom(start)
		for !from.Over() && from.PieOpen() {
			from.Play(p.Move(from))
		}
		if from.Over() {
			return from.Result(), from.Ply() - start.Ply()
		}
	}
	if p.groups == nil {
		p.groups = &groups{}
		for side := range 2 {
			for i, edge := range t.goal[side].edges {
				for ; !edge.Empty(); edge = edge.Rest() {
					p.groups.edge[side][edge.First()&cellMask] |= 1 << i
				}
			}
		}
	}
	u, d := p.groups, digits{}
	side := from.Side() & 1
	var pieces [2]Bits
	for of := range 2 {
		for b := from.Pieces(of); !b.Empty(); b = b.Rest() {
			c := b.First()
			u.add(of, c, t.grid.Neighbours[c&cellMask].And(pieces[of]))
			pieces[of] = pieces[of].Or(t.grid.Bit[c&cellMask])
		}
	}
	free, n, k := &p.free, p.list(pieces[0].Or(pieces[1])), 0
	if n == 0 {
		return p.runAny(start)
	}
	ply, maxPlies := from.Ply(), int(p.lastPly(from))
	for {
		if d.unused == 0 {
			d = digits{p.src.Uint64(), p.perWord}
		}
		k, d = d.draw(n)
		c := free[k&cellMask] & cellMask
		n--
		free[k&cellMask] = free[n&cellMask]
		ply++
		me := &pieces[side&1]
		connects := u.add(side, c, t.grid.Neighbours[c].And(*me))
		*me = me.Or(t.grid.Bit[c])
		switch {
		case connects && t.goal[side&1].misere:
			return engines.Winner(1 - side), ply - start.Ply()
		case connects:
			return engines.Winner(side), ply - start.Ply()
		case n == 0:
			r, more := p.endConnecting(side, &pieces)
			if more > 0 && t.maxPlies > 0 {
				more = max(0, min(more, int(t.maxPlies)-ply))
			}
			return r, ply + more - start.Ply()
		case ply >= maxPlies:
			return engines.Drawn, ply - start.Ply()
		}
		side ^= 1
	}
}

// endConnecting returns how a game ends if the board is full without a connection, and how many passes follow.
func (p *Random) endConnecting(side int, pieces *[2]Bits) (Result, int) {
	switch {
	case p.t.majority:
		return engines.MoreWins(grid.First, pieces[0].Count(), pieces[1].Count()), 0
	case p.t.fullDraw:
		return engines.Drawn, 0
	}
	if r := p.g.StuckEnd(1 - side); r != engines.Ongoing {
		return r, 0
	}
	return engines.Drawn, 2
}
