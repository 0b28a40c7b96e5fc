package connect

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"spar/engines"
	"spar/engines/grid"
)

// Solver finds the winner of positions on a board where only one side can connect. Only one goroutine may use it at a
// time.
type Solver struct {
	b     *Board
	lim   Limits
	spare []*node
	table []entry
	flow  [2]Flow
	half  []engines.Cell // image of each cell under the half turn of the board; nil if that is no symmetry
	ctx   context.Context
	err   error // reason why the search stopped early

	Must  Bits   // for the last position: the moves that were not refuted when the search stopped
	Nodes uint64 // number of positions examined
	Work  int    // as in Limits; may change between positions
	// time at which the search stops; zero = no limit. It is checked directly, because a context may end late if
	// no other thread runs
	Until time.Time
	// finish the search of each move before the next begins. Games with a fixed number of simulations depend on this.
	Straight bool
	Limit    uint64       // maximum number of positions to search, after which Solve returns ErrLimit; 0 = no limit
	Progress func(uint64) // called with Nodes from time to time; may be nil
}

// entry is a position whose search has begun. A proof number of 0 means that its side to move wins, a disproof number of
// 0 that it loses. The carrier is that of the winner, after dead and captured cells have been filled.
type entry struct {
	stones  Stones
	carrier Bits
	numbers
	work uint32 // number of positions examined below it, at least 1; 0 = no entry
	side uint8
	move engines.Cell
}

// numbers are the proof and disproof numbers of a position, for its side to move.
type numbers struct{ proof, disproof uint32 }

const infinite = 1 << 30

// node is a position on the line being searched, or one move away from it.
type node struct {
	links [2]Links
	fill  Filling
	key   Stones    // the filled position in the form of the table
	turn  bool      // key is its image under a half turn
	side  int       // side to move
	must  Bits      // cells on which the side to move must play
	loses []carrier // carriers of wins of the other side: a move outside one of them does not stop that win
	moves []child
}

// child is a move. Its numbers are those of the position after it.
type child struct {
	numbers
	move   engines.Cell
	opened bool
	answer Answer // if the position after it is solved
	score  float64
}

// ErrLimit is returned for a position that was not solved within the limit.
var ErrLimit = errors.New("the position limit is reached")

// Answer is the value of a position: the winner, the cells that the winner's strategy needs, and the first move of
// the strategy if the winner is to move.
type Answer struct {
	Winner  int
	Carrier Bits
	Move    engines.Cell // NoCell if the loser is to move
	Any     bool         // the winner is to move and is already connected, so that any move in the carrier wins
}

// SolverLimits returns H-search limits that suit proofs on small boards.
func SolverLimits() Limits { return Limits{Full: 8, Semi: 16, Depth: 2} }

// NewSolver returns a solver with a table of at most the given number of bytes.
func NewSolver(b *Board, lim Limits, bytes int64) *Solver {
	size := 1 << 10
	for int64(size)*2*128 <= bytes {
		size *= 2
	}
	s := &Solver{b: b, lim: lim, Work: lim.Work, table: make([]entry, size)}
	half := make([]engines.Cell, b.n)
	for c := range half {
		half[c] = engines.Cell(b.n - 1 - c)
	}
	if grid.Permute(b.cells, half) == b.cells {
		s.half = half
	}
	return s
}

// Solve finds the winner of a position. The parameter side is the side to move.
func (s *Solver) Solve(ctx context.Context, stones Stones, side int) (Answer, error) {
	s.ctx, s.err, s.lim.Work, s.lim.Until = ctx, nil, s.Work, s.Until
	root, n := s.node(), s.node()
	s.b.Fill(stones, &root.fill)
	for of := range root.links {
		root.links[of].find(s.b, of, &root.fill.Stones, s.lim)
	}
	s.count()
	a, known := s.open(n, root, stones, side)
	if known = known || s.enter(n, root, &a); known {
		s.err = nil // an answer found after the time is up is an answer
	} else {
		a, _ = s.search(n, numbers{infinite, infinite})
	}
	s.Must = n.must
	s.spare = append(s.spare, n, root)
	if a.Winner == side && a.Move == engines.NoCell {
		a.Move = s.b.empty(&stones).First()
	}
	return a, s.err
}

