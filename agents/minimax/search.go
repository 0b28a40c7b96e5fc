package minimax

import (
	"math"

	"spar/engines"
)

// child plays a move of the state at ply and returns its value for the side that makes it. Depth is the depth of the
// parent.
func (w *worker) child(s *engines.State, m engines.Move, depth, ply int, alpha, beta int32) int32 {
	f := &w.stack[ply+1]
	if w.frontier && depth == 1 {
		if v, ok := w.leafOf(s, m, ply, alpha, beta); ok {
			return v
		}
	}
	next := &f.state
	w.down(s, next, m)
	f.pv = f.pv[:0]
	var v int32
	switch {
	case next.Over():
		w.enter()
		v = w.overScore(next, s.Side(), ply+1)
	case next.Side() == s.Side():
		v = w.node(next, depth-1, ply+1, alpha, beta)
	default:
		v = -w.node(next, depth-1, ply+1, -beta, -alpha)
	}
	w.up()
	return v
}

// down plays a move of s on next and pushes it to the cursor. The method up undoes both.
func (w *worker) down(s, next *engines.State, m engines.Move) {
	next.CopyFrom(s)
	next.Play(m)
	w.follow(s, next)
}

// follow pushes a move that was played to the cursor. The method up takes it back.
func (w *worker) follow(s, next *engines.State) {
	if w.follower != nil {
		w.follower.Push(s, next)
	}
}

func (w *worker) up() {
	if w.follower != nil {
		w.follower.Pop()
	}
}

// leafOf is child for a move to the horizon that does not have to be played. Its value must be computable from
// what it changes, the rules must have no repetition, and quiescence must have nothing to examine.
func (w *worker) leafOf(s *engines.State, m engines.Move, ply int, alpha, beta int32) (int32, bool) {
	leaf, ok := w.cursor.Leaf(m)
	if !ok {
		return 0, false
	}
	stand, sign := whole(leaf.Value), int32(1)
	if leaf.Next != s.Side() {
		sign, beta = -1, -alpha
	}
	if !leaf.Quiet && w.s.o.Quiescence && stand < beta {
		return 0, false
	}
	if w.extends && leaf.Threat && leaf.Wins == engines.NoCell {
		return 0, false // there may be a threat to answer
	}
	if !w.enter() {
		return 0, true
	}
	f := &w.stack[ply+1]
	f.pv = f.pv[:0]
	if leaf.Wins != engines.NoCell {
		f.pv = append(f.pv, engines.PlaceMove(leaf.Wins))
		return sign * (Win - int32(ply+1) - 1), true
	}
	w.guesses++
	return sign * stand, true
}

