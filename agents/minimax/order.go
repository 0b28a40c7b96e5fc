package minimax

import (
	"slices"

	"spar/engines"
)

// Classes of moves in the order of the search; history orders within a class.
const (
	classTable   = int64(8) << 40
	classWin     = int64(7) << 40
	classCapture = int64(5) << 40
	classBlock   = int64(4) << 40
	classKiller  = int64(3) << 40
	classCounter = int64(2) << 40
)

func historyIndex(m engines.Move) int {
	if from := m.From(); from != engines.NoCell {
		return int(from)*engines.CellSpace | int(m.To())
	}
	return int(m.To())
}

// score computes the order value of every move from start on, and returns the index of the first best move. The
// parameter block has the cells on which the other side would complete a line.
func (w *worker) score(s *engines.State, start int, tableMove engines.Move, block engines.Bits, ply int) int {
	side := s.Side()
	blocks := !block.Empty()
	killers := w.stack[ply].killers
	counter := engines.NoMove
	if last := s.Last(); last.To() < engines.NoCell && last != engines.NoMove {
		counter = w.counter[side][last.To()]
	}
	history := w.history[side].counts
	moves := w.moves[start:]
	w.order = slices.Grow(w.order, len(moves))[:len(w.moves)]
	order := w.order[start:][:len(moves)]
	best, top := 0, int64(-1)
	for i, m := range moves {
		placed := m.IsPlacement()
		at := int(m & engines.CellMask)
		if !placed {
			at = historyIndex(m)
		}
		v := int64(history[at])
		switch {
		case m == tableMove:
			v += classTable
		case !placed && m.IsJump():
			v += classCapture
		case blocks && m.To() != engines.NoCell && block.Has(m.To()):
			v += classBlock
		case m == killers[0], m == killers[1]:
			v += classKiller
		case m == counter:
			v += classCounter
		}
		order[i] = v
		if v > top {
			best, top = i, v
		}
	}
	return start + best
}

// pick swaps the best of the remaining moves to index at and returns it. Among equal moves it keeps the order of the
// legal moves.
func (w *worker) pick(at, end int) engines.Move {
	best, v := at, w.order[at]
	for i, x := range w.order[at:end] {
		if x > v {
			best, v = at+i, x
		}
	}
	return w.bring(best, at)
}

// bring moves one entry to an earlier index and shifts the entries between.
func (w *worker) bring(from, at int) engines.Move {
	m, v := w.moves[from], w.order[from]
	if from > at {
		copy(w.moves[at+1:from+1], w.moves[at:from])
		copy(w.order[at+1:from+1], w.order[at:from])
		w.moves[at], w.order[at] = m, v
	}
	return m
}

// reward records a move that caused a cutoff.
func (w *worker) reward(side int, m engines.Move, depth, ply int) {
	f := &w.stack[ply]
	if f.killers[0] != m {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	last := w.stack[ply].state.Last()
	if last != engines.NoMove && last.To() < engines.NoCell {
		w.counter[side][last.To()] = m
	}
	w.history[side].add(historyIndex(m), depth)
}

// history counts, for each move of a side, how often it caused a cutoff.
type history struct {
	counts  []int32
	present []int // indices of the positive entries; it may contain some others
}

func (h *history) add(at, depth int) {
	c := &h.counts[at]
	if *c == 0 && depth != 0 {
		h.present = append(h.present, at)
	}
	if *c += int32(depth * depth); *c > 1<<28 {
		*c >>= 1
	}
}

// fade divides all counts by eight.
func (h *history) fade() {
	kept := h.present[:0]
	for _, at := range h.present {
		if h.counts[at] >>= 3; h.counts[at] > 0 {
			kept = append(kept, at)
		}
	}
	h.present = kept
}

func (h *history) reset() {
	for _, at := range h.present {
		h.counts[at] = 0
	}
	h.present = h.present[:0]
}

// keepCandidates moves the n best moves by evaluation to the front.
func (w *worker) keepCandidates(s *engines.State, start, n, ply int) {
	next := &w.stack[ply+1].state
	side := s.Side()
	w.due = max(w.nodes,
		w.due-int64(len(w.moves)-start)) // evaluated, though not counted as searched: the search checks the clock sooner
	for i := start; i < len(w.moves); i++ {
		w.down(s, next, w.moves[i])
		v := int64(0)
		if next.Over() {
			v = int64(w.overScore(next, side, 1))
		} else {
			v = int64(w.evaluate(next, side))
		}
		w.order[i] = v
		w.up()
	}
	for i := range n {
		w.pick(start+i, len(w.moves))
	}
	w.moves = w.moves[:start+n]
	w.order = w.order[:start+n]
}
