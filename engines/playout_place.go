package engines

import "math/bits"

// playOpening plays with State.Play until the rules no longer depend on the ply number, and returns that position.
func (p *Playouts) playOpening(from *State) *State {
	if from.ply >= from.g.timeless {
		return from
	}
	s := &p.state
	s.CopyFrom(from)
	for s.result == Ongoing && s.ply < s.g.timeless {
		s.Play(p.Random(s))
	}
	return s
}

// smallBoard is the maximum number of cells whose list can be copied by one memory move.
const smallBoard = 16

// anywhereFirst reports whether the first move may go to any cell of a small board and cannot end the game.
// runPlacing then plays it itself, because State.Play would need as long for it as for the rest of the game.
func (g *Game) anywhereFirst() bool {
	return g.grid.Cells > 1 && g.grid.Cells <= smallBoard && len(g.opening[0]) == 0 && g.line.length != 1 &&
		g.maxPlies != 1
}

// runPlacing plays games of single placements with lines and ages, on boards of at most 64 cells.
func (p *Playouts) runPlacing(start *State) (Result, int) {
	g := p.g
	src, fraction, digits := p.digits.src, uint64(0), int8(0)
	free, n := &p.free, 0
	side, ply := int(start.side), start.ply
	me, other := start.pieces[side&1].Lo, start.pieces[(1-side)&1].Lo
	if ply == 0 && p.opensAnywhere && me|other == 0 {
		k := p.digits.below(g.grid.Cells)
		*(*[smallBoard]Cell)(free[:]) = *(*[smallBoard]Cell)(g.grid.Order[:])
		*(*[smallBoard]Cell)(free[k%smallBoard:]) = *(*[smallBoard]Cell)(g.grid.Order[k%smallBoard+1:]) // all but the k-th
		n = g.grid.Cells - 1
		me, other = 0, 1<<(g.grid.Order[k&CellMask]&63)
		side ^= 1
		ply++
	} else {
		from := p.playOpening(start)
		if from.result != Ongoing {
			return from.result, int(from.ply - start.ply)
		}
		side, ply = int(from.side), from.ply
		me, other = from.pieces[side&1].Lo, from.pieces[(1-side)&1].Lo
		n = p.freeCells(me | other)
	}
	table := g.line.small
	maxPlies := p.lastPly(start)
	firstLine := int32(0)
	if start.ply == 0 {
		firstLine = int32(2*g.line.length - 1)
	}
	result := Drawn
	for {
		if digits == 0 {
			fraction, digits = src.Uint64(), p.digits.perWord
		}
		digits--
		var k uint64
		k, fraction = bits.Mul64(fraction, uint64(n))
		me |= 1 << (free[k&CellMask] & 63)
		n--
		free[k&CellMask] = free[n&CellMask]
		ply++
		if ply >= firstLine {
			won := false
			if t := table[side&1]; t != nil {
				won = t[int(me>>6)&(len(t)-1)]>>(me&63)&1 != 0
			} else {
				won = g.line.hasFlat(side, me)
			}
			if won {
				result = Winner(side)
				break
			}
		}
		if n == 0 {
			result = g.counted(side, me, other)
			break
		}
		if ply >= maxPlies {
			break
		}
		me, other = other, me
		side ^= 1
	}
	return result, int(ply - start.ply)
}

// freeCells lists the cells of a board of at most 64 cells that are not occupied and returns their number. It is small
// enough to be inlined.
func (p *Playouts) freeCells(occupied uint64) (n int) {
	if occupied == 0 {
		p.free = p.g.grid.Order
		return p.g.grid.Cells
	}
	for b := p.g.grid.Board.Lo &^ occupied; b != 0; b &= b - 1 {
		p.free[n&CellMask] = Cell(bits.TrailingZeros64(b))
		n++
	}
	return n
}

