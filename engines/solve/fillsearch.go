package solve

import (
	"context"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"spar/engines"
)

// filler is one thread of the search.
type filler struct {
	f       *field
	table   *fillTable
	shared  *fillBudget
	quota   uint64 // nodes that the thread may search before it asks for more
	nodes   uint64
	stopped bool
	first   bool // the first thread, which runs in the goroutine that started the search
	salt    uint64
	frames  [65]fillFrame
	winning int // after a search of the root: a move whose value is above alpha
}

// fillFrame is the memory of one ply.
type fillFrame struct {
	moves [64]fillMove
	next  filled
}

type fillMove struct {
	wins  uint64 // winning cells of the mover after the move
	score uint32
	cell  uint8
}

// fillBudget counts the nodes of all threads.
type fillBudget struct {
	budget
	mu   sync.Mutex
	done atomic.Bool // a thread has the answer, or the context has ended
}

// share is the number of nodes that a thread takes from the budget at a time.
const share = 1024

// ask takes nodes from the budget and reports whether there were any.
func (s *filler) ask() bool {
	b := s.shared
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done.Load() || b.used >= b.until || b.ctx.Err() != nil {
		return false
	}
	if s.first && b.progress != nil && b.used-b.told >= 1<<16 {
		b.told = b.used
		b.progress(ProofStatus{Nodes: b.used, Limit: b.limit})
	}
	s.quota = min(share, b.until-b.used)
	b.used += s.quota
	return true
}

// giveBack returns unused nodes to the budget.
func (s *filler) giveBack() {
	s.shared.mu.Lock()
	s.shared.used -= s.quota
	s.quota = 0
	s.shared.mu.Unlock()
}

// prove answers for a position in which the game goes on.
func (f *field) prove(within *budget, start *engines.State, o ProofOptions) (Proof, error) {
	out := Proof{AtLeast: Loss, AtMost: Win, Move: engines.NoMove}
	b := &fillBudget{budget: *within}
	defer context.AfterFunc(b.ctx, func() { b.done.Store(true) })()
	crew := make([]filler, max(1, o.Workers))
	table := newFillTable(f.keyBits, o.Memory, o.Nodes)
	defer table.release()
	for i := range crew {
		crew[i] = filler{
			f:       f,
			table:   table,
			shared:  b,
			first:   i == 0,
			salt:    uint64(i) * 0x9e3779b97f4a7c15,
			winning: -1,
		}
	}
	// "Does the mover win?" gets half of the nodes, "does it lose?" the rest, and what that leaves goes to the first
	// again.
	for _, try := range []struct {
		alpha int8
		until uint64
	}{{0, o.Nodes / 2}, {-1, o.Nodes}, {0, o.Nodes}} {
		if v := Outcome(try.alpha); out.AtMost <= v || out.AtLeast > v {
			continue
		}
		b.until = try.until
		v, move, ok := b.value(crew, start, try.alpha)
		switch {
		case !ok:
		case v > try.alpha:
			out.AtLeast = Outcome(v)
			if v > 0 {
				out.Move = move
			}
		default:
			out.AtMost = Outcome(v)
		}
	}
	out.Nodes = b.used
	if out.Known() {
		return out, nil
	}
	return out, b.ctx.Err()
}

// value returns a bound of the value of a position that shows whether the value is above alpha, and a move that
// proves it. It searches turns of several pieces piece by piece.
func (b *fillBudget) value(crew []filler, s *engines.State, alpha int8) (v int8, m engines.Move, ok bool) {
	f := crew[0].f
	root := f.at(s)
	if win := root.ownWins & f.open(&root); win != 0 && !f.misere {
		b.used++
		return 1, engines.PlaceMove(engines.Cell(bits.TrailingZeros64(win))), true
	}
	if s.Ply() >= f.early {
		v, cell, ok := b.run(crew, root, alpha)
		return v, engines.PlaceMove(engines.Cell(cell)), ok
	}
	best := int8(-1)
	moves, tried := s.AppendMoves(nil), map[uint64]bool{}
	slices.SortStableFunc(moves, func(x, y engines.Move) int {
		return int(f.worth[y.To()]) - int(f.worth[x.To()])
	})
	for _, m := range moves {
		next := *s
		next.Play(m)
		key := f.lowestKey(next.Pieces(0).Lo, next.Pieces(1).Lo)
		if tried[key] {
			continue
		}
		tried[key] = true
		switch {
		case next.Over():
			v = int8(resultFor(next.Result(), s.Side()))
		case next.Side() == s.Side():
			v, _, ok = b.value(crew, &next, alpha)
		default:
			v, _, ok = b.value(crew, &next, -alpha-1)
			v = -v
		}
		if !ok && !next.Over() {
			return 0, m, false
		}
		if best = max(best, v); v > alpha {
			return v, m, true
		}
	}
	return best, engines.NoMove, true
}