// Forget empties the table.
func (s *Solver) Forget() { clear(s.table) }

func (s *Solver) node() *node {
	if k := len(s.spare); k > 0 {
		n := s.spare[k-1]
		s.spare = s.spare[:k-1]
		return n
	}
	return &node{}
}

// count counts a position and sets err if a limit is reached.
func (s *Solver) count() {
	if s.Nodes++; s.Limit > 0 && s.Nodes > s.Limit {
		s.err = ErrLimit
	} else if s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err == nil && !s.Until.IsZero() && !time.Now().Before(s.Until) {
		s.err = context.DeadlineExceeded
	}
	if s.Progress != nil && s.Nodes%64 == 0 {
		s.Progress(s.Nodes)
	}
}

// open begins a position after a move. It computes the links of the side that moved from those of an earlier node and
// the stones placed since then, and returns the answer if they give it.
func (s *Solver) open(n, up *node, stones Stones, side int) (a Answer, known bool) {
	b, foe := s.b, 1-side
	n.side = side
	b.Fill(stones, &n.fill)
	filled := &n.fill.Stones
	for of := range filled {
		if b.connected(of, filled[of]) {
			return s.with(n, Answer{Winner: of, Move: engines.NoCell}), true
		}
	}
	n.key, n.turn = s.key(filled)
	if e := s.load(n); e != nil && (e.proof == 0 || e.disproof == 0) {
		return s.with(n, s.stored(n, e)), true
	}
	s.derive(n, up, foe)
	full, threats := n.links[foe].whole()
	if c, ok := smallest(full); ok {
		return s.with(n, Answer{Winner: foe, Carrier: c.Bits, Move: engines.NoCell}), true
	}
	n.must = b.empty(filled)
	n.loses = append(n.loses[:0], threats...)
	for _, c := range threats {
		n.must = n.must.And(c.Bits)
	}
	if n.must.Empty() {
		return s.with(n, Answer{Winner: foe, Carrier: union(n.loses), Move: engines.NoCell}), true
	}
	return a, false
}

// enter prepares an open position for its search: it computes the links of the side to move. It reports whether they
// prove a win, which hardly ever happens after a move in the must-play region.
func (s *Solver) enter(n, up *node, a *Answer) bool {
	s.derive(n, up, n.side)
	full, semi := n.links[n.side].whole()
	if c, ok := smallest(full); ok {
		*a = s.with(n, Answer{Winner: n.side, Carrier: c.Bits, Move: engines.NoCell})
		return true
	}
	if c, ok := smallest(semi); ok {
		*a = s.with(n, Answer{Winner: n.side, Carrier: c.Bits, Move: c.key})
		return true
	}
	return false
}

func (s *Solver) derive(n, up *node, of int) {
	from, filled := &up.links[of], &n.fill.Stones
	n.links[of].Derive(from, filled[of].AndNot(from.own), filled[1-of].AndNot(from.foe))
}

// with adds the winner's captured cells to the carrier of an answer. If the winner is to move, it also sets the
// move.
func (s *Solver) with(n *node, a Answer) Answer {
	a.Carrier = a.Carrier.Or(n.fill.Taken[a.Winner])
	if a.Winner == n.side && a.Move == engines.NoCell && !a.Carrier.Empty() {
		a.Move, a.Any = a.Carrier.First(), true
	}
	return a
}

