package lines

// forcing finds wins in which each attacker move threatens to complete a line, so that the defender has a single
// reply. It finds short wins first, because their zones are small.
type forcing struct {
	moves, replies []uint8
	budget         int  // number of moves that may still be tried
	cut            bool // a sequence exceeded the depth limit
	zone           Set  // after a win: the same moves win unless the defender first places a piece in this zone
}

// forcedTries is the maximum number of moves tried in the search for one sequence.
const forcedTries = 150

// forced reports whether the attacker, who is to move, has a win by forcing moves. It is for positions in which
// each turn places one piece.
func (s *search) forced() bool {
	f := &s.threat
	f.budget = forcedTries
	for depth, cut := 1, true; cut && f.budget > 0; depth++ {
		f.moves, f.replies, f.cut = f.moves[:0], f.replies[:0], false
		if s.force(depth) {
			return true
		}
		cut = f.cut
	}
	return false
}

// force looks for a winning sequence with a given number of moves.
func (s *search) force(depth int) bool {
	p, f := s.p, &s.threat
	a, d := s.attacker, 1-s.attacker
	if p.lacking[a][1] > 0 {
		f.finish(s, p.close[a])
		return true
	}
	if depth == 0 {
		f.cut = true
		return false
	}
	must := p.close[d]
	if p.lacking[a][2] == 0 || must.count() > 1 {
		return false
	}
	var tried Set
	for i, l := range p.g.Lines[a] {
		if p.blocked[a][i] != 0 || p.lack[a][i] != 2 {
			continue
		}
		for _, c := range l {
			if p.owner[c] >= 0 || tried.has(c) || must != (Set{}) && !must.has(c) {
				continue
			}
			tried.add(c)
			if f.budget--; f.budget < 0 {
				return false
			}
			if s.forceBy(c, depth-1) {
				return true
			}
		}
	}
	return false
}

// forceBy tries a move that makes a threat, followed by the rest of a sequence.
func (s *search) forceBy(c uint8, depth int) (won bool) {
	p, f := s.p, &s.threat
	u := p.place(c)
	defer p.take(u)
	f.moves = append(f.moves, c)
	defer func() { f.moves = f.moves[:len(f.moves)-1] }()
	threats := p.close[s.attacker]
	if threats.count() > 1 {
		f.finish(s, threats)
		return true
	}
	reply := threats.least()
	v := p.place(reply)
	f.replies = append(f.replies, reply)
	if p.done[1-s.attacker] == 0 {
		won = s.force(depth)
	}
	f.replies = f.replies[:len(f.replies)-1]
	p.take(v)
	return won
}

// finish computes the zone at the end of a sequence: its cells, the cells that now complete a line, and the cells
// with which the defender could make a threat during the sequence.
func (f *forcing) finish(s *search, last Set) {
	p, d := s.p, 1-s.attacker
	var mine Set
	f.zone = last
	for _, c := range f.moves {
		mine.add(c)
		f.zone.add(c)
	}
	for _, c := range f.replies {
		f.zone.add(c)
	}
lines:
	for _, l := range p.g.Lines[d] {
		lack := 0
		for _, c := range l {
			switch p.owner[c] {
			case int8(d):
			case int8(s.attacker):
				if !mine.has(c) {
					continue lines
				}
				lack++ // free before the sequence
			default:
				lack++
			}
		}
		if lack <= 2 {
			for _, c := range l {
				f.zone.add(c)
			}
		}
	}
}

// zone returns the cells on which the defender must place a piece now, because the attacker has a forced win after
// any other move. The result ok is false if there is no such win.
func (s *search) zone() (zone Set, ok bool) {
	p := s.p
	a := s.attacker
	if p.mover == a || !p.single() || !p.moved[1-a] && p.g.First[1-a] != 1 || p.close[a] != (Set{}) ||
		p.lacking[a][2] == 0 {
		return Set{}, false
	}
	p.mover = a
	ok = s.forced()
	p.mover = 1 - a
	return s.threat.zone, ok
}
