package engines

import (
	"slices"

	"spar/engines/grid"
	"spar/engines/rules"
)

// takeKinds sets up the rows for kinds of pieces and returns the cells that have a digit. If narrow is set, only
// positions that play can reach from the start have keys: no digit is for a piece or a cell that play never has.
func (c *Codec) takeKinds(narrow bool) (cells Bits) {
	g, k := c.g, c.g.kinds
	n, start := len(k.of[First]), g.NewState()
	c.slots, c.rows = n, 2*n
	if k.late {
		c.rows += n
	}
	c.marked = c.rows
	c.rows += 2
	c.values = make([]uint64, c.rows)
	c.single = make([]digit, c.rows)
	var most [2][]int // for each side and kind, the most pieces. What others become is never promoted itself
	for side := range most {
		most[side] = make([]int, n)
		for i := range n {
			count := start.OfKind(side, i).Count()
			most[side][i] += count
			for _, to := range k.of[side][i].becomes {
				most[side][to] += count
			}
		}
	}
	if k.drops {
		for i, n := range c.mostOf() {
			most[First][i], most[Second][i] = n, n
		}
	}
	c.base = 1
	for row := range c.marked {
		side, i := row/n, row%n
		count := most[0][i] + most[1][i] // of a row that is about to leave, and of either side if they exchange
		if row < 2*n && !c.exchange {
			count = most[side][i]
		} else if row < 2*n {
			count = max(most[0][i], most[1][i])
		}
		switch {
		case narrow && count == 1 && !k.late:
			c.single[row].radix = 1
		case count > 0 || !narrow:
			c.values[row], c.base = c.base, c.base+1
		}
	}
	for i, of := range [2]rules.Mechanic{rules.Blocks, rules.LineCaptures} {
		if g.uses.Has(of) {
			c.values[c.marked+i], c.base = c.base, c.base+1
		}
	}
	if !narrow || k.drops || k.block != "" {
		return g.grid.Board
	}
	cells = start.all()
	if c.exchange {
		cells = cells.Or(grid.Permute(cells, g.image))
	}
	moves := g.PossibleMoves()
	for before := (Bits{}); before != cells; {
		before = cells
		for _, m := range moves {
			if from := m.From(); from != NoCell && cells.Has(from) {
				cells = cells.With(m.To())
			}
		}
	}
	return cells
}

// partsOfKinds appends the parts of a side's pieces. It returns nil if the codec has no key for them.
func (c *Codec) partsOfKinds(s *State, side, role int, seen []Cell, dst []int32) []int32 {
	once := uint32(0)
	for b := s.pieces[side]; !b.Empty(); b = b.Rest() {
		cell := b.First()
		row := role*c.slots + s.kindAt(cell)
		if s.dead.Has(cell) {
			row = 2*c.slots + s.kindAt(cell)
		}
		single := c.single[row].radix > 0
		if single && once>>row&1 != 0 || !single && c.values[row] == 0 ||
			c.place[seen[cell]] < 0 {
			return nil
		}
		once |= 1 << row
		dst = append(dst, int32(row*c.g.grid.Cells)+int32(seen[cell]))
	}
	return dst
}

// decodeKinds reads the pieces and their kinds from the last digits of a key.
func (c *Codec) decodeKinds(s *State, take func(*digit) int) {
	s.men = men{grows: s.grows, shoots: s.shoots, stock: s.stock}
	put := func(row int, cell Cell) {
		switch row {
		case c.marked:
			s.blocked = s.blocked.With(cell)
			return
		case c.marked + 1:
			s.trail = s.trail.With(cell).With(s.chain)
			return
		}
		side := row / c.slots
		if row >= 2*c.slots {
			side, s.dead = 1-int(s.side), s.dead.With(cell)
		}
		s.pieces[side&1] = s.pieces[side&1].With(cell)
		s.setKind(cell, row%c.slots)
	}
	for row := range c.single {
		if d := &c.single[row]; d.radix > 0 {
			if at := take(d); at > 0 {
				put(row, Cell(at-1))
			}
		}
	}
	cell := digit{radix: c.base}
	for at, place := range c.place {
		if place < 0 {
			continue
		}
		if value := take(&cell); value > 0 {
			for row := range c.values {
				if c.values[row] == uint64(value) {
					put(row, Cell(at))
				}
			}
		}
	}
}

// mostOf returns for each kind the most pieces that one side may have under drops: all that can become it.
func (c *Codec) mostOf() []int {
	k, start := c.g.kinds, c.g.NewState()
	most := make([]int, len(k.of[First]))
	for i := range most {
		seen := []int{i} // the kinds that a piece may have had before
		for from := 0; from < len(seen); from++ {
			for j := range k.of[First] {
				if of := &k.of[First][j]; (of.inHand == seen[from] || slices.Contains(of.becomes, seen[from])) &&
					!slices.Contains(seen, j) {
					seen = append(seen, j)
				}
			}
		}
		for _, kind := range seen {
			most[i] += start.OfKind(First, kind).Count() + start.OfKind(Second, kind).Count()
		}
	}
	return most
}

// mostDrops returns the most pieces in hand, by side and kind; 0 for kinds that are never there.
func (c *Codec) mostDrops() (most [2 * rules.MaxKinds]int) {
	k := c.g.kinds
	for i := range k.of[First] {
		if held := k.of[First][i].inHand; k.drops {
			most[held], most[rules.MaxKinds+held] = c.mostOf()[held], c.mostOf()[held]
		}
	}
	return most
}
