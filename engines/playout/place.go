package playout

import (
	"math/bits"

	"spar/engines"
	"spar/engines/grid"
)

// playOpening plays with State.Play until the rules no longer depend on the ply number, and returns that position.
func (p *Random) playOpening(from *State) *State {
	if int32(from.Ply()) >= p.t.timeless {
		return from
	}
	s := &p.state
	s.CopyFrom(from)
	for !s.Over() && int32(s.Ply()) < p.t.timeless {
		s.Play(p.Move(s))
	}
	return s
}

// smallBoard is the maximum number of cells whose list can be copied by one memory move.
const smallBoard = 16

// runPlacing plays games of single placements with lines and ages, on boards of at most 64 cells.
func (p *Random) runPlacing(start *State) (Result, int) {
	t, d := &p.t, digits{}
	line := p.t.line
	free, n, k := &p.free, 0, 0
	side, ply := start.Side(), int32(start.Ply())
	me, other := start.Pieces(side&1).Lo, start.Pieces((1-side)&1).Lo
	if ply == 0 && t.opensAnywhere && me|other == 0 {
		k = p.below(t.grid.Cells)
		*(*[smallBoard]Cell)(free[:]) = *(*[smallBoard]Cell)(t.grid.Order[:])
		*(*[smallBoard]Cell)(free[k%smallBoard:]) = *(*[smallBoard]Cell)(t.grid.Order[k%smallBoard+1:]) // all but the k-th
		n = t.grid.Cells - 1
		me, other = 0, 1<<(t.grid.Order[k&cellMask]&63)
		side ^= 1
		ply++
	} else {
		from := p.playOpening(start)
		if from.Over() {
			return from.Result(), from.Ply() - start.Ply()
		}
		side, ply = from.Side(), int32(from.Ply())
		me, other = from.Pieces(side&1).Lo, from.Pieces((1-side)&1).Lo
		n = p.list(Bits{Lo: me | other})
	}
	table := line.Small
	maxPlies := p.lastPly(start)
	firstLine := int32(0)
	if start.Ply() == 0 {
		firstLine = int32(2*line.Length - 1)
	}
	result := engines.Drawn
	for {
		if d.unused == 0 {
			d = digits{p.src.Uint64(), p.perWord}
		}
		k, d = d.draw(n)
		me |= 1 << (free[k&cellMask] & 63)
		n--
		free[k&cellMask] = free[n&cellMask]
		ply++
		if ply >= firstLine {
			won := false
			if lines := table[side&1]; lines != nil {
				won = lines[int(me>>6)&(len(lines)-1)]>>(me&63)&1 != 0
			} else {
				won = line.HasFlat(side, me)
			}
			if won {
				result = engines.Winner(side)
				break
			}
		}
		if n == 0 {
			result = t.counted(side, me, other)
			break
		}
		if ply >= maxPlies {
			break
		}
		me, other = other, me
		side ^= 1
	}
	return result, int(ply) - start.Ply()
}

// ring holds the ages of one side's pieces in a random game.
type ring struct {
	cell       [grid.CellSpace]Cell
	head, tail uint8
}

// runAging is runPlacing for rules with a cap. In the opening it draws cells until one is in the region of the
// ply. Once both sides have reached the cap, runCapped continues.
func (p *Random) runAging(from *State) (Result, int) {
	t := &p.t
	line := p.t.line
	side, ply, start := from.Side(), int32(from.Ply()), int32(from.Ply())
	me, other := from.Pieces(side&1).Lo, from.Pieces((1-side)&1).Lo
	p.ring[0].head, p.ring[0].tail, p.ring[1].head, p.ring[1].tail = 0, 0, 0, 0
	if me|other != 0 {
		if max(bits.OnesCount64(me), bits.OnesCount64(other)) > t.cap && ply >= t.removeFrom {
			return p.runAny(from) // a position from a text: more leave in one ply than this kernel knows
		}
		for i := range p.ring {
			p.ring[i].tail = uint8(len(from.Ages(i, p.ring[i].cell[:0])))
		}
	}
	fraction, unused := uint64(0), int8(0)
	free, n := &p.free, p.list(Bits{Lo: me | other})
	own, enemy := &p.ring[side&1], &p.ring[(1-side)&1]
	cap, before := uint8(t.cap), !t.afterWin
	table := line.Small[0] != nil
	long := !table && line.Length <= 4 // games on such boards last long after both sides are at the cap
	maxPlies := p.lastPly(from)
	opening := len(t.opening[0])
	result := engines.Drawn
	for {
		if long && own.tail-own.head == cap && enemy.tail-enemy.head == cap && ply+1 >= t.removeFrom &&
			int(ply) >= opening {
			result, ply = p.runCapped(digits{fraction, unused}, side, me, other, n, ply, maxPlies)
			break
		}
		if unused == 0 {
			fraction, unused = p.src.Uint64(), p.perWord
		}
		unused--
		var k uint64
		k, fraction = bits.Mul64(fraction, uint64(n))
		c := free[k&cellMask]
		if int(ply) < opening {
			for zone := t.opening[side][ply].Lo; zone>>(c&63)&1 == 0; c = free[k&cellMask] {
				k = uint64(p.below(n))
			}
		}
		me |= 1 << (c & 63)
		ply++
		own.cell[own.tail&cellMask] = c
		own.tail++
		full := own.tail-own.head > cap && ply >= t.removeFrom
		leaving := own.cell[own.head&cellMask]
		if full && before {
			me &^= 1 << (leaving & 63)
		}
		won := false
		if table {
			lines := line.Small[side&1]
			won = lines[int(me>>6)&(len(lines)-1)]>>(me&63)&1 != 0
		} else {
			won = line.HasFlat(side, me)
		}
		if won {
			result = engines.Winner(side)
			break
		}
		if full { // the cell that the oldest leaves takes the place of the new one in the list
			me &^= 1 << (leaving & 63)
			own.head++
			free[k&cellMask] = leaving
		} else {
			n--
			free[k&cellMask] = free[n&cellMask]
		}
		if n == 0 {
			result = t.counted(side, me, other)
			break
		}
		if ply >= maxPlies {
			break
		}
		me, other = other, me
		own, enemy = enemy, own
		side ^= 1
	}
	return result, int(ply - start)
}

