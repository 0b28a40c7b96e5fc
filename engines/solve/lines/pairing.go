package lines

import (
	"math/rand/v2"
	"slices"
)

// none is the value for "no cell".
const none = 255

// pairing looks for disjoint pairs of empty cells such that every live line of a side contains a pair. The other
// side can then stop all lines: it answers a piece on one cell of a pair with one on the other cell.
type pairing struct {
	used    [maxCells]bool
	lines   [][]uint8 // for each line, its empty cells
	met     []int16   // for each line, the number of pairs in it
	through [maxCells][]int16
	pairs   [][2]uint8
	budget  int // number of pairs that may still be tried
	choices [][]choice
	order   *rand.Rand // shuffles the lines; nil keeps their order
}

// choice is a candidate pair, with its merits.
type choice struct {
	pair [2]uint8
	good int
}

// paired reports whether the defender can stop all lines of the attacker by pairs. It is for positions in which
// each turn places one piece.
func (s *search) paired(tries int) bool {
	p := s.p
	a := s.attacker
	switch {
	case p.mover == a:
		return p.close[a] == (Set{}) && s.pairs.find(p, a, none, tries)
	case p.close[a].count() > 1:
		return false
	case p.close[a] != (Set{}):
		return s.pairs.find(p, a, p.close[a].least(), tries)
	}
	best := uint8(none)
	for c, w := range p.worth[a] {
		if p.owner[c] < 0 && (best == none || w > p.worth[a][best]) {
			best = uint8(c)
		}
	}
	return s.pairs.find(p, a, best, tries)
}

// search looks for pairs against all lines of a side in the start position. It tries many orders of the lines,
// because success depends mainly on the order.
func (q *pairing) search(p *position, side int) bool {
	q.order = rand.New(rand.NewPCG(1, 2))
	for range 50 {
		if q.find(p, side, none, 2000) {
			return true
		}
	}
	return false
}

// find looks for pairs against the lines of a side that do not contain a cell, which the other side takes first.
func (q *pairing) find(p *position, side int, taken uint8, tries int) bool {
	q.lines = q.lines[:0]
	q.pairs = q.pairs[:0]
	q.budget = tries
	for c := range q.through {
		q.through[c], q.used[c] = q.through[c][:0], false
	}
	all := p.g.Lines[side]
	var order []int
	if q.order != nil {
		order = q.order.Perm(len(all))
	}
	for i := range all {
		if order != nil {
			i = order[i]
		}
		l := all[i]
		if p.blocked[side][i] != 0 || taken != none && slices.Contains(l, taken) {
			continue
		}
		at := len(q.lines)
		if q.lines = slices.Grow(q.lines, 1)[:at+1]; p.lack[side][i] < 2 {
			return false
		}
		q.lines[at] = q.lines[at][:0]
		for _, c := range l {
			if p.owner[c] < 0 {
				q.lines[at] = append(q.lines[at], c)
				q.through[c] = append(q.through[c], int16(at))
			}
		}
	}
	q.met = slices.Grow(q.met[:0], len(q.lines))[:len(q.lines)]
	clear(q.met)
	return q.solve(0)
}

// solve finds a pair for the line with the fewest free cells, then for the others.
func (q *pairing) solve(depth int) bool {
	fewest, at := 1000, -1
	for i, l := range q.lines {
		if q.met[i] > 0 {
			continue
		}
		n := 0
		for _, c := range l {
			if !q.used[c] {
				n++
			}
		}
		if n < 2 {
			return false
		}
		if n < fewest {
			fewest, at = n, i
		}
	}
	if at < 0 {
		return true
	}
	if len(q.choices) == depth {
		q.choices = append(q.choices, nil)
	}
	choices := q.choices[depth][:0]
	for i, a := range q.lines[at] {
		for _, b := range q.lines[at][i+1:] {
			if !q.used[a] && !q.used[b] {
				choices = append(choices, choice{[2]uint8{a, b}, 100*q.count(a, b) - len(q.through[a]) - len(q.through[b])})
			}
		}
	}
	q.choices[depth] = choices
	slices.SortStableFunc(choices, func(x, y choice) int { return y.good - x.good })
	for _, c := range choices {
		if q.budget--; q.budget < 0 {
			return false
		}
		q.use(c.pair, true)
		if q.solve(depth + 1) {
			return true
		}
		q.use(c.pair, false)
	}
	return false
}

// count returns the number of lines that contain a pair and no other pair.
func (q *pairing) count(a, b uint8) (n int) {
	for _, l := range q.through[a] {
		if q.met[l] == 0 && slices.Contains(q.lines[l], b) {
			n++
		}
	}
	return n
}

// use adds a pair, or removes the last one.
func (q *pairing) use(pair [2]uint8, take bool) {
	q.used[pair[0]], q.used[pair[1]] = take, take
	by := int16(1)
	if take {
		q.pairs = append(q.pairs, pair)
	} else {
		by, q.pairs = -1, q.pairs[:len(q.pairs)-1]
	}
	for _, l := range q.through[pair[0]] {
		if slices.Contains(q.lines[l], pair[1]) {
			q.met[l] += by
		}
	}
}
