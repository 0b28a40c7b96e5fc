package engines

import (
	"math/bits"

	"spar/engines/grid"
)

// LineCount describes how near a side is to completing lines. A line is open if it contains no enemy piece; with
// overlines off, there must also be no piece of the side itself directly before or behind it.
type LineCount struct {
	// Need[m] is the number of open lines that have at least one piece of the side and need m more; 4 means 4 or more;
	// Need[0] is unused
	Need [5]int
	// number of open lines with a piece of the side that leaves because of its age before the line can be completed;
	// these are not in Need
	Expiring int
	Cells    Bits // empty cells on which a piece completes a line at once
}

// CountLines counts the open lines of a side.
func (s *State) CountLines(side int) (n LineCount) {
	switch {
	case s.g.line.Length == 0:
	case s.g.line.Flat && s.g.line.Length <= 4:
		s.countShort64(side, &n)
	case s.g.line.Planes:
		s.countPlanes(side, &s.g.line.Starts[side&1], s.g.line.Length, Bits{}, &n)
	default:
		n = s.countWindows(side, s.g.line.Windows[side], s.g.line.Lengths[side])
	}
	return n
}

// CreditLosing converts the results of CountLines for a side and its opponent to lines that count for the side and
// against it. A losing line counts for its owner's opponent. A losing line that needs one more piece does not count if
// that piece wins at once. If pieces belong to no side, the counts stay unchanged.
func (s *State) CreditLosing(side int, own, enemy *LineCount) {
	if s.g.linesLose {
		s.creditLosing(side, [2]*LineCount{own, enemy})
	}
}

func (s *State) creditLosing(side int, credited [2]*LineCount) {
	counts := [2]LineCount{*credited[0], *credited[1]}
	*credited[0], *credited[1] = LineCount{}, LineCount{}
	for i, of := range [2]int{side & 1, (1 - side) & 1} {
		if t := s.g.goal[of].shapes[ByLosingLine]; t != nil {
			var n LineCount
			if length := s.g.rules.Lose.Line; s.g.line.Planes {
				s.countPlanes(of, &t.starts, length, counts[i].Cells, &n)
			} else {
				n = s.countLosing(of, counts[i].Cells)
			}
			credited[1-i].add(n)
		}
		to := i
		if s.g.goal[of].misere {
			to = 1 - i
		}
		credited[to].add(counts[i])
	}
}

func (n *LineCount) add(other LineCount) {
	for m := range n.Need {
		n.Need[m] += other.Need[m]
	}
	n.Expiring, n.Cells = n.Expiring+other.Expiring, n.Cells.Or(other.Cells)
}

// ThreatCells returns the set of empty cells that complete a line of a side at once. It equals CountLines(side).Cells
// and is faster.
func (s *State) ThreatCells(side int) Bits {
	g := s.g
	if !g.line.Flat || g.line.Length > 4 {
		return s.CountLines(side).Cells
	}
	own, enemy := s.pieces[side&1].Lo, s.pieces[(1-side)&1].Lo
	free := g.grid.Board.Lo &^ (own | enemy)
	if g.fifo {
		own &^= s.doomed(side, 1).Lo // they do not stand when the line is tested
	}
	starts := &g.line.Starts[side&1]
	m2, m3 := -b2u(g.line.Length > 2), -b2u(g.line.Length > 3) // masks of the third and fourth cell of a line
	var cells uint64
	for d := range starts {
		step := uint(g.line.By[d][0])
		s1, s2, s3 := step&63, 2*step&63, 3*step&63
		x1, x2, x3 := own>>s1, own>>s2|^m2, own>>s3|^m3
		f1, f2, f3 := free>>s1, free>>s2&m2, free>>s3&m3
		low, high := own&x1, x2&x3
		open := starts[d].Lo
		cells |= open & free & x1 & high
		cells |= (open & own & f1 & high) << s1
		cells |= (open & low & f2 & x3) << s2
		cells |= (open & low & x2 & f3) << s3
	}
	return Bits{Lo: cells}
}

