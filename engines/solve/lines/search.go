package lines

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"spar/engines/grid"
	"spar/engines/threats"
)

// verdict is the answer to "does the attacker win?".
type verdict int8

const (
	unsettled verdict = iota
	yes
	no
)

// infinite is the proof number of a refuted node and the disproof number of a proved one. Sums are limited to less
// than it.
const infinite = 1<<30 - 1

// table stores the proof and disproof numbers of positions. Several searches can share one.
type table [][4]entry

type entry struct {
	check  uint64
	pn, dn uint32
	work   uint32 // number of positions searched below it; 0 means that the entry is free
}

// bucketBytes is the size of a bucket of four entries.
const bucketBytes = 96

func newTable(bytes int64) table { return make(table, max(1, bytes/bucketBytes)) }

func (t table) bucket(k hash) *[4]entry {
	i, _ := bits.Mul64(k[0], uint64(len(t)))
	return &t[i]
}

func (t table) load(k hash) (pn, dn uint32, ok bool) {
	for _, e := range t.bucket(k) {
		if e.work > 0 && e.check == k[1] {
			return e.pn, e.dn, true
		}
	}
	return 0, 0, false
}

func (t table) store(k hash, pn, dn uint32, work uint64) {
	b := t.bucket(k)
	into := &b[0]
	for i := range b {
		e := &b[i]
		if e.work > 0 && e.check == k[1] {
			work += uint64(e.work)
			into = e
			break
		}
		if e.work < into.work {
			into = e
		}
	}
	*into = entry{k[1], pn, dn, uint32(min(work, 1<<32-1))}
}

// search answers the question for one side by depth-first proof-number search (Nagai, 2002).
type search struct {
	p        *position
	attacker int
	// maximum number of attacker moves to try in a position; 0 = no limit. With a limit, "no" is not an answer
	width int
	// if width is set: number of pieces from which the search tries only moves that keep a forced win; 0 = try all
	// moves
	quiet   int
	ctx     context.Context
	table   table
	tag     hash // marks the table entries of this search
	nodes   uint64
	limit   uint64 // maximum number of nodes
	stopped bool
	frames  []*frame
	pairs   pairing
	finder  *threats.Finder
}

// frame is the memory of one ply of the search.
type frame struct{ moves []move }

type move struct {
	cell   uint8
	key    hash
	pn, dn uint32
	score  int64
}

// judge decides a position without a search, if it can.
func (s *search) judge() verdict {
	p := s.p
	a, d := s.attacker, 1-s.attacker
	switch {
	case p.done[a] > 0:
		return yes
	case p.done[d] > 0 || p.alive[a] == 0:
		return no
	case p.soon(p.mover) <= p.left:
		return s.wins(p.mover)
	case !p.single():
		return unsettled
	case p.close[1-p.mover].count() > 1:
		return s.wins(1 - p.mover)
	case p.mover == a && p.lacking[a][2] > 0 && s.attacks():
		return yes
	case s.potential():
		return no
	}
	return unsettled
}

// wins returns the verdict for the case that a side wins.
func (s *search) wins(side int) verdict {
	if side == s.attacker {
		return yes
	}
	return no
}

// potential is the test of Erdős and Selfridge. The defender always takes the cell with the largest weight. Then
// the sum of 2^-lack over the attacker's live lines does not increase by the reply and the attacker's next move
// together. If the sum is below 1, the attacker completes no line.
func (s *search) potential() bool {
	p, a := s.p, s.attacker
	if p.mover != a {
		return p.total[a] < one
	}
	if p.close[a] != (Set{}) {
		return false
	}
	var most int64
	for c, w := range p.worth[a] {
		if p.owner[c] < 0 {
			most = max(most, w)
		}
	}
	return p.total[a]+most < one
}

