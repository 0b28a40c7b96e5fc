package engines

import "math/bits"

// counters holds, for every cell, how many of its neighbours a side has: bit i of the count of all cells lies in plane i.
// Adding a neighbourhood is a few operations for the whole board.
type counters struct {
	p0, p1, p2, p3 Bits
}

func (c *counters) add(m Bits) {
	carry := c.p0.And(m)
	c.p0 = c.p0.xor(m)
	m = c.p1.And(carry)
	c.p1 = c.p1.xor(carry)
	carry = c.p2.And(m)
	c.p2 = c.p2.xor(m)
	c.p3 = c.p3.xor(carry)
}

func (c *counters) sub(m Bits) {
	borrow := m.AndNot(c.p0)
	c.p0 = c.p0.xor(m)
	m = borrow.AndNot(c.p1)
	c.p1 = c.p1.xor(borrow)
	borrow = m.AndNot(c.p2)
	c.p2 = c.p2.xor(m)
	c.p3 = c.p3.xor(borrow)
}

// bias is added to every count at the start so that a count of at least the threshold reaches 8 or more: its plane 3.
func (c *counters) bias(board Bits, threshold int) {
	by := 8 - threshold
	for i, plane := range []*Bits{&c.p0, &c.p1, &c.p2, &c.p3} {
		if by>>i&1 != 0 {
			*plane = board
		}
	}
}

// runSurround plays games of placements anywhere with surround capture and conversion, decided by majority or drawn on the
// full board. Counts start biased so that one plane says which cells are surrounded: threshold + bias = 8, and 8 neighbours
// at most give 15.
func (p *Playouts) runSurround(from *State) (Result, int) {
	g := p.g
	src, fraction, digits := p.digits.src, uint64(0), int8(0)
	free, n := &p.free, g.cells
	*free = g.order
	if all := from.pieces[0].Or(from.pieces[1]); !all.Empty() {
		n = 0
		for b := g.board.AndNot(all); !b.Empty(); b = b.Rest() {
			free[n&CellMask] = b.First()
			n++
		}
	}
	side, left := int(from.side&1), from.left
	me, other := from.pieces[side], from.pieces[1-side]
	var x, o counters
	own, enemy := &x, &o
	for _, c := range []struct {
		of *counters
		b  Bits
	}{{own, me}, {enemy, other}} {
		c.of.bias(g.board, g.threshold)
		for b := c.b; !b.Empty(); b = b.Rest() {
			c.of.add(g.neighbours[b.First()])
		}
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
		near := g.neighbours[c]
		c0 := own.p0.And(near) // own.add(near), written out: half of all the time goes here
		own.p0 = own.p0.xor(near)
		c1 := own.p1.And(c0)
		own.p1 = own.p1.xor(c0)
		c2 := own.p2.And(c1)
		own.p2 = own.p2.xor(c1)
		flags := own.p3.xor(c2)
		own.p3 = flags
		me = me.Or(g.bit[c])
		if hit := flags.And(near).And(other); !hit.Empty() {
			me, other = me.Or(hit), other.AndNot(hit)
			for w := hit.Lo; w != 0; w &= w - 1 {
				around := g.neighbours[bits.TrailingZeros64(w)&CellMask]
				own.add(around)
				enemy.sub(around)
			}
			for w := hit.Hi; w != 0; w &= w - 1 {
				around := g.neighbours[(64+bits.TrailingZeros64(w))&CellMask]
				own.add(around)
				enemy.sub(around)
			}
		}
		ply++
		if n == 0 || ply >= maxPlies {
			break
		}
		if left--; left == 0 {
			side ^= 1
			left = g.perTurn
			me, other = other, me
			own, enemy = enemy, own
		}
	}
	result := Drawn
	if n == 0 && g.majority {
		result = majority(side, me.Count(), other.Count())
	}
	return result, int(ply - from.ply)
}