// b2u converts true to 1 and false to 0.
func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// countShort64 is countPlanes for lines of up to four cells on boards that fit into one word. N must be zero.
func (s *State) countShort64(side int, n *LineCount) {
	g := s.g
	own, enemy := s.pieces[side&1].Lo, s.pieces[(1-side)&1].Lo
	length := g.line.Length
	var doomed [4]uint64
	ageing := false
	if g.fifo && int(s.age[side&1].n)+length-1 > g.cap {
		for m := 1; m < length; m++ {
			doomed[m&3] = s.doomed(side, m).Lo
			ageing = ageing || doomed[m&3] != 0
		}
	}
	starts := &g.line.Starts[side&1]
	m2, m3 := -b2u(length > 2), -b2u(length > 3) // masks of the third and fourth cell of a line
	var cells uint64
	var with [4]int // open lines that have one, two or three pieces of the side
	for d := range starts {
		step := uint(g.line.By[d][0])
		s1, s2, s3 := step&63, 2*step&63, 3*step&63
		x1, x2, x3 := own>>s1, own>>s2&m2, own>>s3&m3
		open := starts[d].Lo & (own | x1 | x2 | x3) &^ (enemy | enemy>>s1 | enemy>>s2&m2 | enemy>>s3&m3)
		if open == 0 {
			continue
		}
		odd := own ^ x1 ^ x2
		carry := own&x1 | x2&(own^x1)
		p0, p1 := odd^x3, carry^odd&x3
		have := [4]uint64{1: open & p0 &^ p1, 2: open & p1 &^ p0, 3: open & p0 & p1}
		if ageing {
			for m := 1; m < length; m++ {
				having := &have[(length-m)&3]
				dying := *having & (doomed[m&3] | doomed[m&3]>>s1 | doomed[m&3]>>s2&m2 | doomed[m&3]>>s3&m3)
				n.Expiring += bits.OnesCount64(dying)
				*having &^= dying
			}
		}
		with[1] += bits.OnesCount64(have[1])
		with[2] += bits.OnesCount64(have[2])
		with[3] += bits.OnesCount64(have[3])
		near := have[(length-1)&3]
		cells |= near | near<<s1 | near&m2<<s2 | near&m3<<s3
	}
	for m := 1; m < length; m++ {
		n.Need[m&3] = with[(length-m)&3]
	}
	n.Cells.Lo = cells &^ own
}

// countShort is countPlanes for lines of up to four cells whose pieces do not age.
func (s *State) countShort(side int, starts *[4]Bits, length int, wins Bits, n *LineCount) {
	own, enemy := s.pieces[side&1], s.pieces[(1-side)&1]
	var m2, m3 Bits // masks of the third and fourth cell of a line
	if length > 2 {
		m2 = grid.Everywhere()
	}
	if length > 3 {
		m3 = grid.Everywhere()
	}
	var with [4]int // open lines that have one, two or three pieces of the side
	for d := range starts {
		step := s.g.grid.Shifts[d][0].Up
		x1 := own.Back(step & 63)
		x2 := own.Back(2 * step & 63).And(m2)
		x3 := own.Back(3 * step & 63).And(m3)
		blocked := enemy.Or(enemy.Back(step & 63)).Or(enemy.Back(2 * step & 63).And(m2)).Or(enemy.Back(3 * step & 63).And(m3))
		open := starts[d].And(own.Or(x1).Or(x2).Or(x3)).AndNot(blocked)
		if open.Empty() {
			continue
		}
		odd := own.Xor(x1).Xor(x2)
		carry := own.And(x1).Or(x2.And(own.Xor(x1)))
		p0, p1 := odd.Xor(x3), carry.Xor(odd.And(x3))
		have := [4]Bits{1: open.And(p0).AndNot(p1), 2: open.And(p1).AndNot(p0), 3: open.And(p0).And(p1)}
		near := &have[(length-1)&3]
		if !wins.Empty() {
			*near = near.AndNot(wins.Or(wins.Back(step & 63)).
				Or(wins.Back(2 * step & 63).And(m2)).Or(wins.Back(3 * step & 63).And(m3)))
		}
		for i := 1; i < 4; i++ {
			with[i] += have[i].Count()
		}
		if !near.Empty() {
			n.Cells = n.Cells.Or(s.g.along(*near, d, length, false))
		}
	}
	for m := 1; m < length; m++ {
		n.Need[m&3] = with[(length-m)&3]
	}
	n.Cells = n.Cells.AndNot(own)
}

// doomed returns the pieces of a side that leave because of their age before the side could complete a line that
// needs m more pieces. The piece with i older ones leaves with the side's (cap - n + i + 1)-th next placement.
// Under before_win it must stay until after the m-th placement, under after_win until after the one before. No
// piece leaves before the ply removal_from_ply. The sides are assumed to place in turn.
func (s *State) doomed(side, m int) Bits {
	q := &s.age[side&1]
	last := m - 1 - s.g.cap + int(q.n)
	if s.g.afterWin {
		last--
		m--
	}
	var b Bits
	if at := int(s.ply) + 2*m; at < int(s.g.removeFrom) || at == int(s.g.removeFrom) && side == int(s.side) {
		return b
	}
	for i := 0; i <= last && i < int(q.n); i++ {
		b = b.Or(s.g.grid.Bit[q.at(uint8(i))&CellMask])
	}
	return b
}