// lastPly returns the last possible ply of a random game.
func (p *Playouts) lastPly(from *State) int32 {
	if p.g.maxPlies > 0 {
		return p.g.maxPlies
	}
	return from.ply + p.longest
}

// ring holds the ages of one side's pieces in a random game.
type ring struct {
	cell       [CellSpace]Cell
	head, tail uint8
}

// runAging is runPlacing for rules with a cap. In the opening it draws cells until one is in the region of the
// ply. Once both sides have reached the cap, runCapped continues.
func (p *Playouts) runAging(from *State) (Result, int) {
	g := p.g
	if most := int(max(from.age[0].n, from.age[1].n)); most > g.cap && from.ply >= g.removeFrom {
		return p.runAny(from) // a position from a text: more leave in one ply than this kernel knows
	}
	src, fraction, digits := p.digits.src, uint64(0), int8(0)
	free, n := &p.free, p.freeCells(from.pieces[0].Lo|from.pieces[1].Lo)
	side := int(from.side)
	me, other := from.pieces[side].Lo, from.pieces[1-side].Lo
	own, enemy := &p.ring[side&1], &p.ring[(1-side)&1]
	for i, r := range []*ring{own, enemy} {
		q := &from.age[side^i]
		r.head, r.tail = 0, q.n
		for j := range q.n {
			r.cell[j&CellMask] = q.at(j)
		}
	}
	cap, before := uint8(g.cap), !g.afterWin
	table := g.line.small[0] != nil
	long := !table && g.line.length <= 4 // games on such boards last long after both sides are at the cap
	ply, maxPlies := from.ply, p.lastPly(from)
	opening := len(g.opening[0])
	result := Drawn
	for {
		if long && own.tail-own.head == cap && enemy.tail-enemy.head == cap && ply+1 >= g.removeFrom &&
			int(ply) >= opening {
			result, ply = p.runCapped(side, me, other, n, ply, maxPlies, fraction, digits)
			break
		}
		if digits == 0 {
			fraction, digits = src.Uint64(), p.digits.perWord
		}
		digits--
		var k uint64
		k, fraction = bits.Mul64(fraction, uint64(n))
		c := free[k&CellMask]
		if int(ply) < opening {
			for zone := g.opening[side][ply].Lo; zone>>(c&63)&1 == 0; c = free[k&CellMask] {
				k = uint64(p.digits.below(n))
			}
		}
		me |= 1 << (c & 63)
		ply++
		own.cell[own.tail&CellMask] = c
		own.tail++
		full := own.tail-own.head > cap && ply >= g.removeFrom
		leaving := own.cell[own.head&CellMask]
		if full && before {
			me &^= 1 << (leaving & 63)
		}
		won := false
		if table {
			t := g.line.small[side&1]
			won = t[int(me>>6)&(len(t)-1)]>>(me&63)&1 != 0
		} else {
			won = g.line.hasFlat(side, me)
		}
		if won {
			result = Winner(side)
			break
		}
		if full { // the cell that the oldest leaves takes the place of the new one in the list
			me &^= 1 << (leaving & 63)
			own.head++
			free[k&CellMask] = leaving
		} else {
			n--
			free[k&CellMask] = free[n&CellMask]
		}
		if n == 0 {
			result = g.counted(side, me, other)
			break
		}
		if ply >= maxPlies {
			break
		}
		me, other = other, me
		own, enemy = enemy, own
		side ^= 1
	}
	return result, int(ply - from.ply)
}