// node returns the value of an unfinished position for its side to move (fail-soft).
func (w *worker) node(s *engines.State, depth, ply int, alpha, beta int32) int32 {
	if w.mirrors && s.Decline() {
		return w.pie(s, depth, ply, beta)
	}
	if !w.enter() {
		return 0
	}
	hash := s.Hash()
	if w.repeat > 0 {
		if first, n := w.occurrences(hash); n+1 >= w.repeat {
			w.taint = min(w.taint, first)
			if r := w.s.g.Repeated(w.stack[ply-1].state.Side()); r != engines.Drawn {
				return int32(2*r.Score(s.Side())-1) * int32(Win-ply)
			}
			return 0
		}
	}
	if depth <= 0 || ply >= MaxDepth {
		if depth < 0 || ply >= MaxDepth || !w.extends || !w.mustAnswer(s, depth, ply) {
			return w.leaf(s, ply, 0, alpha, beta)
		}
	}
	// Nobody wins faster than now, and the fastest loss is not before the opponent's next ply.
	if top := int32(Win - ply - 1); beta > top {
		if beta = top; alpha >= beta {
			return beta
		}
	}
	key := hash ^ w.pathSalt
	e := entry{move: engines.NoMove}
	hit := false
	capNear := s.Ply()+depth+w.beyond() >= w.capPly
	if capNear {
		key ^= uint64(s.Ply()+1) * 0xd1342543de82ef95
	}
	if s.Quiet()+depth+w.beyond() >= w.quietCap {
		key ^= uint64(s.Quiet()+1) * 0xaef17502108ef2d9
	}
	if w.s.tt != nil {
		if e, hit = w.s.tt.load(key); hit {
			if v, ok := w.usable(e, depth, ply, alpha, beta, s); ok {
				if !e.exhausted && v <= winLimit && v >= -winLimit {
					w.guesses++
				}
				return v
			}
		}
	}
	if m := w.winNow(s); m != engines.NoMove {
		w.stack[ply].pv = append(w.stack[ply].pv[:0], m)
		return Win - int32(ply) - 1
	}
	var check *margin
	if w.selection.on && depth > 0 && !(w.mirrors && s.PieOpen()) && beta-alpha == 1 && beta < winLimit && beta > -winLimit {
		v, cut := int32(0), false
		if v, check, cut = w.cut(s, depth, ply, alpha, beta); cut {
			return v
		}
	}
	if w.repeat > 0 {
		w.path = append(w.path, hash)
		defer w.popPath()
	}
	above := w.taint
	w.taint = math.MaxInt
	guesses := w.guesses
	best, bestMove := w.moveLoop(s, key, e.move, depth, ply, alpha, beta)
	if check != nil && !w.stopped {
		check.learn(w.selection.unit, check.low == (best > alpha))
	}
	here := w.seen + ply
	if w.repeat > 0 {
		here = len(w.path) - 1
	}
	tainted := w.taint < here
	if w.taint >= here { // repetitions within the subtree do not concern the nodes above
		w.taint = math.MaxInt
	}
	w.taint = min(w.taint, above)
	if w.s.tt != nil && !w.stopped && !tainted {
		kind := exact
		switch {
		case best <= alpha:
			kind = upper
		case best >= beta:
			kind = lower
		}
		// A draw that holds to the end of every game holds under a ply cap, too, which only adds draws; a win says
		// how far it is.
		w.s.tt.store(
			key,
			entry{
				score:     fromRoot(best, ply),
				move:      bestMove,
				depth:     uint8(min(depth, MaxDepth)),
				bound:     kind,
				exhausted: w.guesses == guesses,
			},
		)
	}
	return best
}

// pie returns the value of a position in which the side to move may swap: the better of the value without a swap and its
// opposite, so never less than a draw. The state is that without a swap.
func (w *worker) pie(s *engines.State, depth, ply int, beta int32) int32 {
	if beta <= 0 {
		return 0
	}
	guesses := w.guesses
	v := w.node(s, depth, ply, -infinity, infinity)
	if w.stopped {
		return 0
	}
	if v = w.even(s, depth, v, w.guesses == guesses); v >= 0 {
		return v
	}
	w.stack[ply].pv = append(w.stack[ply].pv[:0], engines.Swap)
	return w.swapped(v, s.Ply()-ply)
}

// even returns the mean of the value of a position with a pie rule at a depth and at that of one turn less. An evaluation
// favours the side that moved last, and whether to swap must not depend on which side that is. What is proved stays.
func (w *worker) even(s *engines.State, depth int, v int32, proved bool) int32 {
	if proved || v > winLimit || v < -winLimit {
		return v
	}
	if w.pies == nil {
		w.pies = map[uint64]int32{}
	}
	key := s.Hash() + uint64(depth)
	w.pies[key] = v
	if before, ok := w.pies[key-uint64(w.rules.Turn.Placements)]; ok && before <= winLimit && before >= -winLimit {
		return (v + before) / 2
	}
	return v
}

// swapped returns the value of a swap where the best other move has the value v. The root is at the given ply of the
// game.
func (w *worker) swapped(v int32, root int) int32 {
	switch {
	case v > winLimit:
		return 1 - v
	case v >= -winLimit:
		return -v
	case root+int(Win+v) >= w.capPly: // the swap is a ply of the game, too
		return 0
	}
	return -v - 1
}