// moves lists the moves that the search must try.
func (s *search) moves(f *frame) {
	p, a := s.p, s.attacker
	f.moves = f.moves[:0]
	if threats := p.close[1-p.mover]; p.single() && threats != (Set{}) {
		f.moves = append(f.moves, move{cell: threats.least()})
		return
	}
	zone, ok := s.zone()
	for c, kind := range p.kind {
		if kind != open || ok && !zone.Has(grid.Cell(c)) || p.dominated(uint8(c)) {
			continue
		}
		f.moves = append(f.moves, move{cell: uint8(c), score: 2*p.worth[a][c] + p.worth[1-a][c]})
	}
	if s.width > 0 && p.mover == a && len(f.moves) > s.width {
		slices.SortStableFunc(f.moves, func(x, y move) int { return cmp.Compare(y.score, x.score) })
		f.moves = f.moves[:s.width]
	}
}

// dominated reports whether another open cell is at least as good for both sides. Such a cell is on all live lines
// of this cell, and on more lines; or on the same lines, and has a lower number.
func (p *position) dominated(c uint8) bool {
	side := 0
	if p.live[0][c] == 0 {
		side = 1
	}
	for _, first := range p.through[side][c] {
		if p.blocked[side][first] != 0 {
			continue
		}
		for _, x := range p.g.Lines[side][first] {
			if x == c || p.owner[x] >= 0 || p.live[0][x] < p.live[0][c] || p.live[1][x] < p.live[1][c] ||
				x > c && p.live[0][x] == p.live[0][c] && p.live[1][x] == p.live[1][c] {
				continue
			}
			if p.covers(0, x, c) && p.covers(1, x, c) {
				return true
			}
		}
		return false
	}
	return false
}

// covers reports whether all live lines of a side through cell c also go through cell x.
func (p *position) covers(side int, x, c uint8) bool {
	for _, l := range p.through[side][c] {
		if p.blocked[side][l] == 0 && !slices.Contains(p.g.Lines[side][l], x) {
			return false
		}
	}
	return true
}

// forcedTries is the maximum number of moves tried in the search for one sequence of threats.
const forcedTries = 150

// forced reports whether the attacker would win by moves that each threaten to complete a line if it were to move. Then
// the same moves win unless the defender first places a piece in the zone. It is for positions in which each turn
// places one piece.
func (s *search) forced() (zone grid.Bits, ok bool) {
	if s.finder == nil {
		var lines [2][]grid.Window
		for side := range lines {
			for _, l := range s.p.g.Lines[side] {
				var w grid.Window
				for _, c := range l {
					w.Cells = w.Cells.With(grid.Cell(c))
				}
				lines[side] = append(lines[side], w)
			}
		}
		all := grid.Bits{Lo: math.MaxUint64, Hi: math.MaxUint64}
		s.finder = threats.OnBoard(all, lines)
	}
	return s.finder.Attack(s.p.pieces, s.attacker, forcedTries)
}

// attacks reports whether the attacker, who is to move, has a forced win.
func (s *search) attacks() bool {
	_, ok := s.forced()
	return ok
}

// zone returns the cells on which the defender must place a piece now, because the attacker has a forced win after
// any other move. The result ok is false if there is no such win.
func (s *search) zone() (zone grid.Bits, ok bool) {
	p, a := s.p, s.attacker
	if p.mover == a || !p.single() || !p.moved[1-a] && p.g.First[1-a] != 1 || p.close[a] != (Set{}) ||
		p.lacking[a][2] == 0 {
		return zone, false
	}
	return s.forced()
}

// run searches the position with a limit of further nodes. If width is set, "no" means only that the search has
// ended.
func (s *search) run(nodes uint64) verdict {
	s.limit, s.stopped = s.nodes+nodes, false
	if s.p.g.Misere {
		return s.decide(0)
	}
	if v := s.judge(); v != unsettled {
		return v
	}
	switch pn, dn := s.deepen(0, s.key(), infinite, infinite); {
	case pn == 0:
		return yes
	case dn == 0:
		return no
	}
	return unsettled
}

func (s *search) key() hash {
	h := s.p.hash()
	h.flip(s.tag)
	return h
}

// pairTries is the maximum number of pairs tried in a position.
const pairTries = 60

