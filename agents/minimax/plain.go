package minimax

import (
	"slices"

	"spar/engines"
)

// deepenPlain searches directly to the full depth if no other limit is set. Otherwise it deepens until a limit is
// reached. It uses only the node count of an unfinished iteration, unless there is no finished one.
func (w *worker) deepenPlain(root *engines.State, moves []RootMove, deepest int, l Limits, result *Result) {
	if l.Nodes == 0 && l.Deadline.IsZero() {
		w.searchPlain(root, moves, deepest, result)
		return
	}
	for depth := 1; depth <= deepest; depth++ {
		r := *result
		r.Moves = slices.Clone(moves)
		w.searchPlain(root, moves, depth, &r)
		if w.stopped && depth > 1 {
			result.Nodes = w.nodes
			return
		}
		if *result = r; r.Exact || w.stopped {
			return
		}
	}
}

// searchPlain is textbook alpha-beta: fixed depth, moves in legal order, evaluation at the horizon, all wins
// equal. It is a reference for node counts, and for checks of the full search.
func (w *worker) searchPlain(root *engines.State, moves []RootMove, depth int, result *Result) {
	best := int32(-infinity)
	guesses := w.guesses
	w.enter()
	w.last = min(depth, MaxDepth)
	for i := range moves {
		f := &w.stack[1].state
		w.down(root, f, moves[i].Move)
		v := int32(0)
		switch {
		case f.Over():
			w.enter()
			v = plainScore(f, root.Side())
		case f.Side() == root.Side():
			v = w.plain(f, 1, best, infinity)
		default:
			v = -w.plain(f, 1, -infinity, -best)
		}
		w.up()
		if w.stopped {
			break
		}
		result.Moves[i] = RootMove{Move: moves[i].Move, Score: v, Bound: v <= best}
		if v > best {
			best = v
			result.Best = append(result.Best[:0:0], moves[i].Move)
		}
	}
	result.Nodes = w.nodes
	if best > -infinity {
		result.Score, result.PV = best, result.Best
	}
	if !w.stopped {
		result.Depth = depth
		result.Exact = best > winLimit || best < -winLimit || w.guesses == guesses
	}
}

// plain returns the value of an unfinished position for its side to move.
func (w *worker) plain(s *engines.State, ply int, alpha, beta int32) int32 {
	if !w.enter() {
		return 0
	}
	side := s.Side()
	if ply >= w.last {
		w.guesses++
		return w.evaluate(s, side)
	}
	start := len(w.moves)
	w.moves = s.AppendMoves(w.moves)
	end := len(w.moves)
	best := int32(-infinity)
	next := &w.stack[ply+1].state
	for i := start; i < end; i++ {
		next.CopyFrom(s) // down, written out
		next.Play(w.moves[i])
		w.follow(s, next)
		var v int32
		switch {
		case next.Over():
			w.enter()
			v = plainScore(next, side)
		case next.Side() == side:
			v = w.plain(next, ply+1, alpha, beta)
		default:
			v = -w.plain(next, ply+1, -beta, -alpha)
		}
		w.up()
		if w.stopped {
			break
		}
		if v > best {
			best = v
			if v > alpha {
				alpha = v
			}
			if alpha >= beta {
				break
			}
		}
	}
	w.moves = w.moves[:start]
	return best
}

func plainScore(s *engines.State, side int) int32 {
	switch s.Result() {
	case engines.Winner(side):
		return Win
	case engines.Drawn:
		return 0
	}
	return -Win
}