func (w *worker) popPath() { w.path = w.path[:len(w.path)-1] }

// fromRoot converts a win score that counts plies from the root to one that counts from the node, for the table.
func fromRoot(v int32, ply int) int32 {
	switch {
	case v > winLimit:
		return v + int32(ply)
	case v < -winLimit:
		return v - int32(ply)
	}
	return v
}

// usable reports whether a stored score is enough, so that the node need not be searched.
func (w *worker) usable(e entry, depth, ply int, alpha, beta int32, s *engines.State) (int32, bool) {
	if int(e.depth) < depth && !e.exhausted {
		won := e.score > winLimit && e.bound != upper || e.score < -winLimit && e.bound != lower
		if !won {
			return 0, false
		}
	}
	v := e.score
	if v > winLimit || v < -winLimit {
		distance := int(Win - max(v, -v))
		if s.Ply()+distance > w.capPly || s.Quiet()+distance > w.quietCap {
			return 0, false
		}
		if v > 0 {
			v -= int32(ply)
		} else {
			v += int32(ply)
		}
	}
	switch {
	case e.bound == exact, e.bound == lower && v >= beta, e.bound == upper && v <= alpha:
		return v, true
	}
	return 0, false
}

// occurrences returns how often a position occurred in the game so far and the current line, and the lowest index
// at which it did.
func (w *worker) occurrences(hash uint64) (first, n int) {
	first = -1
	for i, h := range w.path {
		if h == hash {
			if first < 0 {
				first = i
			}
			n++
		}
	}
	return first, n
}

// winNow returns a placement that completes a line; NoMove if there is none.
func (w *worker) winNow(s *engines.State) engines.Move {
	if b := s.WinningPlacements(); !b.Empty() {
		return engines.PlaceMove(b.First())
	}
	return engines.NoMove
}

// frontierOrdered is the number of moves that are ordered one ply above the horizon.
const frontierOrdered = 4