// search solves a position whose result is not obvious, or stops when one of its numbers reaches a limit (depth-first
// proof-number search, Nagai 2002). It looks at a fraction of the moves at a time, the most promising that are left
// (Henderson, 2010).
func (s *Solver) search(n *node, most numbers) (Answer, numbers) {
	before, side := s.Nodes, n.side
	s.order(n)
	for {
		sum, second, best := numbers{infinite, 0}, uint32(infinite), (*child)(nil)
		region := n.must
		left := region.Count()
		if !s.Straight {
			left = 1 + left/4
		}
		for i := range n.moves {
			c := &n.moves[i]
			if !n.must.Has(c.move) {
				continue
			}
			if left--; left < 0 {
				break
			}
			if !c.opened {
				s.look(n, c)
			}
			switch {
			case s.err != nil:
				return Answer{}, sum
			case c.disproof == 0:
				return s.solved(n, Answer{Winner: side, Carrier: c.answer.Carrier.With(c.move), Move: c.move}, before)
			case c.proof == 0:
				n.must = n.must.And(c.answer.Carrier)
				n.loses = append(n.loses, carrier{Bits: c.answer.Carrier})
				continue
			case s.Straight && best != nil && c.score <= best.score:
			case c.disproof < sum.proof || s.Straight:
				second, sum.proof, best = sum.proof, c.disproof, c
			case c.disproof < second:
				second = c.disproof
			}
			sum.disproof += c.proof
		}
		switch {
		case n.must.Empty():
			return s.solved(n, Answer{Winner: 1 - side, Carrier: union(n.loses), Move: engines.NoCell}, before)
		case n.must != region:
			continue
		case sum.proof >= most.proof || sum.disproof >= most.disproof:
			s.store(n, Answer{}, sum, before)
			return Answer{}, sum
		case s.Straight:
			s.descend(n, best, most)
			continue
		}
		s.descend(n, best, numbers{most.disproof - sum.disproof + best.proof, min(most.proof, second+second/4+1)})
	}
}

// look opens the position after a move.
func (s *Solver) look(n *node, c *child) {
	s.count()
	next := s.node()
	a, known := s.open(next, n, n.after(c.move), 1-n.side)
	c.opened = true
	if known || s.Straight && s.enter(next, n, &a) {
		c.solve(a, 1-n.side)
	} else if e := s.load(next); e != nil {
		c.numbers = e.numbers
	} else {
		left := next.must.Count()
		c.numbers, c.score = numbers{1, uint32(1 + left/4)}, c.score-float64(left)
	}
	s.spare = append(s.spare, next)
}

// descend searches the position after a move.
func (s *Solver) descend(n *node, c *child, most numbers) {
	next := s.node()
	a, known := s.open(next, n, n.after(c.move), 1-n.side)
	if known = known || s.enter(next, n, &a); !known {
		a, c.numbers = s.search(next, most)
		known = s.err == nil && (c.proof == 0 || c.disproof == 0)
	}
	if known {
		c.solve(a, 1-n.side)
	}
	s.spare = append(s.spare, next)
}

// after returns the stones after a move.
func (n *node) after(m engines.Cell) Stones {
	stones := n.fill.Stones
	stones[n.side] = stones[n.side].With(m)
	return stones
}

// solve records the answer of the position after a move, in which mover is to move.
func (c *child) solve(a Answer, mover int) {
	if c.answer, c.numbers = a, (numbers{infinite, 0}); a.Winner == mover {
		c.numbers = numbers{0, infinite}
	}
}

// solved stores the answer of a position.
func (s *Solver) solved(n *node, a Answer, before uint64) (Answer, numbers) {
	sum := numbers{infinite, 0}
	if a.Winner == n.side {
		sum = numbers{0, infinite}
	}
	s.store(n, a, sum, before)
	return s.with(n, a), sum
}

func smallest(list []carrier) (least carrier, ok bool) {
	for i, c := range list {
		if i == 0 || c.Count() < least.Count() {
			least = c
		}
	}
	return least, len(list) > 0
}