func (s *search) deepen(depth int, k hash, mostPN, mostDN uint32) (pn, dn uint32) {
	p := s.p
	s.nodes++
	before := s.nodes
	f := s.frame(depth)
	attacks := p.mover == s.attacker
	if !p.single() || !s.paired(pairTries) {
		s.moves(f)
	} else {
		f.moves = f.moves[:0]
	}
	if len(f.moves) == 0 {
		s.table.store(k, infinite, 0, 1)
		return infinite, 0
	}
	for i := range f.moves {
		m := &f.moves[i]
		s.look(m)
		if attacks && m.pn == 0 || !attacks && m.dn == 0 {
			s.table.store(k, m.pn, m.dn, 1)
			return m.pn, m.dn
		}
	}
	for {
		var best int
		var second uint32
		pn, dn, best, second = numbers(f.moves, attacks)
		if pn >= mostPN || dn >= mostDN || pn == 0 || dn == 0 || s.spent() {
			s.table.store(k, pn, dn, s.nodes-before+1)
			return pn, dn
		}
		m := &f.moves[best]
		another := min(second+second/4+1, infinite)
		limitPN, limitDN := min(mostPN, another), limit(mostDN, dn, m.dn)
		if !attacks {
			limitPN = limit(mostPN, pn, m.pn)
			limitDN = min(mostDN, another)
		}
		u := p.place(m.cell)
		m.pn, m.dn = s.deepen(depth+1, m.key, limitPN, limitDN)
		p.take(u)
		for i := range f.moves {
			if o := &f.moves[i]; o.key == m.key && o.pn != 0 && o.dn != 0 {
				o.pn, o.dn = m.pn, m.dn
			}
		}
	}
}

func (s *search) frame(depth int) *frame {
	for len(s.frames) <= depth {
		s.frames = append(s.frames, &frame{})
	}
	return s.frames[depth]
}

// spent reports whether the search has to stop.
func (s *search) spent() bool {
	s.stopped = s.stopped || s.nodes >= s.limit || s.nodes&255 == 0 && s.ctx.Err() != nil
	return s.stopped
}

// look reads the numbers of the position after a move from the table.
func (s *search) look(m *move) {
	u := s.p.place(m.cell)
	defer s.p.take(u)
	switch s.judge() {
	case yes:
		m.pn, m.dn = 0, infinite
	case no:
		m.pn, m.dn = infinite, 0
	default:
		m.key = s.key()
		var ok bool
		if m.pn, m.dn, ok = s.table.load(m.key); !ok {
			m.pn, m.dn = s.guess()
		}
	}
}

// limit returns the threshold for one term of a sum.
func limit(most, sum, term uint32) uint32 {
	if most >= infinite {
		return infinite
	}
	return most - (sum - term)
}

// numbers computes a position's numbers from its moves. It also returns the move to search next, and the second least
// of the numbers that decided the choice.
func numbers(moves []move, attacks bool) (pn, dn uint32, best int, second uint32) {
	least, sum := uint32(infinite), uint64(0)
	second = infinite
	for i := range moves {
		value, term := moves[i].pn, moves[i].dn
		if !attacks {
			value, term = term, value
		}
		if value < least {
			second, least, best = least, value, i
		} else if value < second {
			second = value
		}
		if term >= infinite {
			sum = 1 << 40
		}
		sum += uint64(term)
	}
	total := uint32(min(sum, infinite-1))
	if sum >= 1<<40 {
		total = infinite
	}
	if attacks {
		return least, total, best, second
	}
	return total, least, best, second
}

// guess sets the initial numbers of a position that has not been searched.
func (s *search) guess() (pn, dn uint32) {
	p, a := s.p, s.attacker
	n := uint32(1)
	if p.close[1-p.mover] == (Set{}) || !p.single() {
		n = uint32(p.open)
		if zone, ok := s.zone(); ok {
			n = 0
			for c, kind := range p.kind {
				if kind == open && zone.Has(grid.Cell(c)) {
					n++
				}
			}
		} else if p.mover != a && s.quiet > 0 && p.g.Cells-p.empty > s.quiet {
			return infinite, 0
		}
	}
	w := uint32(p.total[a] * 4 / one)
	if p.mover == a {
		return 1, max(1, n/2+w)
	}
	return max(1, n/2), 1 + w
}
