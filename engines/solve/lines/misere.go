package lines

import (
	"cmp"
	"slices"
)

// judgeMisere decides a position of a misère game without a search, if it can.
func (s *search) judgeMisere() verdict {
	p := s.p
	a, d := s.attacker, 1-s.attacker
	switch {
	case p.done[d] > 0:
		return yes
	case p.done[a] > 0 || p.alive[d] == 0 || p.empty == 0:
		return no
	case !p.single():
		return unsettled
	case p.avoidable(d):
		return no
	case p.empty == p.close[p.mover].count():
		return s.wins(1 - p.mover)
	}
	return unsettled
}

// avoidable is the test of Erdős and Selfridge for misère games. A side always takes the cell with the least
// weight for its lines. The sum of weights then does not increase by its move and the reply together, and at most
// doubles by a last move without a reply.
func (p *position) avoidable(side int) bool {
	most := int64(one)
	if (p.empty%2 == 1) == (p.mover == side) { // it makes the last move
		most = one / 2
	}
	return p.total[side] < most
}

// misereTries is the maximum number of pairs tried in a position of a misère game.
const misereTries = 12

// decide searches a misère position depth first. Such games last long, and no threats show which move is easier to
// prove. Therefore it first tries moves on the least important cells.
func (s *search) decide(depth int) verdict {
	p := s.p
	if v := s.judgeMisere(); v != unsettled {
		return v
	}
	k := s.key()
	if pn, dn, ok := s.table.load(k); ok && pn == 0 {
		return yes
	} else if ok && dn == 0 {
		return no
	}
	s.nodes++
	before := s.nodes
	if s.spent() {
		return unsettled
	}
	if p.single() && s.pairs.find(p, 1-s.attacker, none, misereTries) {
		s.table.store(k, infinite, 0, 1)
		return no
	}
	f := s.frame(depth)
	f.moves = f.moves[:0]
	wasted := false
	for c, kind := range p.kind {
		if p.owner[c] >= 0 || kind == dead && wasted || p.close[p.mover].has(uint8(c)) {
			continue
		}
		wasted = wasted || kind == dead
		f.moves = append(f.moves, move{cell: uint8(c), score: p.worth[0][c] + p.worth[1][c]})
	}
	slices.SortStableFunc(f.moves, func(x, y move) int { return cmp.Compare(x.score, y.score) })
	answer := s.wins(1 - p.mover)
	for i := range f.moves {
		u := p.place(f.moves[i].cell)
		v := s.decide(depth + 1)
		p.take(u)
		if s.stopped {
			return unsettled
		}
		if v != answer {
			answer = v
			break
		}
	}
	pn, dn := uint32(0), uint32(infinite)
	if answer == no {
		pn, dn = infinite, 0
	}
	s.table.store(k, pn, dn, s.nodes-before+1)
	return answer
}