// moveLoop searches the moves of a node by principal variation search. With several threads, it leaves moves that
// another thread is searching for later, when the table may have their results.
func (w *worker) moveLoop(
	s *engines.State,
	key uint64,
	tableMove engines.Move,
	depth, ply int,
	alpha, beta int32,
) (int32, engines.Move) {
	start := len(w.moves)
	threats := engines.Bits{}
	if w.rules.Win.Line > 0 {
		threats = s.ThreatCells(1 - s.Side())
	}
	if w.answers && !threats.Empty() {
		if safe, threatened := w.defences(s, threats); threatened {
			if safe.Empty() {
				m := engines.PlaceMove(s.Completing(w.board).First())
				w.stack[ply].pv = append(w.stack[ply].pv[:0], m)
				return lostInTwo(ply), m
			}
			for b := safe; !b.Empty(); b = b.Rest() {
				w.moves = append(w.moves, engines.PlaceMove(b.First()))
			}
			if m := w.moves[start]; len(w.moves) == start+1 && w.mayExtend(depth, ply) {
				return w.onlyReply(s, start, m, depth, ply, alpha, beta)
			}
		}
	}
	if w.forcing && len(w.moves) == start && depth >= forcingDepth {
		if m, plies := w.force(s); plies > 0 {
			w.stack[ply].pv = append(w.stack[ply].pv[:0], m)
			return Win - int32(ply+plies), m
		}
	}
	if len(w.moves) == start {
		w.moves = s.AppendMoves(w.moves)
	}
	later := len(w.later)
	defer func() {
		w.release(start)
		w.later = w.later[:later]
	}()
	w.frontier = false
	count := len(w.moves) - start
	first := w.score(s, start, tableMove, threats, ply)
	if w.selection.on && depth >= orderedDepth {
		first = w.orderByValue(s, start)
	}
	if c := w.s.o.Candidates; c > 0 && count > c {
		w.keepCandidates(s, start, c, ply)
		count, first = c, start // they are in order
		w.guesses++             // the moves left out may be better
	}
	f := &w.stack[ply]
	best, bestMove := int32(-infinity), engines.NoMove
	side := s.Side()
	ordered := count
	if depth == 1 {
		w.frontier = !(w.mirrors && s.PieOpen()) && w.cursor.Leaves(s, count)
		ordered = min(count, frontierOrdered) // where nothing cuts off by then the rest are leaves in any order
	}
	busy := w.s.busy
	if depth < sharedDepth {
		busy = nil
	}
	for i := 0; i < count+len(w.later)-later; i++ {
		var m engines.Move
		switch {
		case i == 0:
			m = w.bring(first, start)
		case i >= count:
			m = w.later[later+i-count]
		case i < ordered:
			m = w.pick(start+i, start+count)
		default:
			m = w.moves[start+i]
		}
		var v int32
		if i == 0 {
			v = w.child(s, m, depth, ply, alpha, beta)
		} else {
			if busy != nil && i < count && !busy.begin(key, m) {
				w.later = append(w.later, m)
				continue
			}
			place := i
			if i < count && w.order[start+i] >= classCounter {
				place = 0 // what stopped other searches is not searched less deep
			}
			v = w.lateMove(s, m, depth, ply, place, alpha)
			if v > alpha && v < beta && !w.stopped {
				v = w.child(s, m, depth, ply, alpha, beta)
			}
			if busy != nil {
				busy.end(key, m)
			}
		}
		if w.stopped {
			return best, bestMove
		}
		if v <= best {
			continue
		}
		best, bestMove = v, m
		if v > alpha {
			alpha = v
			f.pv = append(append(f.pv[:0], m), w.stack[ply+1].pv...)
		}
		if alpha >= beta {
			w.reward(side, m, depth, ply)
			break
		}
	}
	return best, bestMove
}

func (w *worker) release(start int) {
	w.moves, w.order = w.moves[:start], w.order[:start]
}

// quietPlies is the depth of quiescence search in plies. In tests, two plies were as strong as eight, and no quiescence
// was weaker.
const quietPlies = 2

// leaf evaluates a position at the horizon by evaluation, or by quiescence search if captures are possible.
func (w *worker) leaf(s *engines.State, ply, quiet int, alpha, beta int32) int32 {
	value, cell := w.cursor.ValueOrWin(s)
	if cell != engines.NoCell {
		w.stack[ply].pv = append(w.stack[ply].pv[:0], engines.PlaceMove(cell))
		return Win - int32(ply) - 1
	}
	w.guesses++
	stand := whole(value)
	if !w.s.o.Quiescence || quiet >= quietPlies || ply >= MaxDepth+32 {
		return stand
	}
	best := stand
	if s.Chain() == engines.NoCell && best >= beta {
		return best
	}
	alpha = max(alpha, best)
	start := len(w.moves)
	w.moves = s.AppendCaptures(w.moves)
	for len(w.order) < len(w.moves) {
		w.order = append(w.order, 0)
	}
	defer w.release(start)
	for i := start; i < len(w.moves); i++ {
		f := &w.stack[ply+1]
		w.down(s, &f.state, w.moves[i])
		f.pv = f.pv[:0]
		if !w.enter() {
			return best
		}
		var v int32
		switch {
		case f.state.Over():
			v = w.overScore(&f.state, s.Side(), ply+1)
		case f.state.Side() == s.Side():
			v = w.leaf(&f.state, ply+1, quiet+1, alpha, beta)
		default:
			v = -w.leaf(&f.state, ply+1, quiet+1, -beta, -alpha)
		}
		w.up()
		if v > best {
			best = v
			alpha = max(alpha, v)
			if alpha >= beta {
				break
			}
		}
	}
	return best
}