// union returns the cells of carriers that together have no cell in common, and prefers few and small ones. It is a
// heuristic.
func union(all []carrier) (out Bits) {
	var common Bits
	for first := true; first || !common.Empty(); first = false {
		best, least := -1, 0
		for i, c := range all {
			left := c.And(common).Count()
			if first {
				left = c.Count()
			} else if c.Contains(common) {
				continue
			}
			if cost := 4*left + c.AndNot(out).Count(); best < 0 || cost < least {
				best, least = i, cost
			}
		}
		if best < 0 {
			break // a full board
		}
		if out = out.Or(all[best].Bits); first {
			common = out
		}
		common = common.And(all[best].Bits)
	}
	return out
}

// order lists the moves of the must-play region, the most promising first.
func (s *Solver) order(n *node) {
	for of := range s.flow {
		s.flow[of].Compute(s.b, of, &n.fill.Stones)
	}
	n.moves = n.moves[:0]
	for c := n.must; !c.Empty(); c = c.Rest() {
		m := c.First()
		score := s.flow[0].Share[m] + s.flow[1].Share[m]
		if !n.fill.kills[n.side][m].And(n.must).Empty() {
			score -= 100 // after the move that kills it, it is in no carrier
		}
		n.moves = append(n.moves, child{move: m, score: score})
	}
	slices.SortStableFunc(n.moves, func(x, y child) int { return cmp.Compare(y.score, x.score) })
}

// key returns the smaller of a position and its image under a half turn, and whether it is the image.
func (s *Solver) key(p *Stones) (key Stones, turned bool) {
	if s.half == nil {
		return *p, false
	}
	image := Stones{grid.Permute(p[0], s.half), grid.Permute(p[1], s.half)}
	for i, a := range p {
		if b := image[i]; a != b {
			if a.AndNot(b).First() > b.AndNot(a).First() {
				return image, true
			}
			break
		}
	}
	return *p, false
}

// bucket is the number of entries among which a position is looked up.
const bucket = 4

// slots returns the entries in which a position may be.
func (s *Solver) slots(n *node) []entry {
	h := uint64(n.side) * 0x9e3779b97f4a7c15
	for _, b := range n.key {
		for _, w := range [2]uint64{b.Lo, b.Hi} {
			h = (h + w + 1) * 0xff51afd7ed558ccd
			h ^= h >> 29
		}
	}
	at := int(h>>20) & (len(s.table)/bucket - 1) * bucket
	return s.table[at : at+bucket]
}

func (s *Solver) load(n *node) *entry {
	slots := s.slots(n)
	for i := range slots {
		if e := &slots[i]; e.work > 0 && e.stones == n.key && int(e.side) == n.side {
			return e
		}
	}
	return nil
}

// store replaces the entry of the position, or the one with the least work.
func (s *Solver) store(n *node, a Answer, sum numbers, before uint64) {
	e := s.load(n)
	work := uint32(min(s.Nodes-before+1, 1<<30))
	if e == nil {
		slots := s.slots(n)
		for i := range slots {
			if x := &slots[i]; e == nil || x.work < e.work {
				e = x
			}
		}
	} else {
		work += min(e.work, 1<<30)
	}
	*e = entry{n.key, a.Carrier, sum, work, uint8(n.side), a.Move}
	if n.turn {
		e.carrier = grid.Permute(a.Carrier, s.half)
		if a.Move != engines.NoCell {
			e.move = s.half[a.Move&engines.CellMask]
		}
	}
}

// stored returns the answer in an entry.
func (s *Solver) stored(n *node, e *entry) Answer {
	a := Answer{Winner: n.side, Carrier: e.carrier, Move: e.move}
	if e.proof != 0 {
		a.Winner = 1 - n.side
	}
	if n.turn {
		if a.Carrier = grid.Permute(a.Carrier, s.half); a.Move != engines.NoCell {
			a.Move = s.half[a.Move&engines.CellMask]
		}
	}
	return a
}