// runCapped continues a random game in which both sides are at the cap, with lines of up to four on a flat board.
// In the list of free cells, each placed cell is replaced by the cell of the side's oldest piece, and in the ring
// of ages the other way round.
func (p *Playouts) runCapped(
	side int,
	me, other uint64,
	n int,
	ply, maxPlies int32,
	fraction uint64,
	digits int8,
) (Result, int32) {
	g, free := p.g, &p.free
	cap := g.cap
	var ages [2 * 128]Cell // of a side from its 128 times side on, the oldest first
	for i := range 2 {
		r := &p.ring[i]
		for j := range cap {
			ages[i<<7|j&127] = r.cell[(r.head+uint8(j))&CellMask]
		}
	}
	src := p.digits.src
	head, second := 0, false
	stay := -b2u(g.afterWin) // the piece that leaves still counts for lines
	by := &g.line.by
	a0, a1, a2, a3 := by[0][0]&63, by[1][0]&63, by[2][0]&63, by[3][0]&63
	b0, b1, b2, b3 := by[0][1]&63, by[1][1]&63, by[2][1]&63, by[3][1]&63
	for {
		if digits == 0 {
			fraction, digits = src.Uint64(), p.digits.perWord
		}
		digits--
		var k uint64
		k, fraction = bits.Mul64(fraction, uint64(n))
		c := free[k&CellMask]
		oldest := &ages[uint8(side<<7|head)]
		leaving := *oldest
		*oldest = c
		free[k&CellMask] = leaving
		goes := uint64(1) << (leaving & 63)
		me = me&^goes | 1<<(c&63)
		ply++
		with := me | goes&stay
		e, se, s, sw := with&(with>>a0), with&(with>>a1), with&(with>>a2), with&(with>>a3)
		starts := &g.line.starts[side&1]
		if e&(e>>b0)&starts[0].Lo|se&(se>>b1)&starts[1].Lo|s&(s>>b2)&starts[2].Lo|sw&(sw>>b3)&starts[3].Lo != 0 {
			return Winner(side), ply
		}
		if ply >= maxPlies {
			return Drawn, ply
		}
		me, other = other, me
		side ^= 1
		if second {
			if head++; head == cap {
				head = 0
			}
		}
		second = !second
	}
}

func majority(side, own, enemy int) Result {
	switch {
	case own > enemy:
		return Winner(side)
	case own < enemy:
		return Winner(1 - side)
	}
	return Drawn
}

// counted returns the result of a game that ends when no piece can be placed: by majority if the rules say so, else
// a draw.
func (g *Game) counted(side int, own, enemy uint64) Result {
	if !g.majority {
		return Drawn
	}
	return majority(side, bits.OnesCount64(own), bits.OnesCount64(enemy))
}

// runFalling plays games under gravity in which no piece leaves the board.
func (p *Playouts) runFalling(from *State) (Result, int) {
	g := p.g
	src, fraction, digits := p.digits.src, uint64(0), int8(0)
	open, n := &p.free, 0 // the landing cell of each column that has one
	for b := from.placeable(); !b.Empty(); b = b.Rest() {
		open[n&CellMask] = b.First()
		n++
	}
	side := int(from.side)
	me, other := from.pieces[side].Lo, from.pieces[1-side].Lo
	ply, maxPlies := from.ply, g.maxPlies
	if maxPlies == 0 {
		maxPlies = int32(g.grid.Cells) + 1
	}
	columns := Cell(g.grid.Columns)
	flat := g.line.flat && g.line.small[0] == nil
	result := Drawn
	for {
		if digits == 0 {
			fraction, digits = src.Uint64(), p.digits.perWord
		}
		digits--
		var k uint64
		k, fraction = bits.Mul64(fraction, uint64(n))
		c := open[k&CellMask]
		me |= 1 << (c & 63)
		ply++
		if flat && g.line.hasFlat(side, me) || !flat && g.line.has(side, Bits{Lo: me}, c) {
			result = Winner(side)
			break
		}
		if c >= columns {
			open[k&CellMask] = c - columns
		} else {
			n--
			open[k&CellMask] = open[n&CellMask]
		}
		if n == 0 {
			result = g.counted(side, me, other)
			break
		}
		if ply >= maxPlies {
			break
		}
		me, other = other, me
		side ^= 1
	}
	return result, int(ply - from.ply)
}