// countLosing counts a side's losing lines, without those that need only a cell where the side wins.
func (s *State) countLosing(side int, wins Bits) LineCount {
	t, own, doomed := s.g.goal[side].shapes[ByLosingLine], s.pieces[side], Bits{}
	n := s.countWindows(side, t.windows, s.g.rules.Lose.Line)
	n.Cells = n.Cells.AndNot(wins)
	if s.g.fifo {
		doomed = s.doomed(side, 1)
	}
	for c := range wins.Each {
		for _, w := range t.through[c] {
			if !own.With(c).Contains(w.Cells) || !w.Guard.And(own).Empty() {
				continue
			}
			if w.Cells.And(own).And(doomed).Empty() {
				n.Need[1]--
			} else {
				n.Expiring--
			}
		}
	}
	return n
}

// countWindows counts lines window by window.
func (s *State) countWindows(side int, windows []grid.Window, length int) LineCount {
	g := s.g
	var n LineCount
	var doomed [grid.MaxSide + 1]Bits
	if g.fifo {
		for m := 1; m < length; m++ {
			doomed[m] = s.doomed(side, m)
		}
	}
	own := s.pieces[side]
	enemy := s.pieces[1-side]
	for i := range windows {
		w := &windows[i]
		in := w.Cells.And(own)
		if in.Empty() || !w.Cells.And(enemy).Or(w.Guard.And(own)).Empty() {
			continue
		}
		m := length - in.Count()
		switch {
		case m == 0:
		case !in.And(doomed[m]).Empty():
			n.Expiring++
		default:
			n.Need[min(m, 4)]++
			if m == 1 {
				n.Cells = n.Cells.Or(w.Cells.AndNot(own))
			}
		}
	}
	return n
}

// countPlanes is countWindows for all lines of a direction at once: bit c of the planes is the number of the side's
// pieces in the line that starts at cell c.
func (s *State) countPlanes(side int, starts *[4]Bits, length int, wins Bits, n *LineCount) {
	g := s.g
	if length <= 4 && !g.fifo {
		s.countShort(side, starts, length, wins, n)
		return
	}
	own, enemy := s.pieces[side&1], s.pieces[(1-side)&1]
	var doomed [4]Bits
	if g.fifo {
		for m := 1; m < 4 && m < length; m++ {
			doomed[m] = s.doomed(side, m)
		}
	}
	digits := bits.Len(uint(length))
	for d := range starts {
		if starts[d].Empty() {
			continue
		}
		var p0, p1, p2, p3 Bits
		blocked, x, e := Bits{}, own, enemy
		for k := 1; ; k++ {
			blocked = blocked.Or(e)
			c := p0.And(x)
			p0 = p0.Xor(x)
			c, p1 = p1.And(c), p1.Xor(c)
			p3, p2 = p3.Or(p2.And(c)), p2.Xor(c)
			if k == length {
				break
			}
			x, e = g.grid.Back(x, d), g.grid.Back(e, d)
		}
		open := starts[d].AndNot(blocked).And(p0.Or(p1).Or(p2).Or(p3))
		if open.Empty() {
			continue
		}
		rest := open
		for m := 0; m < 4 && m < length; m++ {
			having := open
			for i, plane := range [4]Bits{p0, p1, p2, p3} {
				if i == digits || having.Empty() {
					break
				}
				if (length-m)>>i&1 != 0 {
					having = having.And(plane)
				} else {
					having = having.AndNot(plane)
				}
			}
			rest = rest.AndNot(having)
			if m == 1 && !wins.Empty() {
				having = having.AndNot(g.along(wins, d, length, true))
			}
			if m == 0 || having.Empty() {
				continue
			}
			if !doomed[m].Empty() {
				dying := having.And(g.along(doomed[m], d, length, true))
				n.Expiring += dying.Count()
				having = having.AndNot(dying)
			}
			n.Need[m] += having.Count()
			if m == 1 {
				n.Cells = n.Cells.Or(g.along(having, d, length, false))
			}
		}
		if g.fifo && !rest.Empty() {
			n.addFar(s, side, d, length, rest)
			continue
		}
		n.Need[4] += rest.Count()
	}
	n.Cells = n.Cells.AndNot(own)
}

// along returns the cells of the lines that start in a set, or the first cells of the lines that contain a cell of
// the set.
func (g *Game) along(b Bits, d, length int, starts bool) Bits {
	all := b
	for range length - 1 {
		if starts {
			b = g.grid.Back(b, d)
		} else {
			b = g.grid.Shift(b, d)
		}
		all = all.Or(b)
	}
	return all
}

// addFar counts, one by one, open lines that need four or more pieces, since the doomed pieces depend on that
// number.
func (n *LineCount) addFar(s *State, side, d, length int, starts Bits) {
	g := s.g
	for ; !starts.Empty(); starts = starts.Rest() {
		c := starts.First()
		var in Bits
		for range length {
			in = in.Or(g.grid.Bit[c].And(s.pieces[side]))
			c = g.grid.To[d][c]
		}
		if in.And(s.doomed(side, length-in.Count())).Empty() {
			n.Need[4]++
		} else {
			n.Expiring++
		}
	}
}
