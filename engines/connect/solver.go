package connect

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"spar/engines"
)

// Solver finds who wins positions of a decisive board. Only one goroutine may use it at a time.
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
	Until    time.Time
	Limit    uint64       // maximum number of positions to search, after which Solve returns ErrLimit; 0 = no limit
	Progress func(uint64) // called with Nodes from time to time; may be nil
}

// entry is a solved position. Its carrier is that of the winner, after dead and captured cells have been filled.
type entry struct {
	stones  Stones
	carrier Bits
	side    int8 // side to move, plus 1
	winner  int8
	move    engines.Cell
}

// node is a position on the line being searched, or one move away from it.
type node struct {
	links [2]Links
	fill  Filling
	side  int       // side to move
	must  Bits      // cells on which the side to move must play
	loses []carrier // carriers of wins of the other side: a move outside one of them does not stop that win
	moves []child
}

// child is the position after a move whose result is not obvious.
type child struct {
	*node
	move  engines.Cell
	score float64
}

// ErrLimit is the error for a position that was not solved within the limit.
var ErrLimit = errors.New("the limit of positions is reached")

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
	if turn(b.cells, half) == b.cells {
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
	a, known := s.open(n, root, stones, side)
	if known {
		s.err = nil // an answer found after the time is up is an answer
	} else {
		a = s.search(n)
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

// open computes the links of a position from those of an earlier node and the stones placed since then.
func (s *Solver) open(n, up *node, stones Stones, side int) (a Answer, known bool) {
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
	b, foe := s.b, 1-side
	n.side = side
	b.Fill(stones, &n.fill)
	filled := &n.fill.Stones
	for of := range filled {
		if b.connected(of, filled[of]) {
			return s.with(n, Answer{Winner: of, Move: engines.NoCell}), true
		}
	}
	key, back := s.key(filled)
	if e := &s.table[s.slot(&key, side)]; e.stones == key && int(e.side) == side+1 {
		a = Answer{Winner: int(e.winner), Carrier: turn(e.carrier, back), Move: e.move}
		if a.Move != engines.NoCell && back != nil {
			a.Move = back[a.Move]
		}
		return s.with(n, a), true
	}
	for _, of := range []int{foe, side} {
		from := &up.links[of]
		n.links[of].Derive(from, filled[of].AndNot(from.own), filled[1-of].AndNot(from.foe))
		full, semi := n.links[of].whole()
		if c, ok := smallest(full); ok {
			return s.with(n, Answer{Winner: of, Carrier: c.Bits, Move: engines.NoCell}), true
		}
		if c, ok := smallest(semi); ok && of == side {
			return s.with(n, Answer{Winner: of, Carrier: c.Bits, Move: c.key}), true
		}
	}
	n.must = b.empty(filled)
	_, threats := n.links[foe].whole()
	n.loses = n.loses[:0]
	n.loses = append(n.loses, threats...)
	for _, c := range threats {
		n.must = n.must.And(c.Bits)
	}
	if n.must.Empty() {
		return s.with(n, Answer{Winner: foe, Carrier: union(n.loses), Move: engines.NoCell}), true
	}
	return a, false
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

// search solves a position whose result is not obvious.
func (s *Solver) search(n *node) Answer {
	a := s.try(n)
	if s.err == nil {
		key, back := s.key(&n.fill.Stones)
		e := entry{key, turn(a.Carrier, back), int8(n.side + 1), int8(a.Winner), a.Move}
		if a.Move != engines.NoCell && back != nil {
			e.move = back[a.Move]
		}
		s.table[s.slot(&key, n.side)] = e
	}
	for _, c := range n.moves {
		s.spare = append(s.spare, c.node)
	}
	return s.with(n, a)
}

func (s *Solver) try(n *node) Answer {
	side, foe := n.side, 1-n.side
	n.moves = n.moves[:0]
	settle := func(m engines.Cell, a Answer) bool {
		if a.Winner != side {
			n.must = n.must.And(a.Carrier)
			n.loses = append(n.loses, carrier{Bits: a.Carrier})
		}
		return a.Winner == side
	}
	for _, c := range s.order(n) {
		if !n.must.Has(c.move) {
			continue
		}
		stones := n.fill.Stones
		stones[side] = stones[side].With(c.move)
		c.node = s.node()
		a, known := s.open(c.node, n, stones, foe)
		if s.err != nil {
			return a
		}
		if !known {
			c.score += -float64(c.node.must.Count())
			n.moves = append(n.moves, c)
			continue
		}
		s.spare = append(s.spare, c.node)
		if settle(c.move, a) {
			return Answer{Winner: side, Carrier: a.Carrier.With(c.move), Move: c.move}
		}
	}
	sortMoves(n.moves)
	for _, c := range n.moves {
		if !n.must.Has(c.move) {
			continue
		}
		a := s.search(c.node)
		if s.err != nil {
			return a
		}
		if settle(c.move, a) {
			return Answer{Winner: side, Carrier: a.Carrier.With(c.move), Move: c.move}
		}
	}
	return Answer{Winner: foe, Carrier: union(n.loses), Move: engines.NoCell}
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
func (s *Solver) order(n *node) (list []child) {
	for of := range s.flow {
		s.flow[of].Look(s.b, of, &n.fill.Stones)
	}
	for c := n.must; !c.Empty(); c = c.Rest() {
		m := c.First()
		score := s.flow[0].Share[m] + s.flow[1].Share[m]
		if !n.fill.kills[n.side][m].And(n.must).Empty() {
			score -= 100 // after the move that kills it, it is in no carrier
		}
		list = append(list, child{move: m, score: score})
	}
	sortMoves(list)
	return list
}

func sortMoves(list []child) {
	slices.SortStableFunc(list, func(x, y child) int { return cmp.Compare(y.score, x.score) })
}

// key returns the smaller of a position and its image under a half turn. It also returns the map back from the image,
// or nil if no turn was needed.
func (s *Solver) key(p *Stones) (key Stones, back []engines.Cell) {
	key = *p
	if s.half == nil {
		return key, nil
	}
	turned := Stones{turn(p[0], s.half), turn(p[1], s.half)}
	for i := range key {
		a, b := &key[i], &turned[i]
		if *a == *b {
			continue
		}
		if a.AndNot(*b).First() > b.AndNot(*a).First() {
			return turned, s.half
		}
		break
	}
	return key, nil
}

// turn applies a permutation to cells; nil is the identity.
func turn(b Bits, by []engines.Cell) (out Bits) {
	if by == nil {
		return b
	}
	for ; !b.Empty(); b = b.Rest() {
		out = out.With(by[b.First()])
	}
	return out
}

// slot returns the index of a position in the table.
func (s *Solver) slot(p *Stones, side int) int {
	h := uint64(side) * 0x9e3779b97f4a7c15
	for _, b := range p {
		for ; !b.Empty(); b = b.Rest() {
			h = (h + uint64(b.First()) + 1) * 0xff51afd7ed558ccd
			h ^= h >> 29
		}
		h += 0x9e3779b97f4a7c15
	}
	return int(h>>20) & (len(s.table) - 1)
}
