package engines

import "spar/engines/rules"

// Decode sets s to the position of a key that Canonical or Encode made. If the codec exchanges colours, the first
// player is to move in it. The ply number is the lowest one that is possible with these pieces and equivalent to
// the true one under the rules.
func (c *Codec) Decode(key Key, s *State) { c.decode(key, nil, s) }

// decode reads the pieces from the key, or takes the given ones.
func (c *Codec) decode(key Key, pieces *[2]Bits, s *State) {
	g := c.g
	s.position = position{g: g, last: NoMove, chain: NoCell, begun: true}
	key.Lo, key.Hi = key.Lo-1, key.Hi-b2u(key.Lo == 0)
	take := func(d *digit) int {
		if d.radix == 1 {
			return 0
		}
		var n int
		key, n = key.over(d.radix)
		return n
	}
	s.side = uint8(take(&c.side))
	ply := take(&c.ply)
	s.left = uint8(take(&c.left)) + 1
	switch moving := take(&c.phase) == 1; {
	case moving || g.supply == 0 && g.moves:
		s.phase = phaseMove
	case g.supply > 0:
		s.phase = phaseDeploy
	}
	marks := take(&c.marks)
	s.passed, s.swap = marks&1 != 0, marks&2 != 0
	if g.tellsBegun {
		s.begun = marks&4 != 0
	}
	s.hand[0], s.hand[1] = uint8(take(&c.hand[0])), uint8(take(&c.hand[1]))
	if chain := take(&c.chain); chain > 0 {
		s.chain = Cell(chain - 1)
	}
	s.taking, s.heading = uint8(take(&c.more[0])), uint8(take(&c.more[1]))
	s.captures = [2]uint8{uint8(take(&c.more[2])), uint8(take(&c.more[3]))}
	s.quiet, s.grows, s.shoots = uint16(take(&c.more[4])), take(&c.more[5]) == 1, take(&c.more[6]) == 1
	for i := range c.stock {
		n := &s.stock[i/rules.MaxKinds][i%rules.MaxKinds]
		if *n = 0; c.stock[i].radix > 1 {
			*n = uint8(take(&c.stock[i]))
		}
		s.hand[i/rules.MaxKinds] += *n
	}
	switch {
	case pieces != nil:
		if s.pieces = *pieces; g.kinds != nil {
			s.pieces[s.side&1] = s.pieces[s.side&1].AndNot(s.dead)
		}
	case g.kinds != nil:
		c.decodeKinds(s, take)
	default:
		c.decodeBoard(key, s)
	}
	if c.handKnown && g.supply > 0 {
		s.hand[0], s.hand[1] = uint8(c.handOf(s, 0)), uint8(c.handOf(s, 1))
	}
	s.ply = int32(ply)
	if ply == c.plies {
		s.ply = int32(max(ply, s.pieces[0].Count()+s.pieces[1].Count()))
	}
	if s.rehash(); marks&8 != 0 {
		s.trade()
		s.ply++
	}
}

func (c *Codec) decodeBoard(key Key, s *State) {
	g := c.g
	var n int
	if !g.fifo {
		for _, bit := range g.grid.Bit[:g.grid.Cells] {
			if !g.grid.Board.Contains(bit) {
				continue
			}
			if key, n = key.over(3); n > 0 {
				s.pieces[n-1] = s.pieces[n-1].Or(bit)
			}
		}
		return
	}
	for side := 1; side >= 0; side-- {
		q := &s.age[side]
		q.head, q.n = 0, 0
		for i := c.slots - 1; i >= 0; i-- {
			if key, n = key.over(c.base); n > 0 {
				q.cell[i] = Cell(n - 1)
				q.n = max(q.n, uint8(i+1))
				s.pieces[side] = s.pieces[side].Or(g.grid.Bit[n-1])
			}
		}
	}
}
