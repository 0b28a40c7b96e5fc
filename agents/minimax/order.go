package minimax

import "spar/engines"

// Classes of moves in the order of the search; history orders within a class.
const (
	classTable   = int64(8) << 40
	classWin     = int64(7) << 40
	classCapture = int64(5) << 40
	classBlock   = int64(4) << 40
	classKiller  = int64(3) << 40
)

func historyIndex(m engines.Move) int {
	if from := m.From(); from != engines.NoCell {
		return int(from)<<7 | int(m.To())
	}
	return int(m.To())
}

// score gives every move from start on a place in the order.
func (w *worker) score(s *engines.State, start int, tableMove engines.Move, ply int) {
	side := s.Side()
	block := engines.Bits{}
	if w.rules.Win.Line > 0 {
		block = s.ThreatCells(1 - side)
	}
	killers := w.stack[ply].killers
	history := w.history[side]
	for _, m := range w.moves[start:] {
		v := int64(history[historyIndex(m)])
		switch {
		case m == tableMove:
			v += classTable
		case m.IsJump():
			v += classCapture
		case !block.Empty() && m.To() != engines.NoCell && block.Has(m.To()):
			v += classBlock
		case m == killers[0], m == killers[1]:
			v += classKiller
		}
		w.order = append(w.order, v)
	}
}

// pick brings the best of the moves from at on to the place at and returns it. Equal ones stay in the order of the legal
// moves.
func (w *worker) pick(at, end int) engines.Move {
	best, v := at, w.order[at]
	for i, x := range w.order[at:end] {
		if x > v {
			best, v = at+i, x
		}
	}
	m := w.moves[best]
	copy(w.moves[at+1:best+1], w.moves[at:best])
	copy(w.order[at+1:best+1], w.order[at:best])
	w.moves[at], w.order[at] = m, v
	return m
}

// reward remembers a move that was good enough to stop at.
func (w *worker) reward(side int, m engines.Move, depth, ply int) {
	f := &w.stack[ply]
	if f.killers[0] != m {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	h := &w.history[side][historyIndex(m)]
	*h += int32(depth * depth)
	if *h > 1<<28 {
		*h >>= 1
	}
}

// keepCandidates moves the n best moves by evaluation to the front.
func (w *worker) keepCandidates(s *engines.State, start, n, ply int) {
	next := &w.stack[ply+1].state
	side := s.Side()
	for i := start; i < len(w.moves); i++ {
		next.CopyFrom(s)
		next.Play(w.moves[i])
		v := int64(0)
		if next.Over() {
			v = int64(w.overScore(next, side, 1))
		} else {
			v = int64(w.evaluate(next, side))
		}
		w.order[i] = v
	}
	for i := range n {
		w.pick(start+i, len(w.moves))
	}
	w.moves, w.order = w.moves[:start+n], w.order[:start+n]
}
