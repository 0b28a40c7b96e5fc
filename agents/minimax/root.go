package minimax

import (
	"context"
	"math"
	"slices"

	"spar/engines"
)

// search deepens until a limit is reached.
func (w *worker) search(ctx context.Context, p *engines.Position, l Limits) Result {
	w.prepare(ctx, p, l)
	root := &w.stack[0].state
	legal := l.Root
	if len(legal) == 0 {
		legal = p.AppendMoves(nil)
	}
	moves := make([]RootMove, len(legal))
	for i, m := range legal {
		moves[i].Move = m
	}
	w.forget(len(legal))
	deepest := MaxDepth
	if l.Depth > 0 {
		deepest = min(l.Depth, MaxDepth)
	}
	result := Result{Best: legal[:1:1], Moves: slices.Clone(moves)}
	if w.s.o.Plain {
		w.deepenPlain(root, moves, deepest, l, &result)
		return result
	}
	order := make([]int, len(moves))
	for i := range order {
		order[i] = i
	}
	swap, kept := -1, int32(0) // the value without a swap
	if w.mirrors && len(l.Root) == 0 && root.Decline() {
		swap = slices.Index(legal, engines.Swap)
		order = slices.Delete(order, swap, swap+1)
	}
	w.orderRoot(root, moves, order)
	before := w.guesses
	if w.forcing && len(l.Root) == 0 && len(legal) > 1 {
		w.force(root)
		order = slices.DeleteFunc(order, func(i int) bool {
			out := len(w.moves) > 0 && !slices.Contains(w.moves, legal[i])
			if out {
				result.Moves[i].Score, result.Moves[i].Bound = Win-1, true // for all that is known
			}
			return out
		})
		w.moves = w.moves[:0]
	}
	partial := w.guesses > before
	result.Best = []engines.Move{legal[order[0]]} // until an iteration knows better
	for depth := 1; depth <= deepest; depth++ {
		guesses := w.guesses
		finished := w.searchRoot(root, moves, order, depth, &result)
		if !finished {
			break
		}
		result.Depth = depth
		whole := w.guesses == guesses && !partial // every game was searched to its end
		solved := (result.Score > winLimit || result.Score < -winLimit && !partial) && w.s.o.Candidates == 0
		result.Exact = solved || whole
		if swap >= 0 {
			kept = w.even(root, depth, result.Score, result.Exact)
		}
		// A win or loss that the table knows from a deeper search may not be the fastest, nor the only move: those
		// are certain once the depth has reached it.
		settled := solved && int(Win-max(result.Score, -result.Score)) <= depth && !w.s.o.AllScores
		if whole || settled || w.stopped || len(legal) == 1 && !l.Deadline.IsZero() {
			break
		}
	}
	if swap >= 0 {
		v := w.swapped(kept, root.Ply())
		if result.Moves[swap].Score = v; kept < 0 && result.Score <= winLimit {
			w.lines[swap] = append(w.lines[swap], engines.Swap)
			result.Score, result.Best = v, []engines.Move{engines.Swap}
		}
	}
	result.Nodes = w.nodes
	if best := slices.Index(legal, result.Best[0]); best >= 0 {
		result.PV = slices.Clone(w.lines[best])
	}
	return result
}

// forget clears the results of the last search for its root moves, and allocates room for n moves.
func (w *worker) forget(n int) {
	for i := range w.lines {
		w.lines[i] = w.lines[i][:0]
	}
	if more := n - len(w.lines); more > 0 {
		w.lines = append(w.lines, make([][]engines.Move, more)...)
		w.scores = make([]RootMove, n)
	}
}

// orderRoot sorts the root moves by their values after one ply, for the first iteration.
func (w *worker) orderRoot(root *engines.State, moves []RootMove, order []int) {
	values := make([]int32, len(moves))
	next := &w.stack[1].state
	for i := range moves {
		if !w.enter() {
			values[i] = -infinity
			continue
		}
		w.down(root, next, moves[i].Move)
		if next.Over() {
			values[i] = w.overScore(next, root.Side(), 1)
		} else {
			values[i] = w.evaluate(next, root.Side())
		}
		w.up()
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(values[b]) - int(values[a]) })
}

// searchRoot searches all root moves to a depth and finds all equally good moves. If the search is stopped, it
// uses the best move that this iteration has completed, if there is one, and returns false.
func (w *worker) searchRoot(root *engines.State, moves []RootMove, order []int, depth int, result *Result) bool {
	w.depth = depth
	best := int32(-infinity)
	scores := w.scores[:len(moves)]
	for i := range scores {
		scores[i].Bound = true // until its turn comes
	}
	finished := 0
	busy, key := w.s.busy, root.Hash()
	if depth < sharedDepth {
		busy = nil
	}
	var later []int
	for n := 0; n < len(order)+len(later); n++ {
		var i int
		if n < len(order) {
			i = order[n]
		} else {
			i = later[n-len(order)]
		}
		m := moves[i].Move
		if busy != nil && n > 0 && n < len(order) && !busy.begin(key, m) {
			later = append(later, i)
			continue
		}
		alpha := best - 1 // so that the search returns a score equal to best exactly
		if w.s.o.AllScores || n == 0 {
			alpha = -infinity
		}
		w.taint = math.MaxInt
		var v int32
		if n == 0 || w.s.o.AllScores {
			v = w.child(root, m, depth, 0, -infinity, infinity)
		} else if v = w.lateMove(root, m, depth, 0, n, alpha); v > alpha && !w.stopped {
			v = w.child(root, m, depth, 0, alpha, infinity)
		}
		if busy != nil && n > 0 {
			busy.end(key, m)
		}
		if w.stopped {
			break
		}
		finished++
		scores[i] = RootMove{Move: m, Score: v, Bound: v <= alpha}
		result.Moves[i] = scores[i]
		w.lines[i] = w.lines[i][:0]
		if v > alpha {
			w.lines[i] = append(append(w.lines[i], m), w.stack[1].pv...)
		}
		best = max(best, v)
	}
	if finished == 0 {
		return false
	}
	// of an iteration that was stopped, too: the best move of the one before comes first, and is better known now
	result.Score = best
	result.Best = result.Best[:0:0]
	for _, s := range scores {
		if s.Score == best && !s.Bound {
			result.Best = append(result.Best, s.Move)
		}
	}
	if finished < len(order) {
		return false
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(scores[b].Score) - int(scores[a].Score) })
	return true
}