// runCapped continues a random game in which both sides are at the cap, with lines of up to four on a flat board.
// In the list of free cells, each placed cell is replaced by the cell of the side's oldest piece, and in the ring
// of ages the other way round.
func (p *Random) runCapped(d digits, side int, me, other uint64, n int, ply, maxPlies int32) (Result, int32) {
	t, free := &p.t, &p.free
	fraction, unused := d.fraction, d.unused
	line := p.t.line
	cap := t.cap
	var ages [2 * 128]Cell // of a side from its 128 times side on, the oldest first
	for i := range 2 {
		r := &p.ring[i]
		for j := range cap {
			ages[i<<7|j&127] = r.cell[(r.head+uint8(j))&cellMask]
		}
	}
	head, second := 0, false
	stay := uint64(0)
	if t.afterWin {
		stay = ^stay // the piece that leaves still counts for lines
	}
	by := &line.By
	a0, a1, a2, a3 := by[0][0]&63, by[1][0]&63, by[2][0]&63, by[3][0]&63
	b0, b1, b2, b3 := by[0][1]&63, by[1][1]&63, by[2][1]&63, by[3][1]&63
	for {
		if unused == 0 {
			fraction, unused = p.src.Uint64(), p.perWord
		}
		unused--
		var k uint64
		k, fraction = bits.Mul64(fraction, uint64(n))
		c := free[k&cellMask]
		oldest := &ages[uint8(side<<7|head)]
		leaving := *oldest
		*oldest = c
		free[k&cellMask] = leaving
		goes := uint64(1) << (leaving & 63)
		me = me&^goes | 1<<(c&63)
		ply++
		with := me | goes&stay
		e, se, s, sw := with&(with>>a0), with&(with>>a1), with&(with>>a2), with&(with>>a3)
		starts := &line.Starts[side&1]
		if e&(e>>b0)&starts[0].Lo|se&(se>>b1)&starts[1].Lo|s&(s>>b2)&starts[2].Lo|sw&(sw>>b3)&starts[3].Lo != 0 {
			return engines.Winner(side), ply
		}
		if ply >= maxPlies {
			return engines.Drawn, ply
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

// runFalling plays games under gravity in which no piece leaves the board.
func (p *Random) runFalling(from *State) (Result, int) {
	t := &p.t
	line := p.t.line
	d, k := digits{}, 0
	open, n := &p.free, 0 // the landing cell of each column that has one
	for b := from.Placements(); !b.Empty(); b = b.Rest() {
		open[n&cellMask] = b.First()
		n++
	}
	side := from.Side()
	me, other := from.Pieces(side&1).Lo, from.Pieces((1-side)&1).Lo
	ply, maxPlies := int32(from.Ply()), t.maxPlies
	if maxPlies == 0 {
		maxPlies = int32(t.grid.Cells) + 1
	}
	columns := Cell(t.grid.Columns)
	flat := line.Flat && line.Small[0] == nil
	result := engines.Drawn
	for {
		if d.unused == 0 {
			d = digits{p.src.Uint64(), p.perWord}
		}
		k, d = d.draw(n)
		c := open[k&cellMask]
		me |= 1 << (c & 63)
		ply++
		if flat && line.HasFlat(side, me) || !flat && line.Has(side, Bits{Lo: me}, c) {
			result = engines.Winner(side)
			break
		}
		if c >= columns {
			open[k&cellMask] = c - columns
		} else {
			n--
			open[k&cellMask] = open[n&cellMask]
		}
		if n == 0 {
			result = t.counted(side, me, other)
			break
		}
		if ply >= maxPlies {
			break
		}
		me, other = other, me
		side ^= 1
	}
	return result, int(ply) - from.Ply()
}

// agesSimply reports whether runAging is correct: at most one piece leaves in a ply, and no opening region can fill up.
func agesSimply(g *engines.Game) bool {
	for side := range 2 {
		_, opening := g.Zones(side)
		for _, zone := range opening {
			if zone.Count() < 2*len(opening) {
				return false
			}
		}
	}
	p := g.Rules().Pieces
	return p.Cap > 0 && p.RemovalFromPly <= 2*p.Cap
}
