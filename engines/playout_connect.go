package engines

import "math/bits"

// groups joins connected pieces of each side as they are placed. It is a union-find structure, with union by size
// and path halving.
type groups struct {
	root  [CellSpace]Cell
	size  [CellSpace]uint8
	touch [CellSpace]uint8    // at a root: bits 0 and 1 are set if the group touches the first and second edge
	edge  [2][CellSpace]uint8 // the same bits for single cells, by side
}

func (u *groups) find(c Cell) Cell {
	for u.root[c&CellMask] != c {
		up := u.root[u.root[c&CellMask]&CellMask]
		u.root[c&CellMask] = up
		c = up
	}
	return c
}

// add places a piece, joins it with adjacent pieces of its side, and reports whether its group touches both edges.
func (u *groups) add(side int, c Cell, beside Bits) bool {
	c &= CellMask
	u.root[c], u.size[c], u.touch[c] = c, 1, u.edge[side&1][c]
	at := c
	for ; !beside.Empty(); beside = beside.Rest() {
		r := u.find(beside.First())
		if r == at {
			continue
		}
		if u.size[r&CellMask] > u.size[at&CellMask] {
			r, at = at, r
		}
		u.root[r&CellMask] = at
		u.size[at&CellMask] += u.size[r&CellMask]
		u.touch[at&CellMask] |= u.touch[r&CellMask]
	}
	return u.touch[at&CellMask] == 3
}

// runConnecting plays games of placements on free cells that end with a connection between two edges.
func (p *Playouts) runConnecting(start *State) (Result, int) {
	g := p.g
	from := start
	if g.pie { // until it is taken or not
		from = &p.state
		from.CopyFrom(start)
		for from.result == Ongoing && (!from.begun || from.swap) {
			from.Play(p.Random(from))
		}
		if from.result != Ongoing {
			return from.result, int(from.ply - start.ply)
		}
	}
	if p.groups == nil {
		p.groups = &groups{}
		for side := range 2 {
			for i, edge := range g.goal[side].edges {
				for ; !edge.Empty(); edge = edge.Rest() {
					p.groups.edge[side][edge.First()&CellMask] |= 1 << i
				}
			}
		}
	}
	u := p.groups
	src, fraction, digits := p.digits.src, uint64(0), int8(0)
	free, n := &p.free, 0
	side := int(from.side & 1)
	var pieces [2]Bits
	for of := range 2 {
		for b := from.pieces[of]; !b.Empty(); b = b.Rest() {
			c := b.First()
			u.add(of, c, g.grid.Neighbours[c&CellMask].And(pieces[of]))
			pieces[of] = pieces[of].Or(g.grid.Bit[c&CellMask])
		}
	}
	for b := g.grid.Board.AndNot(pieces[0].Or(pieces[1])); !b.Empty(); b = b.Rest() {
		free[n&CellMask] = b.First()
		n++
	}
	if n == 0 {
		return p.runAny(start)
	}
	ply, maxPlies := from.ply, p.lastPly(from)
	for {
		if digits == 0 {
			fraction, digits = src.Uint64(), p.digits.perWord
		}
		digits--
		var k uint64
		k, fraction = bits.Mul64(fraction, uint64(n))
		c := free[k&CellMask] & CellMask
		n--
		free[k&CellMask] = free[n&CellMask]
		ply++
		me := &pieces[side&1]
		connects := u.add(side, c, g.grid.Neighbours[c].And(*me))
		*me = me.Or(g.grid.Bit[c])
		switch {
		case connects && g.goal[side&1].misere:
			return Winner(1 - side), int(ply - start.ply)
		case connects:
			return Winner(side), int(ply - start.ply)
		case n == 0:
			r, more := p.endConnecting(side, &pieces)
			if more > 0 && g.maxPlies > 0 {
				more = max(0, min(more, g.maxPlies-ply))
			}
			return r, int(ply + more - start.ply)
		case ply >= maxPlies:
			return Drawn, int(ply - start.ply)
		}
		side ^= 1
	}
}

// endConnecting returns how a game ends if the board is full without a connection, and how many passes follow.
func (p *Playouts) endConnecting(side int, pieces *[2]Bits) (Result, int32) {
	g := p.g
	switch {
	case g.majority:
		return majority(First, pieces[First].Count(), pieces[Second].Count()), 0
	case g.fullDraw:
		return Drawn, 0
	}
	if r := g.stuckEnd(1 - side); r != Ongoing {
		return r, 0
	}
	return Drawn, 2
}