// run lets all threads search for whether the value is above alpha.
func (b *fillBudget) run(crew []filler, root filled, alpha int8) (v int8, cell int, ok bool) {
	b.done.Store(false)
	var found sync.Mutex
	work := func(s *filler) {
		s.stopped, s.winning = false, -1
		p := root
		x := s.search(&p, alpha, true)
		s.giveBack()
		found.Lock()
		defer found.Unlock()
		if !s.stopped && !ok {
			v = x
			cell = s.winning
			ok = true
			b.done.Store(true)
		}
	}
	var all sync.WaitGroup
	for i := range crew[1:] {
		all.Go(func() { work(&crew[1+i]) })
	}
	work(&crew[0])
	all.Wait()
	return v, cell, ok
}

// Parameters of the search. They were chosen by nodes and time in connect four.
const (
	mirrored = 16 // number of empty cells from which the images of a position share a table entry
	probed   = 16 // number of empty cells from which all replies are looked up before any is searched
	stored   = 6  // number of empty cells below which searching is faster than storing
)

// keyOf returns the key of a position in the table.
func (f *field) keyOf(own, other uint64, empty int8) uint64 {
	if empty >= mirrored {
		return f.lowestKey(own, other)
	}
	return f.key(own, other)
}

// search returns a bound of the value of a position whose side to move cannot win at once: a lower bound above alpha,
// or an upper bound. At the root it also sets the winning move.
func (s *filler) search(p *filled, alpha int8, root bool) int8 {
	if s.shared.done.Load() ||
		s.quota == 0 &&
			!s.ask() { // at every node: while a large table is new, each may touch pages that the system must clear first
		s.stopped = true
		return 0
	}
	s.quota--
	s.nodes++
	f := s.f
	safe := f.safe(p)
	switch {
	case p.empty == 0:
		return f.full[p.side&1]
	case safe == 0:
		return -1
	case p.empty <= 2 && !f.misere: // nobody completes a line any more: one move is as good as another
		s.winning = bits.TrailingZeros64(safe)
		return f.full[p.side&1]
	}
	var key uint64
	lower, upper := int8(-1), int8(1)
	if p.empty >= stored {
		key = s.f.keyOf(p.own, p.other, p.empty)
		lower, upper = s.table.load(key)
	}
	switch {
	case root:
	case lower > alpha:
		return lower
	case upper <= alpha:
		return upper
	}
	moves := s.order(p, safe)
	if p.empty >= probed && !root {
		for i := range moves {
			_, most := s.table.load(f.keyOf(p.other, p.own|1<<moves[i].cell, p.empty-1))
			if -most > alpha {
				return -most
			}
		}
	}
	before := s.nodes
	best := int8(-1)
	for i := range moves {
		m := &moves[i]
		next := &s.frames[p.empty].next
		*next = filled{
			own:       p.other,
			other:     p.own | 1<<m.cell,
			ownWins:   p.otherWins,
			otherWins: m.wins,
			side:      1 - p.side,
			empty:     p.empty - 1,
		}
		v := -s.search(next, -alpha-1, false)
		if s.stopped {
			return 0
		}
		if v <= best {
			continue
		}
		if best = v; v > alpha {
			if root {
				s.winning = int(m.cell)
			}
			break
		}
	}
	if best > alpha {
		lower = max(lower, best)
	} else {
		upper = min(upper, best)
	}
	if p.empty >= stored {
		s.table.store(key, lower, upper, s.nodes-before+1)
	}
	return best
}

// order lists the safe moves, those with the most threats first.
func (s *filler) order(p *filled, safe uint64) []fillMove {
	f := s.f
	moves := s.frames[p.empty].moves[:0]
	free := f.board &^ (p.own | p.other)
	for ; safe != 0; safe &= safe - 1 {
		c := bits.TrailingZeros64(safe)
		wins := p.ownWins | f.wins(p.side, c, p.own)
		m := fillMove{wins: wins, cell: uint8(c)}
		m.score = uint32(bits.OnesCount64(wins&free))<<8 + uint32(f.worth[c&63])
		if f.misere {
			m.score = ^m.score
		}
		if s.salt != 0 {
			m.score ^= uint32(s.salt>>(c&31)) & 3
		}
		at := len(moves)
		moves = moves[:at+1]
		for ; at > 0 && moves[at-1].score < m.score; at-- {
			moves[at] = moves[at-1]
		}
		moves[at] = m
	}
	return moves
}
